import { Type } from 'typebox'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { assetsOf } from '../../chain/client/rails.ts'
import { BalanceBody, readTreasury } from './balance.ts'

const balance = keyRoute({
  method: 'GET',
  path: '/api/balance',
  tag: 'Treasury',
  summary: 'Your treasury balance',
  description:
    'The money that can be put on cards or withdrawn, by asset. Money on cards is not included. The service token, where there is one, pays memberships only.',
  scope: 'treasury:read',
  response: Type.Object({
    balances: Type.Array(BalanceBody, { description: 'One entry for each asset' }),
  }),
  attack: 'none',
  costs: { statements: 500 },
  errors: [],
  handle: async ({ caller, services }) => ({
    balances: await Promise.all(
      assetsOf(services.chain).map((asset) =>
        readTreasury(services.db.reader, asset, caller.walletAddress),
      ),
    ),
  }),
})

export const balanceRoutes: Route[] = [balance]
