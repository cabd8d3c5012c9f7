/** A database from before the months serves on, and is changed to months while it does. */
import { expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { payloadFor, presentX402, sellByLink } from '../../../../test/actors/link-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { emptyDatabase } from '../../../../test/world/postgres.ts'
import { type World, world } from '../../../../test/world.ts'
import { migrate, readSchema } from '../../../base/db/migrate.ts'
import { all, sql } from '../../../base/db/sql.ts'

/** Pays by card and on chain, and shows both payments again later. */
async function trade(w: World) {
  const shop = await openShop(w)
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const settle = () => settleWith(shop.payer, settleBody(shop, closed))
  const first = await settle()
  expect(first.status).toBe(201)
  const seller = await sellByLink(w)
  const payload = await payloadFor(w, await freshAccount({ usdc: 1_000_000n }), seller)
  const onChain = await presentX402(w, seller.link.code, payload)
  expect(onChain.status).toBe(200)
  return async () => {
    const again = await settle()
    expect([again.status, again.body.settlement_id]).toEqual([200, first.body.settlement_id])
    const shown = await presentX402(w, seller.link.code, payload)
    expect([shown.status, shown.body.tx_hash]).toEqual([200, onChain.body.tx_hash])
    const { body } = await w.call('GET', `/api/paylinks/${seller.link.code}`)
    expect(body.uses).toBe(1)
  }
}

test('settlements from before the months stay, and what was paid is not paid again', async () => {
  const database = await emptyDatabase()
  try {
    await migrate(database.url, { contract: false })
    await using w = await world({ databaseUrl: database.url })
    await w.withGas()
    const isByMonth = async () =>
      (await all(w.db.reader, sql`select 1 where to_regclass('settlements_rest') is not null`))
        .length > 0
    const ready = async () => (await w.call('GET', '/readyz')).body.checks.migrations
    const ofOldWay = await trade(w)
    await ofOldWay()
    expect(await w.faults()).toEqual([])
    expect(await isByMonth()).toBe(false)
    expect(await ready()).toMatchObject({
      ok: true,
      detail: expect.stringContaining('3 wait for purser migrate --contract'),
    })
    expect(await migrate(database.url)).toEqual([])

    // Payments go on meanwhile.
    const [applied, ofBoth] = await Promise.all([
      migrate(database.url, { contract: true }),
      trade(w),
    ])
    expect(applied).toEqual(['053-months-bound.sql', '054-months-checked.sql', '055-months.sql'])
    expect(await isByMonth()).toBe(true)
    expect(await readSchema(database.url)).toMatchObject({ pending: [], waiting: [] })
    expect((await ready()).detail).not.toContain('contract')
    await ofOldWay()
    await ofBoth()
    const ofNewWay = await trade(w)
    await ofNewWay()
    expect(await w.faults()).toEqual([])
  } finally {
    await database.drop()
  }
})
