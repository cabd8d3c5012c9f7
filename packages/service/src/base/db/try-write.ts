import { type Db, send, sql } from './sql.ts'

/**
 * Writes a row, and throws as a payment does that the database does not take. A row may fit where a disk is full, so a table of 8,000
 * numbers is written beside it: with so little memory the server takes a file for it.
 */
export const tryWrite = (db: Pick<Db, 'write'>): Promise<void> =>
  db.write(async (tx) => {
    send(tx, sql`set local work_mem = '64kB'`)
    send(tx, sql`set local temp_tablespaces = ''`)
    send(tx, sql`select count(*) from generate_series(1, 8000)`)
    await sql`insert into database_trials as t (tried_at) values (clock_timestamp())
      on conflict (only_row) do update set tried_at = excluded.tried_at`.execute(tx)
  })
