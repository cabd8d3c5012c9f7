import { expect, test } from 'vitest'
import { ask, asset, newAddress, settle, shop } from '../../../../test/actors/facilitator-kit.ts'
import {
  encode,
  payloadFor,
  presentX402,
  receiveX402,
  sellByLink,
  signedAs,
} from '../../../../test/actors/link-kit.ts'
import { cardCredential, mppShop } from '../../../../test/actors/mpp-payers.ts'
import { deployedAccount } from '../../../../test/actors/smart-account-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { authorizationTypedData } from '../../../base/protocols/evm/eip3009/authorization.ts'
import { readChallenges } from '../../../base/protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../../base/protocols/mpp/headers/credential.ts'
import { decodeJson } from '../../../base/protocols/mpp/headers/wire.ts'
import { challengeNonce, evmPayload } from '../../../base/protocols/mpp/methods/evm.ts'

const dollar = () => freshAccount({ usdc: 1_000_000n })
const receiveMpp = (user: User, payment_data: unknown) =>
  user.post('/api/mpp/receive', { payment_data })
const usesIn = async (w: World) =>
  (await sql`select * from received_payments`.execute(w.db.reader)).rows.length

test('a payment of a link is verified once it has settled; the second caller learns that it was used', async () => {
  await using w = await world()
  await w.withGas()
  const sold = await sellByLink(w)
  const { seller, link, url } = sold
  const payload = await payloadFor(w, await dollar(), sold)
  expect((await receiveX402(seller, payload, url)).body).toEqual({
    verified: false,
    resource: null,
    reason: 'not_settled',
  })
  expect((await presentX402(w, link.code, payload)).status).toBe(200)

  // A stranger who has read the header learns nothing, and takes no use of it.
  const stranger = await w.user()
  expect((await receiveX402(stranger, payload, url)).body.verified).toBe(false)
  const other = await sellByLink(w)
  expect((await receiveX402(other.seller, payload, other.url)).body).toMatchObject({
    verified: false,
    reason: 'invalid_exact_evm_recipient_mismatch',
  })
  const thief = await freshAccount()
  const forged = signedAs(payload, await thief.signMessage({ message: 'mine' }))
  expect((await receiveX402(seller, forged, url)).body).toMatchObject({
    verified: false,
    reason: 'invalid_exact_evm_signature',
  })
  expect(await usesIn(w)).toBe(0)

  const first = await receiveX402(seller, payload, `${url}?from=agent`)
  expect(first.body).toMatchObject({ verified: true, already_used: false })
  expect(first.body.settlement_id).toMatch(/^stl_/)
  expect((await receiveX402(seller, encode(payload), url)).body).toEqual({
    verified: true,
    already_used: true,
    resource: url,
    settlement_id: first.body.settlement_id,
  })
  expect((await receiveX402(seller, 'junk', url)).body.reason).toBe('invalid_payload')
  expect((await receiveX402(seller, {}, url)).body.verified).toBe(false)
  expect(await w.faults()).toEqual([])
})

test('of ten who ask at once the first use is reported to one; its Idempotency-Key reports it again', async () => {
  await using w = await world()
  await w.withGas()
  const sold = await sellByLink(w)
  const payload = await payloadFor(w, await deployedAccount(), sold)
  expect((await presentX402(w, sold.link.code, payload)).status).toBe(200)
  const body = { payment_header: payload, resource_url: sold.url }
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      sold.seller.post('/api/x402/receive', body, { headers: { 'idempotency-key': `till ${i}` } }),
    ),
  )
  expect(replies.map((reply) => reply.body.already_used).sort()).toEqual([
    false,
    ...Array(9).fill(true),
  ])
  const i = replies.findIndex((reply) => reply.body.already_used === false)
  const again = await sold.seller.post('/api/x402/receive', body, {
    headers: { 'idempotency-key': `till ${i}` },
  })
  expect(again.body).toEqual(replies[i]!.body)
})

