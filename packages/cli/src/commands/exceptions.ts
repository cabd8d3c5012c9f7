import { accountCommand, given, group } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn, decimal } from '../money.ts'
import { print } from '../output.ts'

type Filter = Page & {
  status?: 'OPEN' | 'KEPT' | 'REFUNDED'
  reason?: 'late' | 'short' | 'over' | 'closed' | 'unknown'
  link?: string
}
const list = listCommand({
  name: 'list',
  summary: 'list payments that reached your links and do not settle them, newest first',
  names: { pay_link_code: '--link' },
  example: 'npx purser exceptions list --status OPEN',
  options: (made) =>
    made
      .option('--status <status>', 'only OPEN, KEPT or REFUNDED ones')
      .option('--reason <reason>', 'only those that came late, short, over, or to a closed link')
      .option('--link <code>', 'only those of this pay link'),
  most: 100,
  read: (purser, { status, reason, link, ...page }: Filter) => {
    const query = { ...given({ status, reason, pay_link_code: link }), ...pageOf(page) }
    return purser.GET('/api/exceptions', { params: { query } })
  },
  rows: ({ exceptions }) => exceptions,
  columns: [
    ['ID', (row) => row.id],
    ['LINK', (row) => row.pay_link_code],
    ['REASON', (row) => row.reason],
    ['AMOUNT', (row) => amountIn(row, 'amount')],
    ['FEE', (row) => amountIn(row, 'fee')],
    ['STATUS', (row) => row.status],
    ['PAYER', (row) => row.payer],
  ],
  none: 'There are no exceptions: every payment settled its link.',
})

type ActOptions = AccountOptions & { idempotencyKey?: string }
const header = ({ idempotencyKey }: ActOptions) => given({ 'Idempotency-Key': idempotencyKey })

const refund = accountCommand<ActOptions>({
  name: 'refund',
  summary: 'send the money of an exception back to the address that paid it',
  example: 'npx purser exceptions refund exc_01k9…',
  options: (made) =>
    made
      .argument('<id>', 'the exception')
      .option('--idempotency-key <key>', 'repeat with the same key to get the same answer'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const params = { path: { id }, header: header(options) }
    const answer = await purser.POST('/api/exceptions/{id}/refund', { params })
    const { exception, withdrawal_id, withdrawal_fee } = answer
    print(
      answer,
      options.json,
      () =>
        `${amountIn(exception, 'amount')} are on their way to ${exception.payer} (${withdrawal_id}); the withdrawal fee of ${decimal(withdrawal_fee)} is yours.`,
    )
  },
})

const keep = accountCommand<ActOptions>({
  name: 'keep',
  summary: 'keep the money of an exception; it can no longer be refunded',
  example: 'npx purser exceptions keep exc_01k9…',
  options: (made) =>
    made
      .argument('<id>', 'the exception')
      .option('--idempotency-key <key>', 'repeat with the same key to get the same answer'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const params = { path: { id }, header: header(options) }
    const answer = await purser.POST('/api/exceptions/{id}/keep', { params })
    const kept = amountIn(answer.exception, 'net_amount')
    print(answer, options.json, () => `Kept: ${kept} stay on your treasury balance.`)
  },
})

export const exceptionCommands = group(
  'exceptions',
  'money that reached your links and does not settle them',
  [list, refund, keep],
)
