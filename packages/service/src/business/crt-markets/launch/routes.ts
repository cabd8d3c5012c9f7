import { Type } from 'typebox'
import { chainFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import { marketListed } from '../../../api/events/types/market/crt.ts'
import { AmountIn, HashField, idParam, Success, SYMBOL } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueue, PRIORITY_LATER } from '../../../base/jobs/queue.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { parsePositiveAmount } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { lockOwnCard, mine, wrongState } from '../../../money/cards/controls/own-card.ts'
import { requestMint } from '../../identity/request.ts'
import { hasCountedPayment } from '../../stats/store.ts'
import { moneyOf } from '../money.ts'
import { ownMarket } from '../own-market.ts'
import { insertPool } from '../prices/store.ts'
import { followSwapsTask } from '../prices/tasks.ts'
import {
  findMarket,
  type LiveMarket,
  type PreparedMarket,
  saveListed,
  savePrepared,
} from '../store.ts'
import { findVesting } from '../vesting/store.ts'
import { VestingBody, vestingBody } from '../vesting/view.ts'
import { MarketBody, marketBody, OwnMarketBody, ownMarketBody } from '../view.ts'
import { type Confirmed, checkLaunch } from './confirm.ts'
import { findKnown, ownNames } from './known.ts'
import { checkName, checkSymbol } from './names.ts'
import { prepareLaunch } from './prepare.ts'
import { PRICE_DECIMALS, PreparedBody, preparedBody } from './view.ts'

const TAG = 'Token markets'
/** Each preparation simulates four transactions, and needs no money. */
const PER_MINUTE = 30
/** A millionth of a millionth of a dollar, and a million dollars. */
const [LEAST_PRICE, MOST_PRICE] = [10n ** 6n, 10n ** 24n]

const prepare = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/crt-market/prepare',
  tag: TAG,
  summary: 'Prepare the credential token of a card and its market',
  description:
    "Answers unsigned transactions for the card's wallet, to be sent in their order and one after another: make the token, lock the part that you keep, let the pool take the rest, and list it. Each was tried on the chain. They are valid from the nonce that is named, since the token's address comes from it: if another transaction uses that nonce, prepare again. A wallet that is a contract makes them as calls of its own, in one transaction or several; its token comes from a salt, and no nonce moves it. Nothing is listed before `confirm`. Whoever buys the token gets no claim on the card's income.",
  scope: 'market:write',
  perMinute: PER_MINUTE,
  params: idParam('card'),
  body: Type.Object(
    {
      symbol: Type.String({
        pattern: SYMBOL,
        description: 'Two to eleven of A to Z and 0 to 9; none that reads as USDC or ETH',
      }),
      name: Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'At most 64 printable characters, without markup',
      }),
      supply: Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000_000,
        description: 'Whole tokens. There will never be more',
      }),
      keep_bps: Type.Integer({
        minimum: 0,
        maximum: 9_000,
        description: 'Ten-thousandths of the supply that you keep, locked',
      }),
      start_price: AmountIn,
    },
    { additionalProperties: false },
  ),
  response: PreparedBody,
  attack: { capped: 'one preparation a card' },
  costs: { statements: 300, rows: 1, rpc: 300 },
  errors: [
    'not_found',
    'invalid_field',
    'invalid_amount',
    'invalid_state',
    'market_already_live',
    'launch_would_fail',
    'markets_unavailable',
    'chain_unavailable',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const { card, market: known } = await ownMarket(services.db.reader, caller, params.id)
    if (known && known.state !== 'PREPARED') throw alreadyLive()
    checkActive(card)
    const creator = caller.walletAddress as Address
    const texts = [body.symbol, body.name]
    const alike = await findKnown(services.db.reader, services, { creator, texts })
    const taken = { own: ownNames(services), known: alike }
    checkSymbol(body.symbol, taken)
    const terms = {
      cardId: card.id,
      creator,
      symbol: body.symbol,
      name: checkName(body.name, taken),
      supply: BigInt(body.supply),
      keepBps: body.keep_bps,
      startPrice: readStartPrice(body.start_price),
    }
    const prepared = await prepareLaunch(services, at, terms)
    return write(async (tx) => {
      checkActive(await lockOwnCard(tx, at, mine(caller, params.id)))
      if (!(await savePrepared(tx, prepared.market))) throw alreadyLive()
      return preparedBody(prepared, moneyOf(services.chain))
    })
  },
})

function checkActive(card: CardWithMoney): void {
  if (card.status !== 'ACTIVE') throw wrongState(card, 'given a market', 'ACTIVE')
}

function readStartPrice(text: unknown): bigint {
  const price = parsePositiveAmount(text, PRICE_DECIMALS, 'start_price')
  if (price >= LEAST_PRICE && price <= MOST_PRICE) return price
  throw new Problem('invalid_amount', 'start_price must be from 0.000000000001 to 1000000.', {
    param: 'start_price',
  })
}

