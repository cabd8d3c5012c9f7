import type { BuiltEvent } from '../../../api/events/define.ts'
import { logFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import { fundingConfirmed } from '../../../api/events/types/treasury.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { isSystemAddress } from '../../../base/kernel/address.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, amount } from '../../../base/kernel/money.ts'
import type { Rail } from '../../../chain/client/chain.ts'
import type { MinedTransaction } from '../../../chain/client/reads.ts'
import { houseKey, treasuryKey } from '../../ledger/account-keys.ts'
import { openAccounts } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { findPulledLogs } from '../../pulls/store.ts'
import { type Deposit, depositsIn, insertDeposits } from './store.ts'

type Here = Pick<Rail, 'network' | 'asset' | 'treasury'>

/**
 * The transfers from this wallet to the treasury in a mined transaction. Only the sending wallet may have them; a mint
 * has no sender, and what the service pulled has paid a charge.
 */
export const depositsOf = (rail: Here, walletAddress: string, mined: MinedTransaction) =>
  mined.transfers.filter(
    (log) =>
      log.from === walletAddress &&
      log.pullRef === undefined &&
      !isSystemAddress(log.from) &&
      log.to === rail.treasury.address &&
      log.value > 0n,
  )

/**
 * Credits the wallet's treasury balance with the transaction's transfers. Each transfer log is credited once, however
 * often and by whomever this is called. The transaction must be safe. Returns the sum of all that this transaction has
 * brought.
 */
export async function creditDeposits(
  tx: Tx,
  at: Date,
  credit: { rail: Here; walletAddress: string; mined: MinedTransaction },
): Promise<Amount> {
  const { rail, walletAddress, mined } = credit
  const pulled = await findPulledLogs(tx, { network: rail.network, txHash: mined.hash })
  const own = depositsOf(rail, walletAddress, mined).filter(({ logIndex }) => !pulled.has(logIndex))
  const deposits = own.map(
    (log): Deposit => ({
      id: newId('dep', at),
      network: rail.network,
      txHash: mined.hash,
      logIndex: log.logIndex,
      walletAddress,
      asset: rail.asset.symbol,
      amount: log.value,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
      createdAt: at,
    }),
  )
  const fresh = await insertDeposits(tx, deposits)
  if (fresh.length > 0) {
    const [custody, treasury] = await openAccounts(tx, [
      houseKey(rail.asset, 'custody'),
      treasuryKey(rail.asset, walletAddress),
    ])
    if (custody === undefined || treasury === undefined) throw new Error('accounts were not opened')
    await post(
      tx,
      at,
      fresh.map((deposit) => ({
        kind: 'deposit',
        ref: deposit.id,
        entries: [
          { account: custody, amount: -deposit.amount },
          { account: treasury, amount: deposit.amount },
        ],
      })),
    )
    await record(
      tx,
      at,
      fresh.map((deposit) => depositEvent(rail, deposit)),
    )
  }
  return amount(deposits.reduce((sum, deposit) => sum + deposit.amount, 0n))
}

const depositEvent = ({ asset }: Here, deposit: Deposit): BuiltEvent =>
  fundingConfirmed.of({
    walletAddress: deposit.walletAddress,
    asset,
    fact: logFact(deposit),
    data: { deposit_id: deposit.id, amount: deposit.amount, tx_hash: deposit.txHash },
  })

/** Whether a transfer of this transaction was credited to another wallet. */
export async function isCreditedElsewhere(
  on: Reader,
  rail: Here,
  asked: { walletAddress: string; txHash: string },
): Promise<boolean> {
  const deposits = await depositsIn(on, rail.network, asked.txHash)
  return deposits.some((deposit) => deposit.walletAddress !== asked.walletAddress)
}
