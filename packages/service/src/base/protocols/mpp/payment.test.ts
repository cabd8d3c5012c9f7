import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Asset, USDC } from '../../kernel/assets.ts'
import { amount } from '../../kernel/money.ts'
import { authorizationTypedData, type TransferAuthorization } from '../evm/eip3009/authorization.ts'
import type { JsonObject } from '../json.ts'
import { makeChallenge } from './binding.ts'
import type { Challenge } from './headers/challenge.ts'
import { readCredential, writeCredential } from './headers/credential.ts'
import { openClaims, sealClaims } from './mac.ts'
import {
  AGENTCARD_CHARGE,
  agentcardPayload,
  agentcardTerms,
  makeCardToken,
  readCardToken,
} from './methods/agentcard.ts'
import {
  challengeNonce,
  checkEvmPayment,
  EVM_CHARGE,
  evmPayload,
  evmSource,
  evmTerms,
  readEvmPayload,
  readEvmTerms,
} from './methods/evm.ts'
import { chooseOffer, readOffers } from './methods/match.ts'
import { MppRefusal } from './refusal.ts'

const usdc = USDC[8453] as Asset
const sepolia = USDC[84532] as Asset
const payer = privateKeyToAccount(generatePrivateKey())
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = Buffer.alloc(32, 7)
const at = new Date('2026-11-21T12:00:00Z')
const nowSeconds = BigInt(at.getTime() / 1000)
const demand = {
  realm: 'purser.example',
  scope: 'PL_A',
  salt: 'c2FsdA',
  expires: new Date('2026-11-21T12:05:00Z'),
}
const issuer = 'https://purser.example'
const makeEvm = (terms: JsonObject) => makeChallenge(key, { ...demand, ...EVM_CHARGE, terms })
const makeCard = (terms: JsonObject) =>
  makeChallenge(key, { ...demand, ...AGENTCARD_CHARGE, terms })
const terms = evmTerms({ asset: usdc, amount: amount(10_000n), recipient, externalId: 'PL_A' })
const details = terms.methodDetails as JsonObject
const challenge = makeEvm(terms)
const cardTerms = agentcardTerms({ issuer, asset: usdc, amount: amount(9_999n), recipient: 'PL_A' })
const cardChallenge = makeCard(cardTerms)

const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof MppRefusal) return error.code
    throw error
  }
}

async function signed(changes: Partial<TransferAuthorization> = {}, signer = payer) {
  const authorization = {
    from: payer.address,
    to: recipient,
    value: 10_000n,
    validAfter: 0n,
    validBefore: nowSeconds + 60n,
    nonce: challengeNonce(challenge),
    ...changes,
  } as const
  const typed = authorizationTypedData(usdc, authorization)
  return { authorization, signature: await signer.signTypedData(typed) }
}
const check = (payload: Awaited<ReturnType<typeof signed>>, more: object = {}): string =>
  codeOf(() => checkEvmPayment({ challenge, asset: usdc, payload, nowSeconds, ...more }))

test('an authorization goes through the credential unchanged and pays its challenge', async () => {
  const payload = await signed()
  const source = evmSource(8453, payer.address)
  const { headerValue } = writeCredential({ challenge, source, payload: evmPayload(payload) })
  const credential = readCredential({ authorization: headerValue })
  if (!credential) throw new Error('no credential')
  expect(readEvmPayload(credential.payload)).toEqual(payload)
  expect(check(payload, { challenge: credential.challenge, source: credential.source })).toBe(
    'none',
  )
})

test('an authorization that pays anything else than its challenge is refused by what differs', async () => {
  expect(check(await signed({ to: payer.address }))).toBe('authorization_recipient_mismatch')
  expect(check(await signed({ value: 9_999n }))).toBe('authorization_amount_mismatch')
  expect(check(await signed({ value: 10_001n }))).toBe('authorization_amount_mismatch')
  expect(check(await signed({ nonce: `0x${'22'.repeat(32)}` }))).toBe(
    'authorization_nonce_mismatch',
  )
  expect(check(await signed({ validBefore: nowSeconds + 5n }))).toBe('authorization_expired')
  expect(check(await signed({ validAfter: nowSeconds }))).toBe('authorization_not_yet_valid')
  const other = privateKeyToAccount(generatePrivateKey())
  expect(check(await signed({}, other))).toBe('authorization_signature_invalid')
  const source = evmSource(8453, other.address)
  expect(check(await signed(), { source })).toBe('authorization_source_mismatch')
  expect(check(await signed(), { source: source.toUpperCase() })).toBe(
    'authorization_source_mismatch',
  )
  expect(check(await signed(), { asset: sepolia })).toBe('challenge_terms_mismatch')
  // The same contract on another chain.
  expect(check(await signed(), { asset: { ...usdc, chainId: 84532 } })).toBe(
    'challenge_terms_mismatch',
  )
})

