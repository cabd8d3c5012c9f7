import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asset, USDC } from '../../kernel/assets.ts'
import { amount } from '../../kernel/money.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { checkBinding, checkTerms, makeChallenge } from './binding.ts'
import { checkBody, isDigestOf } from './digest.ts'
import { preferred } from './headers/accept.ts'
import { quoteText, readAuthList } from './headers/auth-list.ts'
import { echoOf, readChallenges, writeChallenge } from './headers/challenge.ts'
import { readCredential, writeCredential } from './headers/credential.ts'
import { readReceipt, writeReceipt } from './headers/receipt.ts'
import { canonicalJson, decodeJson, encodeJson } from './headers/wire.ts'
import {
  AGENTCARD_CHARGE,
  agentcardTerms,
  makeCardToken,
  readCardToken,
} from './methods/agentcard.ts'
import {
  checkEvmPayment,
  EVM_CHARGE,
  evmTerms,
  readEvmPayload,
  readEvmTerms,
} from './methods/evm.ts'
import { chooseOffer, readOffers } from './methods/match.ts'
import { readProblem } from './problem.ts'
import { MppRefusal } from './refusal.ts'

const usdc = USDC[8453] as Asset
const key = Buffer.alloc(32, 7)
const at = new Date('2026-11-21T12:00:00Z')
const expires = new Date('2026-11-21T12:05:00Z')
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const demand = { realm: 'purser.example', scope: 'PL_A', salt: 'c2FsdA', expires }
const terms = evmTerms({ asset: usdc, amount: amount(10_000n), recipient })
const challenge = makeChallenge(key, {
  ...demand,
  ...EVM_CHARGE,
  terms,
  body: Buffer.from('{}'),
  description: 'a "link"',
})
const cardChallenge = makeChallenge(key, {
  ...demand,
  ...AGENTCARD_CHARGE,
  terms: agentcardTerms({ issuer: 'i', asset: usdc, amount: amount(1n), recipient: 'r' }),
})
const payload = {
  type: 'authorization',
  from: recipient,
  to: recipient,
  value: '10000',
  validAfter: '0',
  validBefore: '1795262580',
  nonce: `0x${'22'.repeat(32)}`,
  signature: `0x${'11'.repeat(64)}1b`,
}
const expected = { keys: [key] as const, realm: 'purser.example', scope: 'PL_A', at }
const field = writeChallenge(challenge)
const authorization = writeCredential({ challenge, payload }).headerValue

/** The code of the refusal that `work` throws, `none` if it throws nothing. Fails on any other error. */
function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof MppRefusal) return error.code
    throw error
  }
}

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'grapheme' }))
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>
/** An object with some members replaced by anything, or removed. */
const mangled = (object: JsonObject): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...Object.keys(object), 'x', 'splits'), json),
      fc.subarray(Object.keys(object), { maxLength: 1 }),
    )
    .map(([changes, gone]) =>
      Object.fromEntries(
        Object.entries({ ...object, ...changes }).filter(([name]) => !gone.includes(name)),
      ),
    )
const edits = (sound: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(sound.length - 1),
      fc.constantFrom('change', 'drop', 'add', 'cut'),
      fc.constantFrom(...'Aaz09-_=",\\ |\n\0é.;/~'),
    )
    .map(([index, how, character]) => {
      const [before, after] = [sound.slice(0, index), sound.slice(index + 1)]
      return {
        change: before + character + after,
        drop: before + after,
        add: before + character + sound.slice(index),
        cut: before,
      }[how as 'change']
    })

test('no header makes a reader throw anything but a refusal', () => {
  const piece = fc.oneof(
    text,
    fc.constantFrom('Payment ', 'Bearer ', ', ', '"', '\\', '=', 'id="a"', 'request="e30"', '\\u'),
    fc.base64String(),
    fc.json().map((value) => Buffer.from(value).toString('base64url')),
  )
  const header = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    edits(field),
    edits(authorization),
  )
  fc.assert(
    fc.property(header, header, (one, two) => {
      const { challenges } = readChallenges([one, two])
      const { offers } = readOffers(at, challenges, { assets: [usdc] })
      chooseOffer(offers, { asset: usdc, maxAmount: 10_000n })
      codeOf(() => readCredential({ authorization: one, 'payment-authorization': two }))
      codeOf(() => readCredential({ authorization: `Payment ${one}` }))
      readReceipt(one)
      readProblem(Buffer.from(one))
      isDigestOf(one, Buffer.from(two))
      codeOf(() => checkBody({ digest: one }, Buffer.from(two)))
      preferred([EVM_CHARGE, AGENTCARD_CHARGE], one)
      decodeJson(one)
    }),
    { numRuns: 1000 },
  )
})

