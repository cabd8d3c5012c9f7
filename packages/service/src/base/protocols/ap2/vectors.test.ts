import { createHash, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { isObject, type JsonValue } from '../json.ts'
import { checkSignature, importKey, readPublicJwk } from './jose/keys.ts'
import { refusalOf } from './judge/checks.ts'
import { type Expected, evaluate } from './judge/evaluate.ts'
import { usageRefusal, usageRulesOf } from './judge/recurrence.ts'
import { readChain } from './read/chain.ts'
import { type Presentation, readPresentation } from './read/presentation.ts'
import { Ap2Refusal } from './refusal.ts'
import specification from './vectors/spec-examples.json' with { type: 'json' }
import strict from './vectors/strict-cases.json' with { type: 'json' }
import upstream from './vectors/upstream-checkout-chain.json' with { type: 'json' }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const keyOf = (jwk: JsonValue): KeyObject => importKey(readPublicJwk(jwk))

function accept(presentation: Presentation, rootKey: KeyObject | undefined): void {
  if (!rootKey) throw new Ap2Refusal('mandate_key_untrusted', 'no such key')
  for (const check of presentation.signatures)
    if (!checkSignature(check, check.key === 'root' ? rootKey : importKey(check.key)))
      throw new Ap2Refusal('mandate_invalid_signature', 'bad signature')
}

const expectedOf = (over: Partial<Expected>): Expected => ({
  audiences: [],
  payeeIds: [],
  prices: [],
  checkout: 'unknown',
  requiresCheckout: false,
  references: [],
  ...over,
})

test("the specification's payment example is accepted, and every hash is its own", () => {
  const { payment } = specification
  const presentation = readPresentation({ closedMandate: payment.chain })
  accept(presentation, keyOf(specification.root_jwk))
  const at = new Date(specification.verify_at * 1000)
  const expected = expectedOf({
    audiences: [payment.aud],
    nonce: payment.nonce,
    payeeIds: ['merchant_1'],
    prices: [{ currency: 'USD', min: 19_900n, max: 19_900n }],
    references: [specification.checkout.sd_hash],
  })
  expect(evaluate(presentation, expected, at).filter(({ ok }) => !ok)).toEqual([])
  expect(presentation.closed.transactionId).toBe(payment.transaction_id)
  expect(presentation.reference).toBe(payment.receipt_reference_sdk_form)
  expect(presentation.mandateSdHash).toBe(payment.receipt_reference_spec_form)
  expect(presentation.expiresAt).toEqual(new Date(specification.open_exp * 1000))
  expect(presentation.open?.agentKey).toEqual(specification.agent_cnf_jwk)
  expect(presentation.mandateId).toMatch(/^sha256:/)
  expect(readPresentation({ closedMandate: payment.closed, openMandate: payment.open })).toEqual(
    presentation,
  )
})

test.each([
  ['the specification', specification.checkout.chain, specification.root_jwk],
  ['the reference web client', upstream.chain, upstream.root_jwk],
])('the checkout chain of %s verifies as a chain and is no payment mandate', (_, chain, jwk) => {
  const { root, terminal } = readChain({ closedMandate: chain })
  const { cnf } = root.content
  const agent = isObject(cnf) ? readPublicJwk(cnf.jwk) : undefined
  expect(checkSignature({ ...root, key: 'root' }, keyOf(jwk))).toBe(true)
  expect(terminal && agent && checkSignature({ ...terminal, key: agent }, importKey(agent))).toBe(
    true,
  )
  expect(() => readPresentation({ closedMandate: chain })).toThrow(Ap2Refusal)
})

test('the checkout of the specification hashes to the transaction id of its payment', () => {
  const { terminal } = readChain({ closedMandate: specification.checkout.chain })
  const { checkout_jwt: checkout, checkout_hash: hash } = terminal?.content ?? {}
  expect(hash).toBe(specification.payment.transaction_id)
  expect(sha256(String(checkout))).toBe(hash)
})

/** Our code for each reason that the prototype gave, which made the cases. */
const CODES: [prototype: RegExp, code: string][] = [
  [/^issuer_untrusted/, 'mandate_key_untrusted'],
  [/^signature/, 'mandate_invalid_signature'],
  [/^expired/, 'mandate_expired'],
  [/^exp_missing/, 'mandate_expiry_missing'],
  [/^time_claim|^payment_amount|^kb_claims/, 'mandate_field_invalid'],
  [/^iat_future/, 'mandate_not_yet_valid'],
  [/^payee_scope/, 'mandate_scope_mismatch'],
  [/^amount/, 'mandate_amount_mismatch'],
  [/^currency/, 'mandate_currency_mismatch'],
  [/unknown_constraint/, 'mandate_constraint_unresolved'],
  [/no_amount_cap/, 'mandate_limits_missing'],
  [/single_use/, 'mandate_already_used'],
  [/max_occurrences/, 'mandate_occurrences_exceeded'],
  [/recurrence:frequency/, 'mandate_too_early'],
  [/^constraint/, 'mandate_constraint_violated'],
  [/^aud/, 'mandate_audience_mismatch'],
  [/^undisclosed/, 'mandate_disclosure_withheld'],
  [/^disclosure_unreferenced/, 'mandate_disclosure_invalid'],
  [/^alg/, 'mandate_algorithm_unsupported'],
  [/^vct/, 'mandate_type_unsupported'],
  [/^malformed/, 'mandate_malformed'],
]

type Case = (typeof strict.cases)[number]
const NO_LIMIT = 2n ** 63n

function verdict(one: Case): string {
  try {
    const presentation = readPresentation({
      closedMandate: one.closed_mandate,
      ...(one.open_mandate !== null && { openMandate: one.open_mandate }),
    })
    const keys: Record<string, JsonValue> = {
      'svc-1': strict.keys['svc-1'],
      ...(presentation.closed.instrument.id === 'card_123' && {
        'card-key-1': strict.keys['card-key-1'],
      }),
    }
    const jwk = keys[presentation.rootKid ?? '']
    accept(presentation, jwk === undefined ? undefined : keyOf(jwk))
    const { currency, amount_minor: amount } = one.link
    const at = new Date(one.now * 1000)
    const expected = expectedOf({
      audiences: one.audience,
      payeeIds: one.payee_ids,
      prices: [{ currency, min: BigInt(amount ?? 0), max: amount ? BigInt(amount) : NO_LIMIT }],
    })
    const refusal = refusalOf(evaluate(presentation, expected, at))
    if (refusal) throw refusal
    const { uses, total_minor: spent, last } = one.usage
    const lastAt = last === null ? undefined : new Date(last * 1000)
    const rules = usageRulesOf(presentation)
    const usage = { uses, spent: BigInt(spent), ...(lastAt && { firstAt: lastAt, lastAt }) }
    const spentOut = rules && usageRefusal(usage, rules, presentation.closed.amount.amount, at)
    if (spentOut) throw spentOut
    return 'valid'
  } catch (error) {
    if (error instanceof Ap2Refusal) return error.code
    throw error
  }
}

test.each(strict.cases.map((one) => [one.name, one] as const))('strict case: %s', (_, one) => {
  const code = CODES.find(([prototype]) => prototype.test(one.prototype_code))?.[1]
  expect(verdict(one)).toBe(one.expect === 'valid' ? 'valid' : code)
})
