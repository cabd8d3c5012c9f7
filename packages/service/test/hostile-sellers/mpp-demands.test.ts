import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSeconds, unixSeconds } from '../../src/base/kernel/clock.ts'
import { writeChallenge } from '../../src/base/protocols/mpp/headers/challenge.ts'
import { PROBLEM_BASE } from '../../src/base/protocols/mpp/problem.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { cardOf, issue } from '../actors/attack-kit.ts'
import { type MppSellerTerms, paymentReceipt } from '../sellers/mpp-sellers.ts'
import { handMadeSeller } from '../sellers/x402-sellers.ts'
import { bareServer, expectChainDecides, market, mppStall, PRICE } from './sellers-kit.ts'

let m: Awaited<ReturnType<typeof market>>
beforeAll(async () => {
  m = await market()
})
afterAll(() => m[Symbol.asyncDispose]())

const honest: MppSellerTerms['serve'] = async ({ response, settle }) => {
  await settle()
  response.end('served')
}
type Challenges = NonNullable<MppSellerTerms['challenges']>

/** Demands that no card may pay, and the reasons that the agent gets. */
const UNPAYABLE: [reason: string, challenges: Challenges, ask?: object][] = [
  ['realm_mismatch', (_, again) => [again({ realm: 'shop.example' })]],
  ['realm_mismatch', (_, again) => [again({ realm: '0.0.1' })]],
  ['expired', (_, again) => [again({ expires: addSeconds(new Date(), -1) })]],
  ['expired', (_, again) => [again({ expires: addSeconds(new Date(), 3) })]],
  ['unsupported_network', (one, again) => [again({ terms: change(one.terms, { chainId: 1 }) })]],
  [
    'unsupported_asset',
    (one, again) => [again({ terms: { ...one.terms, currency: `0x${'11'.repeat(20)}` } })],
  ],
  ['decimals_mismatch', (one, again) => [again({ terms: change(one.terms, { decimals: 18 }) })]],
  [
    'unsupported_credential_type',
    (one, again) => [again({ terms: change(one.terms, { credentialTypes: ['permit2'] }) })],
  ],
  ['not_a_payee', (one, again) => [again({ terms: { ...one.terms, recipient: treasury() } })]],
  ['invalid_amount', (one, again) => [again({ terms: { ...one.terms, amount: '-20000' } })]],
  ['digest_mismatch', (_, again) => [again({ body: Buffer.from('another body') })]],
  ['unsupported_method', (_, again) => [again({ method: 'tempo' })]],
  ['unsupported_method', (_, again) => [again({ intent: 'session' })]],
  ['malformed', (one) => [writeChallenge(one).replace('realm="', 'realm=')]],
  ['malformed', (one) => [`${writeChallenge(one)}, id="twice"`]],
  ['unsupported_header', (one) => [`${writeChallenge(one)}, header="Cookie"`]],
  ['protocol_not_wanted', (one) => [one], { protocol: 'x402' }],
  ['above_max_amount', (one) => [one], { max_amount: '0.02' }],
  ['authorization_in_use', (one) => [one], { headers: { Authorization: 'Bearer of the agent' } }],
]
const treasury = () => m.w.chain.treasury.address
const change = (terms: object, details: object) => ({
  ...(terms as never as Record<string, string>),
  methodDetails: { ...(terms as { methodDetails: object }).methodDetails, ...details },
})

test.concurrent.each(UNPAYABLE)(
  'a challenge that is %s is not paid, and the answer says why',
  async (reason, challenges, ask) => {
    const p = await mppStall(m, { challenges, serve: honest })
    await using _seller = p.seller
    const refused = await p.buy(undefined, ask)
    expect([refused.status, refused.body.code], refused.text).toEqual([422, 'no_payable_option'])
    expect(refused.body.challenge).toMatchObject({
      x402_version: null,
      offers: [{ protocol: 'mpp', reason }],
    })
    expect(p.seller.paid).toEqual([])
    expect(await cardOf(m.user, p.card.id)).toMatchObject({ held: 0, spent: 0 })
  },
)

