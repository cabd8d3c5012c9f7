import { expect, test } from 'vitest'
import { issue } from '../../../test/actors/attack-kit.ts'
import { nameServer, silent } from '../../../test/faults/name-server.ts'
import { bareServer } from '../../../test/hostile-sellers/sellers-kit.ts'
import { handMadeSeller, type Seller } from '../../../test/sellers/x402-sellers.ts'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { createEgress } from '../../base/egress/egress.ts'
import { createResolver } from '../../base/egress/guard/resolve.ts'

const codesOf = (answers: readonly { body: { code?: string } }[]) =>
  Object.groupBy(answers, ({ body }) => body.code ?? 'none')

/** A world whose name server answers every name except those below hang.test. */
async function town() {
  const names = await nameServer((name) => (name.endsWith('.hang.test') ? silent : ['127.0.0.1']))
  const w = await world()
  const resolver = createResolver({ servers: names.servers })
  Object.assign(w.services, {
    egress: createEgress({ allow: ['127.0.0.1', 'seller.test'], resolver }),
  })
  const stack = new AsyncDisposableStack()
  stack.use(names)
  stack.use(w)
  return { w, names, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const honest = (): Promise<Seller> =>
  handMadeSeller({
    amount: 10_000n,
    serve: async ({ response, settle }) => {
      await settle()
      response.end('served')
    },
  })

/** A payment by a new card to the seller, by its host name. */
async function buy(user: User, seller: Seller) {
  const card = await issue(user, 1)
  const url = seller.url.replace('127.0.0.1', 'seller.test')
  const start = performance.now()
  const paid = await user.post('/api/pay', { card_id: card.id, card_token: card.token, url })
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body.response.body).toBe('served')
  return performance.now() - start
}

/** Checks that every place was given back, so that new requests are let through. */
async function expectNothingLeftOpen(w: World, wallet: string): Promise<void> {
  using _place = w.services.egress.enter(wallet, 'discover')
  using _other = w.services.egress.enter(wallet, 'pay')
}

test('a wallet without money that asks for names which never resolve stops nobody', async () => {
  await using t = await town()
  await using seller = await honest()
  const [attacker, second, buyer] = [
    await t.w.user(),
    await t.w.user(),
    await t.w.user({ treasury: 5 }),
  ]
  const ask = (user: User, path: string) => (_: unknown, i: number) =>
    user.get(`${path}?url=https://n${i}.hang.test/`)
  const attack = Promise.all([
    ...Array.from({ length: 100 }, ask(attacker, '/api/mpp/discover')),
    ...Array.from({ length: 100 }, ask(second, '/api/x402/discover')),
  ])

  const tookMs = await buy(buyer, seller)
  const answers = codesOf(await attack)

  expect(tookMs).toBeLessThan(30_000)
  expect(Object.keys(answers).toSorted()).toEqual(['rate_limited', 'upstream_failed'])
  expect(answers.rate_limited?.[0]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(answers.upstream_failed?.[0]).toMatchObject({ status: 502 })
  // A quarter of the free places for each of the two purposes; two DNS questions for each name.
  expect(answers.upstream_failed?.length).toBeLessThanOrEqual(24)
  const hanging = t.names.asked.filter((name) => name.includes('.hang.test'))
  expect(hanging.length).toBeLessThanOrEqual(48)
  await expectNothingLeftOpen(t.w, attacker.wallet)
})

test('a wallet whose sellers never answer has a part of the places, and an empty card none of those for payments', async () => {
  await using t = await town()
  await using seller = await honest()
  const held: (() => void)[] = []
  await using slow = await bareServer((_, response) => void held.push(() => response.end('free')))
  const [rich, poor, buyer] = [
    await t.w.user({ treasury: 5 }),
    await t.w.user({ treasury: 5 }),
    await t.w.user({ treasury: 5 }),
  ]
  const card = await issue(rich, 1)
  const empty = await issue(poor, 1)
  expect((await poor.post(`/api/cards/${empty.id}/cancel`)).status).toBe(200)
  const payer = { card_id: card.id, card_token: card.token, url: slow.url }
  const flood = Array.from({ length: 60 }, () => rich.post('/api/pay', payer))
  const ask = { card_id: empty.id, card_token: empty.token, url: slow.url }
  const trickle = Array.from({ length: 40 }, () => poor.post('/api/pay', ask))
  await until(
    () => held.length,
    (count) => count >= 38,
  )

  await buy(buyer, seller)
  for (const release of held) release()
  const [answers, poorAnswers] = [
    codesOf(await Promise.all(flood)),
    codesOf(await Promise.all(trickle)),
  ]

  expect([answers.none?.length, answers.rate_limited?.length]).toEqual([25, 35])
  expect([poorAnswers.none?.length, poorAnswers.rate_limited?.length]).toEqual([13, 27])
  await expectNothingLeftOpen(t.w, rich.wallet)
})
