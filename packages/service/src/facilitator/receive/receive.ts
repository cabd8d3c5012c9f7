import { judgeSignature } from '../../chain/accounts/judge-signature.ts'
import type { Chain } from '../../chain/chain.ts'
import { nowSecondsOf, readLatest } from '../../chain/read-latest.ts'
import { simulateTransfer } from '../../chain/transfers/signed-transfer.ts'
import { type Caller, mayUseCard } from '../../http/caller.ts'
import type { Services } from '../../http/services.ts'
import type { Hex } from '../../kernel/assets.ts'
import { closedProblem } from '../../pay-links/link.ts'
import { judgePayer } from '../../pay-links/methods/authorization/payer.ts'
import {
  findClaimed as findClaimedOfLink,
  isPaidBy,
} from '../../pay-links/methods/authorization/settle.ts'
import { findCarriedSettlement } from '../../pay-links/methods/authorization/settle-carried.ts'
import { offerOf } from '../../pay-links/methods/x402/offer.ts'
import { findLink, type PayLink } from '../../pay-links/store.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
} from '../../protocols/evm/eip3009/authorization.ts'
import { permitDigest } from '../../protocols/evm/permit2/permit.ts'
import { uptoDigest } from '../../protocols/evm/permit2/upto.ts'
import { type FacilitatedPayment, readFacilitated } from '../../protocols/x402/facilitator.ts'
import { matchAccepted, timeRefusal } from '../../protocols/x402/match.ts'
import {
  type PaymentPayload,
  parseAnyPaymentSignature,
  parseAnyXPayment,
} from '../../protocols/x402/payment/payload.ts'
import { refusedByToken } from '../../protocols/x402/refusal.ts'
import { decodeHeader, isObject } from '../../protocols/x402/wire.ts'
import type { LinkSettlement } from '../../settlements/settlement.ts'
import { findClaimed } from '../store.ts'
import { verify } from '../verify.ts'
import { type NotReceived, no, type Payment } from './received.ts'

export type Asker = { caller: Caller; at: Date }

/**
 * Finds the settled payment that an x402 header proves for the resource. The resource must be the caller's: the URL of one
 * of its pay links, or another URL whose payment went to the caller's wallet on the terms that the client accepted (v2
 * only: v1 names none). The signature is judged first. Nothing is claimed, sent or counted.
 */
export async function findReceivedX402(
  services: Services,
  { caller, at }: Asker,
  { header, url }: { header: string; url: string },
): Promise<Payment | NotReceived> {
  const link = await findOwnLink(services, caller, codeIn(services, url))
  if (!link) return findElsewhere(services, { caller, at }, { header, url })
  const isV1 = decodeHeader(header)?.x402Version === 1
  const parsed = isV1 ? parseAnyXPayment(header) : parseAnyPaymentSignature(header)
  return parsed.ok ? findOfLink(services, at, { link, payload: parsed.payload }) : no(parsed.reason)
}

