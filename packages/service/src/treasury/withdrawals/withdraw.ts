import { type Chain, nonceOf } from '../../chain/chain.ts'
import { readLatest } from '../../chain/read-latest.ts'
import {
  findMadeTransfer,
  intentDigest,
  intentNonce,
  type MadeTransfer,
} from '../../chain/transfers/made-transfer.ts'
import { searchFrom, secondsToNextLook } from '../../chain/transfers/schedule.ts'
import { transferCall } from '../../chain/transfers/signed-transfer.ts'
import type { Reader, Tx } from '../../db/sql.ts'
import { record } from '../../events/record.ts'
import { withdrawalProcessing } from '../../events/types/treasury.ts'
import { keyTakenOver } from '../../http/idempotency.ts'
import type { Settings } from '../../http/settings.ts'
import { enqueue, enqueueOne } from '../../jobs/queue.ts'
import { assert } from '../../kernel/assert.ts'
import type { Address, Asset, Hex } from '../../kernel/assets.ts'
import { unixSeconds } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type Amount, amount, minus, toNumber } from '../../kernel/money.ts'
import { Problem } from '../../kernel/problem.ts'
import { houseKey, treasuryKey } from '../../ledger/account-keys.ts'
import { lockAvailable, openAccounts } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { authorizationTypedData } from '../../protocols/evm/eip3009/authorization.ts'
import { queueSend } from '../../relay/send.ts'
import {
  countByIntent,
  findWithdrawal,
  insertWithdrawal,
  type NewWithdrawal,
  type Withdrawal,
} from './store.ts'
import { carryWithdrawalsTask, finishWithdrawalTask } from './tasks.ts'
import { eventOf } from './view.ts'

export type WithdrawalAsk = {
  walletAddress: string
  /** Gross: the fee is taken from it. */
  amount: Amount
  fee: Amount
  toAddress: Address
}

/** The validity of a payout's authorization: the payout is tried for this long before the money goes back. */
const VALID_SECONDS = 24 * 3600

/** The fee of a withdrawal of this amount. Refuses an amount below the minimum, or one that the fee would use up. */
export function withdrawalFee(
  amount: Amount,
  { withdrawal, network }: Settings,
  asset: Asset,
): Amount {
  const { fee, minimum } = withdrawal
  if (amount >= minimum && amount > fee) return fee
  const show = (value: bigint) => toNumber(value, asset.decimals)
  const least = amount < minimum ? `at least ${show(minimum)}` : `above the fee of ${show(fee)}`
  throw new Problem('invalid_amount', `A withdrawal must be ${least} ${asset.symbol}.`, {
    param: 'amount',
    extra: { withdrawal_fee: show(fee), minimum_withdrawal: show(minimum), network },
  })
}

/** Refuses a withdrawal that the treasury balance does not cover. */
export function checkCovered(available: Amount, ask: WithdrawalAsk, asset: Asset): void {
  if (available >= ask.amount) return
  const show = (value: bigint) => toNumber(value, asset.decimals)
  throw new Problem(
    'insufficient_balance',
    `Your treasury balance is ${show(available)} ${asset.symbol}; ${show(ask.amount)} is more. Ask for less, or claim money back from cards.`,
    {
      extra: {
        available: show(available),
        requested: show(ask.amount),
        withdrawal_fee: show(ask.fee),
      },
    },
  )
}

/**
 * The nonce of a withdrawal, the digest if it has a key, and its payout if the chain has it although the books do not.
 */
export type WithdrawalIntent = {
  digest: Buffer | null
  nonce: Hex
  made: MadeTransfer | undefined
}

/**
 * The intent of an Idempotency-Key. After a restore from a backup, the same request computes the same nonce, so its
 * payout is found on chain instead of being made again.
 */
export async function readIntent(
  on: Reader,
  chain: Chain,
  { walletAddress, key, amount, toAddress }: WithdrawalAsk & { key: string },
): Promise<WithdrawalIntent> {
  const { network, asset } = chain
  const digest = intentDigest({
    purpose: 'withdrawal',
    walletAddress,
    key,
    network,
    asset: asset.symbol,
    amount,
    payee: toAddress,
  })
  const nonce = intentNonce('withdrawal', digest, await countByIntent(on, digest))
  return { digest, nonce, made: await findMadeTransfer(chain, nonce) }
}

/**
 * Signs the payout of a withdrawal that is not stored yet. It is worth nothing until `beginWithdrawal` has committed:
 * nobody sees it before.
 */
