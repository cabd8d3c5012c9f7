import { Type } from 'typebox'
import { keyRoute, type Route } from '../http/route.ts'
import { BalanceBody, readTreasury } from './balance.ts'

const balance = keyRoute({
  method: 'GET',
  path: '/api/balance',
  tag: 'Treasury',
  summary: 'Your treasury balance',
  description: 'The money that can be put on cards or withdrawn. Money on cards is not included.',
  scope: 'treasury:read',
  response: Type.Object({ balances: Type.Array(BalanceBody) }),
  errors: [],
  handle: async ({ caller, services }) => ({
    balances: [await readTreasury(services.db.reader, services.chain.asset, caller.walletAddress)],
  }),
})

export const balanceRoutes: Route[] = [balance]
