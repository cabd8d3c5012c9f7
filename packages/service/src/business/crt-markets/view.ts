import { Type } from 'typebox'
import {
  AddressField,
  CardIdField,
  HashField,
  iso,
  isoOrNull,
  OneOf,
  Timestamp,
} from '../../api/http/fields.ts'
import type { LiveMarket, Market, PreparedMarket } from './store.ts'

/** Every token has these: its contract knows no other. */
export const TOKEN_DECIMALS = 18

export const MarketBody = Type.Object({
  cardId: CardIdField,
  token: AddressField,
  symbol: Type.String({ description: 'Symbol of the token' }),
  name: Type.String({ description: 'Name of the token' }),
  supply: Type.Number({ description: 'How many whole tokens there are, for ever' }),
  decimals: Type.Integer({ description: 'Decimals of the token' }),
  poolId: Type.String({ description: 'Id of the pool on Uniswap v4' }),
  deployTx: HashField,
  listTx: HashField,
  creator: Type.String({ description: 'The wallet that deployed and listed the token' }),
  listedAt: Timestamp,
  network: Type.String({ description: 'CAIP-2 chain id, e.g. eip155:8453' }),
  status: OneOf(
    ['LIVE', 'VESTED'],
    "VESTED once the creator's kept part is locked; LIVE before, or if none was kept",
  ),
})

/** The facts that are known before a market is live. */
const factsOf = (market: PreparedMarket) => ({
  cardId: market.cardId,
  token: market.token,
  symbol: market.symbol,
  name: market.name,
  supply: Number(market.supply),
  decimals: TOKEN_DECIMALS,
  poolId: market.poolId,
  creator: market.creator,
  network: market.network,
})

/** A live market as the public sees it. */
export const marketBody = (market: LiveMarket) => ({
  ...factsOf(market),
  deployTx: market.deployTx,
  listTx: market.listTx,
  listedAt: iso(market.listedAt),
  status: market.state,
})

const NullableHash = Type.Union([HashField, Type.Null()], { description: 'Null before it is live' })

export const OwnMarketBody = Type.Object({
  ...MarketBody.properties,
  deployTx: NullableHash,
  listTx: NullableHash,
  listedAt: Type.Union([Timestamp, Type.Null()], { description: 'Null before it is live' }),
  status: OneOf(['PREPARED', 'LIVE', 'VESTED'], 'PREPARED before it is confirmed'),
  keepBps: Type.Integer({ description: 'Ten-thousandths of the supply that the creator keeps' }),
  nonce: Type.Union([Type.Integer(), Type.Null()], {
    description:
      "The creator's nonce of the deployment; null if the wallet is a contract, whose token's address comes from a salt",
  }),
  vestingDays: Type.Integer({ description: 'How long the kept part must be locked' }),
  preparedAt: Timestamp,
})

/** A market as the card's owner sees it. */
export const ownMarketBody = (market: Market) => ({
  ...factsOf(market),
  deployTx: market.deployTx,
  listTx: market.listTx,
  listedAt: isoOrNull(market.listedAt),
  status: market.state,
  keepBps: market.keepBps,
  nonce: market.nonce === null ? null : Number(market.nonce),
  vestingDays: Number(market.vestingSeconds / 86_400n),
  preparedAt: iso(market.preparedAt),
})
