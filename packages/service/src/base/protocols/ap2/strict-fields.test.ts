import { expect, test } from 'vitest'
import {
  agent,
  at,
  closedContent,
  direct as directOf,
  disclosureOf,
  forge,
  openContent,
  referTo,
  user,
  verdict,
} from '../../../../test/actors/ap2/mandates.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { joinChain } from './issue/issue.ts'
import { secondsOf } from './issue/terms.ts'
import { digestOf } from './jose/digest.ts'
import { signerOf } from './jose/keys.ts'

/** A user's open mandate and an agent's closed one, made without any checks. */
async function chainOf(
  open: JsonObject,
  closing: JsonObject = closedContent,
  envelope: JsonObject = {},
): Promise<string> {
  const root = await directOf(open)
  const disclosure = disclosureOf(closing)
  const payload = {
    ...referTo(disclosure),
    iat: secondsOf(at),
    aud: 'https://pay.example',
    nonce: 'n-1',
    sd_hash: digestOf(root),
    ...envelope,
  }
  const header = { alg: 'ES256', typ: 'kb+sd-jwt' }
  return joinChain(root, await forge(header, payload, [disclosure], signerOf(agent)))
}

const closed = (over: Record<string, JsonValue>): JsonObject => ({ ...closedContent, ...over })
const open = (over: Record<string, JsonValue>): JsonObject => ({ ...openContent, ...over })

test.each([
  ['a number', 7],
  ['an empty string', ''],
  ['256 characters', 'j'.repeat(256)],
  ['a list', ['j']],
  ['an object', { j: 1 }],
  ['false', false],
  ['null', null],
])('a jti that is %s is refused wherever it stands', async (_, jti) => {
  expect(verdict(await directOf(closed({ jti })))).toBe('mandate_field_invalid')
  expect(verdict(await directOf(closedContent, undefined, { jti }))).toBe('mandate_field_invalid')
  expect(verdict(await chainOf(open({ jti })))).toBe('mandate_field_invalid')
})

test('a jti of 1 or of 255 characters, and none at all, are good', async () => {
  for (const jti of ['j', 'j'.repeat(255)])
    expect(verdict(await directOf(closed({ jti })))).toBe('ok')
  const { jti: _, ...without } = closedContent
  expect(verdict(await directOf(without))).toBe('ok')
})

test.each([
  '2026-02-29',
  '2026-02-30',
  '2025-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '2026-02-30T10:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T09:60:00Z',
  '2026-03-01T09:00:60Z',
  '2026-03-01T09:00:00+24:00',
  '2026-03-01T09:00:00+01:60',
])('%s is no date', async (date) => {
  expect(verdict(await directOf(closed({ execution_date: date })))).toBe('mandate_field_invalid')
  expect(verdict(await chainOf(open({ execution_date: date })))).toBe('mandate_field_invalid')
  for (const name of ['not_before', 'not_after']) {
    const constraints = [
      ...(openContent.constraints as JsonObject[]),
      { type: 'payment.execution_date', [name]: date },
    ]
    expect(verdict(await chainOf(open({ constraints })))).toBe('mandate_constraint_unresolved')
  }
})

test.each(['2024-02-29', '2026-02-28', '2026-03-01T09:59:59.5+00:30', '2026-03-01T00:00Z'])(
  '%s is a date',
  async (date) => expect(verdict(await directOf(closed({ execution_date: date })))).toBe('ok'),
)

