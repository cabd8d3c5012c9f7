import { decodePaymentResponseHeader } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  present,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { ask, settle } from '../../../test/actors/facilitator-kit.ts'
import { payByWallet } from '../../../test/actors/mpp-payers.ts'
import { DEV, giveDev, permitPayer, registerToken } from '../../../test/actors/permit2-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { readTokenBalance } from '../../chain/client/tokens/calls.ts'

let w: World
let base: string
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const urlOf = ({ code }: { code: string }) => `${base}/pay/${code}`
const received = (s: DirectSeller) => readAssetBalance(w.chain, s.wallet)
const stateOf = async (id: string) =>
  (await w.call('GET', `/api/paylinks/${id}`)).body as { status: string; uses: number }

test('the official @x402/fetch client pays the seller’s own wallet; the books have no part in it', async () => {
  const s = await directSeller(w)
  const link = await s.open()
  const payer = await freshAccount({ usdc: 2_000_000n })
  const before = await w.treasuryOnChain()
  const response = await x402Payer(payer).pay(urlOf(link))
  expect(response.status).toBe(200)
  const body = (await response.json()) as any
  expect(decodePaymentResponseHeader(response.headers.get('payment-response')!)).toMatchObject({
    success: true,
    payer: payer.address,
    transaction: body.tx_hash,
  })
  expect(body).toMatchObject({
    status: 'SETTLED',
    protocol: 'x402',
    amount: 0.5,
    fee: 0,
    net_amount: 0.5,
    metered_fee: 0,
    asset: 'USDC',
    token_contract: w.chain.asset.contract,
    decimals: 6,
  })
  expect(await received(s)).toBe(500_000n)
  expect(await w.treasuryOnChain()).toBe(before)
  expect(await s.transactions()).toMatchObject([
    {
      direction: 'received',
      amount: 0.5,
      fee: 0,
      protocol: 'x402',
      status: 'SETTLED',
      merchant: payer.address,
      tx_hash: body.tx_hash,
      decimals: 6,
    },
  ])
  const [settled] = await s.events('payment.settled')
  expect(settled).toMatchObject({
    settlement_mode: 'DIRECT',
    amount: 0.5,
    fee: 0,
    net_amount: 0.5,
    metered_fee: 0,
    asset: 'USDC',
    token_contract: w.chain.asset.contract,
    settlement_id: body.settlement_id,
    pay_link_code: link.code,
    card_id: s.card.id,
    tx_hash: body.tx_hash,
  })
  expect(await s.used()).toBe(1)
  expect(await stateOf(link.code)).toMatchObject({ status: 'COMPLETED', uses: 1 })
  const { payments } = (await s.seller.get('/api/payments')).body
  expect(payments).toMatchObject([{ settlement_id: body.settlement_id, amount: 0.5 }])
  const status = await s.seller.get(`/api/settlement/status/${payments[0].id}`)
  expect(status.body).toMatchObject({ status: 'SETTLED', tx_hash: body.tx_hash })
  // The same authorization again answers the same settlement; the seller's card got nothing on the books.
  expect((await s.seller.get(`/api/cards/${s.card.id}`)).body.card).toMatchObject({ balance: 0 })
  await w.safe()
  await w.advance(60)
  await w.runJobs()
  const row =
    await sql`select is_final from direct_settlements where id = ${body.settlement_id}`.execute(
      w.db.reader,
    )
  expect(row.rows).toEqual([{ isFinal: true }])
})

test('a token of 18 decimals is paid by the official client through Permit2, to the unit', async () => {
  const s = await directSeller(w)
  await giveDev({ to: s.wallet, amount: 1n, rpcUrl: w.rpcUrl })
  await registerToken(s.seller, DEV.contract)
  const exact = '1.000000000000000001'
  const link = await s.open({ amount: exact, asset: DEV.contract })
  const payer = await permitPayer()
  const client = x402Payer(payer, DEV.contract)
  const header = await client.header(urlOf(link))
  const replies = await Promise.all([1, 2, 3].map(() => present(urlOf(link), header)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  expect(new Set(bodies.map(({ settlement_id }) => settlement_id)).size).toBe(1)
  expect(bodies[0]).toMatchObject({
    amount: 1,
    amount_atomic: '1000000000000000001',
    asset: 'DEV',
    decimals: 18,
    token_contract: DEV.contract,
  })
  expect(await readTokenBalance(w.chain, DEV.contract, s.wallet)).toBe(10n ** 18n + 2n)
  expect((await s.events('payment.settled'))[0]).toMatchObject({
    amount_atomic: '1000000000000000001',
    asset: 'DEV',
    metered_fee: 0,
  })
  expect((await s.transactions())[0]).toMatchObject({
    amount_atomic: '1000000000000000001',
    token_contract: DEV.contract,
    decimals: 18,
  })
  const [payment] = (await s.seller.get('/api/payments')).body.payments
  expect(payment).toMatchObject({ amount: 1, amount_atomic: '1000000000000000001', fee: 0 })
  const { timeline } = (await s.seller.get(`/api/payments/${payment.id}`)).body.payment
  expect(timeline[0].data).toMatchObject({
    settlement_mode: 'DIRECT',
    amount: 1,
    net_amount_atomic: '1000000000000000001',
  })
})

test('the official mppx client pays a DIRECT link; the nonce is the hash of its challenge', async () => {
  const s = await directSeller(w)
  const link = await s.open()
  const answer = await fetch(urlOf(link))
  const offered = (await answer.json()) as any
  expect(offered.mpp.map(({ method }: any) => method)).toEqual(['evm'])
  const payer = await freshAccount({ usdc: 2_000_000n })
  const response = await payByWallet(payer)(urlOf(link))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ protocol: 'mpp', amount: 0.5, fee: 0 })
  expect(await received(s)).toBe(500_000n)
})

