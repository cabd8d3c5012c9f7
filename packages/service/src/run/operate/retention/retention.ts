import type { Db, Reader } from '../../../base/db/sql.ts'
import { type Counted, DAY, forget, HOUR, type Kept, overSince } from '../../../base/jobs/kept.ts'
import { listMonths, type Month } from '../../../money/settlements/months/store.ts'
import { noteCommand } from '../command-line.ts'
import { FOR_EVER, KEPT, type KeepingSettings } from './kinds.ts'
import { readSizes } from './store.ts'

type KeptState = Counted &
  Pick<Kept<unknown>, 'kind' | 'what' | 'setting' | 'since'> & {
    /** Null: for ever. */
    seconds: number | null
    /** Rows that were deleted just now. */
    deleted: bigint
  }
type ForEver = { kind: string; what: string; rows: bigint; bytes: bigint }
/** All that is kept, and how long. */
export type Retention = { kept: KeptState[]; months: Month[]; forEver: ForEver[] }

export const readRetention = (
  on: Reader,
  settings: KeepingSettings,
  at: Date,
): Promise<Retention> => read(on, settings, { at, deleted: new Map() })

/** Deletes what is over, a piece in a transaction. May be cut off and run again. */
export async function applyRetention(
  db: Db,
  settings: KeepingSettings,
  at: Date,
): Promise<Retention> {
  const deleted = new Map<string, bigint>()
  for (const kept of KEPT) {
    const before = overSince(kept, settings, at)
    if (before) deleted.set(kept.kind, BigInt(await forget(db, kept, before)))
  }
  const note = [...deleted].flatMap(([kind, n]) => (n > 0n ? [`${n} of ${kind}`] : [])).join(', ')
  await db.write((tx) =>
    noteCommand(tx, at, { act: 'retention.applied', subject: 'rows that are over', note }),
  )
  return read(db.reader, settings, { at, deleted })
}

async function read(
  on: Reader,
  settings: KeepingSettings,
  { at, deleted }: { at: Date; deleted: ReadonlyMap<string, bigint> },
): Promise<Retention> {
  const kept: KeptState[] = []
  for (const one of KEPT) {
    const { kind, what, setting, since } = one
    const before = overSince(one, settings, at)
    const counted = await one.count(on, before ?? new Date(0))
    kept.push({
      ...{ kind, what, since, ...counted, ...(setting ? { setting } : {}) },
      ...{ seconds: one.seconds(settings), deleted: deleted.get(kind) ?? 0n },
    })
  }
  const sizes = await readSizes(
    on,
    FOR_EVER.flatMap(({ tables }) => tables),
  )
  const forEver = FOR_EVER.map(({ kind, what, tables }) => {
    const mine = sizes.filter(({ table }) => tables.includes(table))
    const sum = (of: 'rows' | 'bytes') => mine.reduce((total, size) => total + size[of], 0n)
    return { kind, what, rows: sum('rows'), bytes: sum('bytes') }
  })
  return { kept, months: await listMonths(on), forEver }
}

/** For a person: "until its end", "48 hours", "30 days". */
export function keptText({ seconds }: Pick<KeptState, 'seconds'>): string {
  if (seconds === null) return 'for ever'
  if (seconds === 0) return 'no longer'
  const [n, unit] = seconds % DAY === 0 ? [seconds / DAY, 'day'] : [seconds / HOUR, 'hour']
  return `${n} ${unit}${n === 1 ? '' : 's'}`
}
