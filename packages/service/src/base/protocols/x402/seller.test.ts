import { x402Client, x402HTTPClient } from '@x402/core/client'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import {
  PaymentPayloadV2Schema,
  PaymentRequiredV1Schema,
  PaymentRequiredV2Schema,
} from '@x402/core/schemas'
import { ExactEvmScheme, registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { type Asset, USDC } from '../../kernel/assets.ts'
import { amount } from '../../kernel/money.ts'
import { authorizationRefusal, matchAccepted } from './match.ts'
import { paymentIdentifierExtension } from './payment/identifier.ts'
import {
  type PaymentPayload,
  parsePaymentPayload,
  parsePaymentPayloadV1,
  parsePaymentSignature,
  parseXPayment,
} from './payment/payload.ts'
import { encodePaymentRequired, paymentRequiredV1, paymentRequirements } from './requirements.ts'
import { encodePaymentResponse, encodeXPaymentResponse, readPaymentResponse } from './response.ts'
import { encodeHeader, type JsonObject } from './wire.ts'

const account = privateKeyToAccount(generatePrivateKey())
const usdc = USDC[8453] as Asset
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const offer = paymentRequirements({
  asset: usdc,
  amount: amount(10_000n),
  payTo,
  maxTimeoutSeconds: 60,
})
const resource = { url: 'https://seller.example/pay/PL_1', description: 'A pay link' }
const required = {
  error: 'PAYMENT-SIGNATURE header is required',
  resource,
  accepts: [offer],
  extensions: paymentIdentifierExtension(false),
}
const now = () => BigInt(Math.floor(Date.now() / 1000))

const officialClient = () =>
  new x402HTTPClient(registerExactEvmScheme(new x402Client(), { signer: account }))

/** The official client's payment of our demand. */
async function officialPayment(header: string | undefined, body?: unknown): Promise<string> {
  const client = officialClient()
  const demand = client.getPaymentRequiredResponse(
    (name) => (name === 'PAYMENT-REQUIRED' ? header : undefined),
    body,
  )
  const headers = client.encodePaymentSignatureHeader(await client.createPaymentPayload(demand))
  return Object.values(headers)[0] ?? ''
}

let paid: string
let json: JsonObject
beforeAll(async () => {
  paid = await officialPayment(encodePaymentRequired(required))
  json = JSON.parse(Buffer.from(paid, 'base64').toString())
})

function parsed(header: string): PaymentPayload {
  const result = parsePaymentSignature(header)
  if (!result.ok) throw new Error(result.detail)
  return result.payload
}

/** The official payload with a change. */
function changed(change: (copy: any) => void): string {
  const copy = structuredClone(json)
  change(copy)
  return encodeHeader(copy)
}
const reasonOf = (header: string) => {
  const result = parsePaymentSignature(header)
  return result.ok ? 'ok' : result.reason
}

test('the official schema takes our demand as it is, upfront flow and all', () => {
  const demand = decodePaymentRequiredHeader(encodePaymentRequired(required))
  expect(PaymentRequiredV2Schema.parse(demand)).toEqual({ x402Version: 2, ...required })
  expect(demand.accepts[0]?.extra).toMatchObject({ paymentFlow: 'upfront' })
})

test('what the official client pays is read, matches our offer and is signed by it', () => {
  const payload = parsed(paid)

  expect(payload).toMatchObject({
    x402Version: 2,
    network: 'eip155:8453',
    resourceUrl: resource.url,
    paymentIdentifier: undefined,
    authorization: { from: account.address, to: payTo, value: 10_000n, validAfter: 0n },
  })
  expect(matchAccepted(payload, [offer])).toEqual({ ok: true, offer })
  const { authorization, signature } = payload
  expect(
    authorizationRefusal({ asset: usdc, authorization, signature, nowSeconds: now() }),
  ).toBeUndefined()
})

test('the official fetch pays our 402 and reads our answer', async () => {
  const answered: string[] = []
  const seller = async (input: string | URL | Request): Promise<Response> => {
    const header = input instanceof Request ? input.headers.get('PAYMENT-SIGNATURE') : null
    if (!header)
      return new Response('{}', {
        status: 402,
        headers: { 'PAYMENT-REQUIRED': encodePaymentRequired(required) },
      })
    const { authorization, network } = parsed(header)
    answered.push(authorization.from)
    const settled = encodePaymentResponse({
      success: true,
      transaction: `0x${'ab'.repeat(32)}`,
      network,
      payer: authorization.from,
    })
    return new Response('the resource', { headers: { 'PAYMENT-RESPONSE': settled } })
  }
  const client = registerExactEvmScheme(new x402Client(), { signer: account })

  const response = await wrapFetchWithPayment(seller, client)(resource.url)

  expect(await response.text()).toBe('the resource')
  expect(answered).toEqual([account.address])
})

test('a client of v1 pays the demand in the body', async () => {
  const body = paymentRequiredV1(required)
  expect(PaymentRequiredV1Schema.parse(body)).toEqual(body)

  const result = parseXPayment(await officialPayment(undefined, body))

  if (!result.ok) throw new Error(result.detail)
  const { authorization, signature } = result.payload
  expect(result.payload).toMatchObject({ x402Version: 1, network: 'eip155:8453' })
  expect(matchAccepted(result.payload, [{ ...offer, amount: '7' }, offer])).toEqual({
    ok: true,
    offer,
  })
  expect(
    authorizationRefusal({ asset: usdc, authorization, signature, nowSeconds: now() }),
  ).toBeUndefined()
})

test('v1 has no name for most networks, and they are left out', () => {
  const elsewhere = { ...offer, network: 'eip155:1' as const }
  expect(paymentRequiredV1({ ...required, accepts: [elsewhere, offer] }).accepts).toHaveLength(1)
})

test('the client can send a payment identifier', () => {
  const withId = (id: unknown) =>
    changed((copy) => {
      copy.extensions['payment-identifier'].info.id = id
    })
  expect(parsed(withId('pay_0123456789abcdef')).paymentIdentifier).toBe('pay_0123456789abcdef')
  for (const id of ['short', 'x'.repeat(129), 'pay_0123456789ab cdef', 7, null])
    expect(reasonOf(withId(id)), String(id)).toBe('invalid_payload')
})

test.each<[string, string, (copy: any) => void]>([
  ['no version', 'invalid_x402_version', (p) => delete p.x402Version],
  ['version as text', 'invalid_x402_version', (p) => (p.x402Version = '2')],
  ['version 1 in the v2 header', 'invalid_x402_version', (p) => (p.x402Version = 1)],
  ['no accepted', 'invalid_payload', (p) => delete p.accepted],
  ['accepted as a list', 'invalid_payload', (p) => (p.accepted = [p.accepted])],
  ['another scheme', 'unsupported_scheme', (p) => (p.accepted.scheme = 'upto')],
  ['another kind of chain', 'invalid_network', (p) => (p.accepted.network = 'solana:x')],
  ['a v1 network name', 'invalid_network', (p) => (p.accepted.network = 'base')],
  ['no payload', 'invalid_payload', (p) => delete p.payload],
  ['no authorization', 'invalid_payload', (p) => delete p.payload.authorization],
  ['permit2', 'invalid_payload', (p) => (p.payload = { permit2Authorization: {} })],
  ['extensions as text', 'invalid_payload', (p) => (p.extensions = 'x')],
  ['resource without url', 'invalid_payload', (p) => (p.resource = {})],
  ['value with a leading zero', 'invalid_payload', (p) => (p.payload.authorization.value = '0100')],
  ['value with a space', 'invalid_payload', (p) => (p.payload.authorization.value = ' 100')],
  ['value in hexadecimal', 'invalid_payload', (p) => (p.payload.authorization.value = '0x64')],
  ['value with an exponent', 'invalid_payload', (p) => (p.payload.authorization.value = '1e2')],
  ['value as a number', 'invalid_payload', (p) => (p.payload.authorization.value = 10000)],
  ['negative value', 'invalid_payload', (p) => (p.payload.authorization.value = '-1')],
  [
    'value above a uint256',
    'invalid_payload',
    (p) => (p.payload.authorization.value = (2n ** 256n).toString()),
  ],
  ['short nonce', 'invalid_payload', (p) => (p.payload.authorization.nonce = '0xab')],
  [
    'nonce of no hexadecimal',
    'invalid_payload',
    (p) => (p.payload.authorization.nonce = `0x${'zz'.repeat(32)}`),
  ],
  ['malformed payer', 'invalid_payload', (p) => (p.payload.authorization.from = '0x1')],
  ['payer zero', 'invalid_payload', (p) => (p.payload.authorization.from = `0x${'0'.repeat(40)}`)],
  ['short signature', 'invalid_exact_evm_signature', (p) => (p.payload.signature = '0x12')],
  ['no signature', 'invalid_exact_evm_signature', (p) => delete p.payload.signature],
  [
    'an added prototype',
    'invalid_payload',
    (p) => (p.accepted = JSON.parse(`{"__proto__":{},${JSON.stringify(p.accepted).slice(1)}`)),
  ],
])('a payment with %s is refused as %s', (_, reason, change) => {
  expect(reasonOf(changed(change))).toBe(reason)
})

test.each<[string, string, (copy: any) => void]>([
  ['network', 'invalid_exact_evm_network_mismatch', (p) => (p.accepted.network = 'eip155:84532')],
  ['payTo', 'invalid_exact_evm_recipient_mismatch', (p) => (p.accepted.payTo = account.address)],
  [
    'payTo in other letters',
    'invalid_exact_evm_recipient_mismatch',
    (p) => (p.accepted.payTo = payTo.toLowerCase()),
  ],
  [
    'amount',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    (p) => (p.accepted.amount = '1'),
  ],
  ['token name', 'invalid_exact_evm_token_name_mismatch', (p) => (p.accepted.extra.name = 'USDC')],
  [
    'token version',
    'invalid_exact_evm_token_version_mismatch',
    (p) => (p.accepted.extra.version = '1'),
  ],
  ['no extra', 'invalid_exact_evm_token_name_mismatch', (p) => delete p.accepted.extra],
  ['payment flow', 'invalid_payment_requirements', (p) => delete p.accepted.extra.paymentFlow],
  ['timeout', 'invalid_payment_requirements', (p) => (p.accepted.maxTimeoutSeconds = 61)],
  ['added member', 'invalid_payment_requirements', (p) => (p.accepted.more = 1)],
  [
    'signed recipient',
    'invalid_exact_evm_recipient_mismatch',
    (p) => (p.payload.authorization.to = account.address),
  ],
  [
    'signed value',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    (p) => (p.payload.authorization.value = '10001'),
  ],
])('a payment that differs in its %s is refused as %s', (_, reason, change) => {
  expect(matchAccepted(parsed(changed(change)), [offer])).toMatchObject({ ok: false, reason })
})

test('a payment with a member twice is refused, in v2 and v1', () => {
  const text = Buffer.from(paid, 'base64').toString('utf8')
  const twice = text.replace('"value":', '"value":"1","value":')
  expect(twice).not.toBe(text)
  for (const parse of [parsePaymentSignature, parseXPayment])
    expect(parse(Buffer.from(twice).toString('base64'))).toMatchObject({
      ok: false,
      reason: 'invalid_payload',
      message: 'The payment header has payload.authorization.value twice.',
    })
})

test('the order of members does not count', () => {
  const header = changed((p) => {
    p.accepted = Object.fromEntries(Object.entries(p.accepted).reverse())
  })
  expect(matchAccepted(parsed(header), [offer])).toEqual({ ok: true, offer })
})

test('a payment is refused outside its time, and when someone else signed it', () => {
  const { authorization, signature } = parsed(paid)
  const reason = (nowSeconds: bigint, change = {}) =>
    authorizationRefusal({
      asset: usdc,
      authorization: { ...authorization, ...change },
      signature,
      nowSeconds,
    })?.reason
  const end = authorization.validBefore

  expect(reason(end - 6n)).toBeUndefined()
  expect(reason(end - 5n)).toBe('invalid_exact_evm_payload_authorization_valid_before')
  expect(reason(now(), { validAfter: now() + 1n })).toBe(
    'invalid_exact_evm_payload_authorization_valid_after',
  )
  expect(reason(end - 30n, { from: payTo })).toBe('invalid_exact_evm_signature')
})

test('no header makes the parser throw', () => {
  const junk = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.base64String(),
    fc.json().map((text) => Buffer.from(text).toString('base64')),
    fc
      .anything()
      .map((value) =>
        encodeHeader({ x402Version: 2, accepted: plain(value), payload: plain(value) }),
      ),
  )
  fc.assert(
    fc.property(junk, (header) => {
      expect(parsePaymentSignature(header).ok).toBe(false)
      expect(parseXPayment(header).ok).toBe(false)
    }),
  )
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(parsePaymentPayload(value).ok).toBe(false)
      expect(parsePaymentPayloadV1(value).ok).toBe(false)
    }),
  )
})
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v)) ?? 'null')

