import { Type } from 'typebox'
import { AddressField, iso, OneOf } from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { isFirst } from '../../../base/protocols/uniswap/pool-key.ts'
import { priceOf } from '../../../base/protocols/uniswap/price.ts'
import { sqrtPriceAt } from '../../../base/protocols/uniswap/ticks.ts'
import { LAUNCH_STEPS } from '../../../chain/client/markets/launch.ts'
import type { PreparedMarket } from '../store.ts'
import type { PreparedLaunch } from './prepare.ts'

/** Prices are USDC a token, times 1e18. */
export const PRICE_DECIMALS = 18

export const PreparedBody = Type.Object({
  nonce: Type.Union([Type.Integer(), Type.Null()], {
    description:
      "The account's nonce of the first transaction; null if the wallet is a contract, whose token's address comes from a salt",
  }),
  token: AddressField,
  pool_id: Type.String({ description: 'Id of the pool on Uniswap v4' }),
  fee: Type.Integer({ description: 'What a swap costs, in hundredths of a basis point' }),
  tick_spacing: Type.Integer({ description: "Steps of the pool's prices" }),
  start_price: Type.Number({
    description: 'USDC a token at the start: the first step that is not below the price asked for',
  }),
  expires_at: Type.String({
    format: 'date-time',
    description: 'The chain refuses the listing after this',
  }),
  note: Type.Union([Type.String(), Type.Null()], {
    description: 'What is unusual about the market; null for nothing',
  }),
  transactions: Type.Array(
    Type.Object({
      step: OneOf(LAUNCH_STEPS, 'What the transaction does'),
      to: Type.Union([AddressField, Type.Null()], {
        description: 'Null for the deployment of a contract by a wallet with a key',
      }),
      data: Type.String({ description: 'Call data, in hexadecimal' }),
      value: Type.String({ description: 'Wei to send along' }),
      gas: Type.Integer({ description: 'Gas limit, with some room' }),
      description: Type.String({ description: 'What it does, for the person who signs it' }),
    }),
    { description: 'The transactions, in the order in which to send them' },
  ),
})

const MOVED_POOL =
  'Somebody has made the usual pool of this token at a price of theirs, so this market has a pool with other steps.'

/** A prepared launch as its creator is given it. */
export function preparedBody({ market, calls, expiresAt, isMoved }: PreparedLaunch, asset: Asset) {
  const price = priceOf(sqrtPriceAt(market.startTick), {
    isFirst: isFirst(market.token, asset.contract),
  })
  return {
    nonce: market.nonce === null ? null : Number(market.nonce),
    token: market.token,
    pool_id: market.poolId,
    fee: market.fee,
    tick_spacing: market.tickSpacing,
    start_price: toNumber(price, PRICE_DECIMALS),
    expires_at: iso(expiresAt),
    note: isMoved ? MOVED_POOL : null,
    transactions: calls.map(({ step, to, data, gas }) => ({
      step,
      to,
      data,
      value: '0',
      gas: Number(gas),
      description: describe(step, market),
    })),
  }
}

function describe(
  step: (typeof LAUNCH_STEPS)[number],
  market: Pick<PreparedMarket, 'symbol' | 'supply' | 'keepBps' | 'vestingSeconds'>,
): string {
  const { symbol, supply, keepBps } = market
  const percent = keepBps / 100
  switch (step) {
    case 'deploy':
      return `Makes the token ${symbol}: ${supply} of it, all for your wallet. Nobody can ever make more. It lets the lockup take the part that you keep, and Permit2 the rest.`
    case 'vest':
      return `Locks ${percent}% of ${symbol} for you. It becomes yours bit by bit over ${market.vestingSeconds / 86_400n} days. Nobody can cancel it or hand it on.`
    case 'approve':
      return `Lets Uniswap's PositionManager take the other ${100 - percent}% of ${symbol}, until the market expires.`
    case 'list':
      return `Makes the pool of ${symbol} and USDC and puts the ${100 - percent}% into it. No USDC is taken. The position is yours: you can take out of it what is in it, and buyers can see that.`
  }
}
