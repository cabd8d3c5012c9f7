import { isObject, type JsonObject, type JsonValue, member } from '../../json.ts'
import { Ap2Refusal } from '../refusal.ts'
import { isCurrency } from './currency.ts'

/** An amount in whole minor units of its currency. */
export type Money = { readonly amount: bigint; readonly currency: string }
export type Merchant = { readonly id: string; readonly name: string; readonly website?: string }
export type Instrument = {
  readonly id: string
  readonly type: string
  readonly description?: string
}
export type Pisp = {
  readonly legalName: string
  readonly brandName: string
  readonly domainName: string
}

const TEXT_MAX_CHARACTERS = 512
const LONG_TEXT_MAX_CHARACTERS = 2048
/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799

export const invalidField = (name: string, rule: string): Ap2Refusal =>
  new Ap2Refusal('mandate_field_invalid', `${name} must be ${rule}`)

export const isText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX_CHARACTERS

export function readText(object: JsonObject, name: string): string {
  const value = member(object, name)
  if (!isText(value)) throw invalidField(name, 'a string of 1 to 512 characters')
  return value
}

function readLongText(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > LONG_TEXT_MAX_CHARACTERS)
    throw invalidField(name, 'a string of at most 2048 characters')
  return value
}

export function readObject(object: JsonObject, name: string): JsonObject {
  const value = member(object, name)
  if (!isObject(value)) throw invalidField(name, 'an object')
  return value
}

export function readMerchant(value: JsonObject): Merchant {
  const website = readLongText(value, 'website')
  return {
    id: readText(value, 'id'),
    name: readText(value, 'name'),
    ...(website !== undefined && { website }),
  }
}

export function readInstrument(value: JsonObject): Instrument {
  const description = readLongText(value, 'description')
  return {
    id: readText(value, 'id'),
    type: readText(value, 'type'),
    ...(description !== undefined && { description }),
  }
}

export const readPisp = (value: JsonObject): Pisp => ({
  legalName: readText(value, 'legal_name'),
  brandName: readText(value, 'brand_name'),
  domainName: readText(value, 'domain_name'),
})

const JTI_MAX_CHARACTERS = 255

/** The `jti` of a mandate, if it has one. */
export function readJti(object: JsonObject): string | undefined {
  const jti = member(object, 'jti')
  if (jti === undefined) return undefined
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX_CHARACTERS)
    throw invalidField('jti', 'a string of 1 to 255 characters')
  return jti
}

/** Reads an amount: a JSON integer above zero; never a string, a float or a boolean. */
export function readMoney(value: JsonObject): Money {
  const [amount, currency] = [member(value, 'amount'), member(value, 'currency')]
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    throw invalidField('amount', 'an integer of minor units above 0')
  if (!isCurrency(currency)) throw invalidField('currency', 'an upper case ISO 4217 code or USDC')
  return { amount: BigInt(amount), currency }
}

/** Reads an `exp`, `iat` or `nbf` in Unix seconds. */
export function readSeconds(object: JsonObject, name: string): number | undefined {
  const value = member(object, name)
  if (value === undefined) return undefined
  if (
    typeof value !== 'number' ||
    !Number.isSafeInteger(value) ||
    value <= 0 ||
    value > SECONDS_MAX
  )
    throw invalidField(name, 'Unix seconds, an integer above 0')
  return value
}

const INSTANT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]))?$/

/**
 * Reads an ISO 8601 date (as its first instant, UTC) or a date and time with an offset. `undefined` for anything else,
 * including a day that is not in the calendar.
 */
export function parseInstant(value: JsonValue | undefined): Date | undefined {
  const parts = typeof value === 'string' && INSTANT.exec(value)
  if (typeof value !== 'string' || !parts) return undefined
  const [year, month, day] = parts.slice(1, 4).map(Number)
  // JavaScript reads 30 February as 2 March.
  const date = new Date(0)
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day)
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return undefined
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

/** Whether the text names a whole day rather than an instant. */
export const isWholeDay = (text: string): boolean => text.length === 10