test('a byte changed anywhere never pays for another thing', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 127 }), (position, code) => {
      const at = position % paid.length
      const mutated = paid.slice(0, at) + String.fromCharCode(code) + paid.slice(at + 1)
      const result = parsePaymentSignature(mutated)
      if (!result.ok) return
      const { authorization, signature } = result.payload
      const match = matchAccepted(result.payload, [offer])
      const refusal = authorizationRefusal({
        asset: usdc,
        authorization,
        signature,
        nowSeconds: now(),
      })
      if (match.ok && !refusal) expect(authorization).toEqual(parsed(paid).authorization)
    }),
    { numRuns: 500 },
  )
})

test('a payment is the same in each form of base64', () => {
  for (const pad of ['', ' ', '  ', ' ?>', ' ?> ']) {
    const bytes = Buffer.from(JSON.stringify(json) + pad.replace(/[?>]/g, ' '))
    const forms = [bytes.toString('base64'), bytes.toString('base64url')]
    for (const form of [...forms, forms[0]?.replace(/=+$/, '') ?? ''])
      expect(parsed(form)).toEqual(parsed(paid))
  }
  const marked = encodeHeader({ ...json, extensions: { note: { info: '~~~???>>>' } } })
  expect(marked).toMatch(/[+/]/)
  expect(parsed(marked.replaceAll('+', '-').replaceAll('/', '_'))).toEqual(parsed(marked))
})

