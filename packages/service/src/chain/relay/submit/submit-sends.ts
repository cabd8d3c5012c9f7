import type { Address } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { newId } from '../../../base/kernel/ids.ts'
import type { Chain } from '../../client/chain.ts'
import { MOST_ITEMS, type SignedAuthorization, settleCall } from '../batch/contract.ts'
import { batchedToken, itemsOf } from '../batch/items.ts'
import { settlerOf } from '../batch/settler.ts'
import { batchRef, findSendsById, lockWaiting, storeItems } from '../batch/store.ts'
import { takeTurn } from '../nonce.ts'
import type { Relay } from '../relay.ts'
import { readStart, writeTransaction } from '../start.ts'
import type { SendState } from '../store.ts'
import { submitAssigned, submitSend } from './submit-send.ts'

export type Submitted = {
  /** False while some sends wait for a relayer that is busy or out of gas. */
  isAll: boolean
  /** Why a send could not be submitted now, by its ref. It stays as it was and may be submitted again. */
  failures: Map<string, unknown>
}

/**
 * Submits queued sends. Two or more sends that only submit authorizations to the token share a batch, at most a hundred
 * authorizations each, if the chain has a settler; every other send has its own transaction. Which send is in which
 * batch is committed before the batch is signed. A transaction that another process signed and left is broadcast again,
 * unless its id is in `submitted`. Safe to repeat, also at the same time.
 */
export async function submitSends(
  relay: Relay,
  sends: readonly SendState[],
  submitted: Set<string> = new Set(),
): Promise<Submitted> {
  const waiting = sends.filter(({ state }) => state !== 'mined')
  const free = waiting.filter(isFree)
  const settler = free.length > 1 ? await settlerOf(relay) : undefined
  const groups = settler ? pack(relay.chain, free) : []
  const grouped = new Set(groups.flat().map(({ id }) => id))
  const others = await findOthers(
    relay,
    waiting.filter(({ id }) => !grouped.has(id)),
    submitted,
  )
  const result: Submitted = { isAll: true, failures: new Map() }
  const ask = (items: readonly SendState[], submit: () => Promise<boolean>) =>
    attempt(
      result,
      items.map(({ ref }) => ref),
      submit,
    )
  await Promise.all(
    groups.map((group) =>
      ask(group, async () => {
        const written = await writeBatch(relay, group, settler as Address)
        if (!written) return true
        reach('chain.batch_written')
        submitted.add(written.id)
        return written.nonce === null
          ? submitSend(relay, written.ref)
          : submitAssigned(relay, written)
      }),
    ),
  )
  // One after the other, because they lock the same few rows.
  for (const { send, items } of others) {
    submitted.add(send.id)
    if (!(await ask(items, () => submitSend(relay, send.ref)))) break
  }
  return result
}

const isFree = (send: SendState): boolean =>
  send.state === 'queued' && send.nonce === null && send.batchId === null && !send.isAlone

async function attempt(
  result: Submitted,
  refs: readonly string[],
  submit: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const isDone = await submit()
    if (!isDone) result.isAll = false
    return isDone
  } catch (error) {
    for (const ref of refs) result.failures.set(ref, error)
    return true
  }
}

/** Groups of two or more sends whose authorizations fit into one transaction. */
function pack(chain: Chain, sends: SendState[]): SendState[][] {
  const groups: { sends: SendState[]; items: number }[] = []
  for (const send of sends) {
    const items = itemsOf(chain, send)?.length
    if (items === undefined || items > MOST_ITEMS) continue
    const last = groups.at(-1)
    if (last && last.items + items <= MOST_ITEMS) {
      last.sends.push(send)
      last.items += items
    } else groups.push({ sends: [send], items })
  }
  return groups.map((group) => group.sends).filter((group) => group.length > 1)
}

type Other = { send: SendState; items: SendState[] }

/** The transactions to submit besides the new groups, each with the sends that wait for it. */
async function findOthers(
  { db }: Relay,
  waiting: readonly SendState[],
  submitted: ReadonlySet<string>,
): Promise<Other[]> {
  const byBatch = Map.groupBy(waiting, ({ batchId }) => batchId)
  const own = byBatch.get(null) ?? []
  const batches = await findSendsById(
    db.reader,
    [...byBatch.keys()].filter((id) => id !== null),
  )
  const isDue = ({ id, state }: SendState) =>
    state === 'queued' || (state === 'signed' && !submitted.has(id))
  return [
    ...batches.map((send) => ({ send, items: byBatch.get(send.id) ?? [] })),
    ...own.map((send) => ({ send, items: [send] })),
  ].filter(({ send }) => isDue(send))
}

/**
 * Stores one transaction for those of the group that no other process holds, with a nonce if a relayer is free at once.
 * A single send that is left is returned as it is. Undefined if none is left.
 */
async function writeBatch(
  relay: Relay,
  group: readonly SendState[],
  settler: Address,
): Promise<SendState | undefined> {
  const { chain, db } = relay
  const start = await readStart(relay)
  return db.write(async (tx): Promise<SendState | undefined> => {
    const ids = group.map(({ id }) => id)
    const [items, turn] = await Promise.all([lockWaiting(tx, ids), takeTurn(tx, start)])
    const [first] = items
    if (!first || items.length === 1) return first
    const authorizations = items.flatMap(
      (item): SignedAuthorization[] => itemsOf(chain, item) ?? [],
    )
    const at = first.createdAt
    const id = newId('snd', at)
    const settle = settleCall(settler, batchedToken(chain), authorizations)
    const call = { ...settle, id, ref: batchRef(id) }
    const written = await writeTransaction(tx, at, { start, turn, call })
    storeItems(
      tx,
      id,
      items.map((item) => item.id),
    )
    return written
  })
}
