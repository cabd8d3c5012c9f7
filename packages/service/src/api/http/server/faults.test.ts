import { Ajv } from 'ajv'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import {
  AddressField,
  AmountIn,
  BytesField,
  CardIdField,
  HashField,
  MccField,
  MetadataIn,
  OneOf,
  TextField,
} from '../fields.ts'
import { validationProblem } from './faults.ts'

const ajv = new Ajv({ verbose: true, allowUnionTypes: true, formats: { 'date-time': /^\d{4}-/ } })

/** The refusal of a body with this value in its field `x`. */
function refusalOf(schema: TSchema, value: unknown) {
  const validate = ajv.compile(Type.Object({ x: schema }, { additionalProperties: false }))
  expect(validate({ x: value }), JSON.stringify(value)).toBe(false)
  return validationProblem({ context: 'body', faults: validate.errors as never })
}

test.each<[TSchema, unknown, string]>([
  [OneOf(['ACTIVE', 'EXPIRED']), 'active', 'x must be one of ACTIVE, EXPIRED.'],
  [Type.Union([Type.Literal('A'), Type.Literal('B')]), 'C', 'x must be one of A, B.'],
  [Type.Literal('on'), 'off', 'x must be "on".'],
  [Type.String({ maxLength: 3 }), 'long', 'x must be a string of at most 3 characters.'],
  [Type.String({ minLength: 1, maxLength: 3 }), '', 'x must be a string of 1 to 3 characters.'],
  [Type.String(), 7, 'x must be a string.'],
  [AmountIn, [], 'x must be a number or a string.'],
  [Type.Integer({ minimum: 1, maximum: 9 }), 10, 'x must be a whole number from 1 to 9.'],
  [Type.Integer({ minimum: 1 }), 0, 'x must be a whole number at least 1.'],
  [Type.Number(), 'x', 'x must be a number.'],
  [Type.Boolean(), 'yes', 'x must be true or false.'],
  [
    Type.Array(Type.String(), { maxItems: 1 }),
    ['a', 'b'],
    'x must be a list of at most 1 entries.',
  ],
  [
    Type.Array(Type.String(), { uniqueItems: true }),
    ['a', 'a'],
    'x may name each entry only once.',
  ],
  [AddressField, '0x1', 'x must be 0x and 40 hexadecimal digits.'],
  [HashField, '0x1', 'x must be 0x and 64 hexadecimal digits.'],
  [BytesField({ min: 1, max: 2, description: '' }), '0xabc', 'x must be 0x and an even number of'],
  [CardIdField, 'card_1', 'x must be the id of a card: card_ and 26 letters and digits.'],
  [MccField(''), '57', 'x must be four digits.'],
  [TextField({ maxLength: 9 }), 'a\u202eb', 'x may not hold control characters'],
  [MetadataIn, { a: 'b\u0007' }, 'x.a may not hold control characters'],
  [MetadataIn, { 'a\u202e': 'b' }, 'A name in x may not hold control characters'],
  [MetadataIn, { ['a'.repeat(65)]: 'b' }, 'A name in x must be a string of at most 64 characters.'],
  [
    Type.String({ format: 'date-time' }),
    'soon',
    'x must be a string with a date and time of ISO 8601',
  ],
  [
    Type.Union([Type.String({ maxLength: 2 }), Type.Null()]),
    7,
    'x must be a string of at most 2 characters or null.',
  ],
  [
    Type.Union([Type.String({ maxLength: 2 }), Type.Null()]),
    'abc',
    'x must be a string of at most 2 characters.',
  ],
  [Type.Union([Type.Object({ a: Type.String() }), Type.Null()]), { a: 1 }, 'x.a must be a string.'],
  [Type.Union([Type.Object({ a: Type.String() }), Type.Null()]), {}, 'x.a is required.'],
])('a fault names its field and what is allowed: %#', (schema, value, sentence) => {
  expect(refusalOf(schema, value).message).toContain(sentence)
})

test.each([true, [], {}])('an amount that is %j is an invalid amount', (value) => {
  expect(refusalOf(AmountIn, value).code).toBe('invalid_amount')
})

test('what is missing, and what is not known, is named with its place', () => {
  const inner = Type.Object(
    { a: Type.String(), b: Type.Optional(Type.String()) },
    { additionalProperties: false },
  )
  expect(refusalOf(inner, {})).toMatchObject({ code: 'missing_field', param: 'x.a' })
  const unknown = refusalOf(inner, { a: '', c: 1 })
  expect(unknown).toMatchObject({ code: 'unknown_field', param: 'x.c' })
  expect(unknown.message).toBe('x.c is not a field of this operation. It takes a, b.')
  const limits = Type.Object(
    { max_amount: Type.Optional(Type.String()), url: Type.Optional(Type.String()) },
    { additionalProperties: false },
  )
  for (const name of ['maxAmount', 'max_amout', 'amax_amount'])
    expect(refusalOf(limits, { [name]: 1 }).message).toBe(
      `x.${name} is not a field of this operation: did you mean max_amount? It takes max_amount, url.`,
    )
})
