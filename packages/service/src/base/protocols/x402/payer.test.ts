import { x402Client, x402HTTPClient } from '@x402/core/client'
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas'
import { x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Asset, USDC } from '../../kernel/assets.ts'
import { authorizationTypedData, type TransferAuthorization } from '../evm/eip3009/authorization.ts'
import { type Challenge, faultOfChallenge, type Offer, readChallenge } from './challenge.ts'
import { matchAccepted } from './match.ts'
import { encodePayment } from './payment/encode.ts'
import { parsePaymentSignature, parseXPayment } from './payment/payload.ts'
import { readPaymentResponse } from './response.ts'
import { encodeHeader } from './wire.ts'

const account = privateKeyToAccount(generatePrivateKey())
const usdc = USDC[84532] as Asset
const nothing = new Uint8Array()

const entry = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '2500',
  asset: usdc.contract.toLowerCase(),
  payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  maxTimeoutSeconds: 300,
  extra: { name: 'USDC', version: '2', note: 'keep me' },
}
const demand = {
  x402Version: 2,
  error: 'pay first',
  resource: { url: 'https://seller.example/data', mimeType: 'application/json' },
  accepts: [entry],
  extensions: {
    'payment-identifier': { info: { required: true }, schema: { type: 'object' } },
    bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: {} },
  },
}
const entryV1 = {
  scheme: 'exact',
  network: 'base-sepolia',
  maxAmountRequired: '2500',
  resource: 'https://seller.example/data',
  description: '',
  mimeType: 'application/json',
  payTo: entry.payTo,
  maxTimeoutSeconds: 300,
  asset: usdc.contract,
  extra: { name: 'USDC', version: '2' },
}

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
const inHeader = (value: object) =>
  readChallenge({
    status: 402,
    headers: { 'payment-required': Buffer.from(JSON.stringify(value)).toString('base64') },
    body: nothing,
  })
const inBody = (value: unknown) => readChallenge({ status: 402, headers: {}, body: bytes(value) })

async function pay(challenge: Challenge, offer: Offer, paymentIdentifier?: string) {
  const authorization: TransferAuthorization = {
    from: account.address,
    to: offer.payTo,
    value: offer.amount,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 60),
    nonce: `0x${'cd'.repeat(32)}`,
  }
  const signature = await account.signTypedData(authorizationTypedData(usdc, authorization))
  return encodePayment({
    challenge,
    offer,
    authorization,
    signature,
    ...(paymentIdentifier !== undefined && { paymentIdentifier }),
  })
}
function only(challenge: Challenge | undefined): { challenge: Challenge; offer: Offer } {
  const offer = challenge?.offers[0]
  if (!challenge || !offer) throw new Error('no offer')
  return { challenge, offer }
}

test('a v2 demand is read from the header, else from the body', () => {
  for (const challenge of [inHeader(demand), inBody(demand)])
    expect(challenge).toEqual({
      version: 2,
      offers: [
        {
          scheme: 'exact',
          mechanism: 'eip3009',
          network: 'eip155:84532',
          amount: 2500n,
          asset: usdc.contract,
          payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          maxTimeoutSeconds: 300,
          raw: entry,
        },
      ],
      skipped: [],
      paymentRequired: demand,
    })
})

test('a payment sends back the offer, the resource and the extensions as they came, and adds an id', async () => {
  const { challenge, offer } = only(inHeader(demand))

  const { headerName, headerValue } = await pay(challenge, offer, 'pay_0123456789abcdef')

  expect(headerName).toBe('PAYMENT-SIGNATURE')
  const text = Buffer.from(headerValue, 'base64').toString()
  expect(text).toContain(`"accepted":${JSON.stringify(entry)}`)
  const sent = decodePaymentSignatureHeader(headerValue)
  expect(PaymentPayloadV2Schema.safeParse(sent).success).toBe(true)
  expect(sent).toMatchObject({
    resource: demand.resource,
    extensions: {
      'payment-identifier': {
        info: { required: true, id: 'pay_0123456789abcdef' },
        schema: { type: 'object' },
      },
      bazaar: demand.extensions.bazaar,
    },
  })
})

test('the official server finds its offer and its extensions in our payment', async () => {
  const { challenge, offer } = only(inHeader(demand))
  const { headerValue } = await pay(challenge, offer, 'pay_0123456789abcdef')
  const server = new x402ResourceServer().register('eip155:84532', new ExactEvmServer())
  const sent = decodePaymentSignatureHeader(headerValue)

  expect(server.findMatchingRequirements([entry as never], sent)).toEqual(entry)
  expect(server.validateExtensions(demand as never, sent)).toEqual({ valid: true })
  expect(challenge.paymentRequired).toEqual(
    new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(() =>
      encodePaymentRequiredHeader(demand as never),
    ),
  )
})

