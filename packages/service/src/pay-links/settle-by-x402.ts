import { independentCalls, MULTICALL3 } from '../chain/multicall.ts'
import {
  findAuthorizationUse,
  isAuthorizationUsed,
  readBlock,
  readTransaction,
} from '../chain/reads.ts'
import { queueSend, sendAndWait } from '../chain/sender.ts'
import { simulateSend } from '../chain/simulate.ts'
import { record } from '../events/record.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import { assert } from '../kernel/assert.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { amount, feeOf } from '../kernel/money.ts'
import { transferWithAuthorizationData } from '../protocols/eip3009/calldata.ts'
import { authorizationRefusal, matchAccepted } from '../protocols/x402/match.ts'
import type { PaymentPayload } from '../protocols/x402/payload.ts'
import { type PaymentRequirements, paymentRequirements } from '../protocols/x402/requirements.ts'
import { confirmLater, REORGANISATION_BLOCKS, settleRef } from './confirm-settlement.ts'
import { creditSettlement, type PaidLog } from './credit.ts'
import { closedProblem } from './link.ts'
import {
  endSettlement,
  findLinkById,
  findSettlement,
  findSettlementByAuthorization,
  insertConfirmation,
  insertSettlements,
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
const SETTLE_GAS = 400_000n
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
  const nowSeconds = BigInt(unixSeconds((await readBlock(chain, 'latest')).at))
  const refusal = authorizationRefusal({
    asset: chain.asset,
    authorization,
    signature,
    nowSeconds: later(nowSeconds, at),
  })
  if (refusal) return { kind: 'refused', reason: refusal.reason, detail: refusal.detail }
  const transfer = transferWithAuthorizationData(authorization, signature)
  const revert = await simulateSend(chain, { to: chain.asset.contract, data: transfer })
  if (revert) return { kind: 'refused', ...reasonOf(revert) }

  const settlement = await claim(services, at, { link, payload, transfer })
  reach('pay_links.claimed')
  return settlement === undefined
    ? resume(services, at, { link, settlement: await mustFind(services, key) })
    : finishSettlement(services, at, settlement.id)
}

/** The later of chain time and our own: an authorization must be valid by both. */
const later = (chainSeconds: bigint, at: Date): bigint => {
  const own = BigInt(unixSeconds(at))
  return own > chainSeconds && own < chainSeconds + 60n ? own : chainSeconds
}

async function mustFind(
  services: Services,
  key: Parameters<typeof findSettlementByAuthorization>[1],
) {
  const settlement = await findSettlementByAuthorization(services.db.reader, key)
  assert(settlement, 'the authorization was claimed')
  return settlement
}

