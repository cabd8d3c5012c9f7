/** The limits of a card by their names in the API, with their words. `used`: what counts against it. */
export const LIMITS = [
  { name: 'max_transaction', words: 'Most in one payment' },
  { name: 'hourly_limit', words: 'Most in an hour', used: 'hour_used' },
  { name: 'daily_limit', words: 'Most in a day (UTC)', used: 'day_used' },
  { name: 'weekly_limit', words: 'Most in a week (UTC)', used: 'week_used' },
  { name: 'monthly_limit', words: 'Most in a month (UTC)', used: 'month_used' },
  { name: 'rolling_30d_limit', words: 'Most in 30 days' },
  { name: 'approval_above', words: 'You are asked above' },
] as const
export type LimitName = (typeof LIMITS)[number]['name']

/** Payees, cards or types of events, as a person writes them in one field. */
export const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
