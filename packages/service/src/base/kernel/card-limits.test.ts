import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { all, one, sql } from '../db/sql.ts'
import { columnOf } from '../db/values.ts'
import { CARD_LIMITS, perLimit } from './card-limits.ts'

const MOMENTS = ['2026-11-26T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2028-02-29T12:30:00.000Z']

test.each(CARD_LIMITS)(
  '$name: the end of a window is the first moment of the next',
  ({ windowOf, endOf }) => {
    for (const at of MOMENTS.map((text) => new Date(text))) {
      const end = endOf(at)
      expect(windowOf(end) > windowOf(at)).toBe(true)
      expect(windowOf(new Date(end.getTime() - 1))).toBe(windowOf(at))
    }
  },
)

// The schema cannot read the list of the code, nor the code that of the schema.
test.each(CARD_LIMITS)('$name: the schema keeps it as the code does', async (limit) => {
  const { field, name, window, used, usedName, cap, windowOf, format } = limit
  expect([columnOf(field), columnOf(window), columnOf(used)]).toEqual([name, window, usedName])
  await using w = await world()
  for (const text of MOMENTS) {
    const at = new Date(text)
    expect(
      await one(
        w.db.reader,
        sql`select to_char(${at}::timestamptz at time zone 'UTC', ${format}::text) as window`,
      ),
    ).toEqual({ window: windowOf(at) })
  }
  const checks = await all<{ text: string }>(
    w.db.reader,
    sql`select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'cards'::regclass`,
  )
  const capName = columnOf(cap)
  expect(checks.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      `CHECK (((${capName} IS NULL) OR (${usedName} <= ${capName})))`,
      `CHECK ((${name} > (0)::numeric))`,
      `CHECK ((${usedName} >= (0)::numeric))`,
    ]),
  )
  // A card that is being sold on chain keeps its limits, and a checkpoint seals them.
  const triggers = await all<{ name: string; text: string }>(
    w.db.reader,
    sql`select tgname as name, pg_get_triggerdef(oid) as text from pg_trigger where tgrelid = 'cards'::regclass`,
  )
  const textOf = (trigger: string) => triggers.find((row) => row.name === trigger)?.text ?? ''
  expect(textOf('stays_as_paid_for')).toMatch(new RegExp(`\\bnew\\.${name}\\b`, 'i'))
  expect(textOf('note_seal')).toContain(`'${name}'`)
})

test('a decision shows each limit that the schema names: what a settlement kept of it, or null', async () => {
  await using w = await world()
  const used = perLimit('usedName', ({ usedName }) => String(usedName.length))
  const read = async (limits?: object) => {
    const sums = Object.values(used).join(' ')
    const kept = [...Array.from({ length: 10 }, () => null), sums, ...(limits ? [limits] : [])]
    const row = await one<{ inputs: object }>(
      w.db.reader,
      sql`select limit_inputs(${JSON.stringify(kept)}::json) as inputs`,
    )
    return row?.inputs
  }
  const none = { ...perLimit('name', () => null), ...used }
  expect(await read()).toEqual(none)
  const daily = { daily_limit: '5', day: '2026-11-26' }
  expect(await read(daily)).toEqual({ ...none, ...daily })
})
