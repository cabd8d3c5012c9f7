import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Asset, USDC } from '../../kernel/assets.ts'
import { challengeId, checkBinding, olderChallengeId } from './binding.ts'
import { checkBody, isDigestOf } from './digest.ts'
import { readChallenges, writeChallenge } from './headers/challenge.ts'
import { readCredential } from './headers/credential.ts'
import { readReceipt } from './headers/receipt.ts'
import { checkEvmPayment, readEvmPayload } from './methods/evm.ts'
import { readOffers } from './methods/match.ts'
import { readProblem } from './problem.ts'

// The recorded output of the reference implementation as a server and as a client: vectors/README.md.
type Recorded = {
  secret: string
  ids: string[]
  challenge: { www_authenticate: string; body: string }
  receipt: string
  problems: { name: string; status: number; body: string }[]
  body_digest: { body: string; digest: string }
  our_key: string
  our_body: string
  credentials: Record<string, { challenge: string; headers: Record<string, string> }>
}
const mppx = JSON.parse(
  readFileSync(new URL('vectors/mppx-0.11.0.json', import.meta.url), 'utf8'),
) as Recorded

const usdc = USDC[8453] as Asset
const at = new Date('2026-11-21T12:00:00Z')
const nowSeconds = BigInt(at.getTime() / 1000)

test.each(mppx.ids)(
  'we compute the id that mppx gave, and write its challenge back: %#',
  (wire) => {
    const [challenge, ...more] = readChallenges(wire).challenges
    if (!challenge) throw new Error('not read')
    expect(more).toEqual([])
    expect(olderChallengeId(Buffer.from(mppx.secret), challenge)).toBe(challenge.id)
    // Without a header the newest order is the same.
    if (challenge.header === undefined)
      expect(challengeId(Buffer.from(mppx.secret), challenge)).toBe(challenge.id)
    expect(writeChallenge(challenge)).toBe(wire)
  },
)

test('two challenges of mppx in one field are two offers that we can pay', () => {
  const { challenges, skipped } = readChallenges(mppx.challenge.www_authenticate)
  expect(skipped).toEqual([])
  expect(challenges.map(({ method }) => method)).toEqual(['evm', 'agentcard'])
  expect(challenges[0]?.description).toBe('Pay "link" A — 1¢ \\ ☕')
  const payer = {
    assets: [usdc],
    cards: { issuer: 'https://purser.example', asset: usdc },
  }
  const read = readOffers(at, challenges, payer)
  expect(read.skipped).toEqual([])
  expect(read.offers.map(({ amount }) => amount)).toEqual([10_000n, 10_000n])
  expect(read.offers.map(({ charge }) => charge.externalId)).toEqual(['PL_A', 'PL_A'])
})

test('problem documents of mppx are read with their types', () => {
  expect(readProblem(Buffer.from(mppx.challenge.body))?.type).toBe('payment-required')
  const types = mppx.problems.map(({ name, body }) => [name, readProblem(Buffer.from(body))?.type])
  expect(Object.fromEntries(types)).toEqual({
    malformed: 'malformed-credential',
    scope: 'invalid-challenge',
    changed: 'invalid-challenge',
    'bad token': 'verification-failed',
    'bad payload': 'invalid-payload',
    'wrong nonce': 'verification-failed',
    expired: 'payment-expired',
  })
  for (const { status, body } of mppx.problems)
    expect(readProblem(Buffer.from(body))?.status).toBe(status)
})

test('a receipt of mppx is read, though it lacks what the evm draft wants', () => {
  expect(readReceipt(mppx.receipt)).toMatchObject({
    method: 'evm',
    reference: `0x${'11'.repeat(32)}`,
    challengeId: undefined,
  })
})

test('a body digest of mppx, which has no colons, is one of its body and of no other', () => {
  const { body, digest } = mppx.body_digest
  expect(isDigestOf(digest, Buffer.from(body))).toBe(true)
  expect(isDigestOf(digest, Buffer.from(`${body} `))).toBe(false)
})

test.each(Object.entries(mppx.credentials))(
  'the client of mppx pays our challenge: %s',
  (name, { headers }) => {
    const credential = readCredential(headers)
    if (!credential) throw new Error('no credential')
    const { challenge, payload, source } = credential
    const keys = [Buffer.from(mppx.our_key)] as const
    checkBinding(challenge, { keys, realm: 'purser.example', scope: 'PL_A', at })
    checkBody(challenge, Buffer.from(name === 'digest' ? mppx.our_body : ''))
    expect(challenge.description).toBe('Link "A" — 1¢ \\ ☕')
    if (challenge.method === 'agentcard') {
      expect(payload).toEqual({ type: 'cardToken', token: 'tok.en' })
      return
    }
    const evm = readEvmPayload(payload)
    checkEvmPayment({ challenge, asset: usdc, payload: evm, source, nowSeconds })
    expect(evm.authorization.value).toBe(10_000n)
  },
)
