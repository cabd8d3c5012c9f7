import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { PRIVATE_KEYS } from '../../../base/signing-keys/key-pair.ts'
import { sealedColumn } from '../../../base/signing-keys/store-sealed.ts'
import { hasTable } from '../store.ts'

/** The setting that says which secret seals: its mark. */
export const SECRET_SETTING = 'PURSER_SECRET'

/** A secret that a rotation has replaced. `kept` are keys that were derived from it, sealed. */
export type ReplacedSecret = { mark: string; kept: Buffer; retiredAt: Date | null }

/** The mark of the secret that seals on every machine; undefined before the first start. */
export async function readSealingMark(on: Reader): Promise<string | undefined> {
  if (!(await hasTable(on, 'service_settings'))) return undefined
  const row = await one<{ value: string }>(
    on,
    sql`select value from service_settings where name = ${SECRET_SETTING}`,
  )
  return row?.value
}

/** The same under a lock, so that nothing changes it until the transaction ends. */
export async function lockSealingMark(tx: Tx): Promise<string | undefined> {
  const row = await one<{ value: string }>(
    tx,
    sql`select value from service_settings where name = ${SECRET_SETTING} for update`,
  )
  return row?.value
}

export const saveSealingMark = (tx: Tx, at: Date, mark: string): Promise<number> =>
  run(
    tx,
    sql`update service_settings set value = ${mark}, noted_at = ${at} where name = ${SECRET_SETTING}`,
  )

/** The replaced secrets, the first one first. None in a database of before there were any. */
export async function readReplaced(on: Reader): Promise<ReplacedSecret[]> {
  if (!(await hasTable(on, 'replaced_secrets'))) return []
  return all<ReplacedSecret>(
    on,
    sql`select mark, kept, retired_at from replaced_secrets order by replaced_at, mark`,
  )
}

export const insertReplaced = (
  tx: Tx,
  at: Date,
  { mark, kept }: Omit<ReplacedSecret, 'retiredAt'>,
): Promise<number> =>
  run(
    tx,
    sql`insert into replaced_secrets (mark, replaced_at, kept) values (${mark}, ${at}, ${kept})`,
  )

/** Nothing is sealed by any replaced secret any more. Returns how many that are new. */
export const retireReplaced = (tx: Tx, at: Date): Promise<number> =>
  run(tx, sql`update replaced_secrets set retired_at = ${at} where retired_at is null`)

export const keptContext = (mark: string): string => `keys of the replaced secret ${mark}`

export const sealedKept = sealedColumn({
  what: 'keys of earlier secrets',
  purpose: PRIVATE_KEYS,
  table: 'replaced_secrets',
  key: ['mark'],
  column: 'kept',
  context: keptContext,
})
