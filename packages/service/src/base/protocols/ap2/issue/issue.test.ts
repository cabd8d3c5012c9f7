import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import {
  agent,
  at,
  closedContent,
  directOf,
  merchant,
  openContent,
  service,
  stranger,
} from '../../../../../test/actors/ap2/mandates.ts'
import { ExactNumber, type JsonValue } from '../../json.ts'
import { digestOf } from '../jose/digest.ts'
import { readJws } from '../jose/jws.ts'
import { importKey, publicJwkOf, signerOf, thumbprintOf } from '../jose/keys.ts'
import { readOpenContent } from '../read/content.ts'
import { majorOfMinor, minorOfMajor } from '../read/currency.ts'
import { type Checkout, makeCheckout, transactionIdOf, verifyCheckout } from './checkout.ts'
import { makeReceipt, type Receipt, verifyReceipt } from './receipt.ts'
import { openContentOf } from './terms.ts'

const later = new Date('2026-03-01T11:00:00Z')
const by = { kid: 'svc', sign: signerOf(service) }
const key = importKey(publicJwkOf(service))

const SCHEMAS = [
  'payment_receipt',
  'payment_mandate',
  'open_payment_mandate',
  ...['amount', 'jwk', 'merchant', 'payment_instrument', 'pisp', 'receipt_status'].map(
    (name) => `types/${name}`,
  ),
]

/** AP2's own schemas, which refer to each other by file. */
function schemas(): (name: string, value: unknown) => string {
  const ajv = new Ajv2020({ strict: false })
  for (const name of SCHEMAS) {
    const text = readFileSync(new URL(`../vectors/schemas/${name}.json`, import.meta.url), 'utf8')
    const { $id: _, ...schema } = JSON.parse(text)
    ajv.addSchema(schema, `https://ap2/${name}.json`)
  }
  return (name, value) =>
    ajv.validate(`https://ap2/${name}.json`, value) ? 'valid' : ajv.errorsText()
}

const success: Receipt = {
  status: 'Success',
  issuer: 'https://pay.example',
  issuedAt: at,
  paymentId: 'set_1',
  reference: digestOf('jwt'),
  mandateSdHash: digestOf('sd-jwt'),
  pspConfirmationId: 'set_1',
  networkConfirmationId: 'trf_1',
}
const { pspConfirmationId: _psp, networkConfirmationId: _network, ...base } = success
const failure: Receipt = {
  ...base,
  status: 'Error',
  error: 'invalid_mandate',
  errorDescription: 'The mandate names another payee than this link',
}

test('receipts and contents are what the schemas of AP2 ask for', async () => {
  const check = schemas()
  for (const receipt of [success, failure])
    expect(check('payment_receipt', readJws(await makeReceipt(receipt, by)).payload)).toBe('valid')
  expect(check('payment_mandate', closedContent)).toBe('valid')
  // Only the schema requires a payment.reference; the reference SDK, its example and its tests do not.
  const reference = { type: 'payment.reference', conditional_transaction_id: 'x' }
  const constraints = [...(openContent.constraints as JsonValue[]), reference]
  expect(check('open_payment_mandate', { ...openContent, constraints })).toBe('valid')
})

test('a receipt says what was signed, to whom holds the key of its issuer', async () => {
  for (const receipt of [success, failure]) {
    const jwt = await makeReceipt(receipt, by)
    expect(readJws(jwt).header.kid).toBe('svc')
    expect(verifyReceipt(jwt, key)).toEqual(receipt)
    expect(() => verifyReceipt(jwt, importKey(publicJwkOf(stranger)))).toThrow(
      expect.objectContaining({ code: 'receipt_invalid' }),
    )
  }
})

test('a checkout hashes to its transaction id, and lasts until its exp', async () => {
  const checkout: Checkout = {
    issuer: 'https://pay.example',
    id: 'pl_7f3k',
    jti: 'random',
    merchant,
    currency: 'USD',
    amount: 2500n,
    lineItems: [{ title: 'A report', quantity: 1 }],
    issuedAt: at,
    expiresAt: later,
  }
  const { checkoutJwt, transactionId } = await makeCheckout(checkout, by)
  expect(transactionIdOf(checkoutJwt)).toBe(transactionId)
  expect(verifyCheckout(checkoutJwt, key, at)).toEqual(checkout)
  for (const [other, time] of [
    [key, later],
    [importKey(publicJwkOf(stranger)), at],
  ] as const)
    expect(() => verifyCheckout(checkoutJwt, other, time)).toThrow(
      expect.objectContaining({ code: 'checkout_invalid' }),
    )
})

test('a recurring open mandate is read as it was meant: the budget in major units on the wire', () => {
  const content = openContentOf({
    id: 'om_2',
    agentKey: publicJwkOf(agent),
    issuedAt: at,
    expiresAt: later,
    amountRange: { currency: 'USD', min: 100n, max: 2050n },
    payees: [merchant],
    instruments: [{ id: 'card_123', type: 'card' }],
    budget: { amount: 6050n, currency: 'USD' },
    recurrence: { frequency: 'MONTHLY', maxOccurrences: 3 },
    executionWindow: { notBefore: at, notAfter: later },
  })
  expect(content.constraints).toContainEqual({ type: 'payment.budget', max: 60.5, currency: 'USD' })
  expect(readOpenContent(content).constraints).toEqual([
    { type: 'payment.amount_range', currency: 'USD', min: 100n, max: 2050n },
    { type: 'payment.allowed_payees', ids: [merchant.id] },
    { type: 'payment.allowed_payment_instruments', ids: ['card_123'] },
    { type: 'payment.budget', currency: 'USD', max: 6050n },
    { type: 'payment.agent_recurrence', frequency: 'MONTHLY', maxOccurrences: 3 },
    { type: 'payment.execution_date', notBefore: at, notAfter: later },
  ])
})

test.each([
  ['60', 'USD', 6000n],
  ['60.5', 'USD', 6050n],
  ['60.50', 'USD', 6050n],
  ['60.500', 'USD', 6050n],
  ['0.29', 'USD', 29n],
  ['1e3', 'USD', 100_000n],
  ['100', 'JPY', 100n],
  ['0.001', 'KWD', 1n],
  ['0.000001', 'USDC', 1n],
  ['0.005', 'USD', undefined],
  ['0.5', 'JPY', undefined],
  ['-1', 'USD', undefined],
])('a budget of %s %s is %s minor units', (text, currency, minor) => {
  expect(minorOfMajor(new ExactNumber(text), currency)).toBe(minor)
  if (minor !== undefined) expect(majorOfMinor(minor, currency)).toBe(Number(text))
})

test('a budget that no double holds is refused, not rounded', () => {
  expect(majorOfMinor(9_007_199_254_740_993n, 'JPY')).toBeUndefined()
  expect(majorOfMinor(10n ** 24n + 1n, 'USD')).toBeUndefined()
})

test('the thumbprint covers the required members alone, in their order', () => {
  const jwk = publicJwkOf(service)
  const canonical = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y })
  expect(thumbprintOf(jwk)).toBe(digestOf(canonical))
})

test('no two mandates over the same content look alike: each disclosure has its own salt', async () => {
  const [one, two] = [await directOf(), await directOf()]
  expect(one.split('~')[1]).not.toBe(two.split('~')[1])
})
