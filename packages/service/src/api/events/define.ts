import { type Static, type TNull, type TNumber, type TSchema, type TUnion, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { assert } from '../../base/kernel/assert.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { isProtocol, PROTOCOLS, RAILS } from '../../base/protocols/rails.ts'
import { OneOf } from '../http/fields.ts'
import { type ChainFact, factEventId } from './fact-id.ts'

/** A number of whole units. Builders take base units and convert them. */
type Money = TNumber & { readonly isMoney: true }
export const Money = Type.Number({ minimum: 0, isMoney: true }) as Money
export const MoneyOrNull = Type.Union([Money, Type.Null()]) as TUnion<[Money, TNull]>

/**
 * The way by which the money moved. Builders take `rail`; `protocol` repeats a rail that is one of the three protocols,
 * and is left out otherwise, so that a reader's list of protocols is closed.
 */
export const Way = { rail: OneOf(RAILS), protocol: Type.Optional(OneOf(PROTOCOLS)) }
/** The contract's words for who keeps the money. */
export const SettlementMode = OneOf(['CUSTODIAL', 'DIRECT'])

/** The asset of an event's amounts. */
export type EventAsset = Pick<Asset, 'symbol' | 'decimals'> & { readonly network: string }

export type Fields = Record<string, TSchema>
type IsMoney<S> = S extends Money | TUnion<[Money, TNull]> ? true : false
type MoneyKeys<F> = { [K in keyof F]: IsMoney<F[K]> extends true ? K : never }[keyof F]
/** An event with money takes its `asset` and `network` from the asset it is given. */
type AssetKeys<F> = [MoneyKeys<F>] extends [never] ? never : 'asset' | 'network'
type InputOf<S> = S extends Money
  ? bigint
  : S extends TUnion<[Money, TNull]>
    ? bigint | null
    : S extends TSchema
      ? Static<S>
      : never
type WayKeys<F> = 'rail' extends keyof F ? 'protocol' : never
type DataOf<F> = { [K in Exclude<keyof F, AssetKeys<F> | WayKeys<F>>]: InputOf<F[K]> }

/**
 * Whether the event is a fact read from the chain. Its id then comes from `fact`, so that a restored service repeats
 * it.
 */
export type FactRule = 'always' | 'sometimes' | 'never'
type FactOf<R extends FactRule> = {
  always: { fact: ChainFact }
  sometimes: { fact: ChainFact | null }
  never: unknown
}[R]

type Given<F, R extends FactRule> = {
  walletAddress: string
  /** The card whose keys may read the event; by default the card of `data.card_id`. */
  cardId?: string
  data: DataOf<F>
} & ([MoneyKeys<F>] extends [never] ? unknown : { asset: EventAsset }) &
  FactOf<R>

declare const built: unique symbol
/** An event whose data a builder has checked. `id` is set only for facts of the chain. */
export type BuiltEvent = {
  readonly type: string
  readonly id: Id<'evt'> | null
  readonly walletAddress: string
  /** The object the event is about. Events of one subject are delivered in order. */
  readonly subject: string
  readonly cardId: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly [built]: true
}

/** The catalogue's entry for a type. The documentation is generated from it. */
export type EventKind = {
  readonly type: string
  /** The occasion on which it is recorded, as a clause. */
  readonly when: string
  /** The wallet whose feed it appears in. */
  readonly to: string
  readonly fields: Fields
  readonly fact: FactRule
}

/** The type of `given` before its fields are known. */
type AnyGiven = {
  walletAddress: string
  cardId?: string
  data: Record<string, unknown>
  asset?: EventAsset
  fact?: ChainFact | null
}

/** Declares one type of event. `of` is its only builder, and asserts that the data fit the schema. */
export function defineEvent<
  const T extends string,
  F extends Fields,
  const R extends FactRule = 'never',
>(kind: {
  type: T
  when: string
  to: string
  fields: F
  /** The field that names the object. */
  subject: keyof F & string
  fact?: R
}): EventKind & { readonly type: T; of(given: Given<F, R>): BuiltEvent } {
  const { type, subject, fields } = kind
  // Compiled by the first event: all types take 30 ms of a start.
  let check: ReturnType<typeof compile> | undefined
  const moneyKeys = Object.keys(fields).filter((key) => isMoney(fields[key]))
  const assetKeys = (['asset', 'network'] as const).filter((key) => key in fields)
  const isOfAsset = moneyKeys.length > 0
  return {
    type,
    when: kind.when,
    to: kind.to,
    fields,
    fact: kind.fact ?? 'never',
    of(given) {
      const { walletAddress, cardId, data: input, asset, fact } = given as AnyGiven
      const data: Record<string, unknown> = { ...input }
      if (isOfAsset) {
        assert(asset, `${type} names the asset of its amounts`)
        for (const key of moneyKeys) setMoney(data, key, asset)
        for (const key of assetKeys) data[key] = key === 'asset' ? asset.symbol : asset.network
      }
      if ('rail' in fields && isProtocol(data.rail)) data.protocol = data.rail
      check ??= compile(fields)
      assert(check.Check(data), `the data of ${type} fit its schema`)
      const card = cardId ?? data.card_id
      return {
        type,
        id: fact ? factEventId(type, walletAddress, fact) : null,
        walletAddress,
        subject: String(data[subject]),
        cardId: typeof card === 'string' ? card : null,
        data,
      } as unknown as BuiltEvent
    },
  }
}

export const isMoney = (schema: TSchema | undefined): boolean =>
  schema === Money || schema === MoneyOrNull

/** Whether an event may leave the field out. */
export const isOptional = (schema: TSchema | undefined): boolean =>
  schema !== undefined && Type.IsOptional(schema)

/** A number holds 6 decimals of any amount exactly. With more decimals, the base units are sent as well. */
const EXACT_DECIMALS = 6

function setMoney(data: Record<string, unknown>, key: string, { decimals }: EventAsset): void {
  const value = data[key]
  if (typeof value !== 'bigint') return
  data[key] = toNumber(value, decimals)
  if (decimals > EXACT_DECIMALS) data[`${key}_atomic`] = value.toString()
}

const compile = (fields: Fields) => Compile(schemaOf(fields))

/** The data's schema: every field is required and no other is allowed, except `protocol` and the base units of amounts. */
function schemaOf(fields: Fields): TSchema {
  const atomic = Object.keys(fields)
    .filter((key) => isMoney(fields[key]))
    .map((key) => [`${key}_atomic`, Type.Optional(Type.String())])
  return Type.Object({ ...fields, ...Object.fromEntries(atomic) }, { additionalProperties: false })
}
