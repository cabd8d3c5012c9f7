import { expect, test } from 'vitest'
import { handMadeSeller, officialSeller } from '../../../test/sellers/x402-sellers.ts'
import { type User, world } from '../../../test/world.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'

async function issueCard(user: User, limit: number) {
  const made = await user.post('/api/issue', { purpose: 'test', limit_amount: limit })
  expect(made.status, made.text).toBe(200)
  return made.body.card as { id: string; token: string }
}

const askOf = (card: { id: string; token: string }, url: string) => ({
  card_id: card.id,
  card_token: card.token,
  url,
})

// 0.1 and 0.5 % is 0.1005, so a limit of 0.7 fits six payments.
test('payments at once never pass the limit of the card, and use all of it', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.10' })
  const user = await w.user({ treasury: 2 })
  const card = await issueCard(user, 0.7)
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => user.post('/api/pay', askOf(card, seller.url))),
  )
  const refused = answers.filter((answer) => answer.status === 403)
  expect(refused).toHaveLength(3)
  for (const { body } of refused) expect(body.code).toBe('limit_exceeded')
  const paid = answers.filter(({ status }) => status !== 403)
  for (const { status, text } of paid) expect(status, text).toBe(200)
  expect(paid).toHaveLength(6)
  expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(6)
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(600_000n)
  const { body } = await user.get(`/api/cards/${card.id}`)
  expect(body.card).toMatchObject({ spent: 0.603, held: 0, balance: 0.097 })
  expect(await w.faults()).toEqual([])
})

test('one Idempotency-Key ten times at once pays once, and a retry gets the same answer', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.10' })
  const user = await w.user({ treasury: 2 })
  const card = await issueCard(user, 1)
  const send = () =>
    user.post('/api/pay', askOf(card, seller.url), { headers: { 'idempotency-key': 'order 7' } })
  const answers = await Promise.all(Array.from({ length: 10 }, send))
  const done = answers.filter((answer) => answer.status === 200)
  expect(done.length).toBeGreaterThanOrEqual(1)
  for (const { status, body } of answers)
    if (status !== 200) expect([status, body.code]).toEqual([409, 'idempotency_in_progress'])
  const again = await send()
  expect(again.headers['idempotency-hit']).toBe('true')
  expect(again.body).toEqual(done[0]?.body)
  expect(seller.paid).toHaveLength(1)
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(100_000n)
})

// The answer that nothing is known yet is not the answer for the key: a retry, also after a crash, goes on.
test('a retry whose payment is unknown presents the same authorization and pays once', async () => {
  await using w = await world()
  let isDown = true
  await using seller = await handMadeSeller({
    amount: 100_000n,
    serve: async ({ request, response, settle }) => {
      if (isDown) return void request.socket.destroy()
      await settle()
      response.end('served')
    },
  })
  const user = await w.user({ treasury: 2 })
  const card = await issueCard(user, 1)
  const send = () =>
    user.post('/api/pay', askOf(card, seller.url), { headers: { 'idempotency-key': 'crash' } })
  const first = await send()
  expect(first.status, first.text).toBe(202)
  const other = () =>
    user.post('/api/pay', askOf(card, `${seller.url}?more`), {
      headers: { 'idempotency-key': 'crash' },
    })
  const refused = await other()
  expect([refused.status, refused.body.code]).toEqual([409, 'idempotency_conflict'])
  isDown = false
  const second = await send()
  expect(second.status, second.text).toBe(200)
  expect(second.body).toMatchObject({
    transaction_id: first.body.transaction_id,
    settlement: { status: 'SETTLED' },
    response: { body: 'served' },
  })
  expect(new Set(seller.paid.map(({ authorization }) => authorization.nonce)).size).toBe(1)
  expect(new Set(seller.paid.map(({ signature }) => signature)).size).toBe(1)
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(100_000n)
  const third = await send()
  expect([third.headers['idempotency-hit'], third.body.transaction_id]).toEqual([
    'true',
    first.body.transaction_id,
  ])
  expect((await other()).body.code).toBe('idempotency_conflict')
})

test('freezing stops the next payment, and not the one that the seller has in hand', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 2 })
  const card = await issueCard(user, 1)
  await using seller = await handMadeSeller({
    amount: 100_000n,
    serve: async ({ response, settle }) => {
      const frozen = await user.post(`/api/cards/${card.id}/freeze`)
      expect(frozen.body.status).toBe('FROZEN')
      await settle()
      response.end('served')
    },
  })
  const paid = await user.post('/api/pay', askOf(card, seller.url))
  expect(paid.body, paid.text).toMatchObject({ settlement: { status: 'SETTLED' } })
  const next = await user.post('/api/pay', askOf(card, seller.url))
  expect([next.status, next.body.code]).toEqual([403, 'card_frozen'])
  const { body } = await user.get(`/api/cards/${card.id}`)
  expect(body.card).toMatchObject({ status: 'FROZEN', spent: 0.1005, held: 0 })
  expect(seller.paid).toHaveLength(1)
})
