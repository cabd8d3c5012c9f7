import { accountCommand, group } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { pairs, print } from '../output.ts'

const list = listCommand({
  name: 'list',
  summary: 'list the tokens that you want to be paid in, newest first',
  example: 'npx purser tokens list',
  most: 100,
  read: (purser, page: Page) => purser.GET('/api/tokens', { params: { query: pageOf(page) } }),
  rows: ({ tokens }) => tokens,
  columns: [
    ['TOKEN', (token) => token.id],
    ['SYMBOL', (token) => token.symbol],
    ['TYPE', (token) => token.type],
    ['DECIMALS', (token) => token.decimals],
    ['ADDRESS', (token) => token.address],
  ],
  none: 'There are no tokens yet: npx purser tokens add --help',
})

const add = accountCommand<AccountOptions & { network?: string }>({
  name: 'add',
  summary: 'register a token, so that the x402 facilitator settles payments in it',
  example: 'npx purser tokens add 0x5075727365720000000000000000000000000004',
  isRepeatable: true,
  options: (made) =>
    made
      .argument('<address>', 'of the token')
      .option('--network <id>', "CAIP-2 chain id (else the service's own)"),
  run: async ({ network, ...options }, address = '') => {
    const purser = await connect(options)
    const own = async () => (await purser.GET('/api/status')).protocols.x402.networks[0] ?? ''
    const body = { network: network ?? (await own()), address }
    print(await purser.POST('/api/tokens', { body }), options.json, ({ token }) => {
      const { id, symbol, name, type, decimals, safety } = token
      const found = Object.entries(safety).map(([question, { finding, found_by }]) => [
        question,
        `${finding}: ${found_by}`,
      ])
      return pairs({ token: id, symbol, name, type, decimals, ...Object.fromEntries(found) })
    })
  },
})

const remove = accountCommand({
  name: 'remove',
  summary: 'take no more payments in a token',
  example: 'npx purser tokens remove tkn_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<id>', 'as `tokens list` shows it'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.DELETE('/api/tokens/{id}', { params: { path: { id } } })
    print(answer, options.json, () => 'The token is removed.')
  },
})

export const tokenCommands = group('tokens', 'list, add and remove tokens to be paid in', [
  list,
  add,
  remove,
])
