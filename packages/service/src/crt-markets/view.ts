import { Type } from 'typebox'
import { AddressField, CardIdField, HashField, iso, OneOf, Timestamp } from '../http/fields.ts'
import type { LiveMarket } from './store.ts'

/** Every token has these: its contract knows no other. */
export const TOKEN_DECIMALS = 18

export const MarketBody = Type.Object({
  cardId: CardIdField,
  token: AddressField,
  symbol: Type.String({ description: 'Symbol of the token' }),
  name: Type.String({ description: 'Name of the token' }),
  supply: Type.Number({ description: 'How many whole tokens there are, for ever' }),
  decimals: Type.Integer(),
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

/** A live market as the public sees it. */
export const marketBody = (market: LiveMarket) => ({
  cardId: market.cardId,
  token: market.token,
  symbol: market.symbol,
  name: market.name,
  supply: Number(market.supply),
  decimals: TOKEN_DECIMALS,
  poolId: market.poolId,
  deployTx: market.deployTx,
  listTx: market.listTx,
  creator: market.creator,
  listedAt: iso(market.listedAt),
  network: market.network,
  status: market.state,
})
