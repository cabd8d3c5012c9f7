import { expect, test } from 'vitest'
import { freshAccount } from '../../test/chain.ts'
import { ask, newAddress, shop } from '../../test/facilitator-kit.ts'
import { type User, type World, world } from '../../test/world.ts'
import { authorizationTypedData } from '../protocols/eip3009/authorization.ts'
import { readChallenges } from '../protocols/mpp/challenge.ts'
import { writeCredential } from '../protocols/mpp/credential.ts'
import { challengeNonce, evmPayload } from '../protocols/mpp/evm.ts'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

const receive = (user: User, header: string, url: string) =>
  user.post('/api/x402/receive', { payment_header: header, resource_url: url })

async function linkOf(w: World) {
  const seller = await w.user({ treasury: 10 })
  const card = (await seller.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body.card
  const made = { card_id: card.id, amount: 0.01, accepted_protocols: ['x402', 'mpp'] }
  const link = (await seller.post('/api/paylinks', made)).body
  const url = `${w.services.settings.publicUrl}/pay/${link.code}`
  return { seller, card, link, url }
}

test("a header is good for the link that it pays, before and after, and for nobody else's", async () => {
  await using w = await world()
  await w.withGas()
  const { seller, card, link, url } = await linkOf(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const demand = (await w.call('GET', `/pay/${link.code}`)).headers['payment-required']
  const { accepts } = JSON.parse(Buffer.from(String(demand), 'base64').toString())
  const body = await ask(payer, link.deposit_address, { requirements: accepts[0] })
  const header = encode(body.paymentPayload)
  const good = await receive(seller, header, url)
  expect(good.body).toEqual({ verified: true, resource: url })
  const stranger = await w.user()
  expect((await receive(stranger, header, url)).body).toMatchObject({
    verified: false,
    resource: null,
  })
  const made = { card_id: card.id, amount: 0.01 }
  const { code } = (await seller.post('/api/paylinks', made)).body
  const wrong = await receive(seller, header, `${w.services.settings.publicUrl}/pay/${code}`)
  expect(wrong.body).toMatchObject({
    ...{ verified: false, reason: 'invalid_exact_evm_recipient_mismatch' },
  })
  expect((await receive(seller, 'junk', url)).body).toEqual({
    ...{ verified: false, resource: null, reason: 'invalid_payload' },
  })
  const paid = await w.call('GET', `/pay/${link.code}`, undefined, {
    headers: { 'payment-signature': header },
  })
  expect(paid.status).toBe(200)
  expect((await receive(seller, header, url)).body.verified).toBe(true)
  expect(await w.faults()).toEqual([])
})

test("a header is good for a URL of one's own if it pays one's own wallet", async () => {
  await using w = await world()
  const { seller } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const url = 'https://seller.example/report?day=1'
  const own = encode((await ask(payer, seller.account.address)).paymentPayload)
  expect((await receive(seller, own, url)).body).toEqual({ verified: true, resource: url })
  expect((await receive(seller, own, 'https://seller.example/other')).body.verified).toBe(false)
  const elsewhere = encode((await ask(payer, newAddress())).paymentPayload)
  expect((await receive(seller, elsewhere, url)).body.verified).toBe(false)
  const poor = encode((await ask(await freshAccount(), seller.account.address)).paymentPayload)
  expect((await receive(seller, poor, url)).body.reason).toBe(
    'invalid_exact_evm_insufficient_balance',
  )
})

test('an MPP credential is good for the link whose challenge it pays, and for no other owner', async () => {
  await using w = await world()
  await w.withGas()
  const { seller, link } = await linkOf(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const demand = await w.call('GET', `/pay/${link.code}`)
  const { challenges } = readChallenges([demand.headers['www-authenticate'] ?? []].flat())
  const challenge = challenges.find(({ method }) => method === 'evm')!
  const authorization = {
    ...{ from: payer.address, to: link.deposit_address, value: 10_000n, validAfter: 0n },
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 200),
    nonce: challengeNonce(challenge),
  }
  const typed = authorizationTypedData(w.chain.asset, authorization)
  const signature = await payer.signTypedData(typed)
  const { headerValue } = writeCredential({
    challenge,
    payload: evmPayload({ authorization, signature }),
  })
  const receiveData = (user: User, payment_data: string) =>
    user.post('/api/mpp/receive', { payment_data })
  expect((await receiveData(seller, headerValue)).body).toEqual({ verified: true })
  expect((await receiveData(seller, headerValue.replace('Payment ', ''))).body.verified).toBe(true)
  expect((await receiveData(await w.user(), headerValue)).body).toEqual({
    ...{ verified: false, reason: 'challenge_unknown' },
  })
  for (const junk of ['', 'Payment', 'Payment x', 'Bearer y', '\u00e9'])
    expect((await receiveData(seller, junk)).body.verified).toBe(false)
  const last = challenge.id.endsWith('A') ? 'E' : 'A'
  const forged = { ...challenge, id: `${challenge.id.slice(0, -1)}${last}` }
  const other = writeCredential({
    challenge: forged,
    payload: evmPayload({ authorization, signature }),
  })
  expect((await receiveData(seller, other.headerValue)).body.verified).toBe(false)
})
