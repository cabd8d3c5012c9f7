import { createHash } from 'node:crypto'

/** Milliseconds of processor time that the work takes on the machine that the limits were set on. */
const USUAL_MS = 10
const SAMPLE = JSON.stringify(
  Array.from({ length: 2_000 }, (_, i) => ({
    id: `row_${i}`,
    amount: i * 1.5,
    tags: ['a', `${i}`],
  })),
)

/** Milliseconds of processor time of this process, meanwhile. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Some of what a request is: reading, changing, writing and hashing a text. */
function sample(): void {
  for (let turn = 0; turn < 5; turn++) {
    const rows = JSON.parse(SAMPLE) as { amount: number }[]
    JSON.stringify(rows.map((row) => ({ ...row, amount: row.amount + turn })))
    createHash('sha256').update(SAMPLE).digest()
  }
}

/**
 * How many times longer this machine takes for the same work now; at least 1. A processor that others share counts up to three times the
 * time for one piece of work, and that is no cost of the work.
 */
export const slownessNow = async (): Promise<number> =>
  Math.max(1, (await cpuOf(sample)) / USUAL_MS)

// Until it is compiled it takes twice its time.
for (let turn = 0; turn < 30; turn++) sample()
