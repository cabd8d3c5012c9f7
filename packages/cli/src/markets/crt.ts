import { PurserError } from '@purser/sdk'
import { InvalidArgumentError } from 'commander'
import { accountCommand, command, group, wholeNumber } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { readJsonFile, writeNamedFile } from '../files.ts'
import { listCommand, type Page, pageOf } from '../list.ts'
import { decimal } from '../money.ts'
import { pairs, print } from '../output.ts'
import { table } from '../table.ts'
import { type Launch, sendByDemoWallet } from './send.ts'

const card = (id: string) => ({ params: { path: { id } } })

type Terms = AccountOptions & {
  symbol: string
  name: string
  supply: number
  keepBps: number
  startPrice: string
  save?: string
}
const prepare = accountCommand<Terms>({
  name: 'prepare',
  summary: 'prepare a credential token and its market: unsigned transactions for your wallet',
  example:
    'npx purser crt prepare card_01k9… --symbol ACME --name "Acme Agent" --supply 1000000 --start-price 0.001 --save launch.json',
  options: (made) =>
    made
      .argument('<card>', 'the id of the card')
      .requiredOption('--symbol <symbol>', 'two to eleven of A to Z and 0 to 9')
      .requiredOption('--name <text>', 'the name of the token')
      .requiredOption('--supply <n>', 'whole tokens; there will never be more', wholeAmount)
      .requiredOption('--start-price <amount>', 'USDC for one token')
      .option('--keep-bps <n>', 'ten-thousandths that you keep, locked', wholeNumber, 0)
      .option('--save <file>', 'keep the transactions in a file, for `crt send`'),
  run: async ({ save, json, ...options }, id = '') => {
    const purser = await connect(options)
    const body = {
      symbol: options.symbol,
      name: options.name,
      supply: options.supply,
      keep_bps: options.keepBps,
      start_price: options.startPrice,
    }
    const made = await purser.POST('/api/cards/{id}/crt-market/prepare', { ...card(id), body })
    if (save !== undefined) await writeNamedFile(save, `${JSON.stringify(made, null, 2)}\n`)
    print(made, json, (launch) =>
      [
        pairs({
          Token: launch.token,
          'Start price': `${decimal(launch.start_price)} USDC`,
          'From nonce': launch.nonce ?? 'none: the wallet is a contract',
          'Valid until': launch.expires_at,
        }),
        table(
          launch.transactions,
          [
            ['STEP', (one) => one.step],
            ['GAS', (one) => one.gas],
            ['DOES', (one) => one.description],
          ],
          { none: 'none' },
        ),
      ].join('\n\n'),
    )
  },
})

/** For commander: up to a trillion. */
function wholeAmount(text: string): number {
  if (!/^\d{1,13}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const send = command<{ json?: boolean }>({
  name: 'send',
  summary: 'development only: sign prepared transactions with the demo wallet, and send them',
  example: 'npx purser crt send launch.json',
  options: (made) => made.argument('<file>', 'as `crt prepare --save` made it'),
  run: async ({ json }, file = '') => {
    const hashes = await sendByDemoWallet(await readLaunch(file))
    print(hashes, json, pairs)
  },
})

const readLaunch = (file: string): Promise<Launch> =>
  readJsonFile(file, {
    pick: (value) => {
      const launch = value as Launch | null
      return Array.isArray(launch?.transactions) ? launch : undefined
    },
    lack: 'it should hold prepared transactions, as `crt prepare --save` makes them.',
  })

const TRIES = 40
const TRY_MS = 2_000

/** Asks again while the block of a transaction is not safe yet. */
async function whenSafe<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const isPending = error instanceof PurserError && error.code === 'transaction_pending'
      if (!isPending || tries === TRIES) throw error
      await new Promise((done) => setTimeout(done, TRY_MS))
    }
  }
}

const confirm = accountCommand<AccountOptions & { deployTx: string; listTx: string }>({
  name: 'confirm',
  summary: 'show that the token is made and listed; waits until the blocks are safe',
  example: 'npx purser crt confirm card_01k9… --deploy-tx 0x… --list-tx 0x…',
  options: (made) =>
    made
      .argument('<card>', 'the id of the card')
      .requiredOption('--deploy-tx <hash>', 'the transaction of the step deploy')
      .requiredOption('--list-tx <hash>', 'the transaction of the step list'),
  run: async ({ deployTx, listTx, ...options }, id = '') => {
    const purser = await connect(options)
    const body = { deployTx, listTx }
    const ask = () => purser.POST('/api/cards/{id}/crt-market/confirm', { ...card(id), body })
    print(await whenSafe(ask), options.json, ({ market }) => pairs(market))
  },
})

