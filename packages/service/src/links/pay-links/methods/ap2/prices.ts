import type { Asset } from '../../../../base/kernel/assets.ts'
import { type Amount, amount } from '../../../../base/kernel/money.ts'
import type { Price } from '../../../../base/protocols/ap2/judge/evaluate.ts'
import type { PayLink } from '../../../link/store.ts'

/** Decimals of the minor unit in which mandates count dollars. */
const CENT_DECIMALS = 2
/** The most that a payer may choose, in whole units. */
const CHOSEN_MAX_UNITS = 1_000_000_000n

const unitsPerCent = (asset: Asset): bigint => 10n ** BigInt(asset.decimals - CENT_DECIMALS)

/** The price that the link shows: `USD` for whole cents and for an amount that the payer chooses, otherwise `USDC`. */
export function askedPrice(
  link: Pick<PayLink, 'amount'>,
  asset: Asset,
): { amount: bigint | null; currency: string } {
  const cent = unitsPerCent(asset)
  if (link.amount === null) return { amount: null, currency: 'USD' }
  return link.amount % cent === 0n
    ? { amount: link.amount / cent, currency: 'USD' }
    : { amount: link.amount, currency: asset.symbol }
}

/** Every price at which a mandate pays the link, in minor units of its currency. */
export function pricesOf(link: Pick<PayLink, 'amount'>, asset: Asset): Price[] {
  const cent = unitsPerCent(asset)
  const base = 10n ** BigInt(asset.decimals)
  if (link.amount === null)
    return [
      { currency: 'USD', min: 1n, max: (CHOSEN_MAX_UNITS * base) / cent },
      { currency: asset.symbol, min: 1n, max: CHOSEN_MAX_UNITS * base },
    ]
  const exact = { currency: asset.symbol, min: link.amount, max: link.amount }
  if (link.amount % cent !== 0n) return [exact]
  const cents = link.amount / cent
  return [{ currency: 'USD', min: cents, max: cents }, exact]
}

/** A mandate's amount in base units of the asset; undefined for a currency that pays no link. */
export function baseUnitsOf(
  money: { amount: bigint; currency: string },
  asset: Asset,
): Amount | undefined {
  if (money.currency === 'USD') return amount(money.amount * unitsPerCent(asset))
  return money.currency === asset.symbol ? amount(money.amount) : undefined
}