test('no id goes to a seller that does not ask for one', async () => {
  const { extensions: _, ...bare } = demand
  const { challenge, offer } = only(inHeader(bare))
  const { headerValue } = await pay(challenge, offer, 'pay_0123456789abcdef')
  expect(Buffer.from(headerValue, 'base64').toString()).not.toContain('pay_')
})

test('what we pay, we can read as a seller', async () => {
  const { challenge, offer } = only(inHeader(demand))
  const result = parsePaymentSignature((await pay(challenge, offer)).headerValue)
  if (!result.ok) throw new Error(result.detail)
  expect(matchAccepted(result.payload, [entry as never]).ok).toBe(true)
})

test('a v1 demand is read from the body and paid with X-PAYMENT', async () => {
  const { challenge, offer } = only(inBody({ x402Version: 1, error: 'x', accepts: [entryV1] }))
  expect(offer).toMatchObject({ network: 'eip155:84532', amount: 2500n, raw: entryV1 })

  const { headerName, headerValue } = await pay(challenge, offer, 'pay_0123456789abcdef')

  expect(headerName).toBe('X-PAYMENT')
  const sent = decodePaymentSignatureHeader(headerValue)
  expect(PaymentPayloadV1Schema.parse(sent)).toMatchObject({
    scheme: 'exact',
    network: 'base-sepolia',
  })
  expect(parseXPayment(headerValue).ok).toBe(true)
})

test.each<[string, unknown]>([
  ['malformed', 7],
  ['malformed', null],
  ['malformed', { ...entry, extra: [] }],
  ['inexact_number', { ...entry, extra: { n: 2 ** 60 } }],
  ['unsupported_scheme', { ...entry, scheme: 'auth-capture' }],
  ['unsupported_network', { ...entry, network: 'solana:abc' }],
  ['unsupported_network', { ...entry, network: 'base' }],
  ['unsupported_network', { ...entry, network: 'eip155:0x1' }],
  ['unsupported_transfer_method', { ...entry, extra: { assetTransferMethod: 'erc7710' } }],
  ['unsupported_payment_flow', { ...entry, extra: { paymentFlow: 'escrow' } }],
  ['invalid_amount', { ...entry, amount: '0' }],
  ['invalid_amount', { ...entry, amount: '1.5' }],
  ['invalid_amount', { ...entry, amount: 2500 }],
  ['invalid_amount', { ...entry, amount: '-1' }],
  ['invalid_amount', { ...entry, amount: '1'.repeat(22) }],
  ['invalid_asset', { ...entry, asset: 'USD' }],
  ['invalid_pay_to', { ...entry, payTo: 'merchant' }],
  ['invalid_pay_to', { ...entry, payTo: `0x${'0'.repeat(40)}` }],
  ['invalid_timeout', { ...entry, maxTimeoutSeconds: 0 }],
  ['invalid_timeout', { ...entry, maxTimeoutSeconds: '60' }],
])('an entry that cannot be paid is kept as %s', (reason, raw) => {
  const challenge = inHeader({ ...demand, accepts: [raw, entry] })
  expect(challenge?.skipped).toEqual([{ reason, raw }])
  expect(challenge?.offers).toHaveLength(1)
})

test('a number too large to be read exactly is not echoed wrongly', () => {
  const text = JSON.stringify(demand).replace('"keep me"', '12345678901234567890')
  const challenge = readChallenge({ status: 402, headers: {}, body: Buffer.from(text) })
  expect(challenge?.skipped[0]?.reason).toBe('inexact_number')
})

test('what is no x402 demand is none', () => {
  const header = (value: string) => ({ 'payment-required': value })
  const long = Buffer.from(JSON.stringify({ ...demand, pad: 'x'.repeat(40_000) }))
  for (const [status, headers, body] of [
    [200, header(encodeHeader(demand)), nothing],
    [402, {}, nothing],
    [402, {}, Buffer.from('pay me')],
    [402, {}, bytes([demand])],
    [402, {}, bytes({ ...demand, x402Version: 3 })],
    [402, {}, bytes({ ...demand, accepts: {} })],
    [402, {}, long],
    [402, header('%%%'), nothing],
    [402, header(encodeHeader({ ...demand, x402Version: 1 })), nothing],
    [402, header(long.toString('base64')), nothing],
  ] as const)
    expect(readChallenge({ status, headers, body })).toBeUndefined()
})

