import type { Asset } from '../../../../base/kernel/assets.ts'
import { type Amount, amount } from '../../../../base/kernel/money.ts'
import type { Price } from '../../../../base/protocols/ap2/judge/evaluate.ts'
import { exponentOf } from '../../../../base/protocols/ap2/read/currency.ts'
import type { Chain } from '../../../../chain/client/chain.ts'
import { defaultAsset } from '../../../../chain/client/rails.ts'
import type { PayLink } from '../../../link/store.ts'

/** The most that a payer may choose, in whole units. */
const CHOSEN_MAX_UNITS = 1_000_000_000n

/** Base units of the asset in the minor unit of a currency, such as a cent. */
const unitsPerMinor = ({ decimals }: Asset, currency: string): bigint =>
  10n ** BigInt(decimals - exponentOf(currency))

/** The price that the link shows: `USD` for whole cents and for an amount that the payer chooses, otherwise `USDC`. */
export function askedPrice(
  link: Pick<PayLink, 'amount'>,
  asset: Asset,
): { amount: bigint | null; currency: string } {
  const { currency } = asset
  if (currency === undefined) return { amount: link.amount, currency: asset.symbol }
  const minor = unitsPerMinor(asset, currency)
  if (link.amount === null) return { amount: null, currency }
  return link.amount % minor === 0n
    ? { amount: link.amount / minor, currency }
    : { amount: link.amount, currency: asset.symbol }
}

/** Every price at which a mandate pays the link, in minor units of its currency. */
export function pricesOf(link: Pick<PayLink, 'amount'>, asset: Asset): Price[] {
  const base = 10n ** BigInt(asset.decimals)
  const { amount: exactly } = link
  const exact = {
    currency: asset.symbol,
    min: exactly ?? 1n,
    max: exactly ?? CHOSEN_MAX_UNITS * base,
  }
  const { currency } = asset
  if (currency === undefined) return [exact]
  const minor = unitsPerMinor(asset, currency)
  if (link.amount === null)
    return [{ currency, min: 1n, max: (CHOSEN_MAX_UNITS * base) / minor }, exact]
  if (link.amount % minor !== 0n) return [exact]
  const price = link.amount / minor
  return [{ currency, min: price, max: price }, exact]
}

/** A mandate's amount in base units of the asset; undefined for a currency that pays no link. */
export function baseUnitsOf(
  money: { amount: bigint; currency: string },
  asset: Asset,
): Amount | undefined {
  if (money.currency === asset.currency)
    return amount(money.amount * unitsPerMinor(asset, money.currency))
  return money.currency === asset.symbol ? amount(money.amount) : undefined
}

/** The asset that a mandate's currency counts. The default one for a currency of none. */
export const assetOfCurrency = (chain: Pick<Chain, 'assets'>, currency: string): Asset =>
  chain.assets.find((asset) => asset.currency === currency || asset.symbol === currency) ??
  defaultAsset(chain)
