import { one, sql } from '../../src/db/sql.ts'
import { readEnd } from '../../src/events/feed.ts'
import type { Services } from '../../src/http/services.ts'
import { checkBooks } from '../../src/reconcile/books/books.ts'
import type { Connections } from './lent.ts'

export type WorldDatabase = ReturnType<typeof openDatabase>

const SHOWN_MS = 3_000

/** The world's database, as one process sees it. */
export function openDatabase(databaseUrl: string, { db, jobs, close }: Connections) {
  return {
    databaseUrl,
    db,
    jobs,
    write: db.write,

    /** Makes every waiting job due. */
    hastenJobs: () =>
      db.write((tx) =>
        sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs),
          run_at => now() - interval '1 second')`.execute(tx),
      ),

    /**
     * Waits until every event that is committed is shown, for some seconds at most: others on this server hold
     * transactions open, too, and so may the test.
     */
    async shown(): Promise<void> {
      const end = Date.now() + SHOWN_MS
      const newest = await one<{ xid: bigint | null }>(
        db.reader,
        sql`select max(xid)::text::bigint as xid from events`,
      )
      while ((await readEnd(db.reader)).xid <= (newest?.xid ?? 0n) && Date.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 10))
    },

    /** The faults in the books; empty if they are in order. */
    faultsOf: async ({ checkpointKeys }: Services) =>
      (await checkBooks(db, { keys: checkpointKeys })).faults,

    close,
  }
}
