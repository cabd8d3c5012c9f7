import type { Lane } from '../../../base/db/lanes/lane.ts'
import { send, type Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Started } from '../../../chain/relay/batch/store.ts'
import {
  type GasLimits,
  type Rationed,
  release,
  reserve,
} from '../../../chain/relay/gas/reserve.ts'
import { type Flight, type FlightEnd, lockStanding } from '../../../chain/relay/gas/store.ts'
import { takeTurn } from '../../../chain/relay/nonce.ts'
import { maintainSoon, queueSends, withdrawSend } from '../../../chain/relay/send.ts'
import { type Start, startSends } from '../../../chain/relay/start.ts'
import type { Ended } from '../../../chain/relay/store.ts'
import type { Call } from '../../../chain/transfers/looks/permit.ts'
import {
  type AuthorizationClaim,
  claimAuthorizationsStatement,
  nonceKeeper,
} from '../../../chain/transfers/store.ts'
import { confirmSoon, resumeSoon } from '../../../chain/transfers/tasks.ts'
import { lookSoon } from '../discovery/look.ts'
import { insertLooks, type Look } from '../discovery/store-looks.ts'
import {
  deleteClaims,
  type Ending,
  endSettlements,
  insertClaims,
  type Settlement,
} from '../store.ts'
import { settlementTasks } from '../tasks.ts'

/** A payment to claim, and the call that submits it. Without `carry` it is not submitted yet and reserves nothing. */
export type Claim = {
  settlement: Settlement
  /** A call that only one relayer may make is queued for that relayer. */
  call: Call
  carry: { start: Start; flight: Flight } | undefined
  limits: GasLimits
}
/**
 * Whether the authorization was free, and the transaction that carries it if one was started. A `rationed` authorization
 * was free and is not claimed.
 */
export type Claimed = { isClaimed: boolean; started?: Started; rationed?: Rationed }

/** The `ref` of a settlement's send. */
export const sendRef = (id: string): string => `x402:${id}`

/**
 * Claims authorizations, each once. The claim, the reserved balance, the batch, its nonce and its signed bytes are one
 * commit. The transaction is broadcast when the caller waits for it.
 */
export const claimLane: Lane<Claim, Claimed> = {
  name: 'claim_x402_settlements',
  async run(tx, at, claims) {
    const start = claims.findLast(isStartable)?.carry?.start
    const settlements = claims.map(({ settlement }) => settlement)
    const [claimed, standing, turn] = await Promise.all([
      insertClaims(tx, settlements),
      lockStanding(tx, at, flightsOf(claims)),
      start && takeTurn(tx, start),
      maintainSoon(tx),
      resumeSoon(tx, settlementTasks),
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
    send(tx, claimAuthorizationsStatement(fresh.map(authorizationOf)))
    await queueSends(tx, at, callsOf(fresh.filter((claim) => !isStartable(claim))))
    const calls = callsOf(fresh.filter(isStartable))
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

/** Whether any relayer may carry it, so that its transaction can be written with the claim. */
const isStartable = ({ carry, call }: Claim): boolean => Boolean(carry) && call.by === undefined

const authorizationOf = ({ settlement }: Claim): AuthorizationClaim => {
  const { id: ref, network, payer, nonce } = settlement
  return { network, token: nonceKeeper(settlement), payer, nonce, kind: 'facilitator', ref }
}

const flightsOf = (claims: readonly Claim[]): Flight[] =>
  claims.flatMap(({ carry }) => carry?.flight ?? [])

const callsOf = (claims: readonly Claim[]) =>
  claims.map(({ settlement, call: { by, ...call } }) => ({
    ref: sendRef(settlement.id),
    ...call,
    onlyRelayer: by,
  }))

/** Ends settlements. Undefined for one that had ended before: its caller reads it again. */
export const endLane: Lane<Ending, Settlement | undefined> = {
  name: 'end_x402_settlements',
  async run(tx, at, endings) {
    const isAnySettled = endings.some(({ state }) => state === 'settled')
    const [ended] = await Promise.all([
      endSettlements(tx, at, endings),
      release(tx, at, endings.map(flightEndOf)),
      isAnySettled ? confirmSoon(tx, settlementTasks) : undefined,
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

/** The resource that a settled payment lists. */
function lookFor({ listing, walletAddress, payTo }: Settlement): Look[] {
  // Old settlements have a description without a URL.
  if (!listing?.url) return []
  return [{ ...listing, host: new URL(listing.url).host, walletAddress, payTo }]
}

/**
 * Ends settlements in the transaction that stores their block, for the callers that claimed them and wait.
 * Undefined for a settlement whose transfer the block does not show, or that had ended before.
 */
export async function endPaid(
  tx: Tx,
  at: Date,
  blocks: readonly (Ended & { intent: string })[],
): Promise<({ kind: 'settled'; settlement: Settlement } | undefined)[]> {
  reach('facilitator.before_end')
  const endings = blocks.flatMap(({ intent: id, mined: { hash, logIndexes } }): Ending[] => {
    const [logIndex] = logIndexes ?? []
    if (typeof logIndex !== 'number') return []
    return [{ id, state: 'settled', txHash: hash, logIndex, isReported: true }]
  })
  const ended = await endLane.run(tx, at, endings)
  return blocks.map(({ intent }) => {
    const settlement = ended.find((one) => one?.id === intent)
    return settlement && { kind: 'settled', settlement }
  })
}

/** Deletes a claim that has no transaction yet. False if it may be on its way; then it stays. */
export async function giveBack(tx: Tx, at: Date, id: string): Promise<boolean> {
  if (!(await withdrawSend(tx, sendRef(id)))) return false
  const gone = await deleteClaims(tx, [id])
  assert(gone === 1, 'a claim whose send was queued has not ended')
  await release(tx, at, [{ ref: sendRef(id), outcome: 'unsent' }])
  return true
}
