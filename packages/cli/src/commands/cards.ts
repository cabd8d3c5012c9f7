import {
  CARD_LIMITS,
  type Card,
  type CardOrder,
  type CardStatus,
  type Transaction,
} from '@purser/sdk'
import type { Command } from 'commander'
import { accountCommand, given, group, wholeNumber } from '../command.ts'
import { type AccountOptions, connect, keepSecret } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn, decimal } from '../money.ts'
import { pairs, print } from '../output.ts'
import type { Column } from '../table.ts'
import { secretsOf } from './card-file.ts'
import { backtest, draftCommands } from './drafts.ts'

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim())

const CARD_COLUMNS = [
  ['ID', (card: Card) => card.id],
  ['STATUS', (card: Card) => card.status],
  ['PURPOSE', (card: Card) => card.purpose],
  ['BALANCE', (card: Card) => amountIn(card, 'balance')],
  ['REMAINING', (card: Card) => amountIn(card, 'remaining')],
  ['SPENT', (card: Card) => amountIn(card, 'spent')],
  ['LIMIT', (card: Card) => amountIn(card, 'limit_amount')],
] as const

const list = listCommand({
  name: 'list',
  summary: 'list your cards, newest first',
  example: 'npx purser cards list --status ACTIVE',
  options: (made) => made.option('--status <status>', 'only cards of this status, such as ACTIVE'),
  most: 100,
  read: (purser, { status, ...page }: Page & { status?: CardStatus }) =>
    purser.GET('/api/cards', { params: { query: { ...given({ status }), ...pageOf(page) } } }),
  rows: ({ cards }) => cards,
  columns: CARD_COLUMNS,
  none: 'There are no cards yet: npx purser cards issue --help',
})

type IssueOptions = AccountOptions & {
  purpose: string
  limit: string
  maxTransaction?: string
  approvalAbove?: string
  approvalFirstMerchant?: boolean
  mcc?: string
  merchants?: string
  rolling30dLimit?: string
  maxPaymentsPerMinute?: number
  maxLikePayments?: number
  singleUse?: boolean
  expiresIn?: number
  save?: string
  idempotencyKey?: string
}
/** An option for each limit by window: `daily_limit` is `--daily-limit`. */
const withLimits = (command: Command): Command =>
  CARD_LIMITS.reduce(
    (made, { name, summary }) => made.option(`--${name.replaceAll('_', '-')} <amount>`, summary),
    command,
  )
const limitsOf = (options: object) =>
  Object.fromEntries(
    CARD_LIMITS.map(({ name }) => {
      const key = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
      return [name, (options as Record<string, string | undefined>)[key]]
    }),
  ) as Record<(typeof CARD_LIMITS)[number]['name'], string | undefined>

const issue = accountCommand<IssueOptions>({
  name: 'issue',
  summary: 'issue a card from the treasury balance',
  names: { limit_amount: '--limit', mcc_locks: '--mcc', allowed_merchants: '--merchants' },
  example: 'npx purser cards issue --purpose "Research agent" --limit 25 --save card.json',
  options: (made) =>
    withLimits(
      made
        .requiredOption('--purpose <text>', 'what the card is for')
        .requiredOption('--limit <amount>', 'the most that it may spend, in USDC'),
    )
      .option('--max-transaction <amount>', 'the most that one payment may be')
      .option('--rolling-30d-limit <amount>', 'the most within thirty days')
      .option('--max-payments-per-minute <n>', 'the most payments in one minute', wholeNumber)
      .option('--max-like-payments <n>', 'freeze it before one more like these', wholeNumber)
      .option('--approval-above <amount>', 'ask you about payments above this amount; 0 for all')
      .option('--approval-first-merchant', 'ask you about the first payment to each payee')
      .option('--mcc <codes>', 'merchant category codes, comma-separated')
      .option('--merchants <names>', 'hosts, pay link codes or addresses, comma-separated')
      .option('--single-use', 'one payment, then it is used up')
      .option('--expires-in <hours>', '0 = never', wholeNumber)
      .option('--save <file>', 'keep id and token in a new 0600 file and do not print the token')
      .option('--idempotency-key <key>', 'repeat with the same key to get the same card'),
  run: async ({ save, idempotencyKey, json, ...options }) => {
    const purser = await connect(options)
    const order: CardOrder = {
      purpose: options.purpose,
      limit_amount: options.limit,
      ...given({
        ...limitsOf(options),
        max_transaction: options.maxTransaction,
        rolling_30d_limit: options.rolling30dLimit,
        max_payments_per_minute: options.maxPaymentsPerMinute,
        max_like_payments: options.maxLikePayments,
        approval_above: options.approvalAbove,
        approval_first_merchant: options.approvalFirstMerchant,
        mcc_locks: options.mcc,
        allowed_merchants: options.merchants === undefined ? undefined : listOf(options.merchants),
        single_use: options.singleUse,
        expires_in: options.expiresIn,
      }),
    }
    const write = await secretsOf(options)
    const issueIt = () => purser.issueCard(order, given({ idempotencyKey }))
    const card = save
      ? await keepSecret(save, async () => {
          const { token, ...rest } = await issueIt()
          const secret = write({ id: rest.id, token })
          return { secret, result: { ...rest, token: `in ${save}` } }
        })
      : await issueIt()
    print({ success: true, card }, json, () => showCard(card))
  },
})

