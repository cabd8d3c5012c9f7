import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import type { Chain } from '../client/chain.ts'
import { wakeRelayers } from './gas/relayer-gas.ts'
import { findFreeRelayers, hasAllRelayers, insertRelayers } from './gas/store.ts'
import { type CountedHead, readRecentCounts } from './head.ts'
import type { Relay } from './relay.ts'
import { assignNonce, lockTurn, type SendState } from './store.ts'

/** A relayer that may take one more send, locked until the transaction ends, and its next nonce. */
export type Turn = { relayer: Address; nonce: bigint }

/** The turn of the relayer with the fewest unmined sends. Undefined while all are busy, resting or locked. */
export async function takeTurn(
  tx: Tx,
  { chain, head }: { chain: Chain; head: CountedHead },
): Promise<Turn | undefined> {
  const free = await lockTurn(
    tx,
    chain.relayers.map(({ address }) => address),
  )
  if (!free) return undefined
  const count = BigInt(head.counts.get(free.address) ?? 0)
  return { relayer: free.address, nonce: free.nextNonce > count ? free.nextNonce : count }
}

/** Gives a queued send a relayer and its next nonce. Undefined while all relayers are busy or out of gas. */
export async function assignRelayer(relay: Relay, send: SendState): Promise<SendState | undefined> {
  const { chain, db } = relay
  assert(chain.relayers.length > 0, 'there is a relayer')
  // Read first, as it throws if the RPC serves another chain: its counts would stay in the database.
  const { counts } = await readRecentCounts(relay)
  const ours = chain.relayers
    .map(({ address }) => address)
    .filter((address) => send.onlyRelayer === null || address === send.onlyRelayer)
  if (ours.length === 0) return undefined
  let free = await findFreeRelayers(db.reader, ours)
  if (free.length === 0) {
    if (!(await hasAllRelayers(db.reader, ours))) await db.write((tx) => insertRelayers(tx, ours))
    // Read again even if all rows were there: another caller may have inserted them just now.
    free = await findFreeRelayers(db.reader, ours)
  }
  if (free.length === 0 && (await wakeRelayers(relay)))
    free = await findFreeRelayers(db.reader, ours)
  for (const relayer of free) {
    const count = counts.get(relayer) ?? 0
    const assigned = await db.write((tx) => assignNonce(tx, { sendId: send.id, relayer, count }))
    if (assigned) {
      reach('chain.nonce_assigned')
      return assigned
    }
  }
  return undefined
}
