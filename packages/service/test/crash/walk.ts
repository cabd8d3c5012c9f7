import type { FaultPoint } from '../../src/run/config/fault-points.ts'
import { pause } from '../until.ts'
import type { World } from './acts/moves.ts'
import { type Act, perform } from './load.ts'

type Way = {
  /** The acts that lead to the point. */
  acts: readonly Act[]
  /** The pass of the point at which to die; the first by default. */
  nth?: number
  prepare?: (world: World) => Promise<unknown>
}

/** Skips a nonce of each relayer, as a relayer without gas may. */
const loseNonces = ({ stage }: World) =>
  stage.query('update chain_relayers set next_nonce = next_nonce + 1')

const ANY_SEND = ['linkByX402', 'withdraw'] as const
const RENEWALS = ['renewByReserve', 'renewByBalance'] as const
const BY_HASH = ['depositByHash', 'depositByHash'] as const

/** Points of commands, not of the service: `test/market/on-chain-crash.test.ts` and `run/operate/retention/kill.test.ts` kill them there. */
const COMMANDS = [
  'market.missing_found',
  'market.missing_frozen',
  'market.missing_adopted',
  'retention.before_file',
  'retention.after_file',
  'retention.after_manifest',
  'retention.before_commit',
  'retention.after_commit',
] as const
type Walked = Exclude<FaultPoint, (typeof COMMANDS)[number]>

/** The way to each point. The compiler refuses a point without a way. */
export const WAYS: Record<Walked, Way> = {
  'lanes.before_commit': { acts: ['issue', 'linkByCard'] },
  'lanes.after_commit': { acts: ['linkByCard', 'linkByMpp'] },
  'jobs.before_task': { acts: ['withdraw'], nth: 3 },
  'jobs.after_task': { acts: ['withdraw'], nth: 3 },
  // The first connection asks for the price; the second carries the payment.
  'egress.connected': { acts: ['pay'], nth: 2 },
  'chain.batch_written': { acts: [...ANY_SEND, ...ANY_SEND, ...ANY_SEND] },
  'chain.nonce_assigned': { acts: ANY_SEND },
  'chain.before_sign': { acts: ANY_SEND },
  'chain.after_sign': { acts: ['depositByAuthorization'] },
  'chain.after_store': { acts: ['facilitate', 'facilitate', ...ANY_SEND] },
  'chain.after_broadcast': { acts: ['linkByMpp', ...ANY_SEND] },
  'chain.after_receipt': { acts: ['facilitate', 'facilitate', 'linkByMpp', ...ANY_SEND] },
  'chain.before_gap_fill': { acts: ANY_SEND, prepare: loseNonces },
  'chain.after_gap_fill': { acts: ANY_SEND, prepare: loseNonces },
  'http.key_taken': { acts: ['pay'] },
  'http.before_answer': { acts: ['linkByAgentcard', 'withdraw'] },
  'funding.authorization_stored': { acts: ['depositByAuthorization'] },
  'funding.before_credit': { acts: ['depositByAuthorization'] },
  'funding.after_credit': { acts: ['depositByAuthorization'] },
  'funding.before_hash_credit': { acts: BY_HASH },
  'funding.after_hash_credit': { acts: BY_HASH },
  'cards.before_activate': { acts: ['issueOnTransaction'] },
  'cards.after_activate': { acts: ['issueOnTransaction'] },
  'pay_links.claimed': { acts: ['linkByMpp', 'linkByX402'] },
  'pay_links.before_settle': { acts: ['linkByMpp', 'linkByX402'] },
  'pay_links.after_settle': { acts: ['linkByX402', 'linkByX402'] },
  'pay_links.before_confirm': { acts: ['linkByX402'] },
  'pay_links.after_confirm': { acts: ['linkByX402', 'linkByMpp'] },
  'pay_links.before_chain_settle': { acts: ['linkByHash', 'linkOnChain'] },
  'pay_links.after_chain_settle': { acts: ['linkOnChain'] },
  'pay_links.before_swept': { acts: ['linkOnChain'] },
  'pay_links.after_swept': { acts: ['linkByHash'] },
  'market.locked': { acts: ['sell'] },
  'market.paid': { acts: ['sell'] },
  'market.moved': { acts: ['sell'] },
  'market.before_commit': { acts: ['sell', 'sell'] },
  'market.after_commit': { acts: ['sell'] },
  'market.accepted': { acts: ['sellOnChain'] },
  'market.before_end': { acts: ['sellOnChain'] },
  'market.after_end': { acts: ['sellOnChain'] },
  'payments.after_hold': { acts: ['pay', 'pay'] },
  'payments.after_sign': { acts: ['pay'] },
  'payments.after_store': { acts: ['pay', 'pay'] },
  'payments.after_answer': { acts: ['pay', 'pay'] },
  'payments.before_capture': { acts: ['pay'] },
  'payments.after_capture': { acts: ['pay'] },
  'payments.before_final': { acts: ['pay'] },
  'payments.after_final': { acts: ['pay'] },
  'streams.before_close': { acts: ['stream', 'stream'] },
  'streams.after_close': { acts: ['stream', 'stream'] },
  'withdrawals.after_sign': { acts: ['withdraw'] },
  'withdrawals.after_queue': { acts: ['withdraw', 'withdraw'] },
  'withdrawals.before_finish': { acts: ['withdraw'] },
  'withdrawals.after_finish': { acts: ['withdraw'] },
  'facilitator.claimed': { acts: ['facilitate'] },
  'facilitator.before_end': { acts: ['facilitate'] },
  'facilitator.after_end': { acts: ['facilitate', 'facilitate'] },
  'stats.taken': { acts: ['linkByCard'] },
  'stats.counted': { acts: ['linkByCard', 'linkByX402'] },
  'stats.before_commit': { acts: ['linkByCard', 'directByX402'] },
  'stats.after_commit': { acts: ['linkByCard'] },
  'identity.after_sign': { acts: ['mintIdentity'] },
  'identity.after_queue': { acts: ['mintIdentity'] },
  'identity.before_state': { acts: ['mintIdentity'] },
  'identity.after_state': { acts: ['mintIdentity'] },
  'watcher.before_commit': { acts: ['depositOnChain'] },
  'watcher.after_commit': { acts: ['depositOnChain', 'linkOnChain'] },
  'agreements.before_create': { acts: ['agree'] },
  'agreements.after_create': { acts: ['agree', 'agree'] },
  'agreements.before_charge': { acts: ['charge', 'charge'] },
  'agreements.after_charge': { acts: ['charge', 'charge'] },
  'membership.before_subscribe': { acts: ['join'] },
  'membership.after_subscribe': { acts: ['join'] },
  'membership.before_enrol': { acts: ['join'] },
  'membership.after_enrol': { acts: ['join'] },
  'membership.before_renew': { acts: RENEWALS },
  'membership.after_renew': { acts: RENEWALS },
  'membership.before_pulled': { acts: ['renewByAllowance'] },
  'membership.after_pulled': { acts: ['renewByAllowance'] },
  'pulls.before_send': { acts: ['renewByAllowance'] },
  'pulls.after_send': { acts: ['renewByAllowance', 'charge'] },
  'pulls.before_confirm': { acts: ['renewByAllowance', 'charge'] },
  'pulls.after_confirm': { acts: ['renewByAllowance'] },
  'pulls.after_safe': { acts: ['renewByAllowance'] },
  'direct.claimed': { acts: ['directByX402', 'topUp'] },
  'direct.reported': { acts: ['directByHash'] },
  'direct.before_settle': { acts: ['directByX402', 'directByHash', 'topUp'] },
  'direct.after_settle': { acts: ['directByX402', 'directByX402'] },
  'direct.before_final': { acts: ['directByX402'] },
  'direct.after_final': { acts: ['directByX402', 'topUp'] },
  'meter.before_topup': { acts: ['topUp'] },
  'meter.after_topup': { acts: ['topUp', 'directByHash'] },
}
export const ALL_POINTS = Object.keys(WAYS) as Walked[]