test('an authorization that was used before it was presented pays nothing: 402 already_used', async () => {
  const s = await directSeller(w)
  const link = await s.open()
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await x402Payer(payer).header(urlOf(link))
  await w.frontRun(header, await freshAccount())
  const reply = await present(urlOf(link), header)
  expect([reply.status, ((await reply.json()) as any).error]).toEqual([402, 'already_used'])
  expect(await stateOf(link.code)).toMatchObject({ status: 'ACTIVE', uses: 0 })
  expect(await s.used()).toBe(0)
})

test('one authorization has one claim over links, DIRECT links and other sellers, also in the database', async () => {
  const s = await directSeller(w)
  const [one, two] = [await s.open({ amount: 0.01 }), await s.open({ amount: 0.01 })]
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await x402Payer(payer).header(urlOf(one))
  const payload = JSON.parse(Buffer.from(header, 'base64').toString())
  const { authorization, signature } = payload.payload
  // The same signed transfer as another seller would submit it, to the same wallet.
  const { body } = await askAs(payer, s.wallet, authorization, signature)
  const replies = await Promise.all([
    present(urlOf(one), header).then((reply) => reply.json() as any),
    present(urlOf(two), header).then((reply) => reply.json() as any),
    settle(s.seller, body).then((reply) => reply.body),
    present(urlOf(two), header).then((reply) => reply.json() as any),
  ])
  expect(replies.filter(({ success }) => success)).toHaveLength(
    replies.filter(({ status }) => status === 'SETTLED').length || 1,
  )
  expect(await received(s)).toBe(10_000n)
  const claims = await sql<{ kind: string }>`select kind from authorization_claims
    where payer = ${payer.address}`.execute(w.db.reader)
  expect(claims.rows).toHaveLength(1)
  const again = await settle(s.seller, body)
  const paid = (await stateOf(one.code)).uses + (await stateOf(two.code)).uses
  expect(paid + (claims.rows[0]?.kind === 'facilitator' ? 1 : 0)).toBe(1)
  if (paid === 1) expect(again.body).toMatchObject({ errorReason: 'duplicate_settlement' })
  // Nor does the database let a second settlement have it.
  await expect(
    w.write((tx) =>
      sql`insert into authorization_claims (network, token, payer, nonce, kind, ref)
        select network, token, payer, nonce, 'link', 'stl_x' from authorization_claims where payer = ${payer.address}`.execute(
        tx,
      ),
    ),
  ).rejects.toThrow(/one_claim_per_signed_transfer/)
})

/** The body of a facilitator's request with an authorization that was signed for something else. */
async function askAs(payer: any, payTo: any, shown: any, signature: string) {
  const body: any = await ask(payer, payTo, { requirements: { amount: shown.value } })
  body.paymentPayload.payload = { authorization: shown, signature }
  return { body }
}

test('N payers at once on a one-use link: one is paid on chain, and the others keep their money', async () => {
  const s = await directSeller(w)
  const link = await s.open()
  const payers = await Promise.all([1, 2, 3, 4, 5].map(() => freshAccount({ usdc: 1_000_000n })))
  const headers = await Promise.all(payers.map((payer) => x402Payer(payer).header(urlOf(link))))
  const replies = await Promise.all(headers.map((header) => present(urlOf(link), header)))
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { success, code } of bodies)
    if (!success) expect(['pay_link_busy', 'pay_link_completed']).toContain(code)
  expect(await received(s)).toBe(500_000n)
  expect(await s.used()).toBe(1)
})

test('a payment whose request died is ended by its job, once; and a seller cannot pay itself', async () => {
  const s = await directSeller(w)
  const link = await s.open()
  const payer = await freshAccount({ usdc: 2_000_000n })
  const header = await x402Payer(payer).header(urlOf(link))
  const cut = new AbortController()
  const request = fetch(urlOf(link), {
    headers: { 'payment-signature': header },
    signal: cut.signal,
  })
  setTimeout(() => cut.abort(), 60)
  await request.then(
    (reply) => reply.text(),
    () => undefined,
  )
  await w.advance(60)
  await w.runJobs()
  expect((await present(urlOf(link), header)).status).toBe(200)
  expect(await received(s)).toBe(500_000n)
  expect(await s.used()).toBe(1)

  const rich = await directSeller(w, await w.user({ usdc: 2 }))
  const own = await rich.open()
  const self = await present(urlOf(own), await x402Payer(rich.seller.account).header(urlOf(own)))
  expect([self.status, await stateOf(own.code)]).toMatchObject([402, { uses: 0 }])
})
