import { accountCommand } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { amountIn } from '../money.ts'
import { print, table } from '../output.ts'

export const balanceCommand = accountCommand({
  name: 'balance',
  summary: 'show the treasury balance',
  example: 'npx purser balance --json',
  run: async (options) => {
    const purser = await connect(options)
    print(await purser.GET('/api/balance'), options.json, ({ balances }) =>
      table(
        balances,
        [
          ['ASSET', (row) => row.asset],
          ['NETWORK', (row) => row.network],
          ['AVAILABLE', (row) => amountIn(row, 'available')],
          ['ON CARDS', (row) => amountIn(row, 'total_allocated')],
          ['FUNDED', (row) => amountIn(row, 'total_funded')],
          ['WITHDRAWN', (row) => amountIn(row, 'total_withdrawn')],
        ],
        'There is no balance yet.',
      ),
    )
  },
})

export const holdingsCommand = accountCommand<AccountOptions & { after?: string }>({
  name: 'holdings',
  summary: 'show everything that you hold, here and on chain',
  example: 'npx purser holdings',
  options: (made) => made.option('--after <card>', 'go on after this card'),
  run: async ({ after, ...options }) => {
    const purser = await connect(options)
    const query = after === undefined ? {} : { after }
    print(await purser.GET('/api/holdings', { params: { query } }), options.json, (answer) => {
      const shown = table(
        answer.holdings,
        [
          ['WHERE', (row) => row.where],
          ['OF', (row) => row.ref],
          ['AMOUNT', (row) => (row.amount === null ? 'unreadable' : amountIn(row, 'amount'))],
          ['VALUE', (row) => amountIn(row, 'value_usdc', 'USDC')],
        ],
        'There is nothing yet.',
      )
      const notes = [
        `In all ${amountIn(answer, 'total_value_usdc', 'USDC')}.`,
        ...(answer.chain ? ['The chain does not answer: what is held on chain is missing.'] : []),
        ...(answer.next_after ? [`More: npx purser holdings --after ${answer.next_after}`] : []),
      ]
      return [shown, ...notes].join('\n')
    })
  },
})
