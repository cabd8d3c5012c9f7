import { lockCard, saveCards } from '../cards/store.ts'
import { insertTransactions } from '../cards/transactions.ts'
import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { houseKey, treasuryKey } from '../funding/deposit.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset, Hex } from '../kernel/assets.ts'
import { newId } from '../kernel/ids.ts'
import { minus, plus, toNumber } from '../kernel/money.ts'
import { openAccounts } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { linkEvent, withUse } from './link.ts'
import { settledEvent } from './settled-event.ts'
import {
  insertException,
  type PayLink,
  type PaymentException,
  type Settlement,
  saveLinks,
  takeLog,
} from './store.ts'

/** A transfer log that brought money to a link's address. */
export type PaidLog = { txHash: Hex; logIndex: number }

/**
 * Credits a settlement whose money has arrived on chain: receiver card net, house fee, the use counted, the log taken.
 * The link is locked; the settlement's row is the caller's to write. False where the log had been used before.
 */
export async function creditSettlement(
  tx: Tx,
  at: Date,
  paid: { link: PayLink; settlement: Settlement; log: PaidLog; asset: Asset },
): Promise<PayLink | undefined> {
  const { link, settlement, log, asset } = paid
  if (!(await takeLog(tx, { network: link.network, ...log, settlementId: settlement.id })))
    return undefined
  const used = withUse(link, at)
  await saveLinks(tx, [used])
  const card = await lockCard(tx, link.cardId)
  assert(card, `card ${link.cardId} exists`)
  const net = minus(settlement.amount, settlement.fee)
  await saveCards(tx, [{ ...card, received: plus(card.received, net) }])
  if (net > 0n)
    await insertTransactions(tx, [
      {
        id: newId('txn', at),
        cardId: card.id,
        walletAddress: card.walletAddress,
        direction: 'received',
        amount: net,
        fee: settlement.fee,
        merchant: settlement.payer,
        protocol: settlement.protocol,
        status: 'SETTLED',
        network: link.network,
        asset: link.asset,
        txHash: log.txHash,
        ref: settlement.id,
        memo: link.memo,
        createdAt: at,
        settledAt: at,
      },
    ])
  const [custody, fees] = await openAccounts(tx, [
    houseKey(asset, 'custody'),
    houseKey(asset, 'fees'),
  ])
  assert(custody !== undefined && fees !== undefined, 'house accounts are open')
  await post(tx, at, [
    {
      kind: 'link_settlement',
      ref: settlement.id,
      entries: [
        { account: custody, amount: -settlement.amount },
        { account: card.accountId, amount: net },
        { account: fees, amount: settlement.fee },
      ],
    },
  ])
  const settled = settledEvent({
    settlement: { ...settlement, txHash: log.txHash },
    link: used,
    asset,
  })
  await record(
    tx,
    at,
    used.status === 'COMPLETED' ? [settled, linkEvent('paylink.completed', used)] : [settled],
  )
  return used
}

/**
 * Money that arrived and does not settle the link goes to the seller's treasury balance, with the reason. `log` is
 * taken here unless the rest of it settled the link.
 */
export async function creditException(
  tx: Tx,
  at: Date,
  came: {
    link: PayLink
    exception: Omit<PaymentException, 'id' | 'createdAt' | 'payLinkId' | 'walletAddress'>
    log: PaidLog | null
    asset: Asset
  },
): Promise<PaymentException | undefined> {
  const { link, asset } = came
  const exception: PaymentException = {
    ...came.exception,
    id: newId('exc', at),
    payLinkId: link.id,
    walletAddress: link.walletAddress,
    createdAt: at,
  }
  await insertException(tx, exception)
  if (
    came.log &&
    !(await takeLog(tx, { network: link.network, ...came.log, exceptionId: exception.id }))
  )
    throw new Error(
      `log ${came.log.txHash} ${came.log.logIndex} was taken while its link was locked`,
    )
  const [custody, treasury] = await openAccounts(tx, [
    houseKey(asset, 'custody'),
    treasuryKey(asset, link.walletAddress),
  ])
  assert(custody !== undefined && treasury !== undefined, 'accounts are open')
  await post(tx, at, [
    {
      kind: 'payment_exception',
      ref: exception.id,
      entries: [
        { account: custody, amount: -exception.amount },
        { account: treasury, amount: exception.amount },
      ],
    },
  ])
  await record(tx, at, [
    {
      type: 'payment.exception',
      walletAddress: link.walletAddress,
      subject: exception.id,
      data: {
        exception_id: exception.id,
        pay_link_code: link.code,
        reason: exception.reason,
        amount: toNumber(exception.amount, asset.decimals),
        asset: link.asset,
        network: link.network,
        tx_hash: exception.txHash,
        payer: exception.payer,
      },
    },
  ])
  return exception
}
