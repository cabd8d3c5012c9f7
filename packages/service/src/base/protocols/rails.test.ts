import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { one, sql } from '../db/sql.ts'
import { CARD_RAILS, DIRECT_RAILS, DIRECT_TOKEN_RAILS, LINK_RAILS, RAILS } from './rails.ts'

// The schema cannot read the lists of the code, nor the code those of the schema.
test('the schema knows the same rails as the code', async () => {
  await using w = await world()
  for (const rail of [...RAILS, 'voucher', 'X402']) {
    const known = await one<Record<string, boolean>>(
      w.db.reader,
      sql`select is_rail(${rail}) as "isRail", is_card_rail(${rail}) as "isCardRail",
        are_link_rails(array[${rail}]::text[]) as "isLinkRail",
        are_direct_rails(array[${rail}]::text[]) as "isDirectRail",
        exists (select from information_schema.columns
          where table_name = 'card_stats' and column_name = ${`by_${rail}`}) as "isCounted"`,
    )
    const isIn = (rails: readonly string[]) => rails.includes(rail)
    expect({ rail, ...known }).toEqual({
      rail,
      isRail: isIn(RAILS),
      isCardRail: isIn(CARD_RAILS),
      isDirectRail: isIn(DIRECT_RAILS),
      isLinkRail: isIn(LINK_RAILS),
      isCounted: isIn(LINK_RAILS),
    })
  }
})

test('a rail that pays in any token pays in USDC, too', () => {
  expect(DIRECT_RAILS).toEqual(expect.arrayContaining([...DIRECT_TOKEN_RAILS]))
})
