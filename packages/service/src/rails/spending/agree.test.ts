import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Held, issue, open } from '../../../test/actors/attack-kit.ts'
import { bareServer } from '../../../test/hostile-sellers/sellers-kit.ts'
import { handMadeSeller, type Seller } from '../../../test/sellers/x402-sellers.ts'
import { type User, type World, world } from '../../../test/world.ts'

let w: World
let agent: User
let shopkeeper: User
let seller: Seller
let base: string
beforeAll(async () => {
  w = await world()
  base = await w.listen()
  agent = await w.user({ treasury: 100 })
  shopkeeper = await w.user({ treasury: 10 })
  const serve: Parameters<typeof handMadeSeller>[0]['serve'] = async ({ response, settle }) => {
    await settle()
    response.end('served')
  }
  seller = await handMadeSeller({ amount: 100_000n, serve })
})
afterAll(async () => {
  await seller[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

type Asking = { card: Held; ask?: object; as?: Pick<User, 'post'> }

/** Another wallet's link, as a URL that cards pay. */
async function shop(till?: Held) {
  const card = till ?? (await issue(shopkeeper, 1))
  const { code } = await open(till ? agent : shopkeeper, card, { amount: 0.1 })
  return `${base}/pay/${code}`
}
/** Every reason for which `pay` refuses before it signs, and the cases in which it pays, with the verdict of each. */
const CASES: [name: string, verdict: string, make: () => Promise<Asking>][] = [
  ['nothing in the way', 'ok', async () => ({ card: await issue(agent, 1) })],
  [
    'a wrong token',
    'invalid_card_token',
    async () => ({ card: { ...(await issue(agent, 1)), token: 'tok_wrong' } }),
  ],
  ['the card of another', 'not_found', async () => ({ card: await issue(shopkeeper, 1) })],
  [
    'a frozen card',
    'card_frozen',
    async () => {
      const card = await issue(agent, 1)
      expect((await agent.post(`/api/cards/${card.id}/freeze`)).status).toBe(200)
      return { card }
    },
  ],
  [
    'a cancelled card',
    'card_closed',
    async () => {
      const card = await issue(agent, 1)
      expect((await agent.post(`/api/cards/${card.id}/cancel`)).status).toBe(200)
      return { card }
    },
  ],
  ['a limit that is too low', 'limit_exceeded', async () => ({ card: await issue(agent, 0.05) })],
  [
    'a limit for one transaction',
    'max_transaction_exceeded',
    async () => ({ card: await issue(agent, 1, { max_transaction: 0.1 }) }),
  ],
  [
    'a daily limit',
    'daily_limit_exceeded',
    async () => ({ card: await issue(agent, 1, { daily_limit: 0.1 }) }),
  ],
  [
    'a list of other merchants',
    'merchant_not_allowed',
    async () => ({ card: await issue(agent, 1, { allowed_merchants: ['shop.example'] }) }),
  ],
  [
    'a list with the host',
    'ok',
    async () => ({ card: await issue(agent, 1, { allowed_merchants: ['127.0.0.1'] }) }),
  ],
  [
    'a lock to categories',
    'mcc_blocked',
    async () => ({ card: await issue(agent, 1, { mcc_locks: '5411' }) }),
  ],
  [
    'a key for less',
    'forbidden_scope',
    async () => {
      const card = await issue(agent, 1)
      const made = await agent.post('/api/keys/restricted', {
        name: 'for less',
        scopes: ['payments:write'],
        max_amount: 0.1,
      })
      const key = made.body.api_key
      return { card, as: { post: (path, body) => w.call('POST', path, body, { key }) } }
    },
  ],
  [
    'a price above max_amount',
    'no_payable_option',
    async () => ({ card: await issue(agent, 1), ask: { max_amount: 0.1 } }),
  ],
  [
    'a protocol that the seller does not speak',
    'no_payable_option',
    async () => ({ card: await issue(agent, 1), ask: { protocol: 'mpp' } }),
  ],
  [
    'a seller that is not there',
    'upstream_failed',
    async () => ({ card: await issue(agent, 1), ask: { url: 'http://127.0.0.1:9/' } }),
  ],
  [
    'an address that is private',
    'url_not_allowed',
    async () => ({ card: await issue(agent, 1), ask: { url: 'https://10.0.0.1/' } }),
  ],
  [
    'a link of this service',
    'ok',
    async () => ({ card: await issue(agent, 1), ask: { url: await shop() } }),
  ],
  [
    "a link of the card's own",
    'invalid_payment',
    async () => {
      const card = await issue(agent, 1)
      return { card, ask: { url: await shop(card), protocol: 'mpp' } }
    },
  ],
  // The link is identified by its seller, not by the host, which all links here share.
  [
    'a link, and a list with the host',
    'merchant_not_allowed',
    async () => ({
      card: await issue(agent, 1, { allowed_merchants: ['127.0.0.1'] }),
      ask: { url: await shop(), protocol: 'mpp' },
    }),
  ],
  [
    'a link, and a list with its wallet',
    'ok',
    async () => ({
      card: await issue(agent, 1, { allowed_merchants: [shopkeeper.wallet] }),
      ask: { url: await shop(), protocol: 'mpp' },
    }),
  ],
  [
    'a forged challenge of a link',
    'no_payable_option',
    async () => {
      const real = await fetch(await shop())
      const header = real.headers.get('www-authenticate') ?? ''
      const forged = header.replaceAll(/\bid="([^"]{4})/g, 'id="AAAA')
      const liar = await bareServer((_, response) => {
        response.writeHead(402, { 'www-authenticate': forged }).end()
      })
      after.push(liar)
      return { card: await issue(agent, 1), ask: { url: liar.url, protocol: 'mpp' } }
    },
  ],
]
const after: AsyncDisposable[] = []
afterAll(async () => {
  for (const one of after) await one[Symbol.asyncDispose]()
})

const verdictOf = ({ status, body }: { status: number; body: any }): string => {
  if (status !== 200) return body.code
  return body.allowed === false ? body.rule : 'ok'
}

// If simulate allows what pay refuses, an agent runs into a refusal; the reverse keeps it from what it may buy.
test.each(CASES)('%s: simulate and pay both say %s', async (_, verdict, make) => {
  const { card, ask = {}, as = agent } = await make()
  const body = { card_id: card.id, card_token: card.token, url: seller.url, method: 'GET', ...ask }

  const simulated = await as.post('/api/pay/simulate', body)
  const paid = await as.post('/api/pay', body)

  expect(verdictOf(simulated), simulated.text).toBe(verdict)
  expect(verdictOf(paid), paid.text).toBe(verdict)
  if (simulated.status !== 200) expect(simulated.body.error).toBe(paid.body.error)
  else if (verdict !== 'ok') expect(simulated.body.message).toBe(paid.body.error)
  else expect(simulated.body.amount).toBe(paid.body.amount_debited)
})

test('every refused offer says why, and what would make it payable', async () => {
  const { contract } = w.chain.asset
  const huge = 'x'.repeat(20 * 1024)
  await using odd = await handMadeSeller({
    amount: 1_000n,
    version: 1,
    offers: (honest) => [
      { ...honest, network: 'base' },
      { ...honest, scheme: 'upto' },
      { ...honest, asset: contract.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
      { ...honest, payTo: w.chain.treasury.address },
      { ...honest, maxAmountRequired: '99000000' },
      { ...honest, extra: { huge } },
      'junk',
      ...Array.from({ length: 8 }, () => ({ ...honest, scheme: 'x', huge: 'y'.repeat(8 * 1024) })),
    ],
    serve: () => undefined,
  })
  const card = await issue(agent, 1)
  const ask = { card_id: card.id, card_token: card.token, url: odd.url, max_amount: 1 }

  const refused = await agent.post('/api/pay', ask)
  const simulated = await agent.post('/api/pay/simulate', ask)

  expect([refused.status, refused.body.code]).toEqual([422, 'no_payable_option'])
  const { offers } = refused.body.challenge
  expect(simulated.body.challenge.offers).toEqual(offers)
  expect(new Set(offers.map(({ reason }: { reason: string }) => reason))).toEqual(
    new Set([
      'other_network',
      'unsupported_scheme',
      'other_asset',
      'not_a_payee',
      'above_max_amount',
      'too_large',
      'malformed',
    ]),
  )
  for (const { detail } of offers) expect(detail).toMatch(/^[A-Zm].* .*\.$/)
  // The answer is stored for a retry, so a seller must not be able to make us store more.
  expect(refused.text.length).toBeLessThan(64 * 1024)
  expect(offers.at(-1).offer).toBe(null)
})
