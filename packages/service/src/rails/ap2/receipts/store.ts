import { one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'

/** Stores a settlement's receipt, unless it has one, and answers the stored one. */
export async function keepReceipt(
  tx: Tx,
  at: Date,
  of: { settlementId: string; receipt: string },
): Promise<string> {
  await sql`insert into ap2_receipts (settlement_id, receipt, created_at)
    values (${of.settlementId}, ${of.receipt}, ${at}) on conflict do nothing`.execute(tx)
  return (await findReceipt(tx, of.settlementId)) ?? of.receipt
}

export async function findReceipt(on: Reader, settlementId: string): Promise<string | undefined> {
  const row = await one<{ receipt: string }>(
    on,
    sql`select receipt from ap2_receipts where settlement_id = ${settlementId}`,
  )
  return row?.receipt
}

export type ReceivedReceipt = {
  walletAddress: string
  mandateId: string
  receipt: string
  status: string
  reference: string
  signature: 'verified' | 'unverified'
  createdAt: Date
}

/** Stores a counterparty's receipt. False if it is stored already. */
export const insertReceived = async (tx: Tx, of: ReceivedReceipt): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into ap2_received_receipts (wallet_address, mandate_id, receipt_hash, receipt, status, reference,
        signature, created_at)
      values (${of.walletAddress}, ${of.mandateId}, sha256(convert_to(${of.receipt}, 'UTF8')), ${of.receipt},
        ${of.status}, ${of.reference}, ${of.signature}, ${of.createdAt})
      on conflict on constraint each_receipt_once do nothing`,
  )) === 1