// The nonce is the hash of id and realm, so a signature for one challenge pays no other challenge of the same price.
test('an authorization for one challenge does not pay another', async () => {
  const twin = makeChallenge(key, { ...demand, ...EVM_CHARGE, terms, scope: 'PL_B' })
  expect(check(await signed(), { challenge: twin })).toBe('authorization_nonce_mismatch')
})

test('a payload that is not a sound authorization is refused', async () => {
  const sound = evmPayload(await signed())
  const codes = (
    [
      { type: 'permit2' },
      { from: '0x1' },
      { to: `0x${'0'.repeat(40)}` },
      { value: '010' },
      { value: 10_000 },
      { value: '1e4' },
      { validAfter: '-1' },
      { validBefore: (2n ** 256n).toString() },
      { nonce: '0x12' },
      { signature: `0x${'ff'.repeat(65)}` },
      { signature: `0x${'11'.repeat(64)}` },
    ] as JsonObject[]
  ).map((change) => codeOf(() => readEvmPayload({ ...sound, ...change })))
  expect(new Set(codes)).toEqual(new Set(['payload_invalid']))
})

test.each<[JsonObject, string]>([
  [{ amount: '0' }, 'invalid_amount'],
  [{ amount: '01' }, 'invalid_amount'],
  [{ amount: '0.5' }, 'invalid_amount'],
  [{ amount: 10_000 }, 'invalid_amount'],
  [{ amount: '1'.repeat(22) }, 'invalid_amount'],
  [{ currency: 'usd' }, 'invalid_asset'],
  [{ recipient: `0x${'0'.repeat(40)}` }, 'invalid_recipient'],
  [{ methodDetails: [] }, 'malformed'],
  [{ methodDetails: { ...details, chainId: '8453' } }, 'unsupported_network'],
  [{ methodDetails: { ...details, chainId: 0 } }, 'unsupported_network'],
  [{ methodDetails: { ...details, credentialTypes: ['permit2'] } }, 'unsupported_credential_type'],
  [{ methodDetails: { chainId: 8453 } }, 'unsupported_credential_type'],
  [{ methodDetails: { ...details, splits: [] } }, 'unsupported_splits'],
])('evm terms with %j cannot be paid: %s', (change, reason) => {
  expect(readEvmTerms({ ...terms, ...change })).toBe(reason)
})

const wallet = { assets: [usdc], cards: { issuer, asset: usdc } }
const reasons = (challenges: Challenge[], payer_: Parameters<typeof readOffers>[2] = wallet) =>
  readOffers(at, challenges, payer_).skipped.map(({ reason }) => reason)

test('a payer takes what it can pay, and says why not the rest', () => {
  const other = makeEvm(evmTerms({ asset: sepolia, amount: amount(1n), recipient }))
  const token = makeEvm({ ...terms, currency: recipient })
  const cents = makeEvm({ ...terms, methodDetails: { ...details, decimals: 2 } })
  const elsewhere = makeCard({ ...cardTerms, methodDetails: { issuer: 'https://b', decimals: 6 } })
  const finer = makeCard({ ...cardTerms, methodDetails: { issuer, decimals: 2 } })
  const euro = makeCard({ ...cardTerms, currency: 'eurc' })
  const strange = { ...challenge, method: 'tempo' }
  const metered = { ...challenge, intent: 'session' }
  const late = { ...challenge, expires: at.toISOString() }
  const all = [
    challenge,
    cardChallenge,
    other,
    token,
    cents,
    elsewhere,
    finer,
    euro,
    strange,
    metered,
    late,
  ]
  const { offers, skipped } = readOffers(at, all, wallet)
  expect(offers.map(({ method, amount: asked }) => [method, asked])).toEqual([
    ['evm', 10_000n],
    ['agentcard', 9_999n],
  ])
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'unsupported_network',
    'unsupported_asset',
    'decimals_mismatch',
    'unsupported_issuer',
    'decimals_mismatch',
    'unsupported_asset',
    'unsupported_method',
    'unsupported_method',
    'expired',
  ])
  expect(reasons([cardChallenge], { assets: [usdc] })).toEqual(['unsupported_issuer'])
})

