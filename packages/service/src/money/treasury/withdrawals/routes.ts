import { Type } from 'typebox'
import { checkKeyAmount } from '../../../api/http/caller.ts'
import {
  AmountIn,
  AmountOut,
  AtomicOut,
  checkNetwork,
  NetworkField,
  Success,
  shownAmounts,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { parseAmount } from '../../../base/kernel/money.ts'
import { Problem, type ProblemCode } from '../../../base/kernel/problem.ts'
import type { Rail } from '../../../chain/client/chain.ts'
import { railOf, shownAsset } from '../../../chain/client/rails.ts'
import { treasuryKey } from '../../ledger/account-keys.ts'
import { readAvailable } from '../../ledger/balance.ts'
import { BalanceBody, readTreasury } from '../balance.ts'
import { needsApproval, requestWithdrawal, shownRequest } from './approval/request.ts'
import { listRequestsOf } from './approval/store.ts'
import { checkTokenPolicy, type IsReceiving, readPayee } from './payee.ts'
import { type OpenWay, payoutWayOf, preparePayout, withdrawalFee } from './payout/terms.ts'
import { payoutAddressRoutes } from './safety/address-routes.ts'
import { checkPayee } from './safety/addresses.ts'
import { capsOf, checkCaps } from './safety/caps.ts'
import { listWithdrawals, type NewWithdrawal } from './store.ts'
import { type ShownWithdrawal, StatusField, WithdrawalBody, withdrawalBody } from './view.ts'
import {
  beginWithdrawal,
  checkCovered,
  readIntent,
  signWithdrawal,
  type WithdrawalAsk,
} from './withdraw.ts'

const SHOWN = 50
const AskBody = Type.Object(
  {
    amount: AmountIn,
    network: Type.Optional(NetworkField),
    asset: Type.Optional(
      Type.String({
        description: 'USDC without it; or the service token, where it can be paid out',
      }),
    ),
    to_address: Type.Optional(
      Type.String({ maxLength: 64, description: 'Your own wallet without it' }),
    ),
  },
  { additionalProperties: false },
)

const BegunBody = Type.Object({
  success: Success,
  withdrawal_id: Type.String({ description: 'Id of the withdrawal' }),
  amount: AmountOut,
  withdrawal_fee: AmountOut,
  net_amount: AmountOut,
  amount_atomic: AtomicOut,
  withdrawal_fee_atomic: AtomicOut,
  net_amount_atomic: AtomicOut,
  status: StatusField,
  balance: BalanceBody,
})

const REFUSALS: ProblemCode[] = [
  'invalid_amount',
  'invalid_network',
  'invalid_asset',
  'invalid_address',
  'insufficient_balance',
  'chain_unavailable',
  'upstream_failed',
  'signer_unavailable',
  'payouts_held',
  'payout_cap_reached',
  'payout_address_not_allowed',
]

const withdraw = (isReceiving: IsReceiving) =>
  keyRoute({
    method: 'POST',
    path: '/api/withdraw',
    tag: 'Treasury',
    summary: 'Take money out of the treasury balance, to an address on chain',
    description:
      'The fee is taken from `amount`; the address is paid `net_amount`. Answers at once: the payout is PROCESSING until its block is beyond reorganization. If it cannot be made within 24 hours, it is FAILED and the whole amount is back on the balance, the fee too.',
    scope: 'treasury:write',
    body: AskBody,
    response: BegunBody,
    attack: 'none',
    costs: { statements: 500 },
    errors: REFUSALS,
    handle: async ({ body, caller, at, services, write, claim }) => {
      const { db, settings } = services
      const rail = railOf(services.chain, body.asset)
      const { asset } = rail
      if (caller.cardIds !== null)
        throw new Problem('forbidden_scope', 'A key restricted to cards cannot withdraw.')
      checkNetwork(settings, body)
      const way = await payoutWayOf(rail)
      const amount = parseAmount(body.amount, asset.decimals)
      const { walletAddress } = caller
      const fee = withdrawalFee(amount, settings, rail)
      checkKeyAmount(caller, amount, asset)
      const text = body.to_address ?? walletAddress
      const toAddress = await readPayee(db.reader, services.chain, { text, isReceiving })
      const ask = { walletAddress, amount, fee, toAddress }
      checkCovered(await readAvailable(db.reader, treasuryKey(asset, walletAddress)), ask, asset)
      await checkTokenPolicy(rail, toAddress)
      const prepared = await prepareAsked(services, at, { rail, way, ask, key: claim?.key })
      reach('withdrawals.after_sign')
      const answer = await write(async (tx) => {
        const withdrawal = await takeOn(tx, at, rail, prepared)
        return {
          success: true,
          withdrawal_id: withdrawal.id,
          ...shownAmounts(
            { amount, withdrawal_fee: withdrawal.fee, net_amount: withdrawal.netAmount },
            asset.decimals,
          ),
          status: withdrawal.status,
          balance: await readTreasury(tx, asset, walletAddress),
        }
      })
      reach('withdrawals.after_queue')
      return answer
    },
  })

type Asked = { rail: Rail; way: OpenWay; ask: WithdrawalAsk; key: string | undefined }

type Prepared = { signed: NewWithdrawal } | { request: Parameters<typeof requestWithdrawal>[3] }

/**
 * Signs the payout, unless a cap or the address refuses it, or an operator approves it first. One that the chain has already made
 * is only written down.
 */
async function prepareAsked(
  services: Uses<'db' | 'relay' | 'settings'>,
  at: Date,
  { rail, way, ask, key }: Asked,
): Promise<Prepared> {
  const { db, settings } = services
  const caps = capsOf(settings, rail)
  const { addressDelay } = settings.payouts
  const intent =
    key === undefined
      ? undefined
      : await readIntent(db.reader, rail, { ...ask, mechanism: way.kind, key })
  if (!intent?.made) {
    await checkPayee(db.reader, { ...ask, addressDelay })
    await checkCaps(db.reader, rail.asset, { ...ask, ...caps })
    if (needsApproval(settings, rail, ask.amount))
      return { request: { ask, caps, addressDelay, intent } }
    await preparePayout(services, at, { rail, way, amount: ask.amount })
  }
  const signing = { caps, addressDelay, way, ...(intent && { intent }) }
  return { signed: await signWithdrawal(rail, at, ask, signing) }
}

const takeOn = async (
  tx: Tx,
  at: Date,
  rail: Rail,
  prepared: Prepared,
): Promise<ShownWithdrawal> =>
  'request' in prepared
    ? requestWithdrawal(tx, at, rail, prepared.request)
    : (await beginWithdrawal(tx, at, rail, prepared.signed)).withdrawal

const history = keyRoute({
  method: 'GET',
  path: '/api/withdrawals',
  tag: 'Treasury',
  summary: 'Your newest withdrawals, at most 50',
  description:
    'PROCESSING until the payout is beyond reorganization; FAILED ones are back on the balance.',
  scope: 'treasury:read',
  query: Type.Object(
    {
      id: Type.Optional(Type.String({ maxLength: 64, description: 'That withdrawal alone' })),
      status: Type.Optional(StatusField),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    withdrawals: Type.Array(WithdrawalBody, { description: 'The withdrawals, newest first' }),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller, services }) => {
    const wanted = { id: query.id, status: query.status, limit: SHOWN }
    const { reader } = services.db
    const [begun, asked] = await Promise.all([
      listWithdrawals(reader, caller.walletAddress, wanted),
      listRequestsOf(reader, caller.walletAddress, wanted),
    ])
    const rows = [...begun, ...asked.map(shownRequest)]
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, SHOWN)
    return {
      withdrawals: rows.map((row) => withdrawalBody(row, shownAsset(services.chain, row))),
    }
  },
})

/** The withdrawals' endpoints. `isReceiving` finds the addresses at which rooms above receive payments. */
export const withdrawalRoutes = (isReceiving: IsReceiving): Route[] => [
  withdraw(isReceiving),
  history,
  ...payoutAddressRoutes(isReceiving),
]
