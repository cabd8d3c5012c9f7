import type { Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import { type Id, newId } from '../../base/kernel/ids.ts'
import type { Chain } from '../client/chain.ts'
import { MOST_ITEMS, type SignedAuthorization, settleCall } from './batch/contract.ts'
import { batchedToken, itemsOf } from './batch/items.ts'
import { settlerOf } from './batch/settler.ts'
import { type BatchItem, batchRef, type Started } from './batch/store.ts'
import { type CountedHead, readRecentCounts } from './head.ts'
import type { Turn } from './nonce.ts'
import type { Relay } from './relay.ts'
import { makeAttempt, relayerOf } from './sign.ts'
import { insertQueued, insertTransaction, type SendState } from './store.ts'

/** The chain's answers that starting sends needs. They are read first, so that no database transaction waits for an RPC. */
export type Start = { chain: Chain; head: CountedHead; settler: Address | undefined }

export async function readStart(relay: Relay): Promise<Start> {
  const [head, settler] = await Promise.all([readRecentCounts(relay), settlerOf(relay)])
  return { chain: relay.chain, head, settler }
}

type Call = { id: Id<'snd'>; ref: string; to: Address; data: Hex; gas: bigint }

/**
 * Stores sends as `queueSends` does and, given a turn, one transaction for them: a batch of those that may share one,
 * or the transaction of a single send. The other sends wait, and all of them without a turn. Nothing is broadcast yet.
 * Undefined if no transaction was started.
 */
export async function startSends(
  tx: Tx,
  at: Date,
  of: { start: Start; turn: Turn | undefined; calls: readonly Omit<Call, 'id'>[] },
): Promise<Started | undefined> {
  const { start, turn } = of
  const calls = of.calls.map((call) => ({ ...call, id: newId('snd', at) }))
  const packed = turn && pack(start, at, calls)
  const send = packed && (await writeTransaction(tx, at, { start, turn, call: packed.call }))
  const items = packed?.items ?? []
  const isItem = new Set<string>(items.map(({ id }) => id))
  const rows = calls.filter(({ id }) => id !== packed?.call.id)
  insertQueued(
    tx,
    at,
    rows.map((call) => ({
      ...call,
      batchId: isItem.has(call.id) ? (packed?.call.id ?? null) : null,
    })),
  )
  return send && { send, items }
}

/** The transaction that carries as many of the sends as may share one. */
function pack(
  { chain, settler }: Start,
  at: Date,
  calls: readonly Call[],
): { call: Call; items: BatchItem[] } | undefined {
  const [only] = calls
  if (only && calls.length === 1) return { call: only, items: [] }
  const items: BatchItem[] = []
  const authorizations: SignedAuthorization[] = []
  for (const { id, ref, to, data } of calls) {
    const own = itemsOf(chain, { toAddress: to, data: Buffer.from(data.slice(2), 'hex') })
    if (!own || authorizations.length + own.length > MOST_ITEMS) continue
    items.push({ id, ref, items: own })
    authorizations.push(...own)
  }
  if (!settler || items.length < 2) return undefined
  const id = newId('snd', at)
  const call = settleCall(settler, batchedToken(chain), authorizations)
  return { call: { ...call, id, ref: batchRef(id) }, items }
}

/**
 * Stores a transaction, under the turn's nonce if there is a turn. It is signed here only if the relayer's key is in
 * this process: no database transaction waits for a remote signer.
 */
export async function writeTransaction(
  tx: Tx,
  at: Date,
  { start, turn, call }: { start: Start; turn: Turn | undefined; call: Call },
): Promise<SendState> {
  const { chain, head } = start
  const { id, ref, to, data, gas } = call
  const send: SendState = {
    id,
    ref,
    toAddress: to,
    data: Buffer.from(data.slice(2), 'hex'),
    gas,
    onlyRelayer: null,
    createdAt: at,
    state: 'queued',
    relayer: turn?.relayer ?? null,
    nonce: turn?.nonce ?? null,
    raw: null,
    hash: null,
    succeeded: null,
    blockNumber: null,
    blockHash: null,
    isSafe: false,
    passedBlock: null,
    batchId: null,
    isAlone: false,
    logIndexes: null,
  }
  const isKeyHere = relayerOf(chain, send.relayer)?.isInProcess === true
  const attempt = isKeyHere ? await makeAttempt(chain, send, { head }) : undefined
  const written: SendState = attempt
    ? { ...send, state: 'signed', hash: attempt.hash, raw: attempt.raw }
    : send
  insertTransaction(tx, written, attempt)
  return written
}