// A payer may sign any number of authorizations of one nonce; the token takes one of them.
test('an authorization of the same nonce for more money is not the payment that settled', async () => {
  await using w = await world()
  await w.withGas()
  const sold = await sellByLink(w, { amount: null, max_uses: 0 })
  const payer = await dollar()
  const nonce = `0x${'ab'.repeat(32)}` as const
  const pay = async (value: bigint) => {
    const demand = await w.call('GET', `/pay/${sold.link.code}?amount=${Number(value) / 1e6}`)
    const header = String(demand.headers['payment-required'])
    const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString())
    const changes = { requirements: accepts[0], value, nonce }
    return (await ask(payer, sold.link.deposit_address, changes)).paymentPayload
  }
  const [small, large] = [await pay(10_000n), await pay(900_000n)]
  expect((await presentX402(w, sold.link.code, small)).status).toBe(200)
  const answer = await presentX402(w, sold.link.code, large)
  expect([answer.status, answer.body.error]).toEqual([402, 'duplicate_settlement'])
  expect((await receiveX402(sold.seller, large, sold.url)).body.reason).toBe('duplicate_settlement')
  expect((await receiveX402(sold.seller, small, sold.url)).body.verified).toBe(true)
})

test('a payment that somebody else carried to the chain is verified for the link that it settled', async () => {
  await using w = await world()
  await w.withGas()
  const sold = await sellByLink(w)
  const payload = await payloadFor(w, await dollar(), sold)
  await w.frontRun(encode(payload), await freshAccount())
  expect((await presentX402(w, sold.link.code, payload)).status).toBe(200)
  for (const already_used of [false, true])
    expect((await receiveX402(sold.seller, payload, sold.url)).body).toMatchObject({
      verified: true,
      already_used,
    })
})

test("a payment for a URL of one's own is verified if it settled to one's own wallet, whoever had it settled", async () => {
  await using w = await world()
  const { seller } = await shop(w)
  const stranger = await w.user()
  const payer = await dollar()
  const url = 'https://seller.example/report?day=1'
  const header = ({ paymentPayload }: Awaited<ReturnType<typeof ask>>) => encode(paymentPayload)
  const own = await ask(payer, seller.account.address)
  expect((await receiveX402(seller, header(own), url)).body.reason).toBe('not_settled')
  expect((await settle(seller, own)).body.success).toBe(true)
  const elsewhere = 'https://seller.example/other'
  expect((await receiveX402(seller, header(own), elsewhere)).body.verified).toBe(false)
  expect((await receiveX402(stranger, header(own), url)).body.verified).toBe(false)
  const forged = signedAs(own.paymentPayload, await payer.signMessage({ message: 'mine' }))
  expect((await receiveX402(seller, forged, url)).body.reason).toBe('invalid_exact_evm_signature')
  // A payment that names no resource counts for the first one that it was used for.
  const { resource: _, ...bare } = own.paymentPayload
  expect((await receiveX402(seller, bare, elsewhere)).body.reason).toBe('duplicate_settlement')
  const first = (await receiveX402(seller, header(own), url)).body
  expect(first).toMatchObject({ verified: true, already_used: false, resource: url })
  expect(first.settlement_id).toMatch(/^fst_/)
  expect((await receiveX402(seller, own.paymentPayload, url)).body.already_used).toBe(true)

  // A stranger who is faster has the payment settled by its own key, and takes nothing by it.
  const raced = await ask(payer, seller.account.address)
  const paymentPayload = { ...raced.paymentPayload, resource: { url: elsewhere } }
  expect((await settle(stranger, { ...raced, paymentPayload })).body.success).toBe(true)
  expect((await receiveX402(seller, header(raced), url)).body).toMatchObject({
    verified: true,
    already_used: false,
  })
  const toOther = await ask(payer, newAddress())
  expect((await receiveX402(seller, header(toOther), url)).body.verified).toBe(false)
  const poor = await ask(await freshAccount(), seller.account.address)
  expect((await receiveX402(seller, header(poor), url)).body.reason).toBe(
    'invalid_exact_evm_insufficient_balance',
  )
})

