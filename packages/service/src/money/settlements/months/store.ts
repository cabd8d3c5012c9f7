import { one, type Reader, sql, type Tx } from '../../../base/db/sql.ts'

/** So many months are there before they begin, beside the present one. */
const AHEAD = 3

/** Whether settlements are kept by month: `purser migrate --contract` was run, or the database was new. */
const isByMonth = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 where to_regclass('settlements_rest') is not null`)) !== undefined

/** Makes the months of settlements that are missing, so that each is there long before its first payment. */
export async function makeMonths(tx: Tx, at: Date): Promise<void> {
  if (await isByMonth(tx)) await sql`select make_settlement_months(${at}, ${AHEAD})`.execute(tx)
}

/** Whether a settlement lies outside all months. It counts like any other, but leaves for no archive. */
export const hasStray = async (on: Reader): Promise<boolean> =>
  (await isByMonth(on)) &&
  (await one(on, sql`select 1 from settlements_rest limit 1`)) !== undefined
