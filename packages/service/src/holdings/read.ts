import { assetsOf } from '../chain/rails.ts'
import type { Services } from '../http/services.ts'
import { readIdentities } from '../identity/identity.ts'
import type { Address } from '../kernel/assets.ts'
import { listTokens, type RegisteredToken } from '../tokens/store.ts'
import { type HeldToken, type Holding, heldAsset } from './holding.ts'
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

/** A wallet has a hundred at most. */
const TOKENS_MAX = 100
/** Four calls of the chain. A page ends before the card that needs more. */
const QUESTIONS_MAX = 600

/**
 * Everything that the wallet holds, a page of cards at a time. The first page begins with what belongs to the wallet
 * itself. Ledger lines add up to the ledger, held money included.
 */
export async function readHoldings(services: Services, page: Page): Promise<Holdings> {
  const known = await readKnown(services, page.wallet)
  const isFirst = page.after === undefined
  const { cards, questions, nextAfter } = await readCards(services, page, {
    known,
    first: isFirst ? walletQuestions(known, page.wallet) : [],
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

async function readKnown({ chain, db }: Services, wallet: Address): Promise<Known> {
  const kept = assetsOf(chain).map((asset) => heldAsset(asset, chain.asset))
  const page = { after: undefined, limit: TOKENS_MAX }
  const registered = (await listTokens(db.reader, wallet, page)).slice(0, TOKENS_MAX)
  const isKept = ({ address }: RegisteredToken) => kept.some(({ contract }) => contract === address)
  const others = registered.filter((token) => !isKept(token) && token.network === chain.network)
  return {
    kept: new Map(kept.map((token) => [token.symbol, token])),
    all: [...kept, ...others.map(heldToken)],
  }
}

const heldToken = ({ network, symbol, decimals, address }: RegisteredToken): HeldToken => ({
  network,
  symbol,
  decimals,
  contract: address,
})

const walletQuestions = ({ all }: Known, wallet: Address): Question[] =>
  all.map((token) => balanceOf(token, { where: 'wallet', ref: wallet, account: wallet }))

async function readOwn({ chain, db }: Services, { kept }: Known, wallet: Address) {
  const money = await readWalletMoney(db.reader, { wallet, network: chain.network })
  return money.flatMap(({ kind, asset, posted }): Holding[] => {
    const token = kept.get(asset)
    return token ? [{ token, where: kind, ref: wallet, amount: posted }] : []
  })
}

/** The cards of the page and all questions of it. It ends early if its cards need more questions than the chain is asked. */
async function readCards(
  { chain, db }: Services,
  { wallet, cardIds, after, limit }: Page,
  { known, first }: { known: Known; first: Question[] },
) {
  const of = { wallet, network: chain.network, ids: cardIds, after, limit }
  const found = await listCardMoney(db.reader, of)
  const candidates = found.slice(0, limit)
  const identities = await readIdentities(
    db.reader,
    candidates.map(({ id }) => id),
  )
  const questions = [...first]
  const cards: CardMoney[] = []
  for (const card of candidates) {
    const account = identities.get(card.id)?.holderAddress
    const own = account
      ? known.all.map((token) => balanceOf(token, { where: 'holder', ref: account, account }))
      : []
    if (cards.length > 0 && questions.length + own.length > QUESTIONS_MAX) break
    questions.push(...own)
    cards.push(card)
  }
  const nextAfter = cards.length < found.length ? cards.at(-1)?.id : undefined
  return { cards, questions, nextAfter }
}
