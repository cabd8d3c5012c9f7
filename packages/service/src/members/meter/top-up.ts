import { record } from '../../api/events/record.ts'
import { feesToppedUp } from '../../api/events/types/fees.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import { type Amount, plus, ZERO } from '../../base/kernel/money.ts'
import { insufficientBalance } from '../../money/cards/issue/issue.ts'
import { treasuryKey } from '../../money/ledger/account-keys.ts'
import {
  availableOn,
  lockAccounts,
  lockAvailable,
  openAccount,
} from '../../money/ledger/accounts.ts'
import { post } from '../../money/ledger/post.ts'
import { openMeter, payOwedFees } from './owed.ts'
import { insertTopUp, lockMeter, type TopUp } from './store.ts'
import { readTerms } from './terms.ts'

type Order = { walletAddress: string; asset: Asset; amount: Amount }
/** The meter after a top-up. */
export type ToppedUp = { balance: Amount; owed: Amount }

/** Tops a wallet's meter up from its treasury balance. It costs no fee. Owed fees are paid from it first. */
export async function topUpFromTreasury(tx: Tx, at: Date, order: Order): Promise<ToppedUp> {
  const { walletAddress, asset, amount } = order
  const { isLow } = await lockMeter(tx, walletAddress)
  const { meter } = await openMeter(tx, order)
  const treasury = await openAccount(tx, treasuryKey(asset, walletAddress))
  const locked = await lockAccounts(tx, [meter, treasury])
  const on = (id: bigint) => {
    const account = locked.get(id)
    return account ? availableOn(account) : ZERO
  }
  if (on(treasury) < amount)
    throw insufficientBalance({ available: on(treasury), requested: amount, asset })
  const id = newId('fee', at)
  await post(tx, at, [
    {
      kind: 'meter_topup',
      ref: id,
      entries: [
        { account: treasury, amount: -amount },
        { account: meter, amount },
      ],
    },
  ])
  const topUp = { id, walletAddress, ...held(order), agreement: null, createdAt: at }
  return noteTopUp(tx, at, { asset, topUp, wasLow: isLow, balance: plus(on(meter), amount) })
}

/**
 * The same for a threshold agreement, after its settlement has moved the money from the payer's card to the meter. Lock
 * the meter (`lockMeter`) before the card.
 */
export async function topUpMeter(
  tx: Tx,
  at: Date,
  { agreement, ...order }: Order & { agreement: { id: string; settlementId: string } },
): Promise<ToppedUp> {
  const { walletAddress, asset } = order
  const { isLow } = await lockMeter(tx, walletAddress)
  const { meter } = await openMeter(tx, order)
  const balance = await lockAvailable(tx, meter)
  const topUp = { id: newId('fee', at), walletAddress, ...held(order), agreement, createdAt: at }
  return noteTopUp(tx, at, { asset, topUp, wasLow: isLow, balance })
}

const held = ({ asset: { network, symbol }, amount }: Order) => ({ network, asset: symbol, amount })

async function noteTopUp(
  tx: Tx,
  at: Date,
  {
    asset,
    topUp,
    wasLow,
    balance,
  }: { asset: Asset; topUp: TopUp; wasLow: boolean; balance: Amount },
): Promise<ToppedUp> {
  const { walletAddress, amount, agreement } = topUp
  await insertTopUp(tx, topUp)
  const terms = await readTerms(tx, at, walletAddress)
  const left = await payOwedFees(tx, at, { walletAddress, asset, terms, wasLow, balance })
  await record(tx, at, [
    feesToppedUp.of({
      walletAddress,
      asset,
      data: {
        wallet_address: walletAddress,
        amount,
        ...left,
        source: agreement ? 'agreement' : 'manual',
        agreement_id: agreement?.id ?? null,
      },
    }),
  ])
  return left
}
