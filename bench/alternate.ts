/** Runs measurements in turn, several times, so that a slow minute of the machine affects all of them. */
import type { Fired } from './load/fire.ts'

export type Figures = { perSecond: number } & Partial<
  Pick<Fired, 'p50Ms' | 'p99Ms' | 'cpuMicros' | 'othersCores'>
> & {
    /** Other things that a benchmark counts, by name. */
    counts?: Record<string, number>
  }
export type Measure = { what: string; connections: number; run(): Promise<Figures> }
export type How = { runs: number; print: (line: string) => void }
/** The medians of all runs, and the spread of the requests a second. */
export type Row = Figures & {
  what: string
  connections: number
  least: number
  most: number
  runs: Figures[]
}

/** Runs each measurement once, then each once more, `runs` times. `begin` prepares a run; its result ends with the run. */
export async function alternate(
  measures: readonly Measure[],
  { runs, print, begin }: How & { begin?: () => Promise<AsyncDisposable> },
): Promise<Row[]> {
  const figures = measures.map((): Figures[] => [])
  for (let run = 0; run < runs; run++) {
    await using _ = await begin?.()
    // The chain grows slower while it is measured, so each comes first as often as last.
    const turn = [...measures.entries()]
    for (const [i, { what, connections, run: measure }] of run % 2 ? turn.reverse() : turn) {
      const { perSecond, p50Ms, p99Ms, cpuMicros, othersCores, counts } = await measure()
      const one: Figures = {
        perSecond,
        ...(othersCores !== undefined && { othersCores }),
        ...(p50Ms !== undefined && p99Ms !== undefined && { p50Ms, p99Ms }),
        ...(cpuMicros && { cpuMicros }),
        ...(counts && { counts }),
      }
      figures[i]?.push(one)
      print(`${run + 1}: ${lineOf({ what, connections, ...one })}`)
    }
  }
  const rows = measures.map(({ what, connections }, i) =>
    summarize(figures[i] ?? [], { what, connections }),
  )
  print('')
  for (const row of rows) print(`${lineOf(row)}  (${row.least} to ${row.most})`)
  return rows
}

const PARTS = ['service', 'database', 'chain', 'client'] as const

const lineOf = ({
  what,
  connections,
  perSecond,
  p50Ms,
  p99Ms,
  cpuMicros,
  othersCores,
  counts = {},
}: Pick<Measure, 'what' | 'connections'> & Figures): string => {
  const times = p50Ms === undefined ? '' : `  p50 ${p50Ms} ms  p99 ${p99Ms} ms`
  const cpu = cpuMicros
    ? `  CPU µs: ${PARTS.map((part) => `${part} ${cpuMicros[part]}`).join(', ')}`
    : ''
  const others = othersCores === undefined ? '' : `  other programs ${othersCores} cores`
  const more = Object.entries(counts).map(([name, value]) => `  ${name} ${value}`)
  return `${what.padEnd(36)} ${String(connections).padStart(4)}  ${String(perSecond).padStart(6)}/s${times}${cpu}${others}${more.join('')}`
}

function summarize(runs: Figures[], { what, connections }: Pick<Measure, 'what' | 'connections'>) {
  const middle = (pick: (one: Figures) => number | undefined): number =>
    medianOf(runs.map(pick).filter((value) => value !== undefined))
  const all = runs.map(({ perSecond }) => perSecond)
  const row: Row = {
    ...{ what, connections, runs },
    perSecond: middle((one) => one.perSecond),
    least: Math.min(...all),
    most: Math.max(...all),
  }
  if (runs[0]?.p50Ms !== undefined) {
    row.p50Ms = middle((one) => one.p50Ms)
    row.p99Ms = middle((one) => one.p99Ms)
  }
  if (runs[0]?.othersCores !== undefined) row.othersCores = middle((one) => one.othersCores)
  if (runs[0]?.cpuMicros)
    row.cpuMicros = {
      service: middle((one) => one.cpuMicros?.service),
      database: middle((one) => one.cpuMicros?.database),
      chain: middle((one) => one.cpuMicros?.chain),
      client: middle((one) => one.cpuMicros?.client),
    }
  const names = Object.keys(runs[0]?.counts ?? {})
  if (names.length > 0)
    row.counts = Object.fromEntries(
      names.map((name) => [name, middle((one) => one.counts?.[name])]),
    )
  return row
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The row of this name. */
export function rowOf(rows: readonly Row[], what: string, connections?: number): Row {
  const found = rows.find(
    (row) => row.what === what && (connections === undefined || row.connections === connections),
  )
  if (!found) throw new Error(`${what} was not measured`)
  return found
}
