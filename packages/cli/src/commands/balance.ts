import { listCommand, type Page, pageOf } from '../list.ts'
import { amountIn } from '../money.ts'

export const balanceCommand = listCommand({
  name: 'balance',
  summary: 'show the treasury balance',
  example: 'npx purser balance --json',
  read: (purser) => purser.GET('/api/balance'),
  rows: ({ balances }) => balances,
  columns: [
    ['ASSET', (row) => row.asset],
    ['NETWORK', (row) => row.network],
    ['AVAILABLE', (row) => amountIn(row, 'available')],
    ['ON CARDS', (row) => amountIn(row, 'total_allocated')],
    ['FUNDED', (row) => amountIn(row, 'total_funded')],
    ['WITHDRAWN', (row) => amountIn(row, 'total_withdrawn')],
  ],
  none: 'There is no balance yet.',
})

export const holdingsCommand = listCommand({
  name: 'holdings',
  summary: 'show everything that you hold, here and on chain',
  example: 'npx purser holdings',
  most: 100,
  read: (purser, options: Page) =>
    purser.GET('/api/holdings', { params: { query: pageOf(options) } }),
  rows: ({ holdings }) => holdings,
  columns: [
    ['WHERE', (row) => row.where],
    ['OF', (row) => row.ref],
    ['AMOUNT', (row) => (row.amount === null ? 'unreadable' : amountIn(row, 'amount'))],
    ['VALUE', (row) => amountIn(row, 'value_usdc', 'USDC')],
  ],
  none: 'There is nothing yet.',
  notes: (answer) => [
    `In all ${amountIn(answer, 'total_value_usdc', 'USDC')}.`,
    ...(answer.chain ? ['The chain does not answer: what is held on chain is missing.'] : []),
    ...(answer.next_after ? [`There are more cards: --after ${answer.next_after}`] : []),
  ],
})
