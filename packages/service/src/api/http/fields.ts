import { Type } from 'typebox'
import { addHours } from '../../base/kernel/clock.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { Settings } from './settings.ts'

/**
 * Text that people read has no control characters, no direction marks, no line breaks and no invisible characters. With
 * them a name could look like another, or hide words from people that a model reads. Joiners are allowed, because
 * scripts and emoji need them.
 */
const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\u{e0000}-\u{e007f}'
export const PLAIN_TEXT = `^[^${HIDDEN}]*$`
const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const HASH = '^0x[0-9a-fA-F]{64}$'
const CARD_ID = '^card_[0-9a-z]{26}$'
const HEX = '^0x([0-9a-fA-F]{2})*$'
const FOUR_DIGITS = '^\\d{4}$'
export const SYMBOL = '^[A-Z0-9]{2,11}$'
/** The rule of a pattern, worded to follow the name of its field. */
export const WORDS_OF_PATTERN: ReadonlyMap<string, string> = new Map([
  [
    PLAIN_TEXT,
    'may not hold control characters, line breaks, or characters that cannot be seen or turn the direction of text. Leave them out',
  ],
  [ADDRESS, 'must be 0x and 40 hexadecimal digits'],
  [HASH, 'must be 0x and 64 hexadecimal digits'],
  [CARD_ID, 'must be the id of a card: card_ and 26 letters and digits'],
  [HEX, 'must be 0x and an even number of hexadecimal digits'],
  [FOUR_DIGITS, 'must be four digits'],
  [SYMBOL, 'must be two to eleven of A to Z and 0 to 9'],
])

/** Text by the caller that people read: a name, a purpose, a description, a memo. */
export const TextField = (options: {
  minLength?: number
  maxLength: number
  description?: string
}) => Type.String({ title: 'Text', ...options, pattern: PLAIN_TEXT })

/** An amount as callers send it. The schema checks only its kind; `parseAmount` reads it exactly. */
export const AmountIn = Type.Unsafe<number | string>({
  title: 'AmountIn',
  type: ['number', 'string'],
  description:
    'Whole units of the asset as a number or decimal string; no more decimals than the asset has',
})
export const AmountOut = Type.Number({
  title: 'Amount',
  description: 'Whole units of the asset',
})
/** More decimals than a JSON number holds exactly: the base units are shown too. */
const EXACT_DECIMALS = 6
export const AtomicOut = Type.Optional(
  Type.String({
    title: 'AtomicAmount',
    description: 'The exact base units, of an asset with more than 6 decimals',
  }),
)
/** The `<field>_atomic` sibling of an amount, for an asset with more than 6 decimals. */
export const atomicOf = (
  field: string,
  value: bigint | null,
  decimals: number,
): Record<string, string> =>
  value === null || decimals <= EXACT_DECIMALS ? {} : { [`${field}_atomic`]: value.toString() }
/** Amounts as the wire shows them, each with its `_atomic` sibling where the asset needs it. Null stays null. */
export function shownAmounts<Name extends string, Value extends bigint | null>(
  amounts: Record<Name, Value>,
  decimals: number,
): Record<Name, Value extends bigint ? number : number | null> & {
  [name in `${Name}_atomic`]?: string
} {
  const shown = Object.entries<bigint | null>(amounts).flatMap(([name, value]) => [
    [name, value === null ? null : toNumber(value, decimals)],
    ...Object.entries(atomicOf(name, value, decimals)),
  ])
  return Object.fromEntries(shown)
}
export const TokenContractOut = Type.Optional(
  Type.String({
    title: 'TokenContract',
    description: 'DIRECT only: the contract of the token that is paid',
  }),
)
export const DecimalsOut = Type.Optional(
  Type.Integer({
    title: 'TokenDecimals',
    description: 'DIRECT only: the decimals of the token',
  }),
)
export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'ISO 8601 UTC',
})
const described = (description: string | undefined) =>
  description === undefined ? {} : { description }
export const NullableTimestamp = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
export const NullableString = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], described(description))
export const NullableNumber = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description })
export const NetworkField = Type.String({
  title: 'Network',
  description: 'CAIP-2 chain id, e.g. eip155:8453',
})
export const AddressField = Type.String({
  title: 'Address',
  pattern: ADDRESS,
  description: 'EVM address',
})
export const AssetField = Type.String({
  title: 'Asset',
  description: 'Symbol of the asset, e.g. USDC',
})
export const TxHashOut = Type.Union([Type.String(), Type.Null()], {
  title: 'TransactionHash',
  description: 'Hash of the transaction on chain; null until there is one',
})
export const CardTokenIn = Type.String({
  title: 'CardToken',
  maxLength: 128,
  description: 'Token of the card: whoever has it may pay with the card',
})
/** The grant of a card's owner that a payment uses. */
export const ApprovalIdIn = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      'The `approval_id` that an earlier try of this payment was given: only that approval is used',
  }),
)
/** The answer to a payment that the owner of the card has to approve first. */
export const APPROVAL_ANSWER =
  'approval_required: nothing is held yet. Show `approve_url` to the owner of the card, then repeat the request: with the same Idempotency-Key, or with approval_id'
