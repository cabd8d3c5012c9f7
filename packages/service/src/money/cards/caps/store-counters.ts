import { all, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import { columnOf } from '../../../base/db/values.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import type { CardWithMoney } from '../card.ts'
import { type LimitCounters, tells } from '../windows.ts'

const COUNTERS = [
  ...CARD_LIMITS.flatMap(({ window, used, cap }) => [window, used, cap].map(columnOf)),
  'counted_to',
]
const listed = (prefix: string) => sql.raw(COUNTERS.map((name) => prefix + name).join(', '))

type Counted = LimitCounters & { id: string }

/** Locked cards with the counters of `at`. Those that do not tell them are counted anew from the facts, and stored so. */
export const countLocked = <C extends CardWithMoney>(
  tx: Tx,
  at: Date,
  cards: readonly C[],
): Promise<C[]> =>
  counted(tx, at, {
    cards,
    asked: (ids) => sql`update cards c set (${listed('')}) =
        (select ${listed('n.')} from counted_card(c, ${at}::timestamptz) n)
      where c.id = any(${ids}::text[]) returning c.id, ${listed('c.')}`,
  })

/** As `countLocked`, of cards that are read alone. */
export const countRead = <C extends CardWithMoney>(
  on: Reader,
  at: Date,
  cards: readonly C[],
): Promise<C[]> =>
  counted(on, at, {
    cards,
    asked: (ids) => sql`select n.id, ${listed('n.')} from cards c
      cross join lateral counted_card(c, ${at}::timestamptz) n where c.id = any(${ids}::text[])`,
  })

async function counted<C extends CardWithMoney>(
  on: Reader,
  at: Date,
  { cards, asked }: { cards: readonly C[]; asked(ids: string[]): RawBuilder<unknown> },
): Promise<C[]> {
  const ids = cards.filter((card) => !tells(card, at)).map(({ id }) => id)
  if (ids.length === 0) return [...cards]
  const rows = await all<Counted>(on, asked(ids) as RawBuilder<Counted>)
  const anew = new Map(rows.map((row) => [row.id, row]))
  return cards.map((card) => ({ ...card, ...anew.get(card.id) }))
}
