import { perServices } from '../../../api/http/services.ts'
import { Kept } from '../../../base/kernel/bounded.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'

/** Anybody may ask. Each process asks the chain this often a second at most, for all callers together. */
const ASKS_PER_SECOND = 20
/** The questions of one caller in a second. */
const ASKS_OF_ONE = 5
/** Half of all questions are kept for callers who have asked none in this second, so that eager ones leave the others some. */
const ASKS_OF_EAGER = ASKS_PER_SECOND / 2
const ANSWERS_KEPT = 1_000

const asks = perServices(() => ({
  kept: new Kept<unknown>(ANSWERS_KEPT),
  second: 0,
  asked: 0,
  /** By caller. */
  askedBy: new Map<string, number>(),
}))
type State = ReturnType<typeof asks>

/**
 * The answer that another caller was given within `keptMs`, or a new one. Throws `rate_limited` once the caller, or all
 * callers, have had this second's questions. Failures are not kept.
 */
export function askRarely<T>(
  services: Parameters<typeof asks>[0],
  at: Date,
  of: { client: string; key: string; keptMs: number; ask: () => Promise<T> },
): Promise<T> {
  const state = asks(services)
  const ask = () => {
    count(state, unixSeconds(at), of.client)
    return of.ask()
  }
  return state.kept.get(of.key, at, { ms: of.keptMs, ask }) as Promise<T>
}

function count(state: State, second: number, client: string): void {
  if (second !== state.second) {
    Object.assign(state, { second, asked: 0 })
    state.askedBy.clear()
  }
  const own = state.askedBy.get(client) ?? 0
  if (own >= ASKS_OF_ONE || state.asked >= (own === 0 ? ASKS_PER_SECOND : ASKS_OF_EAGER))
    throw busy()
  state.askedBy.set(client, own + 1)
  state.asked += 1
}

const busy = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many questions about markets in this second: five for one caller. Ask again in a second.',
    { headers: { 'retry-after': '1' } },
  )