const vested = accountCommand<AccountOptions & { tx: string; keepBps: number }>({
  name: 'vested',
  summary: 'show that the part that you keep is locked; waits until the block is safe',
  names: { vestingTx: '--tx' },
  example: 'npx purser crt vested card_01k9… --tx 0x… --keep-bps 1000',
  options: (made) =>
    made
      .argument('<card>', 'the id of the card')
      .requiredOption('--tx <hash>', 'the transaction of the step vest')
      .requiredOption('--keep-bps <n>', 'ten-thousandths, as prepared', wholeNumber),
  run: async ({ tx, keepBps, ...options }, id = '') => {
    const purser = await connect(options)
    const body = { vestingTx: tx, keepBps }
    const path = '/api/cards/{id}/crt-market/vesting-confirm'
    const ask = () => purser.POST(path, { ...card(id), body })
    print(await whenSafe(ask), options.json, ({ vesting }) => pairs(vesting))
  },
})

const list = listCommand({
  name: 'list',
  summary: 'list the live markets of all cards, newest first',
  example: 'npx purser crt list',
  most: 100,
  read: (purser, page: Page) => purser.GET('/api/crt-markets', { params: { query: pageOf(page) } }),
  rows: ({ markets }) => markets,
  columns: [
    ['TOKEN', (market) => market.token],
    ['SYMBOL', (market) => market.symbol],
    ['NAME', (market) => market.name],
    ['SUPPLY', (market) => market.supply],
    ['STATUS', (market) => market.status],
  ],
  none: 'There are no live markets yet: npx purser crt prepare --help',
})

const show = accountCommand({
  name: 'show',
  summary: 'show price, liquidity and warnings of a token, or the market of your card',
  example: 'npx purser crt show 0x…',
  options: (made) => made.argument('<token-or-card>', 'address of the token, or id of your card'),
  run: async (options, of = '') => {
    const purser = await connect(options)
    if (of.startsWith('card_')) {
      const own = await purser.GET('/api/cards/{id}/crt-market', card(of))
      print(own, options.json, ({ market, vesting }) =>
        pairs({ ...market, stream: vesting?.streamUrl }),
      )
      return
    }
    const params = { path: { token: of } }
    print(await purser.GET('/api/crt-markets/{token}', { params }), options.json, (found) => {
      const { market, spot, average, liquidity, vesting, warnings } = found
      return `${pairs({
        Token: `${market.symbol} (${market.name})`,
        Status: market.status,
        'Spot price': `${decimal(spot.value)} USDC`,
        'Average price': `${decimal(average.value)} USDC over ${average.window_seconds} seconds`,
        Liquidity: `${decimal(liquidity.tokens)} tokens and ${decimal(liquidity.usdc)} USDC, held by ${liquidity.held_by}`,
        Vesting: vesting?.streamUrl,
      })}\n\n${warnings.join('\n')}`
    })
  },
})

const quote = accountCommand<AccountOptions & { side: 'buy' | 'sell'; amount: string }>({
  name: 'quote',
  summary: 'the exact outcome of a swap, if it were made now',
  example: 'npx purser crt quote 0x… --side buy --amount 10',
  options: (made) =>
    made
      .argument('<token>', 'address of the token')
      .requiredOption('--side <side>', 'buy or sell')
      .requiredOption('--amount <amount>', 'USDC that you pay, or tokens that you sell'),
  run: async ({ side, amount, ...options }, token = '') => {
    const purser = await connect(options)
    const params = { path: { token }, query: { side, amount } }
    print(await purser.GET('/api/crt-markets/{token}/quote', { params }), options.json, (made) => {
      const [paid, got] = side === 'buy' ? ['USDC', 'tokens'] : ['tokens', 'USDC']
      return `${decimal(made.amount_in)} ${paid} for ${decimal(made.amount_out)} ${got}: ${decimal(made.price)} USDC a token.`
    })
  },
})

export const crtCommands = group('crt', 'credential tokens, and their markets on Uniswap v4', [
  prepare,
  send,
  confirm,
  vested,
  list,
  show,
  quote,
])
