import {
  type AgreedTransfer,
  findTransfer,
  isTransferRefused,
  transferIn,
} from '../chain/authorization-outcome.ts'
import { nonceOf } from '../chain/chain.ts'
import { nowSecondsOf, readLatest } from '../chain/read-latest.ts'
import { readTransaction } from '../chain/reads.ts'
import { type SendState, sendAndWait } from '../chain/sender.ts'
import { simulateSoon } from '../chain/simulate-soon.ts'
import { record } from '../events/record.ts'
import type { Services } from '../http/services.ts'
import { assert } from '../kernel/assert.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { reach } from '../kernel/fault-points.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { amount, feeOf } from '../kernel/money.ts'
import { transferWithAuthorizationData } from '../protocols/eip3009/calldata.ts'
import { authorizationRefusal, matchAccepted } from '../protocols/x402/match.ts'
import type { PaymentPayload } from '../protocols/x402/payload.ts'
import { refusedByToken } from '../protocols/x402/refusal.ts'
import { type PaymentRequirements, paymentRequirements } from '../protocols/x402/requirements.ts'
import { type ClaimOutcome, claimLane } from './claim-x402.ts'
import { REORGANISATION_BLOCKS, settleRef } from './confirm-settlement.ts'
import type { PaidLog } from './credit.ts'
import { closedProblem } from './link.ts'
import { settleLane } from './settle-claimed.ts'
import {
  endSettlement,
  findLinkById,
  findSettlement,
  findSettlementByAuthorization,
  lockLink,
  type PayLink,
  type Settlement,
  saveLinks,
} from './store.ts'
import { sweepCall } from './sweep.ts'

/** How a payment stands. `refused` may be tried again with another authorization; `pending` must not. */
export type X402Outcome =
  | { kind: 'settled'; settlement: Settlement; link: PayLink }
  | { kind: 'pending'; settlement: Settlement }
  | { kind: 'refused'; reason: string; detail: string }

const MAX_TIMEOUT_SECONDS = 120
const WAIT_MS = 12_000

/** The offer of a link: its amount, or what the payer chose, at the link's own address. */
export const offerOf = (
  services: Pick<Services, 'chain'>,
  link: PayLink,
  chosen: bigint | null,
): PaymentRequirements[] => {
  const value = link.amount ?? chosen
  if (value === null || value <= 0n) return []
  return [
    paymentRequirements({
      asset: services.chain.asset,
      amount: amount(value),
      payTo: link.depositAddress,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    }),
  ]
}

/**
 * Settles a link by an x402 `exact` payment: claims the authorization and a use of the link, carries the transfer to
 * the chain, and credits once the chain shows it. The same authorization again answers the same settlement.
 */
export async function settleByX402(
  services: Services,
  at: Date,
  payment: { link: PayLink; payload: PaymentPayload },
): Promise<X402Outcome> {
  const { link, payload } = payment
  const { chain, db } = services
  const { authorization, signature } = payload
  const key = {
    network: link.network,
    asset: link.asset,
    payer: authorization.from,
    nonce: authorization.nonce,
  }
  const known = await findSettlementByAuthorization(db.reader, key)
  if (known) return resume(services, at, { link, settlement: known })

  const closed = closedProblem(link, at)
  if (closed) throw closed
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  if (!matched.ok) return { kind: 'refused', reason: matched.reason, detail: matched.detail }
  const latest = await readLatest(chain)
  const refusal = authorizationRefusal({
    asset: chain.asset,
    authorization,
    signature,
    nowSeconds: nowSecondsOf(latest, at),
  })
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  const transfer = transferWithAuthorizationData(authorization, signature)
  const revert = await simulateSoon(chain, { to: chain.asset.contract, data: transfer })
  if (revert) {
    const { reason, detail } = refusedByToken(revert)
    return { kind: 'refused', reason, detail }
  }

  const outcome = await claim(services, at, { link, payload, transfer, head: latest.number })
  reach('pay_links.claimed')
  if (outcome.kind === 'closed') throw outcome.problem
  return outcome.kind === 'known'
    ? resume(services, at, { link, settlement: await mustFind(services, key) })
    : carryOn(services, at, { link, settlement: outcome.settlement, isOurs: true })
}

async function mustFind(
  services: Services,
  key: Parameters<typeof findSettlementByAuthorization>[1],
) {
  const settlement = await findSettlementByAuthorization(services.db.reader, key)
  assert(settlement, 'the authorization was claimed')
  return settlement
}

/** Writes the claim, the reserved use and the transaction to send, together with those of other payers. */
async function claim(
  services: Services,
  at: Date,
  take: { link: PayLink; payload: PaymentPayload; transfer: Hex; head: bigint },
): Promise<ClaimOutcome> {
  const { chain, lanes, settings } = services
  const { link, head, transfer } = take
  const { authorization } = take.payload
  const value = amount(authorization.value)
  const id = newId('stl', at)
  const settlement: Settlement = {
    id,
    payLinkId: link.id,
    protocol: 'x402',
    payer: authorization.from,
    amount: value,
    fee: feeOf(value, settings.fee),
    network: link.network,
    asset: link.asset,
    state: 'settling',
    reason: null,
    authNonce: authorization.nonce,
    fromBlock: head > REORGANISATION_BLOCKS ? head - REORGANISATION_BLOCKS : 0n,
    txHash: null,
    isSwept: true,
    createdAt: at,
    settledAt: null,
  }
  return lanes.submit(claimLane, {
    code: link.code,
    settlement,
    validBefore: authorization.validBefore,
    token: chain.asset.contract,
    transfer,
    sweep: await sweepCall(chain, at, { link, value, ref: id }),
  })
}

