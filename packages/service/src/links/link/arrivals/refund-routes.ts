import { Type } from 'typebox'
import { checkKeyAmount } from '../../../api/http/caller.ts'
import { AmountOut, idParam, Success } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { BalanceBody, readTreasury } from '../../../money/treasury/balance.ts'
import { beginRefund, signRefund } from './refund-exception.ts'
import { ExceptionBody, exceptionBody } from './view.ts'

const refund = keyRoute({
  method: 'POST',
  path: '/api/exceptions/{id}/refund',
  tag: 'Pay links',
  summary: 'Send the money of an exception back to the address that paid it',
  description:
    'The payer is paid all that came in, by a withdrawal whose fee is yours; the platform fee of the exception comes back. `GET /api/withdrawals?id` shows its outcome. If it fails, the exception is OPEN again.',
  scope: 'treasury:write',
  params: idParam('exception'),
  response: Type.Object({
    success: Success,
    exception: ExceptionBody,
    withdrawal_id: Type.String({ description: 'Id of the withdrawal' }),
    withdrawal_fee: AmountOut,
    status: Type.String({ description: 'The status of the withdrawal: PROCESSING' }),
    balance: BalanceBody,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [
    'invalid_address',
    'insufficient_balance',
    'not_found',
    'invalid_state',
    'already_refunded',
    'chain_unavailable',
    'upstream_failed',
    'signer_unavailable',
    'payouts_held',
    'payout_cap_reached',
  ],
  handle: async ({ params, caller, at, services, write }) => {
    const { walletAddress, cardIds } = caller
    const mine = { id: params.id, walletAddress, cardIds }
    const signed = await signRefund(services, at, mine)
    if (cardIds !== null)
      throw new Problem('forbidden_scope', 'A key restricted to cards cannot refund an exception.')
    checkKeyAmount(caller, signed.signed.amount)
    reach('withdrawals.after_sign')
    const answer = await write(async (tx) => {
      const begun = await beginRefund(tx, at, { services, mine, refund: signed })
      const asset = assetOf(services.chain, begun.withdrawal)
      return {
        success: true,
        exception: exceptionBody(begun.exception, asset),
        withdrawal_id: begun.withdrawal.id,
        withdrawal_fee: toNumber(begun.withdrawal.fee, asset.decimals),
        status: begun.withdrawal.status,
        balance: await readTreasury(tx, asset, walletAddress),
      }
    })
    reach('withdrawals.after_queue')
    return answer
  },
})

export const refundRoutes: Route[] = [refund]