/** Writes the claim, the reserved use and the transaction to send. Undefined where the authorization is claimed already. */
async function claim(
  services: Services,
  at: Date,
  take: { link: PayLink; payload: PaymentPayload; transfer: Hex },
): Promise<Settlement | undefined> {
  const { chain, db, settings } = services
  const { authorization } = take.payload
  const value = amount(authorization.value)
  const id = newId('stl', at)
  const sweep = await sweepCall(chain, at, { link: take.link, value, ref: id })
  const { number } = await readBlock(chain, 'latest')
  const settlement: Settlement = {
    id,
    payLinkId: take.link.id,
    protocol: 'x402',
    payer: authorization.from,
    amount: value,
    fee: feeOf(value, settings.fee),
    network: take.link.network,
    asset: take.link.asset,
    state: 'settling',
    reason: null,
    authNonce: authorization.nonce,
    fromBlock: number > REORGANISATION_BLOCKS ? number - REORGANISATION_BLOCKS : 0n,
    txHash: null,
    isSwept: true,
    createdAt: at,
    settledAt: null,
  }
  return db.write(async (tx) => {
    const link = await lockLink(tx, take.link.code)
    assert(link, 'the link exists')
    const written = await insertSettlements(tx, [settlement])
    if (written.size === 0) return undefined
    const closed = closedProblem(link, at)
    if (closed) throw closed
    const { validBefore } = authorization
    await insertConfirmation(tx, at, { settlementId: id, validBefore })
    await saveLinks(tx, [{ ...link, reserved: link.reserved + 1 }])
    // If somebody else carries the payer's transfer to the chain first, the sweep still follows it.
    const data = independentCalls(chain.asset.contract, [take.transfer, sweep])
    await queueSend(tx, at, { ref: settleRef(id), to: MULTICALL3, data, gas: SETTLE_GAS })
    await enqueue(tx, 'finish_link_settlement', { id }, { key: settleRef(id), delaySeconds: 20 })
    return settlement
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
  assert(settlement, `settlement ${id} exists`)
  if (settlement.state === 'settling') {
    const sent = await sendAndWait(services, settleRef(id), WAIT_MS)
    if (!sent?.hash) return { kind: 'pending', settlement }
    const paid = await findPayment(services, settlement, sent.hash)
    reach('pay_links.before_settle')
    if (paid) await settle(services, at, { settlement, paid })
    else if (await isRefused(services, settlement, sent.hash)) await fail(services, at, settlement)
    reach('pay_links.after_settle')
  }
  const ended = await findSettlement(db.reader, id)
  const link = await findLinkById(db.reader, settlement.payLinkId)
  assert(ended && link, 'a settlement and its link stay')
  if (ended.state === 'settled') return { kind: 'settled', settlement: ended, link }
  if (ended.state === 'settling') return { kind: 'pending', settlement: ended }
  return {
    kind: 'refused',
    reason: 'invalid_exact_evm_transaction_failed',
    detail: ended.reason ?? 'The transfer failed on chain.',
  }
}

/**
 * Whether the token has refused the transfer for good. An RPC may know the block and not yet its logs, so a used
 * authorization without a transfer is believed to be a cancelled one only when our block is safe.
 */
async function isRefused(services: Services, settlement: Settlement, hash: Hex): Promise<boolean> {
  const { chain } = services
  const own = await readTransaction(chain, hash)
  if (!own) return false
  const { payer, authNonce } = settlement
  return own.isSafe || !(await isAuthorizationUsed(chain, payer as Address, authNonce as Hex))
}

type Paid = { log: PaidLog; isSwept: boolean }

/** The payer's transfer as the chain shows it: in our transaction, or in that of whoever carried it there first. */
async function findPayment(
  services: Services,
  settlement: Settlement,
  hash: Hex,
): Promise<Paid | undefined> {
  const { chain, db } = services
  const link = await findLinkById(db.reader, settlement.payLinkId)
  assert(link, 'the link exists')
  const own = await readTransaction(chain, hash)
  const isSwept =
    own?.transfers.some(
      (log) => log.from === link.depositAddress && log.to === chain.treasury.address,
    ) ?? false
  const paidIn = (mined: typeof own, after: number) =>
    mined?.transfers.find(
      (log) =>
        log.logIndex > after &&
        log.from === settlement.payer &&
        log.to === link.depositAddress &&
        log.value === settlement.amount,
    )
  const log = paidIn(own, -1)
  if (log) return { log: { txHash: hash, logIndex: log.logIndex }, isSwept }
  const use = await findAuthorizationUse(
    chain,
    { from: settlement.payer as Address, nonce: settlement.authNonce as Hex },
    settlement.fromBlock ?? 0n,
  )
  // The token logs the transfer right after the use; a transaction may hold several of the same payer and amount.
  const elsewhere = use && paidIn(await readTransaction(chain, use.txHash), use.logIndex)
  return elsewhere && use && { log: { txHash: use.txHash, logIndex: elsewhere.logIndex }, isSwept }
}

async function settle(
  services: Services,
  at: Date,
  { settlement, paid }: { settlement: Settlement; paid: Paid },
): Promise<void> {
  await services.db.write(async (tx) => {
    const found = await findLinkById(tx, settlement.payLinkId)
    const link = found && (await lockLink(tx, found.code))
    assert(link, 'the link exists')
    const ending = { state: 'settled', at, txHash: paid.log.txHash, isSwept: paid.isSwept } as const
    if (!(await endSettlement(tx, settlement.id, ending))) return
    await confirmLater(tx, settlement.id, 0)
    const freed = { ...link, reserved: link.reserved - 1 }
    await saveLinks(tx, [freed])
    const credited = await creditSettlement(tx, at, {
      link: freed,
      settlement,
      log: paid.log,
      asset: services.chain.asset,
    })
    assert(credited, `the log of ${settlement.id} had not been used`)
  })
}

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

const REVERTS: readonly [RegExp, string][] = [
  [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/used or canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/invalid signature/i, 'invalid_exact_evm_signature'],
]

/** The protocol's name for what the token said; its own words for the person. */
function reasonOf(revert: string): { reason: string; detail: string } {
  const [, reason] = REVERTS.find(([pattern]) => pattern.test(revert)) ?? []
  return {
    reason: reason ?? 'invalid_exact_evm_transaction_simulation_failed',
    detail: `The token refuses the transfer: ${revert}.`,
  }
}
