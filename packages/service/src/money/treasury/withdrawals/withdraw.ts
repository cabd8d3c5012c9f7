import { record } from '../../../api/events/record.ts'
import { withdrawalProcessing } from '../../../api/events/types/treasury.ts'
import { shownAmounts } from '../../../api/http/fields.ts'
import { keyTakenOver } from '../../../api/http/idempotency.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { enqueue, enqueueOne } from '../../../base/jobs/queue.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, amount, minus, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { nonceOf, type Rail } from '../../../chain/client/chain.ts'
import { readLatest } from '../../../chain/client/read-latest.ts'
import { queueSend } from '../../../chain/relay/send.ts'
import {
  intentDigest,
  intentNonce,
  type MadeTransfer,
} from '../../../chain/transfers/reads/made-transfer.ts'
import { searchFrom, secondsToNextLook } from '../../../chain/transfers/reads/schedule.ts'
import { houseKey, treasuryKey } from '../../ledger/account-keys.ts'
import { lockAvailable, openAccounts } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { findMadePayout, type Payout, payoutCall, signPayout } from './payout/payout.ts'
import type { OpenWay } from './payout/terms.ts'
import { holdPayee } from './safety/addresses.ts'
import { type Caps, lockRoom, NO_CAPS } from './safety/caps.ts'
import {
  countByIntent,
  findWithdrawal,
  insertWithdrawal,
  type NewWithdrawal,
  type PayoutMechanism,
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

/** Refuses a withdrawal that the treasury balance does not cover. */
export function checkCovered(available: Amount, ask: WithdrawalAsk, asset: Asset): void {
  if (available >= ask.amount) return
  const { amount: requested, fee } = ask
  const show = (value: bigint) => toNumber(value, asset.decimals)
  throw new Problem(
    'insufficient_balance',
    `Your treasury balance is ${show(available)} ${asset.symbol}; ${show(requested)} is more. Ask for less, or claim money back from cards.`,
    { extra: shownAmounts({ available, requested, withdrawal_fee: fee }, asset.decimals) },
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

type KeyedAsk = WithdrawalAsk & { key: string; mechanism: PayoutMechanism }

/**
 * The intent of an Idempotency-Key. After a restore from a backup, the same request computes the same nonce, so its
 * payout is found on chain instead of being made again.
 */
export async function readIntent(
  on: Reader,
  rail: Rail,
  { walletAddress, key, amount, fee, toAddress, mechanism }: KeyedAsk,
): Promise<WithdrawalIntent> {
  const { network, asset } = rail
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
  const payout = { mechanism, nonce, toAddress, netAmount: minus(amount, fee) }
  return { digest, nonce, made: await findMadePayout(rail, payout) }
}

/** `way` is how the asset is paid out: by EIP-3009 unless given. */
type Signing = {
  caps: Caps
  id?: Withdrawal['id']
  addressDelay?: number | null
  way?: OpenWay
  intent?: WithdrawalIntent
  validSeconds?: number
}

/**
 * Signs the payout of a withdrawal that is not stored yet. `rail` is that of its asset. It is worth nothing until `beginWithdrawal` has committed:
 * nobody sees it before.
 */
export async function signWithdrawal(
  rail: Rail,
  at: Date,
  ask: WithdrawalAsk,
  { caps, addressDelay = null, way, intent, ...signing }: Signing,
): Promise<NewWithdrawal> {
  const { kind: mechanism, asset } = way ?? { kind: 'eip3009', asset: rail.asset }
  const block = await readLatest(rail)
  const { id = newId('wd', at), validSeconds = VALID_SECONDS } = signing
  const { number } = block
  // If the chain has already paid, that amount is what the address received, whatever the fee is now.
  const netAmount = intent?.made ? amount(intent.made.value) : minus(ask.amount, ask.fee)
  const row = {
    ...ask,
    id,
    network: rail.network,
    asset: rail.asset.symbol,
    fee: minus(ask.amount, netAmount),
    netAmount,
    mechanism,
    fromAddress: rail.treasury.address,
    nonce: intent?.nonce ?? nonceOf('withdrawal', id),
    validBefore: BigInt(unixSeconds(block.at) + validSeconds),
    fromBlock: intent?.made?.blockNumber ?? searchFrom(number),
    createdAt: at,
    intent: intent?.digest ?? null,
    // A payout that the chain has already made cannot be refused any more. It counts.
    ...(intent?.made ? { ...NO_CAPS, addressDelay: null } : { ...caps, addressDelay }),
  }
  return { ...row, signature: await signPayout(rail, asset, row) }
}

/**
 * The withdrawal's first transaction: takes the money from the balance, and stores the signed payout, its send and the
 * job that ends it. `rail` is that of its asset. Returns the withdrawal and the balance after it. Throws
 * `insufficient_balance`, `payout_cap_reached` or `payout_address_not_allowed`.
 */
export async function beginWithdrawal(
  tx: Tx,
  at: Date,
  rail: Rail,
  signed: NewWithdrawal,
): Promise<{ withdrawal: Withdrawal; balance: Amount }> {
  const begun = await startWithdrawal(tx, at, rail, signed)
  await record(tx, at, [withdrawalProcessing.of(eventOf(begun.withdrawal, rail.asset))])
  return begun
}

/** As `beginWithdrawal`, for one whose event was recorded when it was asked for. */
export async function startWithdrawal(
  tx: Tx,
  at: Date,
  rail: Rail,
  signed: NewWithdrawal,
): Promise<{ withdrawal: Withdrawal; balance: Amount }> {
  const { asset } = rail
  const { id, fee, netAmount } = signed
  await lockRoom(tx, asset, signed)
  await holdPayee(tx, signed)
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
  await queuePayout(tx, at, { rail, payout: signed, sends: 1 })
  await carrySoon(tx, 0)
  const withdrawal = await findWithdrawal(tx, id)
  assert(withdrawal, 'the withdrawal was written')
  return { withdrawal, balance: minus(available, signed.amount) }
}

export const sendRef = (id: string, sends: number): string =>
  sends === 1 ? `withdrawal:${id}` : `withdrawal:${id}:${sends}`

/** Queues one transaction of a payout for the relayers. */
export const queuePayout = (
  tx: Tx,
  at: Date,
  queued: { rail: Rail; payout: Payout; sends: number },
): Promise<void> =>
  queueSend(tx, at, {
    ref: sendRef(queued.payout.id, queued.sends),
    ...payoutCall(queued.rail, queued.payout),
    // A token may take a part of what it moves: the payout's own job looks at that before each try.
    isOwners: queued.payout.mechanism === 'permit2',
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