test('the database lets nobody use up what was paid to another', async () => {
  await using w = await world()
  await w.withGas()
  const sold = await sellByLink(w)
  const payload = await payloadFor(w, await dollar(), sold)
  const { settlement_id: id } = (await presentX402(w, sold.link.code, payload)).body
  const use = (settlement: string, wallet: string) =>
    w.db.write((tx) =>
      sql`insert into received_payments values (${settlement}, ${wallet}, 'x', now())`.execute(tx),
    )
  await expect(use(id, newAddress())).rejects.toThrow('was not paid to')
  await expect(use('stl_unknown', sold.seller.account.address)).rejects.toThrow('was not paid to')
  await use(id, sold.seller.account.address)
  await expect(w.db.write((tx) => sql`delete from received_payments`.execute(tx))).rejects.toThrow()
})

test('an MPP credential is verified for the link that it paid, as text and as its object', async () => {
  await using w = await world()
  await w.withGas()
  const { seller, link } = await sellByLink(w)
  const payer = await dollar()
  const demand = await w.call('GET', `/pay/${link.code}`)
  const { challenges } = readChallenges([demand.headers['www-authenticate'] ?? []].flat())
  const challenge = challenges.find(({ method }) => method === 'evm')!
  const authorization = {
    from: payer.address,
    to: link.deposit_address,
    value: 10_000n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 200),
    nonce: challengeNonce(challenge),
  }
  const signature = await payer.signTypedData(authorizationTypedData(asset, authorization))
  const payload = evmPayload({ authorization, signature })
  const { headerValue } = writeCredential({ challenge, payload })
  expect((await receiveMpp(seller, headerValue)).body).toEqual({
    verified: false,
    reason: 'not_settled',
  })
  const paid = await w.call('GET', `/pay/${link.code}`, undefined, {
    headers: { authorization: headerValue },
  })
  expect(paid.status, paid.text).toBe(200)
  expect((await receiveMpp(await w.user(), headerValue)).body).toEqual({
    verified: false,
    reason: 'challenge_unknown',
  })
  const thief = await freshAccount()
  const stolen = await thief.signTypedData(authorizationTypedData(asset, authorization))
  const forged = writeCredential({
    challenge,
    payload: evmPayload({ authorization, signature: stolen }),
  })
  expect((await receiveMpp(seller, forged.headerValue)).body.reason).toBe(
    'authorization_signature_invalid',
  )
  for (const junk of ['', 'Payment', 'Payment x', 'Bearer y', '\u00e9', {}, { challenge: 1 }])
    expect((await receiveMpp(seller, junk)).body.verified).toBe(false)
  const last = challenge.id.endsWith('A') ? 'E' : 'A'
  const renamed = { ...challenge, id: `${challenge.id.slice(0, -1)}${last}` }
  const other = writeCredential({ challenge: renamed, payload })
  expect((await receiveMpp(seller, other.headerValue)).body.verified).toBe(false)
  expect(await usesIn(w)).toBe(0)

  const token = headerValue.replace('Payment ', '')
  const first = await receiveMpp(seller, decodeJson(token))
  expect(first.body).toMatchObject({ verified: true, already_used: false })
  for (const data of [headerValue, token])
    expect((await receiveMpp(seller, data)).body).toEqual({
      verified: true,
      already_used: true,
      settlement_id: first.body.settlement_id,
    })
})

test('a card token is verified for the link that has redeemed it', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const credential = await cardCredential(s)
  expect((await receiveMpp(s.seller, credential)).body.reason).toBe('not_settled')
  expect((await fetch(s.url, { headers: { authorization: credential } })).status).toBe(200)
  expect((await receiveMpp(s.agent, credential)).body.verified).toBe(false)
  for (const already_used of [false, true])
    expect((await receiveMpp(s.seller, credential)).body).toMatchObject({
      verified: true,
      already_used,
    })
})
