import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
} from '../../../base/protocols/evm/eip3009/authorization.ts'
import { permitDigest } from '../../../base/protocols/evm/permit2/permit.ts'
import { uptoDigest } from '../../../base/protocols/evm/permit2/upto.ts'
import {
  type FacilitatedPayment,
  readFacilitated,
} from '../../../base/protocols/x402/facilitator.ts'
import { matchAccepted } from '../../../base/protocols/x402/match.ts'
import type { PaymentPayload } from '../../../base/protocols/x402/payment/payload.ts'
import { refusedByToken } from '../../../base/protocols/x402/refusal.ts'
import { decodeHeader, isObject } from '../../../base/protocols/x402/wire.ts'
import {
  type GoodSignature,
  judgeSignature,
} from '../../../chain/client/accounts/judge-signature.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { railAt } from '../../../chain/client/rails.ts'
import { nowSecondsOf, readLatest } from '../../../chain/client/read-latest.ts'
import { simulateTransfer } from '../../../chain/transfers/looks/signed-transfer.ts'
import { findAuthorizationClaims, nonceKeeper } from '../../../chain/transfers/store.ts'
import { type DirectPayment, lookAtDirect } from '../../../links/direct/settle/settle.ts'
import { findDirect } from '../../../links/direct/store.ts'
import { assetOfLink, closedProblem } from '../../../links/link/link.ts'
import { findLink, type PayLink } from '../../../links/link/store.ts'
import {
  isPaidByPermit,
  judgePayerOf,
} from '../../../links/pay-links/methods/authorization/payer.ts'
import {
  findClaimed as findClaimedOfLink,
  isPaidBy,
} from '../../../links/pay-links/methods/authorization/settle.ts'
import { findCarriedSettlement } from '../../../links/pay-links/methods/authorization/settle-carried.ts'
import { offerOf } from '../../../links/pay-links/methods/x402/offer.ts'
import { parsePayment } from '../../../links/pay-links/methods/x402/present.ts'
import { timeRefusalOf } from '../../../links/pay-links/methods/x402/settle.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
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
  services: Uses<'chain' | 'clock' | 'db' | 'log' | 'settings'>,
  { caller, at }: Asker,
  { header, url }: { header: string; url: string },
): Promise<Payment | NotReceived> {
  const link = await findOwnLink(services, caller, codeIn(services, url))
  if (!link) return findElsewhere(services, { caller, at }, { header, url })
  const isV1 = decodeHeader(header)?.x402Version === 1
  const parsed = parsePayment(services, link, isV1 ? { v1: header } : { v2: header })
  return parsed.ok ? findOfLink(services, at, { link, payload: parsed.payload }) : no(parsed.reason)
}