test.concurrent('beside what cannot be paid, the challenge that can is found, and paid once', async () => {
  const p = await mppStall(m, {
    challenges: (one, again) => [
      'Negotiate/x',
      'Payment id="has no end',
      'Basic realm="Payment id=\\"x\\"", Bearer scope="Payment"',
      again({ realm: 'shop.example' }),
      `Payment id="x", realm="127.0.0.1", method="evm", intent="charge", request="!"`,
      `Negotiate, ${writeChallenge(one)}, ${writeChallenge(again({ method: 'tempo' }))}`,
    ],
    serve: honest,
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect(paid.body, paid.text).toMatchObject({
    protocol: 'mpp',
    settlement: { status: 'SETTLED' },
    response: { body: 'served' },
  })
  await expectChainDecides(m, p, true)
})

test.concurrent('a hundred challenges: none, or one of those that are read, is paid, and once', async () => {
  const p = await mppStall(m, {
    challenges: (one, again) =>
      Array.from({ length: 100 }, (_, i) =>
        again({ terms: { ...one.terms, amount: String(PRICE + BigInt(i)) } }),
      ),
    serve: honest,
  })
  await using _seller = p.seller
  const reply = await p.buy()
  expect([422, 502], reply.text).toContain(reply.status)
  expect(p.seller.paid).toEqual([])
  // All challenges that fit in a header are read, and the cheapest one is paid.
  const few = await mppStall(m, {
    challenges: (one, again) =>
      Array.from({ length: 12 }, (_, i) =>
        again({ terms: { ...one.terms, amount: String(PRICE + BigInt((i * 7) % 12)) } }),
      ),
    serve: honest,
  })
  await using _few = few.seller
  const paid = await few.buy()
  expect(paid.body, paid.text).toMatchObject({ merchant_amount: 0.02 })
  await expectChainDecides(m, few, true)
})

test.concurrent('headers without end are no demand', async () => {
  const p = await mppStall(m, {
    challenges: (one) => [`${writeChallenge(one)}, x="${'y'.repeat(40_000)}"`],
    serve: honest,
  })
  await using _seller = p.seller
  const reply = await p.buy()
  expect([reply.status, reply.body.code]).toEqual([502, 'upstream_failed'])
  expect(await cardOf(m.user, p.card.id)).toMatchObject({ held: 0, spent: 0 })
})

test.concurrent('the price that is paid is the one that was asked for when the card was charged, whatever comes after', async () => {
  let asks = 0
  const p = await mppStall(m, {
    challenges: (one, again) => [
      again({ terms: { ...one.terms, amount: String(asks++ === 0 ? PRICE : PRICE * 20n) } }),
    ],
    serve: ({ response, payload }) => {
      const { challenge } = payload.credential
      const problem = {
        type: `${PROBLEM_BASE}verification-failed`,
        title: 'Verification Failed',
        status: 402,
        detail: 'More, please.',
        challengeId: challenge.id,
      }
      const more = { ...challenge, id: 'another' }
      const fields = { 'www-authenticate': writeChallenge(more) }
      response.writeHead(402, { ...fields, 'content-type': 'application/problem+json' })
      response.end(JSON.stringify(problem))
    },
  })
  await using _seller = p.seller
  const first = await p.buy()
  expect([first.status, first.body.code], first.text).toEqual([202, 'outcome_unknown'])
  expect(first.body.problem).toEqual({
    type: `${PROBLEM_BASE}verification-failed`,
    title: 'Verification Failed',
    status: 402,
    detail: 'More, please.',
    challenge_id: p.seller.paid[0]!.credential.challenge.id,
  })
  // The same call again means the same payment: the new price is ignored.
  const second = await p.buy()
  expect(second.body.transaction_id).toBe(first.body.transaction_id)
  expect(p.seller.paid).toHaveLength(2)
  expect(asks).toBe(1)
  await expectChainDecides(m, p, false)
})

test.concurrent('one challenge handed to two agents is paid by one of them: the token takes its nonce once', async () => {
  let shared: string | undefined
  const p = await mppStall(m, {
    challenges: (one) => {
      shared ??= writeChallenge(one)
      return [shared]
    },
    serve: honest,
  })
  await using _seller = p.seller
  const card = await issue(m.user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: p.seller.url }
  const replies = await Promise.all([p.buy(), m.user.post('/api/pay', ask)])
  const [paid, refused] = replies.sort((a, b) => a.status - b.status)
  expect(paid?.status, paid?.text).toBe(200)
  expect([refused?.status, refused?.body.challenge.offers[0].reason], refused?.text).toEqual([
    422,
    'challenge_used',
  ])
  // A later caller is refused before anything is held.
  const late = await m.user.post('/api/pay', ask)
  expect(late.body.challenge.offers).toMatchObject([{ reason: 'challenge_used' }])
  expect(new Set(p.seller.paid.map(({ signature }) => signature)).size).toBe(1)
  expect(await readAssetBalance(m.w.chain, p.seller.payTo)).toBe(PRICE)
  const cards = await Promise.all([cardOf(m.user, p.card.id), cardOf(m.user, card.id)])
  expect(cards.map(({ spent }) => spent).sort()).toEqual([0, 0.0201])
  expect(cards.map(({ held }) => held)).toEqual([0, 0])
})

test.concurrent.each([90, 10 ** 6])(
  'the authorization ends with its challenge, here after %d seconds, and after two minutes at most',
  async (expiresInSeconds) => {
    const p = await mppStall(m, { expiresInSeconds, serve: ({ response }) => void response.end() })
    await using _seller = p.seller
    await p.buy()
    const { authorization, credential } = p.seller.paid[0]!
    const latest = await m.w.chain.rpc.getBlock()
    const end = unixSeconds(new Date(credential.challenge.expires!))
    expect(Number(authorization.validBefore)).toBeLessThanOrEqual(end)
    expect(authorization.validBefore).toBeLessThanOrEqual(latest.timestamp + 120n)
    expect(Number(authorization.validBefore)).toBeGreaterThan(unixSeconds(m.w.now()) - 60)
  },
)

test.concurrent("a receipt that names another's transaction settles nothing, though that one is real", async () => {
  const real = await mppStall(m, { serve: honest })
  await using _real = real.seller
  const { settlement } = (await real.buy()).body
  const p = await mppStall(m, {
    serve: ({ response, payload }) => {
      const receipt = paymentReceipt(settlement.tx_hash, payload.credential.challenge.id)
      response.writeHead(200, { 'payment-receipt': receipt }).end('served')
    },
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect(paid.body, paid.text).toMatchObject({
    settlement: { status: 'PENDING', tx_hash: settlement.tx_hash },
    receipt: { success: true, method: 'evm', transaction: settlement.tx_hash },
  })
  await expectChainDecides(m, p, false)
  await expectChainDecides(m, real, true)
})

test.concurrent('a redirect elsewhere is not handed the credential', async () => {
  await using thief = await bareServer((_, response) => void response.end('mine'))
  const p = await mppStall(m, {
    serve: ({ response }) => void response.writeHead(307, { location: thief.url }).end(),
  })
  await using _seller = p.seller
  const paid = await p.buy()
  expect([paid.status, paid.body.response.status], paid.text).toEqual([202, 307])
  expect(thief.seen).toEqual([])
  await expectChainDecides(m, p, false)
})

test.concurrent('a key of the agent stays where it is, and the credential goes where the seller wants it', async () => {
  const p = await mppStall(m, {
    challenges: (_, again) => [again({ header: 'Payment-Authorization' })],
    serve: async ({ request, response, settle }) => {
      await settle()
      response.end(String(request.headers.authorization))
    },
  })
  await using _seller = p.seller
  const paid = await p.buy(undefined, { headers: { Authorization: 'Bearer of the agent' } })
  expect(paid.body.response.body, paid.text).toBe('Bearer of the agent')
  expect(p.seller.paid).toMatchObject([{ fields: ['authorization', 'payment-authorization'] }])
  await expectChainDecides(m, p, true)
})

test.concurrent('a body that changes on its way is not possible: its digest is in the challenge, and it comes twice', async () => {
  const bodies: string[] = []
  const p = await mppStall(m, {
    serve: async ({ request, response, settle }) => {
      for await (const chunk of request) bodies.push(String(chunk))
      await settle()
      response.end('served')
    },
  })
  await using _seller = p.seller
  const paid = await p.buy(undefined, { body: { topic: 'rain' } })
  expect(paid.status, paid.text).toBe(200)
  expect(bodies).toEqual(['{"topic":"rain"}'])
  expect(p.seller.paid[0]?.credential.challenge.digest).toMatch(/^sha-256=:/)
})

test.concurrent.each([
  [PRICE, 'x402'],
  [PRICE - 1n, 'mpp'],
  [PRICE + 1n, 'x402'],
] as const)(
  'a seller of both protocols, by MPP for %s, is paid by the cheaper one, and by x402 where they cost the same',
  async (price, protocol) => {
    await using x402 = await handMadeSeller({
      amount: PRICE,
      serve: async ({ response }) => void response.end(),
    })
    const demand = (await fetch(x402.url)).headers.get('payment-required') ?? ''
    let challenge = ''
    const p = await mppStall(m, {
      amount: price,
      challenges: (one) => {
        challenge = writeChallenge(one)
        return [challenge]
      },
      serve: honest,
    })
    await using _seller = p.seller
    await fetch(p.seller.url)
    await using both = await bareServer((request, response) => {
      const isPaid = request.headers['payment-signature'] ?? request.headers.authorization
      const demands = { 'payment-required': demand, 'www-authenticate': challenge }
      response.writeHead(isPaid ? 200 : 402, isPaid ? {} : demands).end('{}')
    })
    const ask = { card_id: p.card.id, card_token: p.card.token, url: both.url, method: 'GET' }
    const simulated = await m.user.post('/api/pay/simulate', ask)
    expect(simulated.body.protocol, simulated.text).toBe(protocol)
    const other = protocol === 'x402' ? 'mpp' : 'x402'
    const [paid, forced] = await Promise.all([
      m.user.post('/api/pay', ask),
      m.user.post('/api/pay', { ...ask, protocol: other, url: `${both.url}?2` }),
    ])
    expect(paid.body.protocol, paid.text).toBe(protocol)
    expect(forced.body.protocol, forced.text).toBe(other)
  },
)
