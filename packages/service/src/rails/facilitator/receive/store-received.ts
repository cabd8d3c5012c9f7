import { one, run, sql, type Tx } from '../../../base/db/sql.ts'

type Use = { settlementId: string; resource: string; walletAddress: string }

/** Stores the first use of a payment. False if it was used before. */
export const insertUse = async (
  tx: Tx,
  at: Date,
  { settlementId, resource, walletAddress }: Use,
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into received_payments (settlement_id, wallet_address, resource, received_at)
      values (${settlementId}, ${walletAddress}, ${resource}, ${at}) on conflict (settlement_id) do nothing`,
  )) === 1

/** The resource that a payment was first used for. */
export const findUse = (tx: Tx, settlementId: string): Promise<Pick<Use, 'resource'> | undefined> =>
  one<Pick<Use, 'resource'>>(
    tx,
    sql`select resource from received_payments where settlement_id = ${settlementId}`,
  )
