import type { Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { streamReads } from '../../chain/client/explore/stream.ts'
import { assetsOf, defaultAsset } from '../../chain/client/rails.ts'
import { listTokens, type RegisteredToken } from '../../money/tokens/store.ts'
import { readTokenPrices } from '../crt-markets/prices/average.ts'
import { listMarketsBy, readCardMarkets } from '../crt-markets/store.ts'
import { listVestings } from '../crt-markets/vesting/store.ts'
import { TOKEN_DECIMALS } from '../crt-markets/view.ts'
import { readIdentities } from '../identity/identity.ts'
import { type HeldToken, type Holding, heldAsset, pooled } from './holding.ts'
import { balanceOf, type Question, readOnChain } from './on-chain.ts'
import { type CardMoney, listCardMoney, readWalletMoney } from './store.ts'

export type Page = {
  wallet: Address
  /** The only cards that the caller may see; null for all. */
  cardIds: readonly string[] | null
  after: string | undefined
  /** The most cards on the page. */
  limit: number
}
export type Holdings = {
  holdings: Holding[]
  /** The last card of the page, if there are more cards. */
  nextAfter: string | undefined
  isChainUnavailable: boolean
}

/** Registered tokens, and credential tokens that it created: a wallet has a hundred of each at most. */
const TOKENS_MAX = 100
/** Vesting streams on the first page. */
const STREAMS_MAX = 100
/** Four calls of the chain. A page ends before the card that needs more. */
const QUESTIONS_MAX = 600

/**
 * Everything that the wallet holds, a page of cards at a time. The first page begins with what belongs to the wallet
 * itself. Ledger lines add up to the ledger, held money included.
 */
export async function readHoldings(
  services: Uses<'chain' | 'db' | 'log'>,
  page: Page,
): Promise<Holdings> {
  const known = await readKnown(services, page.wallet)
  const isFirst = page.after === undefined
  const { cards, questions, nextAfter } = await readCards(services, page, {
    known,
    first: isFirst ? await walletQuestions(services, known, page.wallet) : [],
  })
  const [own, onChain] = await Promise.all([
    isFirst ? readOwn(services, known, page.wallet) : [],
    readOnChain(services, questions),
  ])
  const onCards = cards.flatMap(({ id, asset, posted }): Holding[] => {
    const token = known.kept.get(asset)
    return token && posted > 0n ? [{ token, where: 'card', ref: id, amount: posted }] : []
  })
  return {
    holdings: [...own, ...onCards, ...(onChain ?? [])],
    nextAfter,
    isChainUnavailable: onChain === undefined,
  }
}

/** Tokens to look for: those that balances are kept in, by symbol, and all of them with the registered ones. */
type Known = { kept: Map<string, HeldToken>; all: HeldToken[] }

async function readKnown(services: Uses<'chain' | 'db'>, wallet: Address): Promise<Known> {
  const { chain, db } = services
  const { network } = chain
  const kept = assetsOf(chain).map((asset) => heldAsset(asset, defaultAsset(chain)))
  const page = { after: undefined, limit: TOKENS_MAX }
  const [registered, created] = await Promise.all([
    listTokens(db.reader, wallet, page),
    listMarketsBy(db.reader, { network, creator: wallet, limit: TOKENS_MAX }),
  ])
  const others = await priced(services, [
    ...registered
      .slice(0, TOKENS_MAX)
      .filter((token) => token.network === network)
      .map(heldToken),
    ...created.map(({ token, symbol }) => credentialToken(services, { address: token, symbol })),
  ])
  const all = new Map([...others, ...kept].map((token) => [token.contract, token]))
  return { kept: new Map(kept.map((token) => [token.symbol, token])), all: [...all.values()] }
}

const heldToken = ({ network, symbol, decimals, address }: RegisteredToken): HeldToken => ({
  network,
  symbol,
  decimals,
  contract: address,
})

const credentialToken = (
  { chain }: Uses<'chain'>,
  { address, symbol }: { address: Address; symbol: string },
): HeldToken => ({
  network: chain.network,
  symbol,
  decimals: TOKEN_DECIMALS,
  contract: address,
})

/** The tokens with the prices of those that have a pool of ours. */
async function priced(
  { chain, db }: Uses<'chain' | 'db'>,
  tokens: HeldToken[],
): Promise<HeldToken[]> {
  const addresses = tokens.map(({ contract }) => contract)
  const prices = await readTokenPrices(db.reader, { network: chain.network, tokens: addresses })
  return tokens.map((token) => {
    const price = prices.get(token.contract)
    return price ? { ...token, price: pooled(price) } : token
  })
}

async function walletQuestions(
  { chain, db }: Uses<'chain' | 'db'>,
  { all }: Known,
  wallet: Address,
): Promise<Question[]> {
  const of = { network: chain.network, recipient: wallet }
  const streams = (await listVestings(db.reader, of)).slice(0, STREAMS_MAX)
  const markets = await readCardMarkets(
    db.reader,
    streams.map(({ cardId }) => cardId),
  )
  const vesting = streams.flatMap(({ cardId, contract, streamId }): Question[] => {
    const address = markets.get(cardId)?.address
    const token = all.find((one) => one.contract === address)
    if (!token) return []
    const { read, less } = streamReads(contract, streamId)
    return [{ token, where: 'vesting', ref: String(streamId), read, less }]
  })
  const place = { where: 'wallet', ref: wallet, account: wallet } as const
  return [...all.map((token) => balanceOf(token, place)), ...vesting]
}

async function readOwn({ chain, db }: Uses<'chain' | 'db'>, { kept }: Known, wallet: Address) {
  const money = await readWalletMoney(db.reader, { wallet, network: chain.network })
  return money.flatMap(({ kind, asset, posted }): Holding[] => {
    const token = kept.get(asset)
    return token ? [{ token, where: kind, ref: wallet, amount: posted }] : []
  })
}

/** The cards of the page and all questions of it. It ends early if its cards need more questions than the chain is asked. */
async function readCards(
  services: Uses<'chain' | 'db'>,
  { wallet, cardIds, after, limit }: Page,
  { known, first }: { known: Known; first: Question[] },
) {
  const { chain, db } = services
  const of = { wallet, network: chain.network, ids: cardIds, after, limit }
  const found = await listCardMoney(db.reader, of)
  const candidates = found.slice(0, limit)
  const ids = candidates.map(({ id }) => id)
  const [identities, bought] = await Promise.all([
    readIdentities(db.reader, ids),
    readBought(services, known, ids),
  ])
  const questions = [...first]
  const cards: CardMoney[] = []
  for (const card of candidates) {
    const identity = identities.get(card.id)
    // The account of a token that somebody else holds is not the wallet's.
    const account = identity?.status === 'DETACHED' ? null : identity?.holderAddress
    const token = bought.get(card.id)
    const tokens = token ? [...known.all, token] : known.all
    const own = [
      ...(token ? [balanceOf(token, { where: 'wallet', ref: wallet, account: wallet })] : []),
      ...(account
        ? tokens.map((one) => balanceOf(one, { where: 'holder', ref: account, account }))
        : []),
    ]
    if (cards.length > 0 && questions.length + own.length > QUESTIONS_MAX) break
    questions.push(...own)
    cards.push(card)
  }
  const nextAfter = cards.length < found.length ? cards.at(-1)?.id : undefined
  return { cards, questions, nextAfter }
}

/** The credential tokens of these cards that another wallet created, by card. */
async function readBought(
  services: Uses<'chain' | 'db'>,
  { all }: Known,
  ids: readonly string[],
): Promise<Map<string, HeldToken>> {
  const markets = [...(await readCardMarkets(services.db.reader, ids))]
  const others = markets.filter(([, { address }]) => !all.some((t) => t.contract === address))
  const tokens = await priced(
    services,
    others.map(([, market]) => credentialToken(services, market)),
  )
  return new Map(others.flatMap(([id], i) => (tokens[i] ? [[id, tokens[i]]] : [])))
}
