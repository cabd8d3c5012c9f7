import type { Uses } from '../../../api/http/services.ts'
import { enqueueOne } from '../../../base/jobs/queue.ts'
import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import type { EscrowRequest } from '../../../base/protocols/x402/escrow.ts'
import { readEscrow } from '../../../base/protocols/x402/escrow.ts'
import { paymentHash } from '../../../base/protocols/x402/escrow-abi.ts'
import type { FacilitatorBody } from '../../../base/protocols/x402/facilitator.ts'
import { type Refused, refused } from '../../../base/protocols/x402/refusal.ts'
import { lockAndReserve, type Rationed, release } from '../../../chain/relay/gas/reserve.ts'
import { checkSend, queueSend, sendAndWait } from '../../../chain/relay/send.ts'
import { escrowTask } from '../tasks.ts'
import { lookAtOrder, ORDER_GAS, type Sendable } from './look.ts'
import {
  endOrder,
  findAuthorizer,
  findOrder,
  insertOrder,
  listSending,
  type StoredOrder,
} from './store.ts'

export type OrderOutcome =
  | { kind: 'ended'; order: StoredOrder }
  | { kind: 'pending'; order: StoredOrder; hash: Hex | null }
  | { kind: 'refused'; refused: Refused; payer?: Address }
  | { kind: 'rationed'; rationed: Rationed; payer: Address }

type Used = Uses<'chain' | 'clock' | 'db' | 'log' | 'relay' | 'settings'>
const refOf = ({ id }: Pick<StoredOrder, 'id'>): string => `escrow:${id}`
const RESUME_SECONDS = 5

/**
 * Carries out an order for a payment in escrow, once: the order and its transaction are one commit before anything is sent.
 * The same request again is given its outcome. Orders for one payment come one after the other.
 */
export async function orderEscrow(
  services: Used,
  at: Date,
  { walletAddress, body }: { walletAddress: Address; body: FacilitatorBody },
): Promise<OrderOutcome> {
  const read = readEscrow(body, services.chain.chainId)
  if (!read.ok) return { kind: 'refused', refused: read }
  const { request } = read
  const { payer } = request.info
  const known = await findOrder(services.db.reader, request.hash)
  if (known && known.state !== 'failed')
    return known.walletAddress === walletAddress
      ? carry(services, known)
      : { kind: 'refused', refused: PRESENTED, payer }
  const hash = paymentHash(services.chain.chainId, request.info)
  if (request.order.type !== 'authorize') {
    const authorized = await findAuthorizer(services.db.reader, hash)
    if (authorized?.walletAddress !== walletAddress)
      return { kind: 'refused', refused: NOT_YOURS, payer }
  }
  const looked = await lookAtOrder(services, at, request)
  if (!looked.ok) return { kind: 'refused', refused: looked, payer }
  const order = orderOf(at, { walletAddress, request, hash })
  const rationed = await start(services, at, { order, request, looked })
  if (rationed === 'busy') return { kind: 'refused', refused: BUSY, payer }
  if (rationed) return { kind: 'rationed', rationed, payer }
  return carry(services, { ...order, state: 'sending', txHash: null, endedAt: null })
}

const PRESENTED = refused('duplicate_settlement', 'This payment was presented before.')
const NOT_YOURS = refused(
  'invalid_payload',
  'No payment of this paymentInfo was authorized by a key of your wallet.',
)
const BUSY = refused(
  'duplicate_settlement',
  'Another order for this payment is on its way, or it was authorized before. Ask for its state, and sign anew.',
)

type NewOrder = Parameters<typeof insertOrder>[1]

function orderOf(
  at: Date,
  of: { walletAddress: Address; request: EscrowRequest; hash: Hex },
): NewOrder {
  const { info, order, hash: requestHash, resourceUrl } = of.request
  return {
    id: newId('eso', at),
    walletAddress: of.walletAddress,
    paymentHash: of.hash,
    type: order.type,
    payer: info.payer,
    amount: order.type === 'void' ? 0n : order.amount,
    requestHash,
    resourceUrl,
    createdAt: at,
  }
}

/** Writes the order, the gas that it may take, and its transaction. */
const start = (
  { db, settings }: Used,
  at: Date,
  of: { order: NewOrder; request: EscrowRequest; looked: Sendable },
): Promise<Rationed | 'busy' | undefined> =>
  db.write(async (tx) => {
    const { order, request, looked } = of
    const { info } = request
    const ref = refOf(order)
    const flight = {
      ref,
      seller: order.walletAddress,
      network: request.network as Network,
      token: info.token,
      payer: info.payer,
      // Only a collect moves what the payer still has.
      amount: order.type === 'authorize' ? order.amount : 0n,
      nonce: `0x${sha256(ref).toString('hex')}` as Hex,
      validBefore: BigInt(info.refundExpiry),
      gas: ORDER_GAS,
      funds: looked.funds,
      isForeignToken: false,
    }
    const rationed = await lockAndReserve(tx, at, { flights: [flight], limits: settings.gas })
    const refusal = rationed.get(ref)
    if (refusal) return refusal
    if (!(await insertOrder(tx, order))) {
      await release(tx, at, [{ ref, outcome: 'unsent' }])
      return 'busy'
    }
    await queueSend(tx, at, { ref, ...looked.call, gas: ORDER_GAS, onlyRelayer: info.operator })
    await enqueueOne(tx, escrowTask, RESUME_SECONDS)
    return undefined
  })

/** Waits for the order's block, as long as a request waits. */
async function carry(services: Used, order: StoredOrder): Promise<OrderOutcome> {
  if (order.state !== 'sending') return { kind: 'ended', order }
  try {
    await sendAndWait(services.relay, refOf(order), services.settings.facilitator.waitMs)
  } catch (error) {
    // No relayer has gas: the order waits for one.
    if (!(error instanceof Problem && error.code === 'chain_unavailable')) throw error
  }
  return (await endIfMined(services, order)) ?? { kind: 'pending', order, hash: null }
}

/** Ends the order if a block holds its transaction. The escrow obeys wholly or not at all, so the receipt tells. */
export async function endIfMined(
  services: Uses<'chain' | 'clock' | 'db' | 'relay'>,
  order: StoredOrder,
): Promise<OrderOutcome | undefined> {
  const send = await checkSend(services.relay, refOf(order))
  if (!send?.hash || send.succeeded === null) return undefined
  const { hash } = send
  const state = send.succeeded ? 'done' : 'failed'
  const at = services.clock.now()
  const ended = await services.db.write(async (tx) => {
    const row = await endOrder(tx, at, { id: order.id, state, txHash: hash })
    const outcome = state === 'done' ? 'settled' : 'failed'
    if (row) await release(tx, at, [{ ref: refOf(order), outcome }])
    return row
  })
  return { kind: 'ended', order: ended ?? { ...order, state, txHash: hash, endedAt: at } }
}

/** Ends all orders that a block holds. Comes again while some are on their way. */
export async function endOrders(services: Uses<'chain' | 'clock' | 'db' | 'relay'>): Promise<void> {
  const sending = await listSending(services.db.reader)
  const ended = await Promise.all(sending.map((order) => endIfMined(services, order)))
  if (ended.some((outcome) => outcome === undefined))
    await services.db.write((tx) => enqueueOne(tx, escrowTask, RESUME_SECONDS))
}
