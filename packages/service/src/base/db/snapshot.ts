import { type Reader, sql } from './sql.ts'

/**
 * Runs reads on one connection (`Db.together`) that all see the same moment. Nothing is written but temporary tables.
 */
export async function inSnapshot<T>(on: Reader, work: () => Promise<T>): Promise<T> {
  await sql`begin isolation level repeatable read read only`.execute(on)
  try {
    return await work()
  } finally {
    await sql`rollback`.execute(on)
  }
}