test.each<[name: string, preset: JsonValue, other: JsonValue]>([
  ['transaction_id', 'tx', 'other'],
  ['payee', closedContent.payee as JsonObject, { id: 'pl_7f3k', name: 'Other' }],
  ['payment_amount', { amount: 2500, currency: 'USD' }, { amount: 2501, currency: 'USD' }],
  ['payment_instrument', { id: 'card_123', type: 'card' }, { id: 'card_124', type: 'card' }],
  ['pisp', { legal_name: 'a', brand_name: 'b', domain_name: 'c' }, undefined as never],
  ['execution_date', '2026-03-01', '2026-02-28'],
  ['risk_data', { device: 'phone' }, { device: 'desk' }],
  ['order_note', 'leave at the door', 'throw it over the fence'],
  ['shipping', { city: 'Oslo', floor: 2 }, { city: 'Oslo' }],
  ['tips_allowed', false, true],
])('a preset %s must stand unchanged in the closed mandate', async (name, preset, other) => {
  const { [name]: _, ...without } = closedContent as Record<string, JsonValue>
  const opened = open({ [name]: preset })
  const prices = [{ currency: 'USD', min: 1n, max: 9999n }]
  expect(verdict(await chainOf(opened, closed({ [name]: preset })))).toBe('ok')
  const isNeeded = Object.hasOwn(closedContent, name)
  expect(verdict(await chainOf(opened, without))).toBe(
    isNeeded ? 'mandate_field_invalid' : 'mandate_preset_changed',
  )
  if (other !== undefined)
    expect(verdict(await chainOf(opened, closed({ [name]: other })), undefined, { prices })).toBe(
      'mandate_preset_changed',
    )
})

// RFC 7519 wants a number in `exp`: a null would take an end, a limit or a name away without a word.
test('null is no value of a signed claim: it never stands for one that is left out', async () => {
  const inClosed = 'pisp execution_date risk_data aud nonce nbf iat exp iss jti payee'.split(' ')
  for (const name of inClosed)
    expect(verdict(await directOf(closed({ [name]: null }))), name).toBe('mandate_field_invalid')
  const payee = { ...(closedContent.payee as JsonObject), website: null }
  expect(verdict(await directOf(closed({ payee })))).toBe('mandate_field_invalid')
  const inOpen = 'pisp payee payment_amount transaction_id iat exp nbf jti'.split(' ')
  for (const name of inOpen)
    expect(verdict(await chainOf(open({ [name]: null }))), name).not.toBe('ok')
  const withNull = (type: string, name: string) =>
    (openContent.constraints as JsonObject[]).map((one) =>
      one.type === type ? { ...one, [name]: null } : one,
    )
  const ranged = withNull('payment.amount_range', 'min')
  expect(verdict(await chainOf(open({ constraints: ranged })))).not.toBe('ok')
  // A preset of null is a preset: the closed mandate has it too.
  expect(verdict(await chainOf(open({ shipping: null })))).toBe('mandate_preset_changed')
  expect(verdict(await chainOf(open({ shipping: null }), closed({ shipping: null })))).toBe('ok')
  const floor = open({ shipping: { city: 'Oslo', floor: null } })
  expect(verdict(await chainOf(floor, closed({ shipping: { city: 'Oslo' } })))).toBe(
    'mandate_preset_changed',
  )
})

test.each(['exp', 'iat', 'nbf', 'aud', 'nonce', 'iss', 'jti'])(
  'null in an envelope is refused, whatever the content says: %s',
  async (name) => {
    expect(verdict(await chainOf(openContent, closedContent, { [name]: null }))).toBe(
      'mandate_field_invalid',
    )
    const disclosure = disclosureOf(closedContent)
    const payload = { ...referTo(disclosure), [name]: null }
    const header = { alg: 'ES256', typ: 'dc+sd-jwt', kid: 'user' }
    const root = await forge(header, payload, [disclosure], signerOf(user))
    expect(verdict(root)).toBe('mandate_field_invalid')
  },
)

test('null in what binds and hashes is refused', async () => {
  const bound = (over: JsonObject) => chainOf(openContent, closedContent, over)
  expect(verdict(await bound({ sd_hash: null }))).toBe('mandate_not_bound')
  expect(verdict(await bound({ issuer_jwt_hash: null }))).toBe('mandate_not_bound')
  expect(verdict(await bound({ _sd_alg: null }))).toBe('mandate_algorithm_unsupported')
  expect(verdict(await directOf(closed({ _sd: null })))).not.toBe('ok')
  const { jwk } = openContent.cnf as { jwk: JsonObject }
  for (const name of ['alg', 'use'])
    expect(verdict(await chainOf(open({ cnf: { jwk: { ...jwk, [name]: null } } })))).toBe(
      'mandate_key_invalid',
    )
})
