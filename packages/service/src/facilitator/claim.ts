import { queueSends, withdrawSend } from '../chain/sender.ts'
import type { Lane } from '../db/lane.ts'
import type { Tx } from '../db/sql.ts'
import { enqueueOne } from '../jobs/queue.ts'
import { assert } from '../kernel/assert.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import {
  deleteClaim,
  type Ending,
  endSettlements,
  insertClaims,
  type Settlement,
  saveResources,
} from './store.ts'

/** A payment to carry, and the call that does. */
export type Claim = { settlement: Settlement; call: { to: Address; data: Hex; gas: bigint } }
export const TEND_TASK = 'tend_x402_settlements'
const TEND_SECONDS = 20
export const CONFIRM_MANY_TASK = 'confirm_x402_settlements'
const CONFIRM_SECONDS = 3
/** How many resources of one seller are shown. */
const RESOURCES_MAX = 100

/** What the relayers' send of a settlement is called. */
export const sendRef = (id: string): string => `x402:${id}`

/**
 * Claims authorizations, each once, with the transaction that carries it: that waits until somebody asks for it by
 * `sendAndWait`. False for one that is claimed already.
 */
export const claimLane: Lane<Claim, boolean> = {
  name: 'claim_x402_settlements',
  async run(tx, at, claims) {
    const claimed = await insertClaims(
      tx,
      claims.map(({ settlement }) => settlement),
    )
    const fresh = claims.filter(({ settlement }) => claimed.has(settlement.id))
    if (fresh.length > 0) {
      const sends = fresh.map(({ settlement, call }) => ({ ref: sendRef(settlement.id), ...call }))
      await queueSends(tx, at, sends)
      await tendSoon(tx, TEND_SECONDS)
    }
    return claims.map(({ settlement }) => claimed.has(settlement.id))
  },
}

/** Ends settlements. Undefined for one that had ended before; its caller reads what it is. */
export const endLane: Lane<Ending, Settlement | undefined> = {
  name: 'end_x402_settlements',
  async run(tx, at, endings) {
    const ended = await endSettlements(tx, at, endings)
    const settled = ended.filter(({ state }) => state === 'settled')
    await saveResources(tx, at, { settlements: settled, limit: RESOURCES_MAX })
    if (settled.length > 0) await confirmSoon(tx)
    return endings.map(({ id }, i) =>
      endings.findIndex((other) => other.id === id) === i
        ? ended.find((settlement) => settlement.id === id)
        : undefined,
    )
  },
}

/** Gives a claim back whose transaction nobody carries yet. False where it may be on its way: then it stays. */
export async function giveBack(tx: Tx, id: string): Promise<boolean> {
  if (!(await withdrawSend(tx, sendRef(id)))) return false
  const isGone = await deleteClaim(tx, id)
  assert(isGone, 'a claim whose send was queued has not ended')
  return true
}

/** Sees to it that a job looks after settlements whose callers are gone. */
export const tendSoon = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueueOne(tx, TEND_TASK, delaySeconds)

/** Sees to it that a job looks at settled ones until their blocks are safe. */
export const confirmSoon = (tx: Tx): Promise<void> =>
  enqueueOne(tx, CONFIRM_MANY_TASK, CONFIRM_SECONDS)