test('a demand is read from base64 of either alphabet, padded or not', () => {
  for (const description of ['', 'a', 'ab', '>>>???~~~'])
    for (const write of [
      (bytes: Buffer) => bytes.toString('base64'),
      (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, ''),
      (bytes: Buffer) => bytes.toString('base64url'),
      (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    ]) {
      const header = write(bytes({ ...demand, description }))
      const headers = { 'payment-required': header }
      expect(readChallenge({ status: 402, headers, body: nothing })?.offers, header).toHaveLength(1)
    }
})

test.each<[header: string | undefined, body: unknown, fault: string | undefined]>([
  ['%%%', {}, 'The header PAYMENT-REQUIRED is not base64.'],
  ['e30===', {}, 'The header PAYMENT-REQUIRED is not base64.'],
  ['bm90IGpzb24', {}, 'The header PAYMENT-REQUIRED is base64, but not of a JSON object.'],
  ['x'.repeat(33_000), {}, 'The header PAYMENT-REQUIRED is longer than 32 KiB.'],
  ['e30', {}, 'The header PAYMENT-REQUIRED names no x402Version, and 2 is read there.'],
  [
    encodeHeader({ ...demand, x402Version: 3 }),
    {},
    'The header PAYMENT-REQUIRED names x402Version 3, and 2 is read there.',
  ],
  [
    encodeHeader({ ...demand, accepts: {} }),
    {},
    'The header PAYMENT-REQUIRED has no list accepts.',
  ],
  [
    undefined,
    { ...demand, x402Version: 3 },
    'The demand in the body names x402Version 3, and 1 or 2 is read there.',
  ],
  [undefined, { x402Version: 1 }, 'The demand in the body has no list accepts.'],
  [
    undefined,
    { ...demand, pad: 'x'.repeat(40_000) },
    'The demand in the body is longer than a header may be.',
  ],
  [undefined, { error: 'pay' }, undefined],
  [undefined, [], undefined],
])('what is wrong with a demand is named: %#', (header, body, fault) => {
  const headers = header === undefined ? {} : { 'payment-required': header }
  const answer = { status: 402, headers, body: bytes(body) }
  expect(readChallenge(answer)).toBeUndefined()
  expect(faultOfChallenge(answer)).toBe(fault)
})

test('no answer makes the reader throw', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.jsonValue().map((accepts) => bytes({ x402Version: 1, accepts: [accepts, entryV1] })),
    fc
      .record(Object.fromEntries(Object.keys(entry).map((name) => [name, fc.jsonValue()])), {
        requiredKeys: [],
      })
      .map((change) => bytes({ x402Version: 2, accepts: [{ ...entry, ...change }] })),
  )
  fc.assert(
    fc.property(body, fc.string({ unit: 'binary' }), (value, header) => {
      const headers = { 'payment-required': header, 'payment-response': header }
      readChallenge({ status: 402, headers, body: value })
      faultOfChallenge({ status: 402, headers, body: value })
      readChallenge({
        status: 402,
        headers: { 'payment-required': Buffer.from(value).toString('base64') },
        body: nothing,
      })
      readPaymentResponse(headers)
      readPaymentResponse({ 'x-payment-response': Buffer.from(value).toString('base64') })
    }),
  )
})

test('what a seller claims about a settlement is read as text and no more', () => {
  const read = (value: object) =>
    readPaymentResponse({ 'payment-response': encodeHeader({ ...value }) })
  const hash = `0x${'ab'.repeat(32)}`

  expect(
    read({ success: true, transaction: hash, network: 'eip155:84532', payer: account.address }),
  ).toEqual({
    success: true,
    transaction: hash,
    network: 'eip155:84532',
    payer: account.address,
    errorReason: undefined,
  })
  expect(
    read({ success: false, errorReason: 'x', transaction: 7, payer: 'x'.repeat(300) }),
  ).toEqual({
    success: false,
    errorReason: 'x',
    transaction: undefined,
    network: undefined,
    payer: undefined,
  })
  expect(read({ success: 'true' })).toBeUndefined()
  expect(readPaymentResponse({})).toBeUndefined()
  expect(
    readPaymentResponse({ 'x-payment-response': encodeHeader({ success: true }) })?.success,
  ).toBe(true)
})

test.each([
  ['twice', '"amount":"2500"', '"amount":"1","amount":"2500"', 'has accepts.amount twice'],
  [
    'twice, once escaped',
    '"amount":"2500"',
    '"\\u0061mount":"1","amount":"2500"',
    'has accepts.amount twice',
  ],
  [
    'with a reserved name',
    '"extra":{',
    '"__proto__":{},"extra":{',
    'has the reserved name accepts.__proto__',
  ],
])('a demand with a member %s is not read, in the header nor in the body', (_, from, to, fault) => {
  const text = Buffer.from(JSON.stringify(demand).replace(from, to))
  const header = { 'payment-required': text.toString('base64') }
  const inBoth = { status: 402, headers: header, body: text }
  const inBody = { status: 402, headers: {}, body: text }

  expect([readChallenge(inBoth), readChallenge(inBody)]).toEqual([undefined, undefined])
  expect(faultOfChallenge(inBoth)).toBe(`The header PAYMENT-REQUIRED ${fault}.`)
  expect(faultOfChallenge(inBody)).toBe(`The demand in the body ${fault}.`)
})
