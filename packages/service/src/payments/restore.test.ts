import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { officialSeller } from '../../test/x402-sellers.ts'
import { readUsdcBalance } from '../chain/reads.ts'

test('a payment that a restored backup has forgotten is not paid again under its key', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.10' })
  const user = await w.user({ treasury: 2 })
  const issued = await user.post('/api/issue', { purpose: 'test', limit_amount: 1 })
  const { id, token } = issued.body.card
  const ask = { card_id: id, card_token: token, url: seller.url }
  const backup = await w.backup()
  const keyed = { key: user.key, headers: { 'idempotency-key': 'report 7' } }
  const first = await w.call('POST', '/api/pay', ask, keyed)
  expect(first.status, first.text).toBe(200)

  await using restored = await backup.restore()
  const unknown = await restored.call('POST', '/api/pay', ask, { key: user.key })
  expect(unknown).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
  const untouched = await restored.call('GET', `/api/cards/${id}`, undefined, { key: user.key })
  expect(untouched.body.card).toMatchObject({ spent: 0, held: 0 })

  const again = await restored.call('POST', '/api/pay', ask, keyed)
  expect(again.body.settlement.tx_hash ?? again.text).toBe(first.body.settlement.tx_hash)
  expect(again.body).toMatchObject({ amount_debited: 0.1005 })
  expect(await readUsdcBalance(w.chain, seller.payTo)).toBe(100_000n)
  expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(1)
  const { body } = await restored.call('GET', `/api/cards/${id}`, undefined, { key: user.key })
  expect(body.card).toMatchObject({ spent: 0.1005, held: 0 })
  expect(await restored.faults()).toEqual([])
})