const DEATH_MS = 120_000
const AGAIN_MS = 4_000

/**
 * Starts the service once for each point, armed for it, and drives it until it has killed itself. Each start but the
 * first also recovers from the death before it. Returns the points that were never reached.
 */
export async function walk(world: World, points: readonly Walked[]): Promise<Walked[]> {
  const driven: Promise<void>[] = []
  const missed: Walked[] = []
  for (const [i, point] of points.entries()) {
    const { acts, nth = 1, prepare } = WAYS[point]
    await prepare?.(world)
    const armed = world.stage.launch('api,worker', `${point}:${nth}`)
    // The state that earlier deaths left may lead it to its point before it serves.
    await Promise.race([armed.ready(), armed.exited])
    const until = Date.now() + DEATH_MS
    while (armed.isRunning && Date.now() < until) {
      const round = acts.map((act) => perform(world, { act, who: i, isOver: () => false }))
      driven.push(...round)
      // The next round begins when this one has ended: a wallet has a day's ration of what costs gas.
      const again = Promise.all([...round, pause(AGAIN_MS)])
      await Promise.race([armed.exited, again, pause(until - Date.now())])
    }
    if (armed.isRunning) missed.push(point)
    await armed.kill()
    const how = await armed.exited
    if (how !== 'SIGKILL')
      throw new Error(`at ${point} the service ended with ${how}:\n${armed.output}`)
  }
  const last = world.stage.launch('api,worker')
  await last.ready()
  await Promise.all(driven)
  return missed
}
