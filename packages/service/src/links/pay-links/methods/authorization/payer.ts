import type { Uses } from '../../../../api/http/services.ts'
import type { Reader } from '../../../../base/db/sql.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
} from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { permitDigest } from '../../../../base/protocols/evm/permit2/permit.ts'
import { type Refused, refused } from '../../../../base/protocols/x402/refusal.ts'
import {
  type GoodSignature,
  judgeSignature,
  type NotSigned,
  signedByKey,
} from '../../../../chain/client/accounts/judge-signature.ts'
import { findClaimedSignature } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import { findDirectByNonce } from '../../../direct/store.ts'
import { assetOfLink, isInOurs } from '../../../link/link.ts'
import { signatureDigest } from '../../../link/signed-payment.ts'
import type { PayLink } from '../../../link/store.ts'

type Presented = { authorization: TransferAuthorization; signature: Hex }

/**
 * Judges whether the payer signed the authorization. A contract's signature that was good when the payment was claimed
 * stays good for the same bytes, even if the contract has another owner since: its payer must still get the receipt.
 */
export async function judgePayer(
  services: Uses<'chain' | 'db' | 'settings'>,
  link: PayLink,
  { authorization, signature }: Presented,
): Promise<GoodSignature | Refused> {
  const { chain, db, settings } = services
  const digest = authorizationDigest(assetOfLink(chain, link), authorization)
  const presented = { signer: authorization.from, digest, signature }
  const byKey = signedByKey(presented)
  if (byKey) return byKey
  const claimed = await findSignature(db.reader, link, authorization)
  if (claimed?.equals(signatureDigest(signature))) return { ok: true, by: 'contract', signature }
  const judged = await judgeSignature(chain, presented, settings.accountFactories)
  return judged.ok ? judged : refusedSignature(judged.reason)
}

/** Whether a link is paid by Permit2 permits: only assets of ours are paid by EIP-3009. */
export const isPaidByPermit = ({ chain }: Uses<'chain'>, link: PayLink): boolean =>
  !isInOurs(chain, link)

/** Judges the payer of a link by what the link is paid by. */
export const judgePayerOf = (
  services: Uses<'chain' | 'db' | 'settings'>,
  link: PayLink,
  presented: Presented,
): Promise<GoodSignature | Refused> =>
  isPaidByPermit(services, link)
    ? judgePermit(services, link, presented)
    : judgePayer(services, link, presented)

/** As `judgePayer`, for a permit of the token of a DIRECT link. A contract that is not deployed has let Permit2 move nothing. */
async function judgePermit(
  { chain, db }: Uses<'chain' | 'db'>,
  link: PayLink,
  { authorization, signature }: Presented,
): Promise<GoodSignature | Refused> {
  const token = link.token as Address
  const digest = permitDigest(chain.chainId, { ...authorization, token })
  const presented = { signer: authorization.from, digest, signature }
  const byKey = signedByKey(presented)
  if (byKey) return byKey
  const claimed = await findSignature(db.reader, link, authorization)
  if (claimed?.equals(signatureDigest(signature))) return { ok: true, by: 'contract', signature }
  const judged = await judgeSignature(chain, presented, [])
  if (judged.ok) return judged
  return refused('invalid_permit2_signature', 'The signature is not that of the payer.')
}

/** The digest of the signature that claimed the authorization for a link. */
const findSignature = async (
  on: Reader,
  link: PayLink,
  { from, nonce }: TransferAuthorization,
): Promise<Buffer | undefined> => {
  if (link.token === null) return findClaimedSignature(on, link, { from, nonce })
  const { network, token } = link
  const known = await findDirectByNonce(on, { network, token, payer: from, nonce })
  return known?.signatureDigest ?? undefined
}

const DETAILS: Record<NotSigned['reason'], readonly [Refused['reason'], string]> = {
  not_signed: ['invalid_exact_evm_signature', 'The signature is not that of the payer.'],
  factory_not_allowed: [
    'eip6492_factory_not_allowed',
    "The payer's contract is not deployed, and its factory is not one that this service calls. Deploy the contract first.",
  ],
}

export const refusedSignature = (reason: NotSigned['reason']): Refused =>
  refused(...DETAILS[reason])
