import { all, one, type Reader, sql } from '../db/sql.ts'
import type { Address, Hex, Network } from '../kernel/assets.ts'

/** `VESTED`: live, and the creator's kept part is locked. Only LIVE and VESTED ones are public. */
export type MarketState = 'PREPARED' | 'LIVE' | 'VESTED'

/** The token of a card and its pool, as it was prepared. */
export type Market = {
  cardId: string
  network: Network
  /** The wallet whose account deploys the token and lists it. It keeps the position when the card is sold. */
  creator: Address
  state: MarketState
  symbol: string
  name: string
  /** Whole tokens. */
  supply: bigint
  keepBps: number
  /** USDC a token, times 1e18. */
  startPrice: bigint
  vestingSeconds: bigint
  /** The account's nonce of the deployment. The token's address follows from it. */
  nonce: bigint
  token: Address
  poolId: Hex
  fee: number
  tickSpacing: number
  startTick: number
  lowerTick: number
  upperTick: number
  liquidity: bigint
  preparedAt: Date
  deployTx: Hex | null
  listTx: Hex | null
  listBlock: bigint | null
  positionId: bigint | null
  positionOwner: Address | null
  listedAt: Date | null
}

/** A market that was confirmed on chain. */
export type LiveMarket = Market & {
  state: 'LIVE' | 'VESTED'
  deployTx: Hex
  listTx: Hex
  listBlock: bigint
  positionId: bigint
  positionOwner: Address
  listedAt: Date
}

const COLUMNS =
  sql.raw(`card_id, network, creator, state, symbol, name, supply, keep_bps, start_price, vesting_seconds,
  nonce, token, pool_id, fee, tick_spacing, start_tick, lower_tick, upper_tick, liquidity, prepared_at, deploy_tx,
  list_tx, list_block, position_id, position_owner, listed_at`)
const IS_LIVE = sql.raw(`state <> 'PREPARED'`)

/** The live markets of these cards. */
export const findLiveMarkets = (on: Reader, cardIds: readonly string[]): Promise<LiveMarket[]> =>
  all<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where card_id = any(${[...cardIds]}::text[]) and ${IS_LIVE}`,
  )

/** The live market of the token. */
export const findLiveToken = (
  on: Reader,
  of: { network: Network; token: string },
): Promise<LiveMarket | undefined> =>
  one<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where network = ${of.network} and token = ${of.token} and ${IS_LIVE}`,
  )

/** Live markets, newest first; one more than `limit` if there are more. `after` is the last one shown. */
export const listLiveMarkets = (
  on: Reader,
  network: Network,
  page: { after: Pick<LiveMarket, 'listedAt' | 'cardId'> | undefined; limit: number },
): Promise<LiveMarket[]> =>
  all<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where network = ${network} and ${IS_LIVE}
      and (${page.after?.cardId ?? null}::text is null
        or (listed_at, card_id) < (${page.after?.listedAt ?? null}::timestamptz, ${page.after?.cardId ?? null}))
      order by listed_at desc, card_id desc limit ${page.limit + 1}`,
  )

/** A card's market as other rooms show it. */
export type CardMarket = Pick<LiveMarket, 'symbol' | 'name' | 'listedAt'> & {
  status: LiveMarket['state']
  /** The token's contract. */
  address: LiveMarket['token']
}

/** The live markets of these cards, by card. A market goes with its card when the card is sold. */
export async function readCardMarkets(
  on: Reader,
  cardIds: readonly string[],
): Promise<Map<string, CardMarket>> {
  const found = cardIds.length === 0 ? [] : await findLiveMarkets(on, cardIds)
  return new Map(
    found.map(({ cardId, state: status, token: address, symbol, name, listedAt }) => [
      cardId,
      { status, address, symbol, name, listedAt },
    ]),
  )
}
