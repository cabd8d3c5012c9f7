import type { Card } from '@purser/sdk'
import { money } from './result.ts'
import { shown } from './untrusted.ts'

const WINDOWS: readonly (readonly [name: string, words: string])[] = [
  ['max_transaction', 'in one payment'],
  ['hourly_limit', 'in an hour'],
  ['daily_limit', 'in a day (UTC)'],
  ['weekly_limit', 'in a week'],
  ['monthly_limit', 'in a month'],
  ['rolling_30d_limit', 'in any 30 days'],
]

/** The rules of a card, a sentence for each. They are the service's: no tool changes them. */
export function rulesOf(card: Card): string[] {
  const fields = card as unknown as Record<string, unknown>
  const asset = card.funding_asset
  const rules = [`It may spend ${money(card.limit_amount, asset)} in all.`]
  for (const [name, words] of WINDOWS) {
    const most = fields[name]
    if (typeof most === 'number') rules.push(`It may spend ${money(most, asset)} ${words}.`)
  }
  const perMinute = fields.max_payments_per_minute
  if (typeof perMinute === 'number') rules.push(`It may make ${perMinute} payments in a minute.`)
  const like = fields.max_like_payments
  if (typeof like === 'number')
    rules.push(
      `After ${like} payments of one amount to one payee within ten minutes, the next freezes it.`,
    )
  const above = fields.approval_above
  if (typeof above === 'number')
    rules.push(
      above === 0
        ? 'Each payment waits for the approval of its owner.'
        : `A payment above ${money(above, asset)} waits for the approval of its owner.`,
    )
  if (fields.approval_first_merchant === true)
    rules.push('The first payment to a payee waits for the approval of its owner.')
  if (card.allowed_merchants.length > 0)
    rules.push(`It may pay only ${shown(card.allowed_merchants.join(', '), 1_000)}.`)
  if (card.mcc_locks) rules.push(`It may pay only the merchant categories ${card.mcc_locks}.`)
  if (card.single_use === 1) rules.push('It ends with its first payment.')
  if (card.expires_at) rules.push(`It ends at ${card.expires_at}.`)
  if (card.status !== 'ACTIVE') rules.push(`It is ${card.status}, so it pays nothing now.`)
  return rules
}
