import type { Month } from '../../../money/settlements/months/store.ts'
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