export const CardIdField = Type.String({
  title: 'CardId',
  pattern: CARD_ID,
  description: 'Id of a card',
})
export const Success = Type.Boolean({ title: 'Success', description: 'true: it was done' })
export const HasMore = Type.Boolean({
  title: 'HasMore',
  description: 'Whether there are more after these',
})
/** A merchant category code (ISO 18245). */
export const MccField = (description: string) => Type.String({ pattern: FOUR_DIGITS, description })
/** Bytes in hexadecimal. */
export const BytesField = (bytes: { min: number; max: number; description: string }) =>
  Type.String({
    pattern: HEX,
    minLength: 2 + 2 * bytes.min,
    maxLength: 2 + 2 * bytes.max,
    description: bytes.description,
  })
export const HashField = Type.String({
  title: 'Hash',
  pattern: HASH,
  description: 'Transaction hash',
})
/** The `{id}` of a path, for an object that goes by this name. */
export const idParam = (noun: string) =>
  Type.Object({ id: Type.String({ title: noun, maxLength: 64, description: `Id of the ${noun}` }) })
export const CodeParam = Type.Object({
  code: Type.String({ maxLength: 64, description: 'Code of the pay link, in any letter case' }),
})
export const HoursField = Type.Number({
  minimum: 0,
  maximum: 876_000,
  description: 'Hours; 0 = never',
})
const METADATA = { maxProperties: 50, description: 'Your own labels, given back as they are' }
export const MetadataIn = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { type: 'string', maxLength: 64, pattern: PLAIN_TEXT },
  additionalProperties: { type: 'string', maxLength: 500, pattern: PLAIN_TEXT },
  ...METADATA,
  title: 'MetadataIn',
})
export const MetadataOut = Type.Record(Type.String(), Type.String(), {
  ...METADATA,
  title: 'Metadata',
})

/** Fields that the document names: wherever one stands, a reference does. */
export const SHARED_FIELDS = [
  AddressField,
  AmountIn,
  AmountOut,
  AssetField,
  AtomicOut,
  CardIdField,
  CardTokenIn,
  DecimalsOut,
  HashField,
  HasMore,
  MetadataIn,
  MetadataOut,
  NetworkField,
  Success,
  Timestamp,
  TokenContractOut,
  TxHashOut,
  Type.String({
    title: 'Text',
    description: 'Without control and invisible characters',
    pattern: PLAIN_TEXT,
  }),
]

/** For a removed operation: it accepts any body, and its answer names the replacement. */
export const IgnoredBody = Type.Unknown({ description: 'Not looked at' })

/** One of a closed list of words. The document and refusals name all of them. */
export const OneOf = <const T extends string>(words: readonly T[], description?: string) =>
  Type.Unsafe<T>({
    type: 'string',
    enum: [...words],
    ...described(description),
  })

/** A list in a query: its words in one value, separated by commas. The router splits them. */
export const ListOf = <const T extends string>(words: readonly T[], description: string) =>
  Type.Array(OneOf(words), { description, minItems: 1, maxItems: words.length })

/** `limit` and `after` of every list for which the specification defines no paging. */
export const CursorQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'At most 100; 50 without it' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'The id after which to go on' })),
}
export const PAGE_DEFAULT = 50

/** As `CursorQuery`, for lists that the specification shows whole. */
export const WholeQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'At most 1,000; 1,000 without it' }),
  ),
  after: CursorQuery.after,
}
export const WHOLE_DEFAULT = 1000

/** Refuses an `after` that is not an id of the list: an empty page would look like the end of the list. */
export async function checkAfter(
  after: string | undefined,
  find: (id: string) => Promise<boolean>,
): Promise<void> {
  if (after !== undefined && !(await find(after)))
    throw new Problem(
      'invalid_field',
      'after must be an id of this list, such as the last one that you were shown. Leave it out to begin with the newest.',
      { param: 'after' },
    )
}

/** Cuts a list that was read with one extra row to its page, and says whether there are more rows. */
export const pageOf = <T>(rows: T[], limit: number): { rows: T[]; hasMore: boolean } => ({
  rows: rows.slice(0, limit),
  hasMore: rows.length > limit,
})

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** The time in a text by the caller. Refuses one without a time zone. */
export function parseTime(text: string, param: string): Date {
  const time = ISO_8601.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new Problem(
      'invalid_field',
      `${param} must be a time in ISO 8601 with its zone, such as 2026-07-16T12:00:00Z.`,
      { param },
    )
  return new Date(time)
}

export const iso = (at: Date): string => at.toISOString()
export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
/** The end of something made now with `expires_in` hours; null (never) for 0 or none. */
export const expiryOf = (at: Date, hours: number | undefined): Date | null =>
  hours ? addHours(at, hours) : null

/** Refuses any network but ours. */
export function checkNetwork(settings: Settings, named: { network?: string | undefined }): void {
  if (named.network !== undefined && named.network !== settings.network)
    throw new Problem(
      'invalid_network',
      `This service settles on ${settings.network}; leave network out or send that.`,
      {
        param: 'network',
      },
    )
}
