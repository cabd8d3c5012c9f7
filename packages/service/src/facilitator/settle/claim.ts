import { LOOK_MANY_SECONDS } from '../../chain/transfers/schedule.ts'
import type { Lane } from '../../db/lanes/lane.ts'
import type { Tx } from '../../db/sql.ts'
import { enqueueOne } from '../../jobs/queue.ts'
import { assert } from '../../kernel/assert.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { reach } from '../../kernel/fault-points.ts'
import type { Started } from '../../relay/batch/store.ts'
import { type GasLimits, type Rationed, release, reserve } from '../../relay/gas/reserve.ts'
import { type Flight, type FlightEnd, lockStanding } from '../../relay/gas/store.ts'
import { takeTurn } from '../../relay/nonce.ts'
import { maintainSoon, queueSends, withdrawSend } from '../../relay/send.ts'
import { type Start, startSends } from '../../relay/start.ts'
import type { Ended } from '../../relay/store.ts'
import {
  deleteClaims,
  type Ending,
  endSettlements,
  insertClaims,
  type Settlement,
} from '../store.ts'
import { lookSoon } from './look.ts'
import { insertLooks, type Look } from './store-looks.ts'

/** A payment to carry, and the call that does. Without a `start` it is not carried yet, and reserves nothing. */
export type Claim = {
  settlement: Settlement
  call: { to: Address; data: Hex; gas: bigint }
  carry: { start: Start; flight: Flight } | undefined
  limits: GasLimits
}
/**
 * Whether the authorization was free, and the transaction by which it goes to the chain where there is one already. One
 * that is `rationed` was free, and is not claimed.
 */
export type Claimed = { isClaimed: boolean; started?: Started; rationed?: Rationed }
export const TEND_TASK = 'tend_x402_settlements'
const TEND_SECONDS = 20
export const CONFIRM_MANY_TASK = 'confirm_x402_settlements'

/** What the relayers' send of a settlement is called. */
export const sendRef = (id: string): string => `x402:${id}`

/**
 * Claims authorizations, each once, with the transaction that carries it, signed: claim, what it takes of its payer's
 * balance, batch, nonce and bytes are one commit. It is broadcast when somebody waits for it.
 */
export const claimLane: Lane<Claim, Claimed> = {
  name: 'claim_x402_settlements',
  async run(tx, at, claims) {
    const start = claims.findLast((claim) => claim.carry)?.carry?.start
    const settlements = claims.map(({ settlement }) => settlement)
    const [claimed, standing, turn] = await Promise.all([
      insertClaims(tx, settlements),
      lockStanding(tx, at, flightsOf(claims)),
      start && takeTurn(tx, start),
      maintainSoon(tx),
      tendSoon(tx, TEND_SECONDS),
    ])
    const free = claims.filter(({ settlement }) => claimed.has(settlement.id))
    const limits = claims[0]?.limits ?? { sellerPerDay: null }
    const rationed = reserve(tx, at, { standing, flights: flightsOf(free), limits })
    const fresh = free.filter(({ settlement: { id } }) => !rationed.has(sendRef(id)))
    const left = free.filter((claim) => !fresh.includes(claim))
    if (left.length > 0)
      await deleteClaims(
        tx,
        left.map(({ settlement }) => settlement.id),
      )
    await queueSends(tx, at, callsOf(fresh.filter(({ carry }) => !carry)))
    const calls = callsOf(fresh.filter(({ carry }) => carry))
    const started = start && (await startSends(tx, at, { start, turn, calls }))
    const isStarted = new Set([started?.send, ...(started?.items ?? [])].map((send) => send?.ref))
    return claims.map(({ settlement: { id } }) => {
      const ration = rationed.get(sendRef(id))
      if (ration) return { isClaimed: false, rationed: ration }
      const isOnItsWay = started && isStarted.has(sendRef(id))
      return { isClaimed: claimed.has(id), ...(isOnItsWay ? { started } : {}) }
    })
  },
}

const flightsOf = (claims: readonly Claim[]): Flight[] =>
  claims.flatMap(({ carry }) => carry?.flight ?? [])

const callsOf = (claims: readonly Claim[]) =>
  claims.map(({ settlement, call }) => ({ ref: sendRef(settlement.id), ...call }))

/** Ends settlements. Undefined for one that had ended before; its caller reads what it is. */
export const endLane: Lane<Ending, Settlement | undefined> = {
  name: 'end_x402_settlements',
  async run(tx, at, endings) {
    const isAnySettled = endings.some(({ state }) => state === 'settled')
    const [ended] = await Promise.all([
      endSettlements(tx, at, endings),
      release(tx, at, endings.map(flightEndOf)),
      isAnySettled ? confirmSoon(tx) : undefined,
    ])
    const settled = ended.filter(({ state }) => state === 'settled')
    const looks = settled.flatMap(lookFor)
    if ((await insertLooks(tx, at, looks)) > 0) await lookSoon(tx)
    return endings.map(({ id }, i) =>
      endings.findIndex((other) => other.id === id) === i
        ? ended.find((settlement) => settlement.id === id)
        : undefined,
    )
  },
}

const flightEndOf = (ending: Ending): FlightEnd => ({
  ref: sendRef(ending.id),
  outcome: ending.state === 'settled' ? 'settled' : ending.isOnChain ? 'failed' : 'unsent',
})

/** What a settled payment has us look at. */
function lookFor({ listing, walletAddress, payTo }: Settlement): Look[] {
  // One that was claimed before listings were looked at is a description, which has no URL.
  if (!listing?.url) return []
  return [{ ...listing, host: new URL(listing.url).host, walletAddress, payTo }]
}

/**
 * Ends settlements in the transaction that writes their block down, for those who claimed them and wait to be told.
 * Undefined for one whose transfer the block does not show, or that had ended before.
 */
export async function endPaid(
  tx: Tx,
  at: Date,
  blocks: readonly (Ended & { intent: string })[],
): Promise<(Settlement | undefined)[]> {
  reach('facilitator.before_end')
  const endings = blocks.flatMap(({ intent: id, mined: { hash, logIndexes } }): Ending[] => {
    const [logIndex] = logIndexes ?? []
    if (typeof logIndex !== 'number') return []
    return [{ id, state: 'settled', txHash: hash, logIndex, isTold: true }]
  })
  const ended = await endLane.run(tx, at, endings)
  return blocks.map(({ intent }) => ended.find((settlement) => settlement?.id === intent))
}

/** Gives a claim back whose transaction nobody carries yet. False where it may be on its way: then it stays. */
export async function giveBack(tx: Tx, at: Date, id: string): Promise<boolean> {
  if (!(await withdrawSend(tx, sendRef(id)))) return false
  const gone = await deleteClaims(tx, [id])
  assert(gone === 1, 'a claim whose send was queued has not ended')
  await release(tx, at, [{ ref: sendRef(id), outcome: 'unsent' }])
  return true
}

/** Sees to it that a job looks after settlements whose callers are gone. */
export const tendSoon = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueueOne(tx, TEND_TASK, delaySeconds)

/** Sees to it that a job looks at settled ones until their blocks are safe. */
export const confirmSoon = (tx: Tx): Promise<void> =>
  enqueueOne(tx, CONFIRM_MANY_TASK, LOOK_MANY_SECONDS)
