import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  closeMandate,
  createAgentKey,
  inspectMandate,
  type LinkTerms,
  loadAgentKey,
  type MandateKey,
  type OpenOrder,
  openMandate,
  PurserError,
  verifyReceipt,
} from '../../../sdk/src/purser.ts'
import { joinChain } from '../../src/base/protocols/ap2/issue/issue.ts'
import { makeReceipt } from '../../src/base/protocols/ap2/issue/receipt.ts'
import {
  importKey,
  publicJwkOf,
  readPublicJwk,
  signerOf,
  thumbprintOf,
} from '../../src/base/protocols/ap2/jose/keys.ts'
import { refusalOf } from '../../src/base/protocols/ap2/judge/checks.ts'
import { evaluate } from '../../src/base/protocols/ap2/judge/evaluate.ts'
import { usageRulesOf } from '../../src/base/protocols/ap2/judge/recurrence.ts'
import { readPresentation } from '../../src/base/protocols/ap2/read/presentation.ts'
import specification from '../../src/base/protocols/ap2/vectors/spec-examples.json' with {
  type: 'json',
}
import {
  at,
  chainOf,
  checkSignatures,
  directOf,
  expected,
  merchant,
  service,
} from '../actors/ap2/mandates.ts'

const link: LinkTerms = {
  payee: merchant,
  payment_amount: { amount: 2500, currency: 'USD' },
  audience: 'https://pay.example',
  transaction_id: 'tx',
}
const order = async (over: Partial<OpenOrder> = {}): Promise<[OpenOrder, MandateKey]> => {
  const agent = await createAgentKey()
  const base: OpenOrder = {
    key: await createAgentKey(),
    cardId: 'card_123',
    agentKey: agent.publicJwk,
    currency: 'USD',
    maxAmount: 5000,
    payees: [merchant, { id: 'other', name: 'Other' }],
    at,
  }
  return [{ ...base, ...over }, agent]
}

test('a payment that the SDK signs is read, verified and judged by the service as it was meant', async () => {
  const user = await createAgentKey()
  const made = await closeMandate({ link, cardId: 'card_123', key: user, at })
  const presentation = readPresentation(made)
  checkSignatures(presentation, importKey(readPublicJwk(user.publicJwk)))
  expect(refusalOf(evaluate(presentation, expected, at))).toBeUndefined()
  expect(presentation).toMatchObject({
    shape: 'direct',
    rootKid: thumbprintOf(readPublicJwk(user.publicJwk)),
    mandateId: made.mandateId,
    expiresAt: made.expiresAt,
  })
})

// A browser's own list of currencies counts other decimals for some: a budget of it would be a hundred times as large.
test.each([
  ['HUF', 6050],
  ['IQD', 6050],
  ['IDR', 6000],
  ['JPY', 6050],
  ['USDC', 60_500_001],
])('a budget in %s is read as it was signed', async (currency, budget) => {
  const [terms, agent] = await order({ currency, maxAmount: 5000, budget })
  const open = await openMandate({ ...terms, recurrence: { frequency: 'DAILY' } })
  const made = await closeMandate({
    link: { ...link, payment_amount: { amount: 2500, currency } },
    ...{ cardId: 'card_123', key: agent, openMandate: open.mandate, at },
  })
  expect(readPresentation(made).open?.constraints).toContainEqual({
    type: 'payment.budget',
    max: BigInt(budget),
    currency,
  })
})

test('so is one that an agent signs within an open mandate, joined or apart', async () => {
  const [terms, agent] = await order()
  const open = await openMandate(terms)
  const made = await closeMandate({
    link,
    cardId: 'card_123',
    key: agent,
    openMandate: open.mandate,
    at,
  })
  const presentation = readPresentation(made)
  checkSignatures(presentation, importKey(readPublicJwk(terms.key.publicJwk)))
  expect(refusalOf(evaluate(presentation, expected, at))).toBeUndefined()
  expect(presentation).toMatchObject({ shape: 'autonomous', openId: open.mandateId })
  const joined = joinChain(open.mandate, made.closedMandate)
  expect(readPresentation({ closedMandate: joined })).toEqual(presentation)
  expect(await inspectMandate(joined)).toMatchObject({
    kind: 'agent',
    mandateId: made.mandateId,
    open: { mandateId: open.mandateId },
    closed: { audience: link.audience, content: { payee: merchant } },
    expiresAt: made.expiresAt,
  })
})

