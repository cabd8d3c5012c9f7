import type { Command } from 'commander'
import { withWallet } from '../account/login.ts'
import { accountCommand, given, group, wholeNumber } from '../command.ts'
import { secretsOf } from '../commands/card-file.ts'
import { type AccountOptions, connect, keepSecret } from '../context.ts'
import { Fault } from '../fault.ts'
import { writeNamedFile } from '../files.ts'
import { listCommand, numbered } from '../list.ts'
import { amountIn } from '../money.ts'
import { pairs, print } from '../output.ts'
import { buyOnChain, type Signing, sellOnChain } from './on-chain.ts'

const SORTS = ['newest', 'price_asc', 'price_desc', 'revenue_desc'] as const
type Browse = AccountOptions & { sort?: (typeof SORTS)[number]; page?: number; limit?: number }

const list = listCommand({
  name: 'list',
  summary: 'list the cards that are for sale',
  example: 'npx purser market list --sort revenue_desc',
  options: (made) =>
    made
      .option('--sort <order>', SORTS.join(', '))
      .option('--page <n>', 'the page, from 1', wholeNumber)
      .option('--limit <n>', 'at most so many, up to 100', wholeNumber),
  read: (purser, { sort, page, limit }: Browse) =>
    purser.GET('/api/listings', { params: { query: given({ sort, page, limit }) } }),
  rows: ({ listings }) => listings,
  columns: [
    ['LISTING', (one) => one.id],
    ['CARD', (one) => one.card_id],
    ['PRICE', (one) => amountIn(one, 'price')],
    ['BALANCE', (one) => amountIn(one.stats, 'balance', one.currency)],
    ['RECEIVED', (one) => amountIn(one.stats, 'rxLifetime', one.currency)],
    ['PAYMENTS', (one) => one.stats.rxCount],
    ['SELLABLE', (one) => (one.sellable ? 'yes' : 'no')],
  ],
  none: 'Nothing is for sale: npx purser market sell --help',
  notes: numbered,
})

const signed = (made: Command): Command =>
  withWallet(made).option('--signature <hex>', 'on chain: of what `market prepare` answered')

type Listing = Awaited<ReturnType<typeof read>>['listing']
const read = async (purser: Awaited<ReturnType<typeof connect>>, id: string) =>
  purser.GET('/api/listings/{id}', { params: { path: { id } } })

const showListing = ({ stats, ...listing }: Listing): string =>
  pairs({
    Listing: listing.id,
    Card: listing.card_id,
    Seller: listing.seller,
    Price: amountIn(listing, 'price'),
    Status: listing.status,
    Mode: listing.mode,
    'Good until': listing.expires_at ?? undefined,
    Buyer: listing.buyer ?? undefined,
    Transaction: listing.settled_tx ?? undefined,
    Sellable: listing.sellable ? 'yes' : 'no',
    Version: listing.version,
    Balance: amountIn(stats, 'balance', listing.currency),
    Received: `${amountIn(stats, 'rxLifetime', listing.currency)} in ${stats.rxCount} payments`,
    'Last 30 days': `${amountIn(stats, 'rx30d', listing.currency)} in ${stats.rx30dCount} payments`,
    Identity: stats.identityToken ?? stats.identityStatus,
  })

const show = accountCommand({
  name: 'show',
  summary: 'show a listing, with the version that a purchase may name',
  example: 'npx purser market show lst_01k9…',
  options: (made) => made.argument('<listing>', 'its id'),
  run: async (options, id = '') => {
    const answer = await read(await connect(options), id)
    print(answer, options.json, ({ listing }) => showListing(listing))
  },
})

const sell = accountCommand<Signing & { price: string; onChain?: boolean }>({
  name: 'sell',
  summary: 'offer a card for sale, with its balance, links, paying agreements and history',
  names: { card_id: '<card>' },
  example: 'npx purser market sell card_01k9… --price 250',
  isRepeatable: true,
  options: (made) =>
    signed(
      made
        .argument('<card>', 'its id')
        .requiredOption('--price <usdc>', 'what the buyer pays')
        .option('--on-chain', 'money and identity token change hands on chain'),
    ),
  run: async ({ price, onChain, ...options }, card = '') => {
    const purser = await connect(options)
    const answer = onChain
      ? await sellOnChain(purser, options, { card, price })
      : await purser.POST('/api/listings', { body: { card_id: card, price } })
    print(answer, options.json, ({ listing }) => showListing(listing))
  },
})

