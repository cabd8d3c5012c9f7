import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { type World, world } from '../../../../../test/world.ts'

const NETWORK = 'eip155:84532'

/** A seller with an x402 link, on a service that listens. */
async function shop(w: World, link: object = {}) {
  await w.withGas()
  const base = await w.listen()
  const seller = await w.user({ treasury: 10 })
  const card = (await seller.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body.card
  const made = (
    await seller.post('/api/paylinks', { card_id: card.id, amount: 0.5, memo: 'report', ...link })
  ).body
  const cardNow = async () => (await seller.get(`/api/cards/${card.id}`)).body.card
  return { base, seller, card, link: made, url: `${base}/pay/${made.code}`, cardNow }
}

/** The official client, and what it sent last. */
function officialClient(account: PrivateKeyAccount) {
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(account))
  return wrapFetchWithPayment(fetch, client)
}

/** A payment header made by the official client for the link's own demand, not yet sent. */
async function signedHeader(url: string, account: PrivateKeyAccount): Promise<string> {
  const demand = decodePaymentRequiredHeader((await fetch(url)).headers.get('payment-required')!)
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(account))
  const payload = await client.createPaymentPayload(demand)
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}

test('the official @x402/fetch client pays a link; link, card, house and chain agree to the unit', async () => {
  await using w = await world()
  const s = await shop(w)
  const payer = await freshAccount({ usdc: 2_000_000n })
  const before = await w.treasuryOnChain()
  const response = await officialClient(payer)(s.url)
  expect(response.status).toBe(200)
  const body = (await response.json()) as any
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
  expect(receipt).toMatchObject({
    success: true,
    network: NETWORK,
    payer: payer.address,
    transaction: body.tx_hash,
  })
  expect(body).toMatchObject({
    success: true,
    status: 'SETTLED',
    protocol: 'x402',
    amount: 0.5,
    fee: 0.0025,
    net_amount: 0.4975,
  })
  expect(await s.cardNow()).toMatchObject({ received: 0.4975, balance: 1.4975 })
  const [transaction] = (await s.seller.get(`/api/cards/${s.card.id}/transactions`)).body
    .transactions
  expect(transaction).toMatchObject({
    direction: 'received',
    protocol: 'x402',
    amount: 0.4975,
    tx_hash: body.tx_hash,
    merchant: payer.address,
  })
  // Transfer and sweep went in one transaction: the money is under the treasury already.
  expect((await w.treasuryOnChain()) - before).toBe(500_000n)
  expect((await w.call('GET', `/api/paylinks/${s.link.code}`)).body).toMatchObject({
    status: 'COMPLETED',
    uses: 1,
  })
  expect(await w.faults()).toEqual([])
})

test('ten presentations of one payment settle once and all get its receipt', async () => {
  await using w = await world()
  const s = await shop(w, { max_uses: 0, type: 'RECURRING' })
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await signedHeader(s.url, payer)
  const send = () => fetch(s.url, { headers: { 'payment-signature': header } })
  const replies = await Promise.all(Array.from({ length: 10 }, send))
  expect(replies.map((r) => r.status)).toEqual(Array(10).fill(200))
  const bodies = (await Promise.all(replies.map((r) => r.json()))) as any[]
  expect(new Set(bodies.map((b) => b.settlement_id)).size).toBe(1)
  expect((await send()).status).toBe(200)
  expect(await s.cardNow()).toMatchObject({ received: 0.4975 })
  expect(await w.faults()).toEqual([])
})

test('N payers at once on a one-use link: one transfer on chain, one credit, clear refusals', async () => {
  await using w = await world()
  const s = await shop(w)
  const payers = await Promise.all(
    Array.from({ length: 6 }, () => freshAccount({ usdc: 1_000_000n })),
  )
  const headers = await Promise.all(payers.map((payer) => signedHeader(s.url, payer)))
  const before = await w.treasuryOnChain()
  const replies = await Promise.all(
    headers.map((header) => fetch(s.url, { headers: { 'payment-signature': header } })),
  )
  const bodies = (await Promise.all(replies.map((r) => r.json()))) as any[]
  expect(replies.filter((r) => r.status === 200)).toHaveLength(1)
  for (const body of bodies.filter((b) => !b.success))
    expect(['pay_link_busy', 'pay_link_completed']).toContain(body.code)
  expect((await w.treasuryOnChain()) - before).toBe(500_000n)
  expect(await s.cardNow()).toMatchObject({ received: 0.4975 })
  expect(await w.faults()).toEqual([])
})

test('a payment signed for one link does not pay another of the same price', async () => {
  await using w = await world()
  const s = await shop(w)
  const other = (await s.seller.post('/api/paylinks', { card_id: s.card.id, amount: 0.5 })).body
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await signedHeader(s.url, payer)
  const stolen = await fetch(`${s.base}/pay/${other.code}`, {
    headers: { 'payment-signature': header },
  })
  expect(stolen.status).toBe(402)
  expect(await stolen.json()).toMatchObject({ error: 'invalid_exact_evm_recipient_mismatch' })
  expect((await fetch(s.url, { headers: { 'payment-signature': header } })).status).toBe(200)
})

