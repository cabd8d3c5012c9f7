import { accountCommand, group } from '../command.ts'
import { connect } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn, decimal } from '../money.ts'
import { pairs, print } from '../output.ts'

const show = accountCommand({
  name: 'show',
  summary: 'what the fee meter holds, what is left of the quota, and your fees',
  example: 'npx purser meter',
  run: async (options) => {
    const purser = await connect(options)
    print(
      await purser.GET('/api/fees'),
      options.json,
      ({ meter, quota, overage_fee, gate, schedule }) =>
        pairs({
          balance: amountIn(meter, 'balance'),
          owed: amountIn(meter, 'owed'),
          quota: `${quota.used} of ${quota.included} used, until ${quota.resets_at}`,
          'each above': decimal(overage_fee),
          gate,
          ...Object.fromEntries(
            Object.entries(schedule).map(([kind, { bps, flat }]) => [
              kind,
              `${bps} bps + ${decimal(flat)}`,
            ]),
          ),
        }),
    )
  },
})

const topUp = accountCommand({
  name: 'topup',
  summary: 'top the meter up from the treasury balance',
  example: 'npx purser meter topup 5',
  isRepeatable: true,
  options: (made) => made.argument('<amount>', 'USDC'),
  run: async (options, amount = '') => {
    const purser = await connect(options)
    const answer = await purser.POST('/api/fees/topup', { body: { amount } })
    print(
      answer,
      options.json,
      ({ added, meter }) =>
        `${decimal(added)} added: the meter holds ${amountIn(meter, 'balance')} and owes ${amountIn(meter, 'owed')}.`,
    )
  },
})

const entries = listCommand({
  name: 'entries',
  summary: 'fees and top-ups, newest first',
  example: 'npx purser meter entries',
  most: 100,
  read: (purser, page: Page) =>
    purser.GET('/api/fees/entries', { params: { query: pageOf(page) } }),
  rows: (page) => page.entries,
  columns: [
    ['TIME', (entry) => entry.created_at],
    ['KIND', (entry) => entry.kind],
    ['AMOUNT', (entry) => amountIn(entry, 'amount', 'USDC')],
    ['STATUS', (entry) => entry.status],
    ['SETTLEMENT', (entry) => entry.settlement_id],
    ['ID', (entry) => entry.id],
  ],
  none: 'There are no entries yet.',
})

const meter = group('meter', 'the prepaid fees of DIRECT settlements', [topUp, entries])
meter.addCommand(show, { isDefault: true })
export const meterCommands = meter
