import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex, Network } from '../../base/kernel/assets.ts'
import { glancesOf } from '../../money/tokens/names/glance.ts'

/** The credential token of a card and its pool, as it was prepared. */
export type PreparedMarket = {
  cardId: string
  network: Network
  /** The wallet whose account deploys the token and lists it. It keeps the position when the card is sold. */
  creator: Address
  symbol: string
  name: string
  /** Whole tokens. */
  supply: bigint
  keepBps: number
  /** USDC a token, times 1e18. */
  startPrice: bigint
  vestingSeconds: bigint
  /** The token's address follows from it: the account's nonce, or a salt if the creator is a contract. */
  nonce: bigint | null
  salt: Hex | null
  token: Address
  poolId: Hex
  fee: number
  tickSpacing: number
  startTick: number
  lowerTick: number
  upperTick: number
  liquidity: bigint
  preparedAt: Date
}

/** The base units of one whole token. */
export const TOKEN_UNIT = 10n ** 18n
const BPS = 10_000n

/** The base units that the creator keeps. Exact: a ten-thousandth of a whole token is a whole number of units. */
export const keptOf = ({ supply, keepBps }: Pick<PreparedMarket, 'supply' | 'keepBps'>): bigint =>
  (supply * TOKEN_UNIT * BigInt(keepBps)) / BPS

/** The facts that the chain has shown of a listed market. */
export type ChainFacts = {
  deployTx: Hex
  listTx: Hex
  listBlock: bigint
  positionId: bigint
  listedAt: Date
}
/** A market that was confirmed on chain, and is public. `VESTED`: the creator's kept part is locked. */
export type LiveMarket = PreparedMarket & ChainFacts & { state: 'LIVE' | 'VESTED' }
/** The market of a card; before it is confirmed its owner alone sees it. */
export type Market =
  | LiveMarket
  | (PreparedMarket & { [K in keyof ChainFacts]: null } & { state: 'PREPARED' })

const COLUMNS =
  sql.raw(`card_id, network, creator, state, symbol, name, supply, keep_bps, start_price, vesting_seconds,
  nonce, salt, token, pool_id, fee, tick_spacing, start_tick, lower_tick, upper_tick, liquidity, prepared_at, deploy_tx,
  list_tx, list_block, position_id, listed_at`)
const IS_LIVE = sql.raw(`state <> 'PREPARED'`)

/** The live markets of these cards. */
const findLiveMarkets = (on: Reader, cardIds: readonly string[]): Promise<LiveMarket[]> =>
  all<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where card_id = any(${[...cardIds]}::text[]) and ${IS_LIVE}`,
  )

/** The card's market, prepared or live. */
export const findMarket = (on: Reader, cardId: string): Promise<Market | undefined> =>
  one<Market>(on, sql`select ${COLUMNS} from crt_markets where card_id = ${cardId}`)

/** A live token of another creator that looks like a text with one of these glances and is not called so, if there is one. */
export const findAlike = (
  on: Reader,
  of: { network: Network; creator: Address; glances: readonly string[]; plain: readonly string[] },
): Promise<{ symbol: string; name: string }[]> =>
  all(
    on,
    sql`select symbol, name from crt_markets where glances && ${[...of.glances]}::text[] and network = ${of.network}
      and creator <> ${of.creator} and ${IS_LIVE}
      and not (upper(symbol) = any(${[...of.plain]}::text[]) or upper(name) = any(${[...of.plain]}::text[])) limit 1`,
  )

/** Writes what was prepared, in place of what was prepared before. False if the card's market is live. */
export const savePrepared = async (tx: Tx, m: PreparedMarket): Promise<boolean> => {
  const saved = await run(
    tx,
    sql`insert into crt_markets as m (card_id, network, creator, state, symbol, name, supply, keep_bps, start_price,
        vesting_seconds, nonce, salt, token, pool_id, fee, tick_spacing, start_tick, lower_tick, upper_tick, liquidity, prepared_at,
        glances)
      values (${m.cardId}, ${m.network}, ${m.creator}, 'PREPARED', ${m.symbol}, ${m.name}, ${m.supply}, ${m.keepBps},
        ${m.startPrice}, ${m.vestingSeconds}, ${m.nonce}, ${m.salt}, ${m.token}, ${m.poolId}, ${m.fee}, ${m.tickSpacing},
        ${m.startTick}, ${m.lowerTick}, ${m.upperTick}, ${m.liquidity}, ${m.preparedAt},
        ${[...new Set([m.symbol, m.name].flatMap(glancesOf))]}::text[])
      on conflict (card_id) do update set creator = excluded.creator, symbol = excluded.symbol, name = excluded.name,
        supply = excluded.supply, keep_bps = excluded.keep_bps, start_price = excluded.start_price,
        vesting_seconds = excluded.vesting_seconds, nonce = excluded.nonce, salt = excluded.salt, token = excluded.token,
        pool_id = excluded.pool_id, fee = excluded.fee, tick_spacing = excluded.tick_spacing,
        start_tick = excluded.start_tick, lower_tick = excluded.lower_tick, upper_tick = excluded.upper_tick,
        liquidity = excluded.liquidity, prepared_at = excluded.prepared_at, glances = excluded.glances
      where m.state = 'PREPARED'`,
  )
  return saved === 1
}

/** Makes the market live, if it is still the one that was prepared with this token and pool. */
export const saveListed = async (
  tx: Tx,
  market: Pick<PreparedMarket, 'cardId' | 'token' | 'poolId'>,
  l: ChainFacts,
): Promise<boolean> => {
  const saved = await run(
    tx,
    sql`update crt_markets set state = 'LIVE', deploy_tx = ${l.deployTx}, list_tx = ${l.listTx},
        list_block = ${l.listBlock}, position_id = ${l.positionId}, listed_at = ${l.listedAt}
      where card_id = ${market.cardId} and state = 'PREPARED' and token = ${market.token} and pool_id = ${market.poolId}`,
  )
  return saved === 1
}

/** The live market of the token. */
export const findLiveToken = (
  on: Reader,
  of: { network: Network; token: string },
): Promise<LiveMarket | undefined> =>
  one<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where network = ${of.network} and token = ${of.token} and ${IS_LIVE}`,
  )

/** Live markets whose token this wallet created, newest first; a wallet keeps them when it sells the card. */
export const listMarketsBy = (
  on: Reader,
  of: { network: Network; creator: string; limit: number },
): Promise<LiveMarket[]> =>
  all<LiveMarket>(
    on,
    sql`select ${COLUMNS} from crt_markets where network = ${of.network} and creator = ${of.creator} and ${IS_LIVE}
      order by listed_at desc, card_id desc limit ${of.limit}`,
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