async function resume(
  services: Services,
  at: Date,
  { link, settlement }: { link: PayLink; settlement: Settlement },
): Promise<X402Outcome> {
  // The authorization pays one link only: the address that it names.
  if (settlement.payLinkId !== link.id)
    return {
      kind: 'refused',
      reason: 'duplicate_settlement',
      detail: 'This authorization has been used for another payment.',
    }
  return finishSettlement(services, at, settlement.id)
}

/** Carries a claimed settlement on from wherever it stands. Safe to run twice and at once. */
export async function finishSettlement(
  services: Services,
  at: Date,
  id: Id<'stl'>,
): Promise<X402Outcome> {
  const { db } = services
  const settlement = await findSettlement(db.reader, id)
  const link = settlement && (await findLinkById(db.reader, settlement.payLinkId))
  assert(settlement && link, `settlement ${id} and its link exist`)
  return carryOn(services, at, { settlement, link, isOurs: false })
}

type Claimed = { link: PayLink; settlement: Settlement }

async function carryOn(
  services: Services,
  at: Date,
  { link, settlement, isOurs }: Claimed & { isOurs: boolean },
): Promise<X402Outcome> {
  if (settlement.state !== 'settling') return ended(settlement, link)
  const sent = await sendAndWait(services, settleRef(settlement.id), WAIT_MS)
  if (!sent?.hash) return { kind: 'pending', settlement }
  // What was written down before is read again: a reorganisation may have taken it since.
  const paid =
    (isOurs ? paidBy(sent) : undefined) ??
    (await findPayment(services, { link, settlement }, sent.hash))
  reach('pay_links.before_settle')
  const arrival = { code: link.code, settlement, asset: services.chain.asset }
  if (paid) {
    const settled = await services.lanes.submit(settleLane, { ...arrival, ...paid })
    reach('pay_links.after_settle')
    if (settled) return { kind: 'settled', ...settled }
  } else {
    const sentAs = { hash: sent.hash, fromBlock: settlement.fromBlock ?? 0n }
    if (await isTransferRefused(services.chain, agreedBy({ link, settlement }), sentAs))
      await fail(services, at, settlement)
  }
  const now = await findSettlement(services.db.reader, settlement.id)
  const linkNow = await findLinkById(services.db.reader, link.id)
  assert(now && linkNow, 'a settlement and its link stay')
  return ended(now, linkNow)
}

function ended(settlement: Settlement, link: PayLink): X402Outcome {
  if (settlement.state === 'settled') return { kind: 'settled', settlement, link }
  if (settlement.state === 'settling') return { kind: 'pending', settlement }
  return {
    kind: 'refused',
    reason: 'invalid_exact_evm_transaction_failed',
    detail: settlement.reason ?? 'The transfer failed on chain.',
  }
}

type Paid = { log: PaidLog; isSwept: boolean }

/** What the sender has just read in the logs of transfer and sweep, once for all that shared the transaction. */
function paidBy({ hash, logIndexes }: SendState): Paid | undefined {
  const [paidAt, sweptAt] = logIndexes ?? []
  if (hash === null || typeof paidAt !== 'number') return undefined
  return { log: { txHash: hash, logIndex: paidAt }, isSwept: typeof sweptAt === 'number' }
}

/** The payer's transfer as the chain shows it: in our transaction, or in that of whoever carried it there first. */
async function findPayment(
  services: Services,
  { link, settlement }: Claimed,
  hash: Hex,
): Promise<Paid | undefined> {
  const { chain } = services
  const own = await readTransaction(chain, hash)
  const sweptBy = nonceOf('sweep', settlement.id)
  const isSwept = own?.transfers.some((log) => log.authNonce === sweptBy) ?? false
  const agreed = agreedBy({ link, settlement })
  const log =
    transferIn(own, agreed) ?? (await findTransfer(chain, agreed, settlement.fromBlock ?? 0n))
  return log && { log, isSwept }
}

const agreedBy = ({ link, settlement }: Claimed): AgreedTransfer => ({
  from: settlement.payer as Address,
  to: link.depositAddress,
  value: settlement.amount,
  nonce: settlement.authNonce as Hex,
})

async function fail(services: Services, at: Date, settlement: Settlement): Promise<void> {
  await services.db.write(async (tx) => {
    const found = await findLinkById(tx, settlement.payLinkId)
    const link = found && (await lockLink(tx, found.code))
    assert(link, 'the link exists')
    const reason =
      'The token refused the transfer: the balance may have moved, or the authorization been cancelled.'
    if (!(await endSettlement(tx, settlement.id, { state: 'failed', at, reason }))) return
    await saveLinks(tx, [{ ...link, reserved: link.reserved - 1 }])
    await record(tx, at, [failedEvent(link, settlement, reason)])
  })
}

const failedEvent = (link: PayLink, settlement: Settlement, reason: string) => ({
  type: 'payment.failed' as const,
  walletAddress: link.walletAddress,
  subject: settlement.id,
  data: {
    settlement_id: settlement.id,
    pay_link_code: link.code,
    protocol: settlement.protocol,
    payer: settlement.payer,
    reason,
  },
})
