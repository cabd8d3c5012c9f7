import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { cardOf, type Held, issue } from '../../../../test/actors/attack-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { encodeHeader } from '../../../base/protocols/x402/wire.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'

const PRICE = 20_000n
/** The chain is slow, and the machine may be busy. */
const WAITING = { timeout: 900_000 }

/** The demand of a seller that uses another transport than HTTP. */
function demandOf(w: World, offer: object = {}) {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const accepted = {
    scheme: 'exact',
    network: w.chain.network,
    amount: String(PRICE),
    asset: w.chain.asset.contract,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
    ...offer,
  }
  const resource = { url: 'mcp://tool/forecast', description: 'A forecast' }
  return { payTo, challenge: { x402Version: 2, error: 'pay', resource, accepts: [accepted] } }
}

const ask = (user: User, card: Held, body: object, key?: string) =>
  user.post(
    '/api/pay/authorize',
    { card_id: card.id, card_token: card.token, resource: 'mcp://tool/forecast', ...body },
    key ? { headers: { 'idempotency-key': key } } : {},
  )

/** Runs the jobs until the payment has the given state. */
const untilStatus = (w: World, user: User, id: string, status: string) =>
  w.workUntil(
    async () => (await user.get(`/api/settlement/status/${id}`)).body.status,
    (seen) => seen === status,
  )

test(
  'a demand is signed once, its seller takes it, and the chain makes the hold a spend',
  WAITING,
  async () => {
    await using w = await world()
    const user = await w.user({ treasury: 10 })
    const card = await issue(user, 1)
    const { challenge, payTo } = demandOf(w)
    const made = await ask(user, card, { challenge })
    expect(made.status, made.text).toBe(200)
    expect(made.body).toMatchObject({
      success: true,
      amount_held: 0.0201,
      merchant_amount: 0.02,
      platform_fee: 0.0001,
      pay_to: payTo,
      settlement: { status: 'PENDING', tx_hash: null },
      payment: {
        x402Version: 2,
        resource: challenge.resource,
        accepted: challenge.accepts[0],
        payload: {
          authorization: { from: w.chain.treasury.address, to: payTo, value: String(PRICE) },
        },
      },
    })
    expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201, spent: 0 })

    await w.frontRun(encodeHeader(made.body.payment), await freshAccount())
    await untilStatus(w, user, made.body.transaction_id, 'SETTLED')
    expect(await cardOf(user, card.id)).toMatchObject({ held: 0, spent: 0.0201 })
    expect(await readAssetBalance(w.chain, payTo)).toBe(PRICE)
    const { payment } = (await user.get(`/api/payments/${made.body.transaction_id}`)).body
    expect(payment).toMatchObject({
      merchant: payTo,
      protocol: 'x402',
      status: 'SETTLED',
      request: { method: 'HANDED_OUT', url: 'mcp://tool/forecast', pay_to: payTo },
    })
    const settled = payment.timeline.find((fact: any) => fact.type === 'payment.settled')
    expect(settled.data.merchant).toBe(payTo)
    expect(await w.faults()).toEqual([])
  },
)

test('ten requests with one key hold the money once and are given one signature', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const card = await issue(user, 1)
  const { challenge } = demandOf(w)
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ask(user, card, { challenge }, 'forecast of today')),
  )
  replies.push(await ask(user, card, { challenge }, 'forecast of today'))
  const made = replies.filter(({ status }) => status === 200)
  expect(made.length).toBeGreaterThanOrEqual(2)
  expect(new Set(made.map(({ body }) => body.payment.payload.signature)).size).toBe(1)
  for (const { status, body } of replies)
    if (status !== 200) expect(body.code).toBe('idempotency_in_progress')
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201 })
  const other = await ask(user, card, { challenge, max_amount: 1 }, 'forecast of today')
  expect(other.body.code).toBe('idempotency_conflict')
})

test('a demand of x402 v1 is paid as v1 has it', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const card = await issue(user, 1)
  const { challenge } = demandOf(w, { network: 'base-sepolia', maxAmountRequired: String(PRICE) })
  const made = await ask(user, card, { challenge: { ...challenge, x402Version: 1 } })
  expect(made.body).toMatchObject({
    amount_held: 0.0201,
    payment: { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
  })
})

// Nonce and times are in the row before anything is signed, so a second signature signs the same bytes.
test('a request that died before its signature was stored is given the one that it would have had', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const card = await issue(user, 1)
  const { challenge } = demandOf(w)
  const first = await ask(user, card, { challenge }, 'a lost one')
  await w.write(async (tx) => {
    await sql`update outbound_payments set state = 'authorized', header_name = null, header_value = null,
      presentations = 0`.execute(tx)
    await sql`delete from idempotency_keys`.execute(tx)
  })
  const again = await ask(user, card, { challenge }, 'a lost one')
  expect(again.status, again.text).toBe(200)
  expect(again.body).toEqual(first.body)
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201 })
})

test('what is never used comes back once no block can use it', WAITING, async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const card = await issue(user, 1)
  const { challenge, payTo } = demandOf(w, { maxTimeoutSeconds: 1 })
  const made = await ask(user, card, { challenge })
  await untilStatus(w, user, made.body.transaction_id, 'FAILED')
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0, spent: 0, balance: 1 })
  expect(await readAssetBalance(w.chain, payTo)).toBe(0n)
  expect(await w.faults()).toEqual([])
})

// The agent names the resource, but the signature pays the address.
test('a card that may pay some merchants only is held to the address, whatever the agent says it buys', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { challenge, payTo } = demandOf(w)
  const byHost = await issue(user, 1, { allowed_merchants: ['api.example.com'] })
  const resource = 'https://api.example.com/report'
  const refused = await ask(user, byHost, { challenge, resource })
  expect([refused.status, refused.body.code]).toEqual([403, 'merchant_not_allowed'])
  const byAddress = await issue(user, 1, { allowed_merchants: [payTo] })
  expect((await ask(user, byAddress, { challenge, resource })).status).toBe(200)
})

test('what cannot be paid is refused with the reason of each offer, and holds nothing', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const stranger = await w.user()
  const card = await issue(user, 1)
  const { challenge } = demandOf(w)
  const refusals: [object, number, string][] = [
    [{ challenge: demandOf(w, { network: 'eip155:8453' }).challenge }, 422, 'other_network'],
    [{ challenge: demandOf(w, { scheme: 'auth-capture' }).challenge }, 422, 'unsupported_scheme'],
    [{ challenge: demandOf(w, { amount: '01' }).challenge }, 422, 'invalid_amount'],
    [{ challenge: demandOf(w, { payTo: w.chain.treasury.address }).challenge }, 422, 'not_a_payee'],
    [{ challenge, max_amount: '0.02' }, 422, 'above_max_amount'],
    [{ challenge: { hello: 'world' } }, 422, 'no_payable_option'],
    [{ challenge: {} }, 422, 'no_payable_option'],
    [{ challenge, resource: 'forecast' }, 400, 'invalid_field'],
    [{ challenge, card_token: `tok_${'x'.repeat(43)}` }, 401, 'invalid_card_token'],
  ]
  for (const [body, status, reason] of refusals) {
    const reply = await ask(user, card, body)
    expect(reply.status, reply.text).toBe(status)
    expect(reply.text).toContain(reason)
  }
  expect((await ask(stranger, card, { challenge })).status).toBe(404)
  await user.post(`/api/cards/${card.id}/freeze`)
  expect((await ask(user, card, { challenge })).body.code).toBe('card_frozen')
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0, spent: 0 })
})