test('a challenge for another body than ours is not paid', () => {
  const body = Buffer.from('{"a":1}')
  const bound = makeChallenge(key, { ...demand, ...EVM_CHARGE, terms, body })
  expect(reasons([bound], { ...wallet, body })).toEqual([])
  expect(reasons([bound])).toEqual(['digest_mismatch'])
})

test('the cheapest offer within the cap is chosen, and never one above it', () => {
  const same = makeCard({ ...cardTerms, amount: '10000' })
  const { offers } = readOffers(at, [challenge, same, cardChallenge], wallet)
  const choose = (maxAmount: bigint, more: object = {}) =>
    chooseOffer(offers, { asset: usdc, maxAmount, ...more })?.challenge
  expect(choose(10_000n)).toBe(cardChallenge)
  expect(choose(9_999n)).toBe(cardChallenge)
  expect(choose(9_998n)).toBeUndefined()
  expect(choose(10_000n, { asset: sepolia })).toBeUndefined()
  const equal = readOffers(at, [challenge, same], wallet).offers
  const prefer = (...methods: ('evm' | 'agentcard')[]) =>
    chooseOffer(equal, { asset: usdc, maxAmount: 10_000n, prefer: methods })?.method
  expect(prefer()).toBe('evm')
  expect(prefer('agentcard')).toBe('agentcard')
  expect(prefer('evm', 'agentcard')).toBe('evm')
})

const held = { card: 'card_1', hold: 'hold_1' }
const pay = (token: string, by: Challenge = cardChallenge, keys = [key] as const) =>
  readCardToken(keys, by, agentcardPayload(token))

test('a card token pays its challenge and no other', () => {
  const token = makeCardToken(key, cardChallenge, held)
  expect(pay(token)).toEqual(held)
  expect(pay(token, { ...cardChallenge, description: 'other words' })).toEqual(held)
  const dearer = makeCard({ ...cardTerms, amount: '10000' })
  const twin = makeChallenge(key, { ...demand, ...AGENTCARD_CHARGE, terms: cardTerms, salt: 'x' })
  // Another seller gives the same id to other terms.
  const forged = { ...dearer, id: cardChallenge.id }
  for (const other of [dearer, twin, forged])
    expect(codeOf(() => pay(token, other))).toBe('card_token_mismatch')
})

test('claims sealed for one use open for no other', () => {
  const token = sealClaims(key, 'a', { b: 'c' })
  expect(openClaims([Buffer.alloc(32, 9), key], 'a', token)).toEqual({ b: 'c' })
  expect(openClaims([key], 'b', token)).toBeUndefined()
})

test('a card token that was not made here is refused', () => {
  const token = makeCardToken(key, cardChallenge, held)
  const [claims = '', mac = ''] = token.split('.')
  const richer = Buffer.from(
    Buffer.from(claims, 'base64url').toString().replace('card_1', 'card_2'),
  ).toString('base64url')
  // Sealed with the same key, but for another use.
  const other = sealClaims(key, 'x', { card: 'card_1' })
  for (const bad of [
    `${richer}.${mac}`,
    `${claims}.`,
    `.${mac}`,
    claims,
    '',
    `${token}.`,
    `${token}=`,
    'x'.repeat(10_000),
    other,
    makeCardToken(Buffer.alloc(32, 9), cardChallenge, held),
  ])
    expect(codeOf(() => pay(bad))).toBe('card_token_invalid')
  expect(codeOf(() => readCardToken([key], cardChallenge, { type: 'x', token }))).toBe(
    'payload_invalid',
  )
  expect(codeOf(() => readCardToken([key], cardChallenge, { type: 'cardToken' }))).toBe(
    'payload_invalid',
  )
})
