import { perServices } from '../../http/services.ts'
import { Bounded } from '../../kernel/bounded.ts'
import { Problem } from '../../kernel/problem.ts'

/** Anybody may ask. Each process asks the chain this often a second at most, for all callers together. */
const ASKS_PER_SECOND = 20
const ANSWERS_KEPT = 1_000

type Kept = { until: number; answer: Promise<unknown> }
const asks = perServices(() => ({
  kept: new Bounded<Kept>(ANSWERS_KEPT),
  second: 0,
  asked: 0,
}))

/**
 * The answer that another caller was given within `keptMs`, or a new one. Throws `rate_limited` once callers have had this
 * second's questions. Failures are not kept.
 */
export function askRarely<T>(
  services: Parameters<typeof asks>[0],
  at: Date,
  of: { key: string; keptMs: number; ask: () => Promise<T> },
): Promise<T> {
  const state = asks(services)
  const now = at.getTime()
  const known = state.kept.get(of.key)
  if (known && now < known.until) return known.answer as Promise<T>
  const second = Math.floor(now / 1000)
  if (second !== state.second) Object.assign(state, { second, asked: 0 })
  if (state.asked >= ASKS_PER_SECOND) throw busy()
  state.asked += 1
  const answer = of.ask()
  state.kept.set(of.key, { until: now + of.keptMs, answer })
  answer.catch(() => state.kept.delete(of.key))
  return answer
}

const busy = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many callers ask about markets at the moment. Ask again in a second.',
    { headers: { 'retry-after': '1' } },
  )