const prepare = accountCommand<AccountOptions & { price?: string; save?: string }>({
  name: 'prepare',
  summary: 'what a wallet elsewhere signs to sell a card on chain, or to buy a listing there',
  names: { card_id: '<card-or-listing>' },
  example: 'npx purser market prepare lst_01k9… --save payment.json',
  options: (made) =>
    made
      .argument('<card-or-listing>', 'the card that you sell, or the listing that you buy')
      .option('--price <usdc>', 'of a card: what the buyer pays')
      .option('--save <file>', 'keep it in a file, for `market buy --payment`'),
  run: async ({ price = '', save, ...options }, of = '') => {
    const purser = await connect(options)
    const prepared = of.startsWith('lst_')
      ? await purser.GET('/api/listings/{id}/buy/prepare', { params: { path: { id: of } } })
      : await purser.POST('/api/listings/prepare', { body: { card_id: of, price } })
    const text = JSON.stringify(prepared, null, 2)
    if (save !== undefined) await writeNamedFile(save, `${text}\n`)
    const { address, pays_buyer: paid, not_promised: rest } = prepared.holder
    const promise = `The account ${address} pays the buyer ${paid} USDC. ${rest}`
    print(prepared, options.json, () =>
      save === undefined ? text : `${promise}\nSign typed_data of ${save}.`,
    )
  },
})

type Buy = Signing & { cardVersion?: string; save?: string; payment?: string; wait?: boolean }
const buy = accountCommand<Buy>({
  name: 'buy',
  summary: 'buy a card; its new token is shown this once',
  names: { version: '--card-version' },
  example: 'npx purser market buy lst_01k9… --save card.json',
  isRepeatable: true,
  options: (made) =>
    signed(
      made
        .argument('<listing>', 'its id')
        .option(
          '--card-version <version>',
          'as `market show` has it; nothing is bought that changed',
        )
        .option('--save <file>', 'write id and token of the card to a new 0600 file')
        .option('--payment <file>', 'on chain: what --signature is of, as `prepare --save` made it')
        .option('--wait', 'on chain: wait for the end of the sale'),
    ),
  run: async ({ cardVersion, save, ...options }, id = '') => {
    const purser = await connect(options)
    const { listing: offered } = await read(purser, id)
    if (offered.mode === 'onchain') {
      if (save !== undefined)
        throw new Fault(
          '--save is for a card that is paid from your balance: on chain its buyer makes a token with rotate-token.',
        )
      const order = { ...options, ...given({ cardVersion }) }
      const answer = await buyOnChain(purser, order, offered)
      return print(answer, options.json, ({ listing }) => showListing(listing))
    }
    const body = cardVersion === undefined ? {} : { version: cardVersion }
    const purchase = async () => {
      const bought = await purser.POST('/api/listings/{id}/buy', { params: { path: { id } }, body })
      // Without an authorization a card that is sold on chain is refused, so the card is there at once.
      if ('card' in bought) return bought
      throw new Error('The chain has not sold this card yet: look again with `market show`.')
    }
    const write = await secretsOf(options)
    const answer = save
      ? await keepSecret(save, async () => {
          const bought = await purchase()
          const { id: cardId, token } = bought.card
          const card = { ...bought.card, token: `in ${save}` }
          const secret = write({ id: cardId, token })
          return { secret, result: { ...bought, card } }
        })
      : await purchase()
    print(answer, options.json, ({ listing, card }) =>
      pairs({
        Listing: `${listing.id} ${listing.status}`,
        Price: amountIn(listing, 'price'),
        Card: card.id,
        Token: card.token,
        Balance: amountIn(card, 'balance'),
      }),
    )
  },
})

const cancel = accountCommand({
  name: 'cancel',
  summary: 'take a card off the market',
  example: 'npx purser market cancel lst_01k9…',
  isRepeatable: true,
  options: (made) => made.argument('<listing>', 'its id'),
  run: async (options, id = '') => {
    const purser = await connect(options)
    const answer = await purser.DELETE('/api/listings/{id}', { params: { path: { id } } })
    print(answer, options.json, ({ listing }) => `${listing.id} is ${listing.status}.`)
  },
})

const transfer = accountCommand<AccountOptions & { to: string }>({
  name: 'transfer',
  summary: 'give a card to another wallet, with all that belongs to it',
  names: { to_wallet: '--to' },
  example: 'npx purser market transfer card_01k9… --to 0x5075…',
  isRepeatable: true,
  options: (made) =>
    made
      .argument('<card>', 'its id')
      .requiredOption('--to <wallet>', 'a wallet that has signed in here'),
  run: async ({ to, ...options }, id = '') => {
    const purser = await connect(options)
    const answer = await purser.POST('/api/cards/{id}/transfer', {
      ...{ params: { path: { id } }, body: { to_wallet: to } },
    })
    print(answer, options.json, ({ to_wallet }) => `The card belongs to ${to_wallet} now.`)
  },
})

export const marketCommands = group('market', 'sell, buy and give away cards', [
  list,
  show,
  sell,
  prepare,
  buy,
  cancel,
  transfer,
])