test('a budget of any minor units arrives as those minor units', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 ** 11 }),
      fc.constantFrom('USD', 'USDC', 'JPY', 'KWD'),
      async (budget, currency) => {
        const [terms, agent] = await order({
          budget,
          currency,
          recurrence: { frequency: 'MONTHLY', maxOccurrences: 3 },
        })
        const open = await openMandate(terms)
        const paid = { ...link, payment_amount: { amount: 1, currency } }
        const key = { key: agent, openMandate: open.mandate }
        const made = await closeMandate({ link: paid, cardId: 'card_123', ...key, at })
        expect(usageRulesOf(readPresentation(made))).toEqual({
          openId: open.mandateId,
          singleUse: false,
          budgetMax: BigInt(budget),
          recurrence: 'MONTHLY',
          maxOccurrences: 3,
        })
      },
    ),
    { numRuns: 25 },
  )
})

test('a key that was stored signs as before, and the thumbprint is the one of the service', async () => {
  const { privateJwk, publicJwk, kid } = await createAgentKey()
  const loaded = await loadAgentKey(privateJwk)
  expect(loaded).toMatchObject({ kid, publicJwk })
  expect(kid).toBe(thumbprintOf(readPublicJwk(publicJwk)))
  await expect(loadAgentKey({ ...privateJwk, x: publicJwk.y })).rejects.toMatchObject({
    code: 'key_invalid',
  })
})

test('terms that no service would take are refused before anything is signed', async () => {
  const [terms, agent] = await order()
  const open = (await openMandate(terms)).mandate
  const close = { link, cardId: 'card_123', key: agent, at }
  const free = { ...link, payment_amount: { amount: null, currency: 'USD' } }
  const refused = [
    () => openMandate({ ...terms, maxAmount: 1.5 }),
    () => openMandate({ ...terms, recurrence: { frequency: 'DAILY' } }),
    () => openMandate({ ...terms, currency: 'usd', budget: 1 }),
    () => closeMandate({ ...close, link: free }),
    () => closeMandate({ ...close, amount: 1 }),
    () => closeMandate({ ...close, openMandate: open, key: terms.key }),
    async () => {
      const { closedMandate } = await closeMandate(close)
      return closeMandate({ ...close, openMandate: closedMandate })
    },
  ]
  for (const attempt of refused)
    await expect(attempt()).rejects.toMatchObject({ name: 'PurserError', code: 'invalid_terms' })
  expect((await closeMandate({ ...close, link: free, amount: 7 })).openMandate).toBeUndefined()
})

test('mandates of the service and of the specification can be inspected; anything else is said to be none', async () => {
  const { payment } = specification
  expect(await inspectMandate(payment.chain)).toMatchObject({
    kind: 'agent',
    mandateId: readPresentation({ closedMandate: payment.chain }).mandateId,
    closed: { audience: payment.aud, nonce: payment.nonce },
    expiresAt: new Date(specification.open_exp * 1000),
  })
  expect(await inspectMandate(await directOf())).toMatchObject({ kind: 'direct' })
  const chain = await chainOf()
  expect((await inspectMandate(chain)).open?.mandateId).toBe(
    readPresentation({ closedMandate: chain }).openId,
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.nat(chain.length).map((cut) => chain.slice(0, cut)),
        fc
          .tuple(fc.nat(chain.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
          .map(([index, other]) => chain.slice(0, index) + other + chain.slice(index + 1)),
      ),
      async (text) => {
        const outcome = await inspectMandate(text).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PurserError)
      },
    ),
    { numRuns: 300 },
  )
})

test('a receipt is believed only by the key of its issuer and for its own mandate', async () => {
  const closedMandate = await chainOf()
  const { reference, mandateSdHash } = readPresentation({ closedMandate })
  const jwt = await makeReceipt(
    {
      status: 'Success',
      issuer: 'https://pay.example',
      issuedAt: at,
      paymentId: 'stl_1',
      reference,
      mandateSdHash,
      pspConfirmationId: 'stl_1',
      networkConfirmationId: 'trf_1',
    },
    { kid: 'svc', sign: signerOf(service) },
  )
  const jwks = { keys: [{ ...publicJwkOf(service), kid: 'svc' }] }
  expect(await verifyReceipt(jwt, jwks, { closedMandate })).toMatchObject({
    status: 'Success',
    payment_id: 'stl_1',
    reference,
  })
  const stranger = (await createAgentKey()).publicJwk
  const other = await chainOf()
  for (const attempt of [
    () => verifyReceipt(jwt, { keys: [{ ...stranger, kid: 'svc' }] }),
    () => verifyReceipt(jwt, { keys: [] }),
    () => verifyReceipt(jwt, jwks, { closedMandate: other }),
    () => verifyReceipt(`${jwt.slice(0, -4)}AAAA`, jwks),
    () => verifyReceipt('x', jwks),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'receipt_invalid' })
})