export async function signWithdrawal(
  chain: Chain,
  at: Date,
  ask: WithdrawalAsk,
  {
    intent,
    validSeconds = VALID_SECONDS,
  }: { intent?: WithdrawalIntent; validSeconds?: number } = {},
): Promise<NewWithdrawal> {
  const block = await readLatest(chain)
  const id = newId('wd', at)
  const { number } = block
  // If the chain has already paid, that amount is what the address received, whatever the fee is now.
  const netAmount = intent?.made ? amount(intent.made.value) : minus(ask.amount, ask.fee)
  const row = {
    ...ask,
    id,
    network: chain.network,
    asset: chain.asset.symbol,
    fee: minus(ask.amount, netAmount),
    netAmount,
    fromAddress: chain.treasury.address,
    nonce: intent?.nonce ?? nonceOf('withdrawal', id),
    validBefore: BigInt(unixSeconds(block.at) + validSeconds),
    fromBlock: intent?.made?.blockNumber ?? searchFrom(number),
    createdAt: at,
    intent: intent?.digest ?? null,
  }
  const typed = authorizationTypedData(chain.asset, authorizationOf(row))
  return { ...row, signature: await chain.treasury.signTypedData(typed) }
}

/**
 * The withdrawal's first transaction: takes the money from the balance, and stores the signed payout, its send and the
 * job that ends it. Answers the withdrawal and the balance after it. Throws `insufficient_balance`.
 */
export async function beginWithdrawal(
  tx: Tx,
  at: Date,
  chain: Chain,
  signed: NewWithdrawal,
): Promise<{ withdrawal: Withdrawal; balance: Amount }> {
  const { asset } = chain
  const { id, fee, netAmount } = signed
  const [treasury, outbound, fees] = await openAccounts(tx, [
    treasuryKey(asset, signed.walletAddress),
    houseKey(asset, 'outbound'),
    houseKey(asset, 'fees'),
  ])
  assert(treasury && outbound && fees, 'the accounts are open')
  const available = await lockAvailable(tx, treasury)
  checkCovered(available, signed, asset)
  await post(tx, at, [
    {
      kind: 'withdrawal',
      ref: id,
      entries: [
        { account: treasury, amount: -signed.amount },
        { account: outbound, amount: netAmount },
        { account: fees, amount: fee },
      ],
    },
  ])
  if (!(await insertWithdrawal(tx, signed))) throw keyTakenOver()
  await queuePayout(tx, at, { chain, payout: signed, sends: 1 })
  await carrySoon(tx, 0)
  const withdrawal = await findWithdrawal(tx, id)
  assert(withdrawal, 'the withdrawal was written')
  await record(tx, at, [withdrawalProcessing.of(eventOf(withdrawal, asset))])
  return { withdrawal, balance: minus(available, signed.amount) }
}

type Payout = Pick<
  Withdrawal,
  'id' | 'fromAddress' | 'toAddress' | 'netAmount' | 'validBefore' | 'nonce' | 'signature'
>

export const sendRef = (id: string, sends: number): string =>
  sends === 1 ? `withdrawal:${id}` : `withdrawal:${id}:${sends}`

/** The token call that pays out. Anybody may make it, and it works once. */
export const payoutCall = (chain: Chain, payout: Payout): { to: Address; data: Hex; gas: bigint } =>
  transferCall(chain, {
    authorization: authorizationOf(payout),
    signed: { ok: true, by: 'key', signature: payout.signature },
  })

/** Queues one transaction of a payout for the relayers. */
export const queuePayout = (
  tx: Tx,
  at: Date,
  queued: { chain: Chain; payout: Payout; sends: number },
): Promise<void> =>
  queueSend(tx, at, {
    ref: sendRef(queued.payout.id, queued.sends),
    ...payoutCall(queued.chain, queued.payout),
  })

const authorizationOf = (payout: Omit<Payout, 'id' | 'signature'>) => ({
  from: payout.fromAddress,
  to: payout.toAddress,
  value: payout.netAmount,
  validAfter: 0n,
  validBefore: payout.validBefore,
  nonce: payout.nonce,
})

/** Ensures that a job submits and ends the waiting withdrawals. */
export const carrySoon = (tx: Tx, delaySeconds: number): Promise<void> =>
  enqueueOne(tx, carryWithdrawalsTask, delaySeconds)

/** The withdrawal's own job, for one that is off the usual course. */
export const finishLater = (tx: Tx, look: { id: Withdrawal['id']; looks: number }): Promise<void> =>
  enqueue(
    tx,
    finishWithdrawalTask,
    { withdrawal_id: look.id, looks: look.looks },
    {
      delaySeconds: secondsToNextLook(look.looks),
    },
  )
