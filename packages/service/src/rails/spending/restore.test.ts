import { expect, test } from 'vitest'
import { officialSeller } from '../../../test/sellers/x402-sellers.ts'
import { world } from '../../../test/world.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'

test('a payment that a restored backup has forgotten is not paid again under its key', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.10' })
  const user = await w.user()
  const { id, token } = await user.card()
  const ask = { card_id: id, card_token: token, url: seller.url }
  const backup = await w.backup()
  const keyed = { headers: { 'idempotency-key': 'report 7' } }
  const first = await user.post('/api/pay', ask, keyed)
  expect(first.status, first.text).toBe(200)

  await using restored = await backup.restore()
  const later = restored.as(user)
  const unknown = await later.post('/api/pay', ask)
  expect(unknown).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
  const untouched = await later.get(`/api/cards/${id}`)
  expect(untouched.body.card).toMatchObject({ spent: 0, held: 0 })

  const again = await later.post('/api/pay', ask, keyed)
  expect(again.body.settlement.tx_hash ?? again.text).toBe(first.body.settlement.tx_hash)
  expect(again.body).toMatchObject({ amount_debited: 0.1005 })
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(100_000n)
  expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(1)
  const { body } = await later.get(`/api/cards/${id}`)
  expect(body.card).toMatchObject({ spent: 0.1005, held: 0 })
  expect(await restored.faults()).toEqual([])
})
