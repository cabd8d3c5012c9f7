import { expect, test } from 'vitest'
import { all, sql } from '../src/base/db/sql.ts'
import { type Held, issue, open, payWith } from './actors/attack-kit.ts'
import { darkWay } from './faults/dark-way.ts'
import { pause, until } from './until.ts'
import { type World, world } from './world.ts'

/** A payment that waits longer than five seconds for a row is refused, and none is. */
const GAP_MS = 20_000
const BACK_MS = 40_000

/** Short beside the gap that is measured. Without it a payer takes a whole core. */
const PAUSE_MS = 50

/** Pays by card repeatedly, one payment at a time. Records the time and the status of each answer. */
function payer(on: World, pay: () => ReturnType<typeof payWith>) {
  const answers: { at: number; status: number }[] = []
  let isStopping = false
  const done = (async () => {
    while (!isStopping) {
      const { status } = await pay()
      answers.push({ at: performance.now(), status })
      await pause(PAUSE_MS)
    }
  })()
  return {
    answers,
    on,
    paid: () => answers.filter(({ status }) => status === 200),
    async stop() {
      isStopping = true
      await done
    },
  }
}

function longestGap(times: number[]): number {
  return Math.max(...times.slice(1).map((at, i) => at - (times[i] as number)))
}

// A partition without a reset: neither side notices, and the server keeps the locks of the dead connection.
test.concurrent.each([
  { name: 'its connections die and new ones work', newAreDark: false, darkMs: 0 },
  { name: 'it is cut off for a while', newAreDark: true, darkMs: 8_000 },
])(
  'a machine whose database falls silent mid-transaction harms the others for seconds: $name',
  async ({ newAreDark, darkMs }) => {
    await using w = await world()
    const way = await darkWay(w.databaseUrl)
    try {
      await using cut = await w.machine({ databaseUrl: way.url })
      const [seller, buyer] = [await w.user({ treasury: 5 }), await w.user({ treasury: 500 })]
      const link = await open(seller, await issue(seller, 1), { max_uses: 0, amount: 0.01 })
      // One card for all payments: the dead transaction holds its row.
      const card: Held = await issue(buyer, 400)
      const healthy = payer(w, () => payWith(w, link.code, card))
      const suffering = payer(cut, () => payWith(cut, link.code, card))
      await until(
        () => [suffering.paid().length, healthy.paid().length],
        (counts) => counts.every((count) => count >= 3),
      )

      await way.cutBeforeCommit({ newAreDark })
      const cutAt = performance.now()
      await pause(darkMs)
      way.heal()
      const healedAt = performance.now()
      const isBack = () => suffering.paid().some(({ at }) => at > healedAt)
      await until(isBack)
      await pause(500)
      await Promise.all([healthy.stop(), suffering.stop()])

      const times = healthy.answers.map(({ at }) => at)
      const back = suffering.paid().find(({ at }) => at > healedAt)
      const measured = {
        gapMs: Math.round(longestGap(times)),
        backMs: Math.round((back?.at ?? Number.POSITIVE_INFINITY) - healedAt),
      }
      expect(healthy.answers.filter(({ status }) => status !== 200)).toEqual([])
      expect(times.at(-1)).toBeGreaterThan(cutAt)
      expect(measured.gapMs).toBeLessThan(GAP_MS)
      expect(measured.backMs).toBeLessThan(BACK_MS)
      // Every answer was 200 or asked for a retry, and each payment counts at most once.
      for (const { status } of suffering.answers) expect([200, 503]).toContain(status)
      const [row] = await all<{ settlements: bigint }>(
        w.db.reader,
        sql`select count(*) as settlements from settlements`,
      )
      const answered = healthy.paid().length + suffering.paid().length
      const asked = healthy.answers.length + suffering.answers.length
      expect(Number(row?.settlements)).toBeGreaterThanOrEqual(answered)
      expect(Number(row?.settlements)).toBeLessThanOrEqual(asked)
      expect(await w.faults()).toEqual([])
    } finally {
      way.close()
    }
  },
)
