import type { Tx } from '../db/sql.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { MOST_ITEMS, type SignedAuthorization, settleCall } from './batch-settler.ts'
import type { Chain } from './chain.ts'
import { type CountedHead, readRecentHead } from './sender-head.ts'
import { itemsOf } from './sender-items.ts'
import { batchRef } from './sender-riders.ts'
import { settlerOf } from './sender-settler.ts'
import { makeAttempt, relayerOf } from './sender-sign.ts'
import { insertQueued, insertTransaction, lockTurn, type SendState } from './sender-store.ts'

/** What must be known of the chain before sends are started: the transaction that does so asks the database only. */
export type Start = { chain: Chain; head: CountedHead; settler: Address | undefined }

export async function readStart(chain: Chain): Promise<Start> {
  const [head, settler] = await Promise.all([readRecentHead(chain), settlerOf(chain)])
  return { chain, head, settler }
}

/** A relayer that may take one more, locked until the transaction ends, with its next nonce. */
export type Turn = { relayer: Address; nonce: bigint }

/** The turn of the relayer with the fewest unmined sends. Undefined while all are busy, resting or held by somebody else. */
export async function takeTurn(tx: Tx, { chain, head }: Start): Promise<Turn | undefined> {
  const free = await lockTurn(
    tx,
    chain.relayers.map(({ address }) => address),
  )
  if (!free) return undefined
  const count = BigInt(head.counts.get(free.address) ?? 0)
  return { relayer: free.address, nonce: free.nextNonce > count ? free.nextNonce : count }
}

type Call = { id: Id<'snd'>; ref: string; to: Address; data: Hex; gas: bigint }
/** One that rides in another's transaction, with what it hands to the token. */
export type Rider = { id: string; ref: string; items: readonly SignedAuthorization[] }
/** A transaction that was written down just now, and those that ride in it: none where it is a send's own. */
export type Started = { send: SendState; riders: readonly Rider[] }

/**
 * Writes sends down as `queueSends` does and, with a turn, the transaction that carries them: those that may ride
 * together in one, or the only one by itself. The others wait, and so do all without a turn. Nothing reaches the network
 * yet. Undefined where nothing was started.
 */
export async function startSends(
  tx: Tx,
  at: Date,
  of: { start: Start; turn: Turn | undefined; calls: readonly Omit<Call, 'id'>[] },
): Promise<Started | undefined> {
  const { start, turn } = of
  const calls = of.calls.map((call) => ({ ...call, id: newId('snd', at) }))
  const ride = turn && rideOf(start, at, calls)
  const carrier = ride && (await writeTransaction(tx, at, { start, turn, call: ride.call }))
  const riders = ride?.riders ?? []
  const isRider = new Set<string>(riders.map(({ id }) => id))
  const rows = calls.filter(({ id }) => id !== ride?.call.id)
  insertQueued(
    tx,
    at,
    rows.map((call) => ({
      ...call,
      batchId: isRider.has(call.id) ? (ride?.call.id ?? null) : null,
    })),
  )
  return carrier && { send: carrier, riders }
}

/** The transaction that carries as many of the sends as may share one. */
function rideOf(
  { chain, settler }: Start,
  at: Date,
  calls: readonly Call[],
): { call: Call; riders: Rider[] } | undefined {
  const [only] = calls
  if (only && calls.length === 1) return { call: only, riders: [] }
  const riders: Rider[] = []
  const items: SignedAuthorization[] = []
  for (const { id, ref, to, data } of calls) {
    const own = itemsOf(chain, { toAddress: to, data: Buffer.from(data.slice(2), 'hex') })
    if (!own || items.length + own.length > MOST_ITEMS) continue
    riders.push({ id, ref, items: own })
    items.push(...own)
  }
  if (!settler || riders.length < 2) return undefined
  const id = newId('snd', at)
  const call = settleCall(settler, chain.asset.contract, items)
  return { call: { ...call, id, ref: batchRef(id) }, riders }
}

/**
 * Writes a transaction down, under the nonce of the turn where there is one, and signed where the relayer's key is in
 * this process: whoever else keeps a key is not asked within a transaction.
 */
export async function writeTransaction(
  tx: Tx,
  at: Date,
  { start, turn, call }: { start: Start; turn: Turn | undefined; call: Call },
): Promise<SendState> {
  const { chain, head } = start
  const { id, ref, to, data, gas } = call
  const send: SendState = {
    ...{ id, ref, toAddress: to, data: Buffer.from(data.slice(2), 'hex'), gas, createdAt: at },
    ...{ state: 'queued', relayer: turn?.relayer ?? null, nonce: turn?.nonce ?? null },
    ...{ raw: null, hash: null, succeeded: null, blockNumber: null, blockHash: null },
    ...{ isSafe: false, passedBlock: null, batchId: null, isAlone: false, logIndexes: null },
  }
  const isKeyHere = relayerOf(chain, send.relayer)?.isInProcess === true
  const attempt = isKeyHere ? await makeAttempt(chain, send, { head }) : undefined
  const written: SendState = attempt
    ? { ...send, state: 'signed', hash: attempt.hash, raw: attempt.raw }
    : send
  insertTransaction(tx, written, attempt)
  return written
}