// Any challenge that we accept can be echoed, and the echo is the same challenge.
test('any challenge that is read is echoed unchanged', () => {
  const header = fc.oneof(edits(field), fc.constant(field))
  fc.assert(
    fc.property(header, (value) => {
      for (const read of readChallenges(value).challenges) {
        const { headerName, headerValue } = writeCredential({ challenge: read, payload })
        const back = readCredential({ [headerName.toLowerCase()]: headerValue })
        expect(back).toEqual({ challenge: read, payload })
        expect(readChallenges(writeChallenge(read)).challenges).toEqual([read])
      }
    }),
    { numRuns: 500 },
  )
})

test('no one character of an echoed challenge can be changed, but in its description', () => {
  const echo = echoOf(challenge) as { [name: string]: string }
  const change = fc
    .constantFrom(...Object.keys(echo))
    .chain((name) => edits(echo[name] as string).map((value) => ({ name, value })))
  fc.assert(
    fc.property(change, ({ name, value }) => {
      if (value === echo[name] || name === 'description') return
      const changed = encodeJson({ challenge: { ...echo, [name]: value }, payload })
      const code = codeOf(() => {
        const credential = readCredential({ authorization: `Payment ${changed}` })
        if (credential) checkBinding(credential.challenge, expected)
      })
      expect(['credential_malformed', 'challenge_unknown', 'credential_misplaced']).toContain(code)
    }),
    { numRuns: 500 },
  )
})

test('no payload or terms make a check throw anything but a refusal', () => {
  const sealed = makeCardToken(key, cardChallenge, { card: 'c', hold: 'h' })
  const details = terms.methodDetails as JsonObject
  const anyTerms = fc
    .tuple(mangled(terms), mangled(details))
    .map(([object, methodDetails]) => ({ ...object, methodDetails }))
  fc.assert(
    fc.property(
      fc.oneof(mangled(payload), mangled({ type: 'cardToken', token: sealed })),
      fc.oneof(anyTerms, mangled(terms)),
      (claims, asked) => {
        readEvmTerms(asked)
        const by = { ...challenge, terms: asked }
        codeOf(() => {
          const evm = readEvmPayload(claims)
          checkEvmPayment({ challenge: by, asset: usdc, payload: evm, nowSeconds: 1_795_262_400n })
        })
        codeOf(() => readCardToken([key], cardChallenge, claims))
        codeOf(() => checkTerms(challenge, asked))
        codeOf(() => writeCredential({ challenge, payload: claims }))
      },
    ),
    { numRuns: 500 },
  )
})

test('no text makes a writer throw anything but a refusal, or write what is not read back', () => {
  fc.assert(
    fc.property(text, text, text, (realm, method, description) => {
      const made = { ...challenge, realm, method, description }
      let written = ''
      if (codeOf(() => (written = writeChallenge(made))) !== 'none') return
      expect(written).toMatch(/^[\x20-\x7e]*$/)
      const [read] = readChallenges(written).challenges
      expect(read).toMatchObject({ id: challenge.id, realm, method })
    }),
  )
  fc.assert(
    fc.property(text, text, (name, value) => {
      codeOf(() => makeChallenge(key, { ...demand, ...EVM_CHARGE, terms: { [name]: value } }))
      const receipt = { method: 'evm', reference: value, settledAt: at, challengeId: name }
      codeOf(() => readReceipt(writeReceipt(receipt)))
    }),
  )
})

test('a description is shown as it was given, whatever its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (given) => {
      expect(readAuthList(`A a=${quoteText(given)}`).items[0]?.params.get('a')).toBe(given)
      const [read] = readChallenges(writeChallenge({ ...challenge, description: given })).challenges
      expect(read?.description).toBe(given.replace(/\p{Cc}/gu, ' '))
    }),
  )
})

test('canonical JSON is what it stands for, the same in any order of members', () => {
  const value = fc.jsonValue({ stringUnit: 'grapheme' }) as fc.Arbitrary<JsonValue>
  fc.assert(
    fc.property(value, (given) => {
      let canonical = ''
      if (codeOf(() => (canonical = canonicalJson(given))) !== 'none') return
      expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(given)))
      expect(canonicalJson(reversed(JSON.parse(canonical)))).toBe(canonical)
    }),
  )
})

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item as JsonValue)]),
  )
}
