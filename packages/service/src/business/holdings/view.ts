import { type Static, Type } from 'typebox'
import { isoOrNull, NetworkField, NullableTimestamp, OneOf } from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { type Holding, PLACES, type Price, worthOf } from './holding.ts'

export const HoldingBody = Type.Object({
  network: NetworkField,
  asset: Type.String({
    description: 'Symbol of an asset that balances are kept in; of any other token its address',
  }),
  symbol: Type.String({ description: "The token's own word: anybody can name a token anything" }),
  decimals: Type.Integer({ description: 'Decimals of the token' }),
  contract: Type.String({ description: 'Address of the token' }),
  where: OneOf(
    PLACES,
    'treasury, card and fee_meter: kept by this service, held money included; wallet: on chain at your address; holder: on chain at the account of a card’s identity token; vesting: in a vesting stream',
  ),
  ref: Type.String({
    description: 'Names the place: your wallet, the card, the holder account, or the stream',
  }),
  amount: Type.Union([Type.Number(), Type.Null()], {
    description: 'Whole tokens; null if the token does not answer',
  }),
  amount_atomic: Type.Union([Type.String(), Type.Null()], {
    description: 'The exact base units; null if the token does not answer',
  }),
  value_usdc: Type.Union([Type.Number(), Type.Null()], {
    description: 'Value in USDC; null if no price is known',
  }),
  price_source: Type.Unsafe<Price['source'] | null>({
    type: ['string', 'null'],
    enum: ['par', 'pool_twap', null],
    description: 'par: a dollar each; pool_twap: the average price of its pool; null: no price',
  }),
  price_at: NullableTimestamp('When the price was read; null for par, or without a price'),
})

type Assets = { usdc: Asset; kept: readonly Asset[] }

export function viewHolding(holding: Holding, { usdc, kept }: Assets): Static<typeof HoldingBody> {
  const { token, where, ref, amount } = holding
  const { network, symbol, decimals, contract, price } = token
  const value = worthOf(holding, usdc)
  return {
    network,
    asset: kept.some((asset) => asset.contract === contract) ? symbol : contract,
    symbol,
    decimals,
    contract,
    where,
    ref,
    amount: amount === undefined ? null : toNumber(amount, decimals),
    amount_atomic: amount?.toString() ?? null,
    value_usdc: value === undefined ? null : toNumber(value, usdc.decimals),
    price_source: price?.source ?? null,
    price_at: isoOrNull(price?.at ?? null),
  }
}