/** The code in the URL of a pay link of this service. */
function codeIn({ settings }: Uses<'settings'>, url: string): string | undefined {
  const prefix = `${settings.publicUrl}/pay/`
  return url.startsWith(prefix) ? url.slice(prefix.length).split(/[?#]/)[0] : undefined
}

export async function findOwnLink(
  { db }: Uses<'db'>,
  caller: Caller,
  code: string | undefined,
): Promise<PayLink | undefined> {
  const link = code === undefined ? undefined : await findLink(db.reader, code)
  const isOwn = link?.walletAddress === caller.walletAddress && mayUseCard(caller, link.cardId)
  return isOwn ? link : undefined
}

async function findOfLink(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { link, payload }: { link: PayLink; payload: PaymentPayload },
): Promise<Payment | NotReceived> {
  const { authorization } = payload
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  if (!matched.ok) return no(matched.reason)
  const signed = await judgePayerOf(services, link, payload)
  if (!signed.ok) return no(signed.reason)
  const found = await findSettledOfLink(services, link, authorization)
  if (found) return found
  const now = nowSecondsOf(await readLatest(services.chain), at)
  const untimely = timeRefusalOf(services, link, { authorization, now })
  if (untimely) return no(untimely.reason)
  const closed = closedProblem(link, at)
  if (closed) return no(closed.code)
  return no(await whyNotSettled(services, at, { link, ...payload, signed }))
}

/** Why a good authorization has paid nothing: the refusal that its token would give now, or that nobody submitted it. */
export async function whyNotSettled(
  services: Uses<'chain'>,
  at: Date,
  payment: Pick<DirectPayment, 'link' | 'authorization' | 'signature'> & { signed: GoodSignature },
): Promise<string> {
  if (isPaidByPermit(services, payment.link)) {
    const looked = await lookAtDirect(services, at, { ...payment, method: 'permit2' })
    return looked.refusal?.reason ?? NOT_SETTLED
  }
  const { revert } = await simulateTransfer(
    railAt(services.chain, assetOfLink(services.chain, payment.link).contract),
    payment,
  )
  return revert === undefined ? NOT_SETTLED : refusedByToken(revert).reason
}

/** The payment is valid, but no transfer of it is on the chain. */
export const NOT_SETTLED = 'not_settled'

/** The settlement of a link that its payer's authorization made. The signature was judged before. */
export async function findSettledOfLink(
  services: Uses<'chain' | 'db'>,
  link: PayLink,
  authorization: TransferAuthorization,
): Promise<Payment | NotReceived | undefined> {
  if (link.token !== null) return findSettledDirect(services, link, authorization)
  const claimed = await findClaimedOfLink(services, link, authorization)
  if (claimed && !isPaidBy(claimed, link, authorization)) return no('duplicate_settlement')
  const known = claimed ?? (await findCarriedSettlement(services, link, authorization))
  return known && standing(link, known)
}

/**
 * As `findSettledOfLink`, for a DIRECT link. The payer may have reported the transfer of its authorization, if somebody else
 * was first to submit it.
 */
async function findSettledDirect(
  { chain, db }: Uses<'chain' | 'db'>,
  link: PayLink,
  { from: payer, nonce, value }: TransferAuthorization,
): Promise<Payment | NotReceived | undefined> {
  assert(link.token, 'the link is DIRECT')
  const method = isPaidByPermit({ chain }, link) ? 'permit2' : 'eip3009'
  const keeper = nonceKeeper({ method, token: link.token })
  const claims = await findAuthorizationClaims(db.reader, [{ network: link.network, payer, nonce }])
  const claim = claims.find(({ token }) => token === keeper)
  if (!claim) return undefined
  const settled = claim.kind === 'direct' ? await findDirect(db.reader, claim.ref) : undefined
  const isThis =
    settled?.payLinkId === link.id &&
    settled.token === link.token &&
    settled.walletAddress === link.walletAddress
  if (!isThis || settled.exceptionId !== null || settled.amount !== value)
    return no('duplicate_settlement')
  if (settled.state === 'missing') return no('invalid_transaction_state')
  return standing(link, { id: settled.id, state: settled.state })
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
  services: Uses<'chain' | 'clock' | 'db' | 'log' | 'settings'>,
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
    network: requirements.network,
    token: requirements.asset,
    payer: authorization.from,
    nonce: authorization.nonce,
    walletAddress: caller.walletAddress,
    paymentIdentifier: null,
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

async function isSigned(
  services: Uses<'chain' | 'settings'>,
  payment: FacilitatedPayment,
): Promise<boolean> {
  const { chain, settings } = services
  const { authorization, signature } = payment
  const presented = { signer: authorization.from, digest: digestOf(chain, payment), signature }
  return (await judgeSignature(chain, presented, settings.accountFactories)).ok
}

function digestOf(
  chain: Chain,
  { method, authorization, requirements, payload }: FacilitatedPayment,
): Hex {
  if (method === 'eip3009')
    return authorizationDigest(railAt(chain, requirements.asset).asset, authorization)
  const permit = { ...authorization, token: requirements.asset }
  const { facilitator } = payload
  return facilitator
    ? uptoDigest(chain.chainId, { permit, facilitator })
    : permitDigest(chain.chainId, permit)
}
