import type { Reader } from '../../../base/db/sql.ts'
import { type Amount, plus, ZERO } from '../../../base/kernel/money.ts'
import { readGivenBack } from '../../ledger/holds.ts'
import { approvedPayees, grantsOf } from '../approvals/store.ts'
import type { CardWithMoney } from '../card.ts'
import type { DecisionRow } from '../decisions.ts'
import { NOT_JUDGED } from '../rules/draft.ts'
import type { Rules } from '../rules/rules.ts'
import { newReplay, type PastDecision, type Replayed } from './replay.ts'
import { afterId, idsBetween, readPast } from './store.ts'

/** The decisions that one backtest reads, the oldest first, and those of them that it shows. */
export const DECISIONS_MAX = 10_000
const PAGE = 1_000
export const SHOWN_MAX = 100

export type Tally = { payments: number; amount: Amount }
export type Differing = { past: DecisionRow; would: Replayed }
export type Backtest = {
  decisions: number
  /** Whether the span has more decisions than were read. */
  truncated: boolean
  /** When the last one was made that was read. */
  readUntil: Date | null
  wasAllowed: Tally
  wasDeclined: Tally
  wouldAllow: Tally
  wouldDecline: Tally
  newlyAllowed: Tally
  newlyDeclined: Tally
  notJudged: Tally
  /** The declines by rule, and of a limit by its window, in the order of their first. */
  reasons: Map<string, { rule: string; window: string | null; tally: Tally }>
  /** The first that would have been decided otherwise. */
  differing: Differing[]
}

/** Decides the card's past decisions of a span anew under these rules. Writes nothing. */
export async function backtest(
  on: Reader,
  of: { card: CardWithMoney; rules: Rules; since: Date; until: Date },
): Promise<Backtest> {
  const { card, rules, since, until } = of
  const replay = newReplay({ card, rules, payees: await approvedPayees(on, card) })
  const sums = newSums()
  const { first, end } = idsBetween(since, until)
  let from: string = first
  for (;;) {
    const limit = Math.min(PAGE, DECISIONS_MAX - sums.decisions) + 1
    const page = await readPast(on, card, { first: from, end, limit })
    const rows = page.slice(0, limit - 1)
    for (const past of await withOutcomes(on, rows)) add(sums, past, replay(past))
    const last = rows.at(-1)
    if (last) from = afterId(last.id)
    if (page.length < limit) return sums
    if (sums.decisions >= DECISIONS_MAX) return { ...sums, truncated: true }
  }
}

async function withOutcomes(on: Reader, rows: readonly DecisionRow[]): Promise<PastDecision[]> {
  const refs = rows.flatMap(({ allowed, ref }) => (allowed ? [ref] : []))
  if (refs.length === 0) return rows.map((row) => ({ ...row, grant: undefined, backs: [] }))
  const granted = rows.flatMap(({ rule, ref }) => (rule === 'approved' ? [ref] : []))
  const [grants, backs] = await Promise.all([
    granted.length === 0 ? [] : grantsOf(on, granted),
    readGivenBack(on, refs),
  ])
  const grantOf = new Map(grants.map((grant) => [grant.usedBy, grant]))
  const backsOf = Map.groupBy(backs, ({ ref }) => ref)
  return rows.map((row) => ({
    ...row,
    grant: grantOf.get(row.ref),
    backs: backsOf.get(row.ref) ?? [],
  }))
}

const none = (): Tally => ({ payments: 0, amount: ZERO })

const newSums = (): Backtest => ({
  decisions: 0,
  truncated: false,
  readUntil: null,
  wasAllowed: none(),
  wasDeclined: none(),
  wouldAllow: none(),
  wouldDecline: none(),
  newlyAllowed: none(),
  newlyDeclined: none(),
  notJudged: none(),
  reasons: new Map(),
  differing: [],
})

function add(sums: Backtest, past: PastDecision, would: Replayed): void {
  const count = (tally: Tally): void => {
    tally.payments += 1
    tally.amount = plus(tally.amount, past.amount)
  }
  sums.decisions += 1
  sums.readUntil = past.createdAt
  count(past.allowed ? sums.wasAllowed : sums.wasDeclined)
  if (would.rule === NOT_JUDGED) {
    count(sums.notJudged)
    return
  }
  count(would.allowed ? sums.wouldAllow : sums.wouldDecline)
  if (!would.allowed) count(reasonOf(sums, would))
  if (would.allowed === past.allowed) return
  count(would.allowed ? sums.newlyAllowed : sums.newlyDeclined)
  if (sums.differing.length < SHOWN_MAX) sums.differing.push({ past, would })
}

function reasonOf({ reasons }: Backtest, { rule, window }: Replayed): Tally {
  const key = `${rule} ${window}`
  const found = reasons.get(key) ?? { rule, window, tally: none() }
  reasons.set(key, found)
  return found.tally
}