const showCard = (card: Card): string =>
  pairs({
    Card: card.id,
    Token: card.token,
    Purpose: card.purpose,
    Status: card.status,
    Balance: amountIn(card, 'balance'),
    Remaining: amountIn(card, 'remaining'),
    Spent: `${amountIn(card, 'spent')} of ${amountIn(card, 'limit_amount')}`,
    Expires: card.expires_at ?? 'never',
  })

const show = accountCommand({
  name: 'show',
  summary: 'show one card',
  example: 'npx purser cards show card_01k9…',
  options: (made) => made.argument('<card>', 'the id of the card'),
  run: async (options, id) => {
    const purser = await connect(options)
    const answer = await purser.GET('/api/cards/{id}', { params: { path: { id: id ?? '' } } })
    print(answer, options.json, ({ card }) => showCard(card))
  },
})

const switchTo = (verb: 'freeze' | 'unfreeze', summary: string) =>
  accountCommand({
    name: verb,
    summary,
    example: `npx purser cards ${verb} card_01k9…`,
    isRepeatable: true,
    options: (made) => made.argument('<card>', 'the id of the card'),
    run: async (options, id = '') => {
      const purser = await connect(options)
      const answer = await purser.POST(`/api/cards/{id}/${verb}`, { params: { path: { id } } })
      print(answer, options.json, (it) => `Card ${it.card_id} is ${it.status}.`)
    },
  })

const fund = accountCommand<AccountOptions & { idempotencyKey?: string }>({
  name: 'fund',
  summary: 'top up a card from the treasury balance',
  example: 'npx purser cards fund card_01k9… 10',
  options: (made) =>
    made
      .argument('<card>', 'the id of the card')
      .argument('<amount>', 'in USDC')
      .option('--idempotency-key <key>', 'repeat with the same key and nothing moves again'),
  run: async ({ idempotencyKey, ...options }, id = '', amount = '') => {
    const purser = await connect(options)
    const header = given({ 'Idempotency-Key': idempotencyKey })
    const params = { path: { id }, header }
    const answer = await purser.POST('/api/cards/{id}/fund', { params, body: { amount } })
    print(
      answer,
      options.json,
      (it) =>
        `Added ${decimal(it.added)} to card ${it.card_id}; its limit is ${decimal(it.new_limit)} now.`,
    )
  },
})

const cancel = accountCommand({
  name: 'cancel',
  summary: 'close a card for good; unspent money returns to the treasury balance',
  example: 'npx purser cards cancel card_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<card>', 'the id of the card'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.POST('/api/cards/{id}/cancel', { params: { path: { id } } })
    print(answer, options.json, ({ card }) => `Card ${card.id} is ${card.status}.`)
  },
})

const OF_CARD = (made: Command) => made.argument('<card>', 'the id of the card')

/** The columns of the payments that a card sent and received. */
export const TRANSACTION_COLUMNS: readonly Column<Transaction>[] = [
  ['TIME', (row) => row.created_at],
  ['DIRECTION', (row) => row.direction],
  ['AMOUNT', (row) => amountIn(row, 'amount')],
  ['FEE', (row) => amountIn(row, 'fee')],
  ['PROTOCOL', (row) => row.protocol],
  ['STATUS', (row) => row.status],
  ['MERCHANT', (row) => row.merchant],
  ['ID', (row) => row.id],
]

const transactions = listCommand({
  name: 'transactions',
  summary: 'list what a card sent and received, newest first',
  example: 'npx purser cards transactions card_01k9… --limit 10',
  options: OF_CARD,
  most: 1000,
  read: (purser, page: Page, id = '') =>
    purser.GET('/api/cards/{id}/transactions', { params: { path: { id }, query: pageOf(page) } }),
  rows: (answer) => answer.transactions,
  columns: TRANSACTION_COLUMNS,
  none: 'There are no transactions yet.',
})

const decisions = listCommand({
  name: 'decisions',
  summary: 'list every allow and deny of a card, with its rule',
  example: 'npx purser cards decisions card_01k9… --limit 10',
  options: OF_CARD,
  most: 100,
  read: (purser, page: Page, id = '') =>
    purser.GET('/api/cards/{id}/decisions', { params: { path: { id }, query: pageOf(page) } }),
  rows: (answer) => answer.decisions,
  columns: [
    ['TIME', (row) => row.created_at],
    ['ALLOWED', (row) => (row.allowed ? 'yes' : 'no')],
    ['RULE', (row) => row.rule],
    ['DRAFT', (row) => row.draft?.verdict],
    ['AMOUNT', (row) => amountIn(row, 'amount')],
    ['PROTOCOL', (row) => row.protocol],
    ['MERCHANT', (row) => row.merchant],
    ['ID', (row) => row.id],
  ],
  none: 'Nothing was decided yet.',
})

export const cardCommands = group('cards', 'issue and manage cards', [
  list,
  show,
  issue,
  fund,
  switchTo('freeze', 'stop every debit of a card'),
  switchTo('unfreeze', 'let a frozen card spend again'),
  cancel,
  transactions,
  decisions,
  draftCommands,
  backtest,
])
