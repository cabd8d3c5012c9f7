import { resolve } from 'node:path'
import type { Month } from '../../../money/settlements/months/store.ts'
import { type Archived, type ArchiveOrder, type Plan, STAY_MONTHS } from './archive.ts'
import { filesOf } from './archive-file.ts'
import type { ExportOrder } from './export-archive.ts'
import { keptText, type Retention } from './retention.ts'

/** `retention`, and `retention apply`. */
export const isRetentionOrder = ([verb, ...more]: readonly string[]): boolean =>
  (verb === undefined || verb === 'apply') && more.length === 0

/** The list for a person. */
export function retentionText({ kept, months, forEver }: Retention): string {
  const deleted = kept.filter((kind) => kind.deleted > 0n)
  const due = kept.reduce((sum, kind) => sum + kind.due, 0n)
  return [
    'Deleted by age:',
    ...kept.map(
      (kind) =>
        `  ${kind.kind.padEnd(20)} ${keptText(kind).padEnd(10)} from ${kind.since.padEnd(20)} ${kind.rows} rows, ${kind.due} over` +
        `${kind.setting ? `   ${kind.setting}` : ''}`,
    ),
    '',
    'Kept for ever:',
    ...forEver.map(
      ({ kind, what, rows, bytes }) =>
        `  ${kind.padEnd(20)} about ${rows} rows, ${sizeText(bytes)}: ${what}`,
    ),
    '',
    'Settlements, by month:',
    ...months.map(
      (month) => `  ${nameOf(month).padEnd(20)} about ${month.rows} rows, ${sizeText(month.bytes)}`,
    ),
    '',
    ...(deleted.length > 0
      ? [`Deleted now: ${deleted.map((kind) => `${kind.deleted} of ${kind.kind}`).join(', ')}.`]
      : []),
    due > 0n
      ? `${due} rows are over. The service deletes them by itself; "npx purser retention apply" does it now.`
      : 'Nothing is over.',
  ].join('\n')
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

function sizeText(bytes: bigint): string {
  let [size, unit] = [Number(bytes), 0]
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}

const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

function nameOf({ from, until }: Month): string {
  if (from) return monthOf(from)
  return until ? `before ${monthOf(until)}` : 'in no month'
}

/** The list for a program. */
export const retentionJson = ({ kept, months, forEver }: Retention): string =>
  JSON.stringify(
    {
      kept: kept.map(({ kind, what, setting, since, seconds, rows, due, deleted }) => ({
        ...{ kind, what, setting: setting ?? null, since, seconds },
        ...{ rows: Number(rows), due: Number(due), deleted: Number(deleted) },
      })),
      for_ever: forEver.map(({ kind, what, rows, bytes }) => ({
        ...{ kind, what, about_rows: Number(rows), bytes: Number(bytes) },
      })),
      settlements: months.map((month) => ({
        ...{ month: nameOf(month), about_rows: Number(month.rows), bytes: Number(month.bytes) },
      })),
    },
    null,
    2,
  )

/** `retention archive --month 2026-01 --to <folder>`. */
export function readArchiveOrder(words: readonly string[]): ArchiveOrder | undefined {
  const [verb, ...flags] = words
  const of = (flag: string) => flags[flags.indexOf(flag) + 1]
  const [month, dir] = [of('--month'), of('--to')]
  const isWhole = verb === 'archive' && flags.length === 4 && flags.includes('--to')
  if (!isWhole || !flags.includes('--month') || !dir) return undefined
  return isMonth(month) ? { month, dir: resolve(dir) } : undefined
}

/** The month of `retention archive --month 2026-01 --dry-run`, which needs no folder. */
export function readPlanOrder(words: readonly string[]): string | undefined {
  const rest = words.filter((word) => word !== '--dry-run')
  if (rest.length === words.length) return undefined
  const order = readArchiveOrder(rest.length === 3 ? [...rest, '--to', '.'] : rest)
  return order?.month
}

/** `retention export --month 2026-01 --archive <folder>`, and `--of <name>` for the payments of one. */
export function readExportOrder(words: readonly string[]): ExportOrder | undefined {
  const [verb, ...flags] = words
  const of = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined)
  const [month, dir, name] = [of('--month'), of('--archive'), of('--of')]
  if (verb !== 'export' || flags.length !== (flags.includes('--of') ? 6 : 4)) return undefined
  if (!isMonth(month) || !dir || name === '') return undefined
  return { month, dir: resolve(dir), of: name }
}

const isMonth = (text = ''): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

const sumsText = (sums: Plan['sums']): string =>
  Object.entries(sums)
    .map(([of, { amount }]) => `${amount} base units of ${of}`)
    .join(', ')

/** The plan for a person. */
export const planText = ({ month, settlements, batches, sums, stay }: Plan): string =>
  [
    settlements === 0
      ? nothingLeaves(month)
      : `${month} would be put away: ${settlements} settlements in ${batches} batches, ${sumsText(sums)}; ${stay} of it would stay.`,
    'Nothing was changed, and no file was written.',
  ].join('\n')

/** The plan for a program. */
export const planJson = (plan: Plan): string =>
  JSON.stringify({ ...plan, was_done: false, dry_run: true }, null, 2)

const nothingLeaves = (month: string): string =>
  `Nothing of ${month} can leave: its settlements were refunded or paid on chain. The newest ${STAY_MONTHS} months stay anyway.`

/** The month that was put away, for a person. */
export function archivedText(
  { month, manifest, wasDone }: Archived,
  { dir }: ArchiveOrder,
): string {
  if (!manifest) return nothingLeaves(month)
  return [
    wasDone
      ? `${month} was put away at ${manifest.made_at}: ${manifest.settlements} settlements.`
      : `${month} is put away: ${manifest.settlements} settlements, ${sumsText(manifest.sums)}.`,
    ...(wasDone
      ? []
      : [
          `${filesOf(dir, month).rows} and its manifest are the only copy: keep both on two other machines.`,
          `Next: npx purser verify --archive ${dir}`,
        ]),
  ].join('\n')
}

/** The manifest for a program. */
export const archivedJson = ({ month, manifest, wasDone }: Archived): string =>
  JSON.stringify({ month, was_done: wasDone, manifest }, null, 2)
