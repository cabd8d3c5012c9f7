import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  agent,
  at,
  chainOf,
  closedContent,
  directOf,
  disclosureOf,
  expected,
  forge,
  openContent,
  ROOT,
  referTo,
  service,
  verdict,
} from '../../../../test/actors/ap2/mandates.ts'
import { JsonFault, type JsonObject, type JsonValue, parseJson } from '../json.ts'
import { verifyCheckout } from './issue/checkout.ts'
import { makeOpenMandate, makeTerminalMandate } from './issue/issue.ts'
import { makeReceipt, verifyReceipt } from './issue/receipt.ts'
import { importKey, publicJwkOf, readPublicJwk, signerOf } from './jose/keys.ts'
import { evaluate } from './judge/evaluate.ts'
import { readPresentation } from './read/presentation.ts'
import { Ap2Refusal } from './refusal.ts'

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~'
const key = importKey(publicJwkOf(service))

/** The refusal that `work` throws. Fails on any other error. */
function refusal(work: () => unknown): Ap2Refusal | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Ap2Refusal) return error
    throw error
  }
}

/** Whether our reader accepts the text. The reader throws only its own fault. */
function isStrict(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch (error) {
    if (error instanceof JsonFault) return false
    throw error
  }
}

test('any one character of a signed chain changed, left out or added is refused', async () => {
  for (const token of [await chainOf(), await directOf()]) {
    expect(verdict(token)).toBe('ok')
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom(...CHARACTERS),
        fc.constantFrom('change', 'drop', 'add'),
        (index, character, how) => {
          const [before, after] = [token.slice(0, index), token.slice(index + 1)]
          if (how === 'change' && token[index] === character) return
          const changed = {
            change: before + character + after,
            drop: before + after,
            add: before + character + token.slice(index),
          }[how]
          if (changed !== token) expect(verdict(changed)).not.toBe('ok')
        },
      ),
      { numRuns: 200 },
    )
  }
})

test('pieces of a chain in another order, or missing, are refused', async () => {
  const token = await chainOf()
  const pieces = token.split('~')
  fc.assert(
    fc.property(fc.shuffledSubarray(pieces, { minLength: 0 }), (some) => {
      const joined = some.join('~')
      if (joined !== token) expect(verdict(joined)).not.toBe('ok')
    }),
  )
})

test('no text makes the reader throw anything but a refusal', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc.constantFrom('~', '~~', '.', ''),
  )
  const pieces = fc.array(piece, { maxLength: 8 })
  fc.assert(
    fc.property(pieces, pieces, (closed, open) => {
      const [closedMandate, openMandate] = [closed.join(''), open.join('')]
      expect(refusal(() => readPresentation({ closedMandate }))).toBeInstanceOf(Ap2Refusal)
      expect(refusal(() => readPresentation({ closedMandate, openMandate }))).toBeInstanceOf(
        Ap2Refusal,
      )
      expect(refusal(() => verifyReceipt(closedMandate, key))?.code).toBe('receipt_invalid')
      expect(refusal(() => verifyCheckout(closedMandate, key, at))?.code).toBe('checkout_invalid')
    }),
  )
})

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>
/** An object with some members replaced by anything, or removed. */
const mangled = (object: JsonObject): fc.Arbitrary<JsonObject> =>
  fc
    .dictionary(fc.constantFrom(...Object.keys(object), 'cnf', '_sd', '...', 'jti', 'aud'), json)
    .map((changes) => ({ ...object, ...changes }))

test('no content, payload or header makes anything throw but a refusal', async () => {
  const pieces = fc.tuple(mangled(closedContent), mangled(ROOT), mangled({ iss: 'x', iat: 1 }))
  await fc.assert(
    fc.asyncProperty(pieces, async ([content, header, more]) => {
      const disclosure = disclosureOf(content)
      const token = await forge(header, { ...more, ...referTo(disclosure) }, [disclosure])
      verdict(token)
    }),
  )
})

test('no open mandate makes the judgement throw', async () => {
  const constraints = openContent.constraints as JsonObject[]
  const constraint = fc.oneof(json, ...constraints.map((one) => mangled(one)))
  await fc.assert(
    fc.asyncProperty(
      fc.array(constraint, { maxLength: 5 }),
      mangled(openContent),
      async (list, content) => {
        const disclosure = disclosureOf({ ...content, constraints: list })
        const header = { ...ROOT, kid: 'svc' }
        const sign = signerOf(service)
        const openMandate = await forge(header, referTo(disclosure), [disclosure], sign)
        const closing = { audience: 'a', nonce: 'n', issuedAt: at, sign: signerOf(agent) }
        const made = await makeTerminalMandate(closedContent, { openMandate, ...closing }).catch(
          (error: unknown) => {
            if (!(error instanceof Ap2Refusal)) throw error
          },
        )
        if (made === undefined) return
        refusal(() =>
          evaluate(readPresentation({ closedMandate: made, openMandate }), expected, at),
        )
      },
    ),
  )
})

test('no value makes the makers or the key reader throw anything but a refusal', async () => {
  const by = { kid: 'svc', sign: signerOf(service) }
  await fc.assert(
    fc.asyncProperty(mangled(openContent), json, async (content, value) => {
      refusal(() => readPublicJwk(value))
      await makeOpenMandate(content, by).catch((error: unknown) =>
        expect(error).toBeInstanceOf(Ap2Refusal),
      )
    }),
  )
})

test('JSON is read as JavaScript reads it, save for what is refused', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 2), (text, space) => {
      const value: unknown = JSON.parse(text)
      const spaced = JSON.stringify(value, null, space)
      if (!isStrict(spaced)) {
        expect(spaced).toMatch(/__proto__|\\u0000|\\ud[89a-f]/i)
        return
      }
      expect(JSON.parse(JSON.stringify(parseJson(spaced)))).toEqual(JSON.parse(spaced))
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      // JavaScript must accept everything that we accept.
      if (isStrict(text)) JSON.parse(text)
    }),
  )
})

test('any changed character of a receipt is refused', async () => {
  const receipt = {
    status: 'Error',
    issuer: 'us',
    issuedAt: at,
    paymentId: 'p',
    reference: 'r',
    error: 'e',
    errorDescription: 'd',
  } as const
  const jwt = await makeReceipt(receipt, { kid: 'svc', sign: signerOf(service) })
  fc.assert(
    fc.property(fc.nat(jwt.length - 1), fc.constantFrom(...CHARACTERS), (index, character) => {
      if (jwt[index] === character) return
      const changed = jwt.slice(0, index) + character + jwt.slice(index + 1)
      expect(refusal(() => verifyReceipt(changed, key))).toBeInstanceOf(Ap2Refusal)
    }),
  )
})
