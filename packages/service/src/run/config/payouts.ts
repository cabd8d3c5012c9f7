import type { Settings } from '../../api/http/settings.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { readWholeUnits, type Source, type Variable } from './values.ts'

/** How withdrawals are kept from leaving too fast. Each is off unless it is set. */
export const readPayouts = (from: Source, asset: Asset): Settings['payouts'] => ({
  walletCap: readCap(from, asset, 'PURSER_PAYOUT_DAILY_CAP_WALLET'),
  treasuryCap: readCap(from, asset, 'PURSER_PAYOUT_DAILY_CAP'),
  addressDelay: readDelay(from),
  approvalAbove: readCap(from, asset, 'PURSER_PAYOUT_APPROVAL_ABOVE'),
})

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const
const DELAY_MAX = 90 * SECONDS.d

/** In seconds; null if it is not set. */
function readDelay(from: Source): number | null {
  const name = 'PURSER_PAYOUT_ADDRESS_DELAY'
  const text = from.text(name)
  if (text === undefined) return null
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[(unit ?? 's') as keyof typeof SECONDS]
  if (seconds <= DELAY_MAX) return seconds
  from.fault(`${name} must be a whole number of s, m, h or d, 90 days at most, e.g. 24h.`)
  return null
}

/** An amount above zero; null if it is not set. */
function readCap(from: Source, asset: Asset, name: Variable): Amount | null {
  if (from.text(name) === undefined) return null
  const cap = readWholeUnits(from, asset, { name, otherwise: '1000' })
  if (cap > 0n) return cap
  from.fault(`${name} must be above zero; leave it out for none, or stop all: purser payouts stop.`)
  return cap
}
