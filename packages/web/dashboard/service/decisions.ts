/** A decision on a payment of a card, as the API has it. Amounts of `inputs` are base units as text. */
export type Judged = {
  rule: string
  merchant: string
  mcc: string | null
  inputs: Record<string, unknown>
}
type Sum = (atomic: string) => string

const WINDOWS = [
  ['hourly_limit', 'hour_used', 'in this hour'],
  ['daily_limit', 'day_used', 'on this day (UTC)'],
  ['weekly_limit', 'week_used', 'in this week (UTC)'],
  ['monthly_limit', 'month_used', 'in this month (UTC)'],
] as const

const SENTENCES: Readonly<Record<string, string>> = {
  card_frozen: 'The card was frozen.',
  card_expired: 'The card had expired.',
  card_closed: 'The card was closed.',
  card_used: 'The card was for a single payment, and had made it.',
  card_pending: 'The card waited for its first money.',
  wallet_cap_exceeded: 'A limit over all cards of your wallet was reached.',
  key_cap_exceeded: 'A limit of the API key that asked was reached.',
  payment_rate_exceeded: 'The card had made as many payments in this minute as it may.',
  rolling_30d_limit_exceeded: 'The limit of thirty days was reached.',
  like_payments_exceeded:
    'It was one payment too many of this amount to this payee within ten minutes. The card froze itself.',
  approval_required: 'It waits for you.',
  approval_denied: 'You had refused this payment.',
  approvals_wait: 'Too many payments of this card wait for you already.',
  approved: 'You let this payment pass.',
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The rule that decided, in words, with the figures that it looked at. `sum` writes base units of the card's asset. */
export function decisionWords(judged: Judged, sum: Sum): string {
  const { rule, inputs } = judged
  const above = text(inputs.refused_by) ? 'A card above this one refused it. ' : ''
  return above + (windowWords(rule, inputs, sum) ?? figures(judged, sum) ?? sentence(rule))
}

const sentence = (rule: string): string => SENTENCES[rule] ?? `${rule.replaceAll('_', ' ')}.`

function windowWords(rule: string, inputs: Record<string, unknown>, sum: Sum): string | undefined {
  for (const [name, used, words] of WINDOWS) {
    const [limit, spent] = [text(inputs[name]), text(inputs[used])]
    if (rule === `${name}_exceeded` && limit && spent)
      return `The card may spend ${sum(limit)} ${words}, and had spent ${sum(spent)}.`
  }
  return undefined
}

function figures({ rule, inputs, merchant, mcc }: Judged, sum: Sum): string | undefined {
  const [most, total, spent, held, free] = [
    inputs.max_transaction,
    inputs.limit_amount,
    inputs.spent,
    inputs.held,
    inputs.available,
  ].map(text)
  const onHold = held && held !== '0' ? `, with ${sum(held)} on hold` : ''
  switch (rule) {
    case 'max_transaction_exceeded':
      return most && `One payment of the card may be ${sum(most)} at most.`
    case 'limit_exceeded':
      return (
        total &&
        spent &&
        `The card may spend ${sum(total)} in all, and had spent ${sum(spent)}${onHold}.`
      )
    case 'insufficient_funds':
      return free && `There was ${sum(free)} on the card${onHold}.`
    case 'mcc_blocked':
      return `The card pays merchants of the categories ${text(inputs.mcc_locks) ?? 'none'} alone, and this one has ${mcc ?? 'none'}.`
    case 'merchant_not_allowed':
      return `${merchant} is not among the payees that the card may pay: ${listed(inputs.allowed_merchants)}.`
    case 'within_limits':
      return withinWords(inputs, sum)
    default:
      return undefined
  }
}

const NAMED = 3
function listed(payees: unknown): string {
  if (!Array.isArray(payees) || payees.length === 0) return 'none'
  const more = payees.length - NAMED
  return `${payees.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Within its limits: what was left before it, of the limits that the card had. */
function withinWords(inputs: Record<string, unknown>, sum: Sum): string | undefined {
  const [total, spent] = [text(inputs.limit_amount), text(inputs.spent)]
  if (!total || !spent) return undefined
  const windows = WINDOWS.flatMap(([name, used, words]) => {
    const [limit, before] = [text(inputs[name]), text(inputs[used])]
    return limit && before ? [`${sum(before)} of ${sum(limit)} ${words}`] : []
  })
  return `Within its limits: before it, the card had spent ${[`${sum(spent)} of ${sum(total)} in all`, ...windows].join(', ')}.`
}

const NAMES: Readonly<Record<string, string>> = {
  mcc: 'category of the payee',
  mcc_locks: 'categories that it may pay',
  allowed_merchants: 'payees that it may pay',
}
const SUMS =
  /^(limit_amount|spent|held|available|max_transaction|delegated|approval_above|\w+_(limit|used))$/

/** All that the decision looked at, a line each: the card as it stood. */
export const inputLines = (
  inputs: Record<string, unknown>,
  sum: Sum,
): [name: string, value: string][] =>
  Object.entries(inputs).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return []
    const words = NAMES[name] ?? name.replaceAll('_', ' ')
    const written = typeof value === 'string' && SUMS.test(name) && /^\d+$/.test(value)
    return [
      [
        words,
        written ? sum(value) : String(value === true ? 'yes' : value === false ? 'no' : value),
      ],
    ]
  })
