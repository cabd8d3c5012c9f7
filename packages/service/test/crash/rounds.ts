import { pause } from '../until.ts'
import type { World } from './acts/moves.ts'
import { checkAll, verifyBooks, waitUntilFinal } from './check.ts'
import { type Act, ALL_ACTS, perform } from './load.ts'
import type { Process, Role } from './stage.ts'

export type RoundOptions = {
  rounds: number
  seed: number
  /** Concurrent requests. */
  callers: number
  /** The books are verified after this many rounds, while money moves. */
  verifyEvery: number
  /** After this many rounds the load stops, and everything must become final and be checked. */
  checkEvery: number
  /** The time limit for becoming final. */
  finalMs: number
  report: (line: string) => void
}
const TARGETS = ['service', 'worker', 'postgres'] as const
type Target = (typeof TARGETS)[number]
const ROLES: Record<Exclude<Target, 'postgres'>, Role> = { service: 'api,worker', worker: 'worker' }
const KILL_WITHIN_MS = 2_500
const DOWN_WITHIN_MS = 800

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Running = Record<keyof typeof ROLES, Process>

/**
 * Kills parts of the service at random moments, again and again, while callers make requests of all kinds. Returns what
 * is wrong; nothing if every promise was kept.
 */
export async function soak(world: World, options: RoundOptions): Promise<string[]> {
  // The load has its own random numbers, so that its amount does not change the kills.
  const random = randomOf(options.seed)
  const loadRandom = randomOf(options.seed + 1)
  const { report } = options
  const running: Running = {
    service: await startPart(world, 'service'),
    worker: await startPart(world, 'worker'),
  }
  const faults: string[] = []
  report(HEAD)
  const start = () => startCallers(world, { random: loadRandom, callers: options.callers })
  let load = start()
  for (let round = 1; round <= options.rounds; round++) {
    const before = world.claims.length
    const killed = await killSome(world, running, random)
    const found = round % options.verifyEvery === 0 ? await verifyBooks(world) : []
    let final = ''
    if (round % options.checkEvery === 0 || round === options.rounds) {
      const stoppedAt = Date.now()
      await load.stop(options.finalMs)
      const open = await waitUntilFinal(world, options.finalMs)
      final = `${((Date.now() - stoppedAt) / 1000).toFixed(1)} s`
      found.push(...open.map((what) => `not final: ${what}`), ...(await checkAll(world)))
      if (round < options.rounds) load = start()
    }
    faults.push(...found.map((fault) => `round ${round}: ${fault}`))
    report(
      lineOf({ round, killed, claims: world.claims.slice(before), final, faults: found.length }),
    )
    if (found.length > 0) break
  }
  await load.stop(0)
  return faults
}

const startPart = (world: World, name: keyof typeof ROLES): Promise<Process> =>
  world.stage.launch(ROLES[name]).ready()

/** Kills one part, or several at nearly the same time, and restarts each of them. */
async function killSome(world: World, running: Running, random: () => number): Promise<Target[]> {
  const first = TARGETS[Math.floor(random() * TARGETS.length)] as Target
  const chosen = TARGETS.filter((target) => target === first || random() < 0.25)
  const plans = chosen.map((target) => ({
    target,
    afterMs: 300 + random() * KILL_WITHIN_MS,
    downMs: random() * DOWN_WITHIN_MS,
  }))
  await Promise.all(
    plans.map(async ({ target, afterMs, downMs }) => {
      await pause(afterMs)
      if (target === 'postgres') return world.stage.killPostgres()
      await running[target].kill()
      await pause(downMs)
      running[target] = await startPatiently(world, target)
    }),
  )
  return chosen
}

/** A service started while its database is down reports that and exits. Starts it again until it runs. */
async function startPatiently(world: World, name: keyof typeof ROLES): Promise<Process> {
  for (let tries = 1; ; tries++) {
    try {
      return await startPart(world, name)
    } catch (error) {
      if (tries === 10) throw error
      await pause(500)
    }
  }
}

/** Callers who make requests of these kinds, one after the other, until they are stopped. */
export function startCallers(
  world: World,
  {
    random,
    callers,
    acts = ALL_ACTS,
  }: { random: () => number; callers: number; acts?: readonly Act[] },
) {
  let isStopping = false
  let isOver = false
  const caller = async () => {
    while (!isStopping) {
      const act = acts[Math.floor(random() * acts.length)]
      const who = Math.floor(random() * 1000)
      if (act) await perform(world, { act, who, isOver: () => isOver })
    }
  }
  const all = Promise.all(Array.from({ length: callers }, caller))
  // Awaited when the load stops; until then it must not count as unhandled.
  all.catch(() => undefined)
  return {
    /** Starts nothing new and waits until every request has its answer, at most `timeoutMs`. */
    async stop(timeoutMs: number): Promise<void> {
      isStopping = true
      const timer = setTimeout(() => {
        isOver = true
      }, timeoutMs)
      await all.finally(() => clearTimeout(timer))
    },
    async [Symbol.asyncDispose](): Promise<void> {
      isStopping = isOver = true
      await all.catch(() => undefined)
    },
  }
}

const HEAD = 'round  killed                    acts  lost  again   5xx  slowest    final  faults'
const lineOf = (line: {
  round: number
  killed: Target[]
  claims: World['claims']
  final: string
  faults: number
}): string => {
  const { round, killed, claims, final, faults } = line
  const total = (of: (claim: World['claims'][number]) => number) =>
    claims.reduce((sum, claim) => sum + of(claim), 0)
  const slowest = Math.max(0, ...claims.map(({ outcome }) => outcome.tookMs))
  return [
    String(round).padStart(5),
    killed.join('+').padEnd(24),
    String(claims.length).padStart(5),
    String(total(({ outcome }) => outcome.lost)).padStart(4),
    String(total(({ outcome }) => Math.max(0, outcome.tries - 1))).padStart(5),
    String(total(({ outcome }) => outcome.failed)).padStart(4),
    `${(slowest / 1000).toFixed(1)} s`.padStart(7),
    final.padStart(7),
    String(faults).padStart(6),
  ].join('  ')
}
