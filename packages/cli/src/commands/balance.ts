import { accountCommand } from '../command.ts'
import { connect } from '../context.ts'
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
          ['AVAILABLE', (row) => row.available],
          ['ON CARDS', (row) => row.total_allocated],
          ['FUNDED', (row) => row.total_funded],
          ['WITHDRAWN', (row) => row.total_withdrawn],
        ],
        'There is no balance yet.',
      ),
    )
  },
})
