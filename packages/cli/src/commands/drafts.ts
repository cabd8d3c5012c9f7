import { CARD_LIMITS } from '@purser/sdk'
import type { Command } from 'commander'
import { accountCommand, group, time } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { amountIn } from '../money.ts'
import { pairs, print } from '../output.ts'
import { table } from '../table.ts'

type Tally = { payments: number; amount: number; amount_atomic?: string }
type Differing = {
  id: string
  created_at: string
  amount: number
  merchant: string
  protocol: string
  rule: string
  would_be: string
  window: string | null
}

const talliedIn =
  (asset: string) =>
  (tally: Tally): string =>
    `${tally.payments} payment${tally.payments === 1 ? '' : 's'}, ${amountIn(tally, 'amount', asset)}`

const differingTable = (rows: readonly Differing[], asset: string): string =>
  table(
    rows,
    [
      ['TIME', (row) => row.created_at],
      ['AMOUNT', (row) => amountIn(row, 'amount', asset)],
      ['MERCHANT', (row) => row.merchant],
      ['PROTOCOL', (row) => row.protocol],
      ['WAS', (row) => (row.rule === 'within_limits' ? 'allowed' : row.rule)],
      ['WOULD BE', (row) => row.would_be],
      ['WINDOW', (row) => row.window],
    ],
    { none: 'They would have decided every payment as it was decided.' },
  )

const titled = (title: string, rows: string): string => `${title}\n${rows}`
const MORE = 'There are more decisions than these sums hold: 10,000 are counted, the oldest first.'

const rulesIn = (rules: object): [string, unknown][] =>
  Object.entries(rules).map(([name, value]) => [
    name.replaceAll('_', ' '),
    Array.isArray(value) ? value.join(', ') || 'any' : value === '' ? 'any' : (value ?? 'none'),
  ])

const show = accountCommand({
  name: 'show',
  summary: 'the rules of a card that run in shadow, and what they would have said',
  example: 'npx purser cards draft show card_01k9…',
  options: (made) => made.argument('<card>', 'the id of the card'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.GET('/api/cards/{id}/controls/draft', { params: { path: { id } } })
    print(answer, options.json, ({ asset, draft, summary }) => {
      const tallied = talliedIn(asset)
      if (!draft || !summary) return 'The card has no draft: npx purser cards draft set --help'
      return [
        pairs({ Draft: draft.id, Made: draft.made_at, Changed: draft.changed.join(', ') || '-' }),
        titled('RULES', pairs(Object.fromEntries(rulesIn(draft.rules)))),
        pairs({
          Decisions: tallied(summary.decisions),
          'Both allow': tallied(summary.both_allowed),
          'Both decline': tallied(summary.both_declined),
          'Newly allowed': tallied(summary.newly_allowed),
          'Newly declined': tallied(summary.newly_declined),
          'Not judged': tallied(summary.not_judged),
        }),
        titled('FIRST THAT DIFFER', differingTable(summary.differing, asset)),
        ...(summary.truncated ? [MORE] : []),
      ].join('\n\n')
    })
  },
})

type BacktestOptions = AccountOptions & {
  since?: string
  until?: string
  draft?: boolean
  maxTransaction?: string
  approvalAbove?: string
  merchants?: string
  mcc?: string
} & Record<string, unknown>

const AMOUNTS = [
  ...CARD_LIMITS.map(({ name, summary }) => [name, summary] as const),
  ['max_transaction', 'the most that one payment may be'],
  ['approval_above', 'ask you about payments above this amount'],
] as const
const optionOf = (name: string): string => name.replaceAll('_', '-')
const keyOf = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const withRules = (command: Command): Command =>
  AMOUNTS.reduce(
    (made, [name, about]) =>
      made.option(`--${optionOf(name)} <amount>`, `${about}; none for no limit`),
    command,
  )
    .option(
      '--merchants <names>',
      'hosts, pay link codes or addresses, comma-separated; none for any',
    )
    .option('--mcc <codes>', 'merchant category codes, comma-separated; none for all')

function rulesOf(options: BacktestOptions): Record<string, unknown> {
  const read = (key: string, meant: (text: string) => unknown, none: unknown) => {
    const text = options[key]
    if (typeof text !== 'string') return []
    return [text === 'none' ? none : meant(text)]
  }
  return Object.fromEntries([
    ...AMOUNTS.flatMap(([name]) => read(keyOf(name), String, null).map((value) => [name, value])),
    ...read('merchants', (text) => text.split(',').map((part) => part.trim()), []).map((value) => [
      'allowed_merchants',
      value,
    ]),
    ...read('mcc', String, '').map((value) => ['mcc_locks', value]),
  ])
}

export const backtest = accountCommand<BacktestOptions>({
  name: 'backtest',
  summary: 'decide the past of a card anew under other rules; changes nothing',
  names: { mcc_locks: '--mcc', allowed_merchants: '--merchants' },
  example: 'npx purser cards backtest card_01k9… --daily-limit 5',
  options: (made) =>
    withRules(made.argument('<card>', 'the id of the card'))
      .option('--draft', 'under the rules of its draft, in place of those that are named')
      .option('--since <time>', 'from this day or time on; else 30 days before the end', time)
      .option('--before, --until <time>', 'up to this day or time; else now', time),
  run: async ({ since, until, ...options }, id = '') => {
    const purser = await connect(options)
    const body = {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(!options.draft && { controls: rulesOf(options) }),
    }
    const path = '/api/cards/{id}/controls/backtest'
    const answer = await purser.POST(path, { params: { path: { id } }, body })
    const { asset } = answer
    const tallied = talliedIn(asset)
    print(answer, options.json, (it) =>
      [
        titled('RULES', pairs(Object.fromEntries(rulesIn(it.rules)))),
        pairs({
          Since: it.since,
          Until: it.truncated ? (it.read_until ?? it.until) : it.until,
          Decisions: String(it.decisions),
          'Was allowed': tallied(it.was_allowed),
          'Was declined': tallied(it.was_declined),
          'Would allow': tallied(it.would_allow),
          'Would decline': tallied(it.would_decline),
          'Newly allowed': tallied(it.newly_allowed),
          'Newly declined': tallied(it.newly_declined),
          'Not judged': tallied(it.not_judged),
        }),
        titled(
          'WHY THEY DECLINE',
          table(
            it.reasons,
            [
              ['RULE', (row) => row.rule],
              ['WINDOW', (row) => row.window],
              ['PAYMENTS', (row) => row.payments],
              ['AMOUNT', (row) => amountIn(row, 'amount', asset)],
            ],
            { none: 'They decline nothing.' },
          ),
        ),
        titled('FIRST THAT DIFFER', differingTable(it.differing, asset)),
        ...(it.truncated ? [MORE] : []),
      ].join('\n\n'),
    )
  },
})

export const draftCommands = group('draft', 'rules of a card that are tried in shadow', [show])
