import { expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { takeRation } from './ration.ts'

const take = (
  w: World,
  wallet: string,
  { what = 'mints' as 'mints' | 'moves', perDay = 1_000 } = {},
) => w.db.write((tx) => takeRation(tx, w.now(), { wallet, what, perDay }))

test('a wallet has ten mints a day, at once too, and all wallets have what is configured', async () => {
  await using w = await world()
  const taken = await Promise.all(Array.from({ length: 30 }, () => take(w, '0xa')))
  expect(taken.filter(Boolean)).toHaveLength(10)
  expect(await take(w, '0xa', { what: 'moves' })).toBe(true)
  expect(await take(w, '0xb', { perDay: 11 })).toBe(true)
  expect(await take(w, '0xc', { perDay: 11 })).toBe(false)
  expect(await take(w, '0xd', { perDay: 0 })).toBe(false)
  await w.advance(86_400)
  expect(await take(w, '0xa')).toBe(true)
})

test('the database refuses an eleventh', async () => {
  await using w = await world()
  for (let i = 0; i < 10; i++) await take(w, '0xa')
  await expect(
    w.db.write((tx) =>
      sql`update identity_rations set mints = mints + 1 where scope = '0xa'`.execute(tx),
    ),
  ).rejects.toThrow(/ten_a_day/)
})
