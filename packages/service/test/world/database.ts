import type { Services } from '../../src/api/http/services.ts'
import { one, type Reader, sql } from '../../src/base/db/sql.ts'
import { checkBooks } from '../../src/links/reconcile/books/books.ts'
import { pause } from '../until.ts'
import type { Connections } from './lent.ts'

export type WorldDatabase = ReturnType<typeof openDatabase>

/** How long a test waits for transactions of its own database: it may hold one open itself. */
const OWN_MS = 3_000

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
     * Waits until every event that is committed is shown: others on this server hold transactions open too, however long. For
     * transactions of this database it waits some seconds, since the test may hold them.
     */
    async shown(): Promise<void> {
      const newest = await one<{ xid: bigint | null }>(
        db.reader,
        // A test may have given events ids that are still to come.
        sql`select greatest((select max(xid) from events where xid < base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint), (select max(xid) from settlements)) as xid from event_base`,
      )
      let end = Date.now() + OWN_MS
      for (;;) {
        const { isShown, isHeld } = await look(db.reader, newest?.xid ?? 0n)
        if (isHeld) end = Date.now() + OWN_MS
        if (isShown || Date.now() > end) return
        await pause(10)
      }
    },

    /** The faults in the books; empty if they are in order. */
    faultsOf: async ({ checkpointKeys }: Services) =>
      (await checkBooks(db, { keys: checkpointKeys })).faults,

    close,
  }
}

/** Whether the events of the transaction are shown, and whether a transaction of another database holds them back. */
async function look(on: Reader, xid: bigint): Promise<{ isShown: boolean; isHeld: boolean }> {
  const row = await one<{ isShown: boolean; isHeld: boolean }>(
    on,
    sql`select event_horizon() > ${xid}::bigint as is_shown,
      exists (select from pg_stat_activity where backend_xid::text::bigint + (select base from event_base) <= ${xid}::bigint
        and datname is distinct from current_database()) as is_held`,
  )
  return row ?? { isShown: true, isHeld: false }
}