test('a header that is no base64, too long or too deep is refused', () => {
  const deep = Buffer.from(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`).toString('base64')
  for (const header of [
    '',
    encodeHeader({ a: 'xy' }).replace(/=$/, ''),
    `${paid}=`,
    `${encodeHeader({ a: '>>>???~~~' })}-_`,
    `${paid}, ${paid}`,
    ` ${paid}`,
    paid.replace(/^./, '-'),
    encodeHeader({ ...json, padding: 'x'.repeat(33_000) }),
    deep,
    Buffer.from([0x22, 0xff, 0x22]).toString('base64'),
    Buffer.from('\ufeff{}').toString('base64'),
    'eyJhIjoxfR==',
  ])
    expect(reasonOf(header), header.slice(0, 40)).toBe('invalid_payload')
})

test('a settlement is reported to clients of both versions', () => {
  const settled = {
    success: true,
    transaction: `0x${'ab'.repeat(32)}`,
    network: 'eip155:8453',
    payer: payTo,
  } as const
  const failed = {
    success: false,
    errorReason: 'settlement_pending',
    transaction: '',
    network: 'eip155:8453',
  } as const

  expect(decodePaymentResponseHeader(encodePaymentResponse(settled))).toEqual(settled)
  expect(decodePaymentResponseHeader(encodeXPaymentResponse(settled)).network).toBe('base')
  expect(readPaymentResponse({ 'payment-response': encodePaymentResponse(failed) })).toEqual({
    success: false,
    errorReason: 'settlement_pending',
    network: 'eip155:8453',
    transaction: undefined,
    payer: undefined,
  })
})

test('the payload that we read is one that the official schema takes', () => {
  expect(PaymentPayloadV2Schema.safeParse(json).success).toBe(true)
  expect(new ExactEvmScheme(account).scheme).toBe('exact')
})