/** The code in the URL of a pay link of this service. */
function codeIn({ settings }: Services, url: string): string | undefined {
  const prefix = `${settings.publicUrl}/pay/`
  return url.startsWith(prefix) ? url.slice(prefix.length).split(/[?#]/)[0] : undefined
}

export async function findOwnLink(
  { db }: Services,
  caller: Caller,
  code: string | undefined,
): Promise<PayLink | undefined> {
  const link = code === undefined ? undefined : await findLink(db.reader, code)
  const isOwn = link?.walletAddress === caller.walletAddress && mayUseCard(caller, link.cardId)
  return isOwn ? link : undefined
}

async function findOfLink(
  services: Services,
  at: Date,
  { link, payload }: { link: PayLink; payload: PaymentPayload },
): Promise<Payment | NotReceived> {
  const { authorization } = payload
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  if (!matched.ok) return no(matched.reason)
  const signed = await judgePayer(services, link, payload)
  if (!signed.ok) return no(signed.reason)
  const found = await findSettledOfLink(services, link, authorization)
  if (found) return found
  const nowSeconds = nowSecondsOf(await readLatest(services.chain), at)
  const untimely = timeRefusal(authorization, nowSeconds)
  if (untimely) return no(untimely.reason)
  const closed = closedProblem(link, at)
  if (closed) return no(closed.code)
  const { revert } = await simulateTransfer(services.chain, { authorization, signed })
  return no(revert === undefined ? NOT_SETTLED : refusedByToken(revert).reason)
}

/** The payment is valid, but no transfer of it is on the chain. */
export const NOT_SETTLED = 'not_settled'

/** The settlement of a link that its payer's authorization made. The signature was judged before. */
export async function findSettledOfLink(
  services: Services,
  link: PayLink,
  authorization: TransferAuthorization,
): Promise<Payment | NotReceived | undefined> {
  const claimed = await findClaimedOfLink(services, link, authorization)
  if (claimed && !isPaidBy(claimed, link, authorization)) return no('duplicate_settlement')
  const known = claimed ?? (await findCarriedSettlement(services, link, authorization))
  return known && standing(link, known)
}

/** A settlement of the link as a payment for it, once it has settled. */
export function standing(
  link: PayLink,
  { id, state }: Pick<LinkSettlement, 'id' | 'state'>,
): Payment | NotReceived {
  if (state === 'failed') return no('invalid_exact_evm_transaction_failed')
  if (state === 'settling') return no('settlement_pending')
  return { settlementId: id, resource: link.code }
}

async function findElsewhere(
  services: Services,
  { caller, at }: Asker,
  { header, url }: { header: string; url: string },
): Promise<Payment | NotReceived> {
  const paymentPayload = decodeHeader(header)
  const paymentRequirements = paymentPayload?.accepted
  if (!paymentPayload || !isObject(paymentRequirements)) return no('invalid_payload')
  const body = { x402Version: 2, paymentPayload, paymentRequirements }
  const read = readFacilitated(body)
  if (!read.ok) return no(read.reason)
  const { payment } = read
  const { resource, requirements, authorization } = payment
  const isOwn = requirements.payTo === caller.walletAddress && caller.cardIds === null
  if (!isOwn || (resource.url ?? url) !== url) return no('invalid_exact_evm_recipient_mismatch')
  const settled = await findClaimed(services.db.reader, {
    ...{ network: requirements.network, token: requirements.asset, payer: authorization.from },
    ...{ nonce: authorization.nonce, walletAddress: caller.walletAddress, paymentIdentifier: null },
  })
  if (!settled) {
    const verified = await verify(services, at, body)
    return no(verified.isValid ? NOT_SETTLED : verified.invalidReason)
  }
  const isSameBytes = settled.payloadHash.equals(payment.hash)
  if (!isSameBytes && !(await isSigned(services, payment))) return no(NOT_SIGNED[payment.method])
  // A settlement by another key does not prove the resource: a stranger may have named any.
  const isElsewhere = settled.walletAddress === caller.walletAddress && settled.resourceUrl !== url
  const isPaid =
    settled.method === 'upto'
      ? payment.method === 'upto' && settled.amount <= authorization.value
      : settled.amount === authorization.value
  const isThis = settled.payTo === requirements.payTo && isPaid
  if (!isThis || (isElsewhere && settled.resourceUrl !== null)) return no('duplicate_settlement')
  if (settled.state === 'settling') return no('settlement_pending')
  if (settled.state === 'failed') return no(settled.reason ?? 'invalid_transaction_state')
  if (settled.finality === 'missing') return no('invalid_transaction_state')
  return { settlementId: settled.id, resource: url }
}

const NOT_SIGNED = {
  eip3009: 'invalid_exact_evm_signature',
  permit2: 'invalid_permit2_signature',
  upto: 'invalid_permit2_signature',
} as const

async function isSigned(services: Services, payment: FacilitatedPayment): Promise<boolean> {
  const { chain, settings } = services
  const { authorization, signature } = payment
  const presented = { signer: authorization.from, digest: digestOf(chain, payment), signature }
  return (await judgeSignature(chain, presented, settings.accountFactories)).ok
}

function digestOf(
  chain: Chain,
  { method, authorization, requirements, payload }: FacilitatedPayment,
): Hex {
  if (method === 'eip3009') return authorizationDigest(chain.asset, authorization)
  const permit = { ...authorization, token: requirements.asset }
  const { facilitator } = payload
  return facilitator
    ? uptoDigest(chain.chainId, { permit, facilitator })
    : permitDigest(chain.chainId, permit)
}
