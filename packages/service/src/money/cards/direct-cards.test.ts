import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const DIRECT = { purpose: 'x', limit_amount: 1, settlement_mode: 'DIRECT' }
const DAY_SECONDS = 86_400

// They need no money, and each is five rows: without a bound a wallet without money could fill the disk.
test('a wallet issues fifty DIRECT cards a day, at once, in bulk and one by one', async () => {
  const user = await w.user({ treasury: 5 })
  let keys = 0
  const bulk = (count: number) => {
    const headers = { 'idempotency-key': `bulk-${++keys}` }
    const body = { cards: Array.from({ length: count }, () => DIRECT) }
    return user.post('/api/issue/bulk', body, { headers })
  }
  expect((await bulk(51)).body).toMatchObject({ code: 'limit_reached' })
  const made = await Promise.all([bulk(25), bulk(25), bulk(25), user.post('/api/issue', DIRECT)])
  const cards = made.reduce(
    (sum, { status, body }) => sum + (status === 200 ? (body.cards?.length ?? 1) : 0),
    0,
  )
  for (let i = cards; i < 50; i++) expect((await user.post('/api/issue', DIRECT)).status).toBe(200)
  const refused = await user.post('/api/issue', DIRECT)
  expect([refused.status, refused.body.code, refused.body.param]).toEqual([
    409,
    'limit_reached',
    'settlement_mode',
  ])
  // A card that is given away stays counted for the wallet that issued it, and takes nothing from the one that has it now.
  const heir = await w.user()
  const given = (await user.get('/api/cards?limit=50')).body.cards.find(
    (card: any) => card.settlement_mode === 'DIRECT',
  )
  const moved = await user.post(`/api/cards/${given.id}/transfer`, { to_wallet: heir.wallet })
  expect(moved.status, moved.text).toBe(200)
  expect((await user.post('/api/issue', DIRECT)).body.code).toBe('limit_reached')
  for (let i = 0; i < 2; i++) {
    const headers = { 'idempotency-key': `heir-${i}` }
    const body = { cards: Array.from({ length: 25 }, () => DIRECT) }
    expect((await heir.post('/api/issue/bulk', body, { headers })).status).toBe(200)
  }
  // Cards that hold money are another matter, and another wallet has its own count.
  const custodial = { purpose: 'x', limit_amount: 1 }
  expect((await user.post('/api/issue', custodial)).status).toBe(200)
  expect((await (await w.user()).post('/api/issue', DIRECT)).status).toBe(200)
  await w.advance(DAY_SECONDS)
  expect((await user.post('/api/issue', DIRECT)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})