test('a transfer that somebody else carried to the chain first is recognized and credited once', async () => {
  await using w = await world()
  const s = await shop(w)
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await signedHeader(s.url, payer)
  const runner = await freshAccount()
  await w.frontRun(header, runner)
  const response = await fetch(s.url, { headers: { 'payment-signature': header } })
  // The simulation sees the nonce used: the payment is on chain, so the transaction itself settles the link.
  expect([200, 402]).toContain(response.status)
  await w.safe()
  if (response.status === 402) {
    const hash = await w.lastTransferTo(s.link.deposit_address)
    const settled = await w.call('POST', `/api/pay/${s.link.code}/settle`, {
      tx_hash: hash,
      from_address: payer.address,
    })
    expect(settled.status).toBe(200)
  }
  expect(await s.cardNow()).toMatchObject({ received: 0.4975 })
  expect(await w.faults()).toEqual([])
})

test('a payer without the money, a wrong signature and an expired authorization are refused with a fresh demand', async () => {
  await using w = await world()
  const s = await shop(w)
  const poor = privateKeyToAccount(generatePrivateKey())
  const refused = await fetch(s.url, {
    headers: { 'payment-signature': await signedHeader(s.url, poor) },
  })
  expect(refused.status).toBe(402)
  expect(refused.headers.get('payment-required')).toBeTruthy()
  expect(await refused.json()).toMatchObject({ error: 'invalid_exact_evm_insufficient_balance' })
  const rich = await freshAccount({ usdc: 1_000_000n })
  const payload = JSON.parse(Buffer.from(await signedHeader(s.url, rich), 'base64').toString())
  const sendAltered = async (change: (authorization: any) => void) => {
    const altered = structuredClone(payload)
    change(altered.payload.authorization)
    const header = Buffer.from(JSON.stringify(altered)).toString('base64')
    const reply = await fetch(s.url, { headers: { 'payment-signature': header } })
    return [reply.status, ((await reply.json()) as any).error]
  }
  expect(
    await sendAltered((a) => {
      a.from = poor.address
    }),
  ).toEqual([402, 'invalid_exact_evm_signature'])
  expect(
    await sendAltered((a) => {
      a.validBefore = '1000'
    }),
  ).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before'])
  expect(
    await sendAltered((a) => {
      a.value = '499999'
    }),
  ).toEqual([402, 'invalid_exact_evm_payload_authorization_value_mismatch'])
  for (const junk of [
    '',
    'x',
    'e30=',
    Buffer.from('[]').toString('base64'),
    Buffer.from('{"x402Version":2}').toString('base64'),
  ]) {
    const reply = await fetch(s.url, { headers: { 'payment-signature': junk } })
    expect([junk, reply.status]).toEqual([junk, 400])
  }
  expect(await s.cardNow()).toMatchObject({ received: 0 })
})

test('a payment sent in two forms of base64 is one payment', async () => {
  await using w = await world()
  const s = await shop(w, { max_uses: 5 })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const header = await signedHeader(s.url, payer)
  const spaced = Buffer.from(`${Buffer.from(header, 'base64')} `)
  const forms = [header, header.replace(/=+$/, ''), spaced.toString('base64url')]
  const replies = await Promise.all(
    [...forms, ...forms].map((form) => fetch(s.url, { headers: { 'payment-signature': form } })),
  )
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  const paid = bodies.filter(({ success }) => success)
  expect(paid.length, JSON.stringify(bodies)).toBeGreaterThan(0)
  expect(new Set(paid.map((body) => body.tx_hash)).size).toBe(1)
  expect(await s.cardNow()).toMatchObject({ received: 0.4975 })
  expect((await w.call('GET', `/api/paylinks/${s.link.code}`)).body).toMatchObject({ uses: 1 })
})

test('a settlement whose request died is finished by its job', async () => {
  await using w = await world()
  const s = await shop(w)
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await signedHeader(s.url, payer)
  const cut = new AbortController()
  const request = fetch(s.url, { headers: { 'payment-signature': header }, signal: cut.signal })
  setTimeout(() => cut.abort(), 40)
  await request.then(
    (r) => r.text(),
    () => undefined,
  )
  await w.advance(60)
  await w.runJobs()
  const response = await fetch(s.url, { headers: { 'payment-signature': header } })
  expect(response.status).toBe(200)
  expect(await s.cardNow()).toMatchObject({ received: 0.4975 })
  expect(await w.faults()).toEqual([])
})

test('the payer chooses the amount of a link that has none', async () => {
  await using w = await world()
  const s = await shop(w, { amount: null })
  const payer = await freshAccount({ usdc: 5_000_000n })
  const bare = await fetch(s.url)
  expect([bare.status, bare.headers.get('payment-required')]).toEqual([402, null])
  const response = await officialClient(payer)(`${s.url}?amount=0.75`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ amount: 0.75 })
})

test('an x402 v1 client pays too', async () => {
  await using w = await world()
  const s = await shop(w)
  const payer = await freshAccount({ usdc: 2_000_000n })
  const demand = (await (await fetch(s.url)).json()) as any
  const [offer] = demand.accepts
  expect(offer).toMatchObject({
    scheme: 'exact',
    network: 'base-sepolia',
    maxAmountRequired: '500000',
    payTo: s.link.deposit_address,
  })
  const v2 = JSON.parse(Buffer.from(await signedHeader(s.url, payer), 'base64').toString())
  const v1 = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: v2.payload }
  const header = Buffer.from(JSON.stringify(v1)).toString('base64')
  const response = await fetch(s.url, { headers: { 'x-payment': header } })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-payment-response')).toBeTruthy()
})
