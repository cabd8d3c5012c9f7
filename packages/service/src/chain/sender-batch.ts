import type { Tx } from '../db/sql.ts'
import type { Address } from '../kernel/assets.ts'
import { reach } from '../kernel/fault-points.ts'
import { newId } from '../kernel/ids.ts'
import { MOST_ITEMS, type SignedAuthorization, settleCall } from './batch-settler.ts'
import type { Chain } from './chain.ts'
import { broadcastSend, offerGiven } from './sender-carry.ts'
import { itemsOf } from './sender-items.ts'
import { batchRef, findSendsById, lockWaiting, storeRiders } from './sender-riders.ts'
import { settlerOf } from './sender-settler.ts'
import type { SenderDeps } from './sender-sign.ts'
import { readStart, takeTurn, writeTransaction } from './sender-start.ts'
import type { SendState } from './sender-store.ts'

/** What became of sends that were to be brought to the chain. */
export type Carried = {
  /** False while some wait for a relayer that is busy or out of gas. */
  isAll: boolean
  /** Why a send could not be carried now, by its ref. It stays as it is and may be carried again. */
  failures: Map<string, unknown>
}

/**
 * Brings queued sends to the chain: those that only hand authorizations to the token share transactions, a hundred
 * authorizations each, where a settler stands on the chain and there are two or more; every other goes by itself. Which
 * send rides in which transaction is committed before that is signed. What was signed by somebody who is gone is
 * broadcast again, once for each `offered`. Safe to repeat, and at once.
 */
export async function carrySends(
  deps: SenderDeps,
  sends: readonly SendState[],
  offered: Set<string> = new Set(),
): Promise<Carried> {
  const waiting = sends.filter(({ state }) => state !== 'mined')
  const free = waiting.filter(isFree)
  const settler = free.length > 1 ? await settlerOf(deps.chain) : undefined
  const groups = settler ? pack(deps.chain, free) : []
  const grouped = new Set(groups.flat().map(({ id }) => id))
  const others = await findOthers(
    deps,
    waiting.filter(({ id }) => !grouped.has(id)),
    offered,
  )
  const carried: Carried = { isAll: true, failures: new Map() }
  const ask = (riders: readonly SendState[], carry: () => Promise<boolean>) =>
    attempt(
      carried,
      riders.map(({ ref }) => ref),
      carry,
    )
  await Promise.all(
    groups.map((group) =>
      ask(group, async () => {
        const written = await together(deps, group, settler as Address)
        if (!written) return true
        reach('chain.batch_written')
        offered.add(written.id)
        return written.nonce === null ? broadcastSend(deps, written.ref) : offerGiven(deps, written)
      }),
    ),
  )
  // One after the other: they want the same few rows.
  for (const { send, riders } of others) {
    offered.add(send.id)
    if (!(await ask(riders, () => broadcastSend(deps, send.ref)))) break
  }
  return carried
}

const isFree = (send: SendState): boolean =>
  send.state === 'queued' && send.nonce === null && send.batchId === null && !send.isAlone

async function attempt(
  carried: Carried,
  refs: readonly string[],
  carry: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const isDone = await carry()
    if (!isDone) carried.isAll = false
    return isDone
  } catch (error) {
    for (const ref of refs) carried.failures.set(ref, error)
    return true
  }
}

/** Groups of two or more whose authorizations fit into one transaction. */
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

type Other = { send: SendState; riders: SendState[] }

/** The transactions to broadcast beside the new groups, with the sends that wait for each. */
async function findOthers(
  { db }: SenderDeps,
  waiting: readonly SendState[],
  offered: ReadonlySet<string>,
): Promise<Other[]> {
  const byCarrier = Map.groupBy(waiting, ({ batchId }) => batchId)
  const own = byCarrier.get(null) ?? []
  const carriers = await findSendsById(
    db.reader,
    [...byCarrier.keys()].filter((id) => id !== null),
  )
  const isDue = ({ id, state }: SendState) =>
    state === 'queued' || (state === 'signed' && !offered.has(id))
  return [
    ...carriers.map((send) => ({ send, riders: byCarrier.get(send.id) ?? [] })),
    ...own.map((send) => ({ send, riders: [send] })),
  ].filter(({ send }) => isDue(send))
}

/**
 * Writes one transaction down for those of the group that nobody else carries, with a nonce where a relayer is free at
 * once. Undefined if none is left; the only one that is left goes by itself.
 */
async function together(
  { db, chain }: SenderDeps,
  group: readonly SendState[],
  settler: Address,
): Promise<SendState | undefined> {
  const start = await readStart(chain)
  return db.write(async (tx: Tx): Promise<SendState | undefined> => {
    const ids = group.map(({ id }) => id)
    const [riders, turn] = await Promise.all([lockWaiting(tx, ids), takeTurn(tx, start)])
    const [first] = riders
    if (!first || riders.length === 1) return first
    const items = riders.flatMap((rider): SignedAuthorization[] => itemsOf(chain, rider) ?? [])
    const at = first.createdAt
    const id = newId('snd', at)
    const call = { ...settleCall(settler, chain.asset.contract, items), id, ref: batchRef(id) }
    const written = await writeTransaction(tx, at, { start, turn, call })
    storeRiders(
      tx,
      id,
      riders.map((rider) => rider.id),
    )
    return written
  })
}