const confirm = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/crt-market/confirm',
  tag: TAG,
  summary: 'Show that the token is made and listed',
  description:
    'Reads both transactions once their blocks are safe, and compares them with what was prepared, to the byte. Then the market is live and public. The same transactions again are answered alike.',
  scope: 'market:write',
  perMinute: PER_MINUTE,
  params: idParam('card'),
  body: Type.Object({ deployTx: HashField, listTx: HashField }, { additionalProperties: false }),
  response: Type.Object({ success: Success, market: MarketBody }),
  attack: 'chain',
  costs: { statements: 300, rpc: 300 },
  errors: [
    'not_found',
    'transaction_not_found',
    'transaction_pending',
    'transaction_reverted',
    'market_not_prepared',
    'market_already_live',
    'nonce_moved',
    'token_mismatch',
    'listing_mismatch',
    'markets_unavailable',
    'chain_unavailable',
  ],
  handle: async ({ params, body, caller, at, services, write }) => {
    const asked = {
      deployTx: body.deployTx.toLowerCase() as Hex,
      listTx: body.listTx.toLowerCase() as Hex,
    }
    const { market } = await ownMarket(services.db.reader, caller, params.id)
    if (!market) throw notPrepared()
    if (market.state !== 'PREPARED') return { success: true, market: knownBody(market, asked) }
    const confirmed = await checkLaunch(services, market, asked)
    return write(async (tx) => {
      const card = await lockOwnCard(tx, at, mine(caller, params.id))
      return { success: true, market: await goLive(tx, at, { services, card, market, confirmed }) }
    })
  },
})

/** The market of a repeated call. Throws if the card's market was listed by other transactions. */
function knownBody(market: LiveMarket, { deployTx, listTx }: { deployTx: Hex; listTx: Hex }) {
  if (market.deployTx !== deployTx || market.listTx !== listTx) throw alreadyLive()
  return marketBody(market)
}

type Live = {
  services: Services
  card: CardWithMoney
  market: PreparedMarket
  confirmed: Confirmed
}

/** Writes that the market is live, follows its pool from now on, and says so. A card that has earned gets its identity. */
async function goLive(tx: Tx, at: Date, { services, card, market, confirmed }: Live) {
  const isFirstCall = await saveListed(tx, market, confirmed)
  const live = await findMarket(tx, market.cardId)
  // It was prepared anew since, or another call was first.
  if (!live || live.state === 'PREPARED') throw notPrepared()
  if (!isFirstCall) return knownBody(live, confirmed)
  const { poolId } = market
  const { listBlock: block, listedAt: since, start } = confirmed
  await insertPool(tx, at, { poolId, cardId: card.id, block, since, ...start })
  await enqueue(tx, followSwapsTask, { pool_id: poolId }, { priority: PRIORITY_LATER })
  if (await hasCountedPayment(tx, card.id))
    await requestMint(tx, at, { settings: services.settings, card })
  await record(tx, at, [
    marketListed.of({
      walletAddress: card.walletAddress,
      // A wallet can list the tokens of two cards in one transaction.
      fact: chainFact(confirmed.listTx, poolId),
      data: {
        card_id: card.id,
        token: market.token,
        symbol: market.symbol,
        pool_id: poolId,
        deploy_tx: confirmed.deployTx,
        list_tx: confirmed.listTx,
        supply: Number(market.supply),
      },
    }),
  ])
  return marketBody(live)
}

const alreadyLive = (): Problem =>
  new Problem(
    'market_already_live',
    'The card has a live market already. A card has one, and it stays.',
  )
const notPrepared = (): Problem =>
  new Problem(
    'market_not_prepared',
    'No market is prepared for this card, or it was prepared anew. Prepare one, send its transactions, and confirm those.',
  )

const read = keyRoute({
  method: 'GET',
  path: '/api/cards/{id}/crt-market',
  tag: TAG,
  summary: "The card's market, also before it is live",
  description: 'PREPARED: prepared and not confirmed, seen by you alone.',
  scope: 'market:read',
  params: idParam('card'),
  response: Type.Object({
    market: OwnMarketBody,
    vesting: Type.Union([VestingBody, Type.Null()], {
      description: 'The locked part; null before it is confirmed',
    }),
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found'],
  handle: async ({ params, caller, services }) => {
    const { db } = services
    const { market } = await ownMarket(db.reader, caller, params.id)
    if (!market) throw notFound('market')
    const vesting = await findVesting(db.reader, market.cardId)
    return {
      market: ownMarketBody(market),
      vesting: vesting ? vestingBody(services, vesting) : null,
    }
  },
})

export const launchRoutes: Route[] = [prepare, confirm, read]
