import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import { type Amount, minus, plus, ZERO } from '../../base/kernel/money.ts'
import { lockAvailable } from '../../money/ledger/accounts.ts'
import { findTransfer, post } from '../../money/ledger/post.ts'
import { noteFall } from './low.ts'
import { feeTransfer, openMeter, payOwedFees } from './owed.ts'
import {
  countUse,
  type DirectFee,
  type FeeState,
  findFee,
  insertFee,
  lockMeter,
  markReversed,
  readOwed,
  uncountUse,
} from './store.ts'
import { isMetered, monthOf, readTerms, type Worth } from './terms.ts'

/** `unmetered`: it is worth less than its fee, so it neither counts nor costs. */
export type Metered =
  | { meteredFee: Amount; kind: FeeState }
  | { meteredFee: null; kind: 'unmetered' }

/**
 * Counts a DIRECT settlement of this wallet in the month of `at`. Within the quota it is free; above, the meter pays the
 * fee; if the meter cannot, or older fees are owed, the fee is owed. It never refuses: the money is with the seller. One that
 * is not worth its fee is left out (`isMetered`). A settlement that is metered already answers as it was.
 */
export async function meterSettlement(
  tx: Tx,
  at: Date,
  of: { walletAddress: string; settlementId: string; asset: Asset; worth: Worth },
): Promise<Metered> {
  const { walletAddress, settlementId, asset, worth } = of
  const { isLow } = await lockMeter(tx, walletAddress)
  const known = await findFee(tx, settlementId)
  if (known) return { meteredFee: known.amount, kind: known.state }
  const terms = await readTerms(tx, at, walletAddress)
  if (!isMetered(worth, terms.overage)) return { meteredFee: null, kind: 'unmetered' }
  const month = monthOf(at)
  const used = await countUse(tx, { walletAddress, month })
  const due = used <= terms.quota ? ZERO : terms.overage
  const fee = { id: newId('fee', at), settlementId, walletAddress, month, amount: due }
  const { network, symbol } = asset
  const made = { ...fee, network, asset: symbol, createdAt: at, reversedAt: null }
  if (due === ZERO) {
    await insertFee(tx, { ...made, state: 'free', paidAt: null })
    return { meteredFee: ZERO, kind: 'free' }
  }
  const accounts = await openMeter(tx, { walletAddress, asset })
  const balance = await lockAvailable(tx, accounts.meter)
  const owed = await readOwed(tx, walletAddress)
  const changed = { walletAddress, asset, terms, wasLow: isLow }
  if (owed > ZERO || balance < due) {
    await insertFee(tx, { ...made, state: 'owed', paidAt: null })
    await noteFall(tx, at, { ...changed, balance, owed: plus(owed, due) })
    return { meteredFee: due, kind: 'owed' }
  }
  await insertFee(tx, { ...made, state: 'paid', paidAt: at })
  await post(tx, at, [feeTransfer(fee, accounts)])
  await noteFall(tx, at, { ...changed, balance: minus(balance, due), owed })
  return { meteredFee: due, kind: 'paid' }
}

/**
 * Takes the metering of a settlement back, once: a reorganization took the settlement. A fee that was paid returns to the
 * meter. Does nothing for a settlement that is not metered.
 */
export async function reverseMetering(
  tx: Tx,
  at: Date,
  { settlementId, asset }: { settlementId: string; asset: Asset },
): Promise<void> {
  const walletAddress = (await findFee(tx, settlementId))?.walletAddress
  if (walletAddress === undefined) return
  const { isLow } = await lockMeter(tx, walletAddress)
  const fee = await findFee(tx, settlementId)
  if (!fee || !(await markReversed(tx, at, fee.id))) return
  await uncountUse(tx, fee)
  if (fee.state === 'paid') await giveBack(tx, at, { fee, asset, wasLow: isLow })
}

async function giveBack(
  tx: Tx,
  at: Date,
  { fee, asset, wasLow }: { fee: DirectFee; asset: Asset; wasLow: boolean },
): Promise<void> {
  const { walletAddress } = fee
  const { meter, fees } = await openMeter(tx, { walletAddress, asset })
  const balance = plus(await lockAvailable(tx, meter), fee.amount)
  const paid = await findTransfer(tx, 'direct_fee', fee.id)
  await post(tx, at, [
    {
      kind: 'direct_fee_reversed',
      ref: fee.id,
      ...(paid && { reverses: paid }),
      entries: [
        { account: fees, amount: -fee.amount },
        { account: meter, amount: fee.amount },
      ],
    },
  ])
  const terms = await readTerms(tx, at, walletAddress)
  await payOwedFees(tx, at, { walletAddress, asset, terms, wasLow, balance })
}
