import { afterAll, expect, test } from 'vitest'
import { pause, until } from '../packages/service/test/until.ts'
import type { Act } from './act.ts'
import { startLoad } from './load.ts'
import { startMachine } from './machines.ts'
import { cleanUp } from './programs.ts'
import { ACTS, drill } from './run.ts'

afterAll(cleanUp)

/** Leaves payers who pay, a machine, a frozen standby and a primary without a cable. */
const BREAKS_OFF: Act = {
  name: 'breaks-off',
  summary: '',
  goal: '',
  async play({ cluster, open, ports }) {
    const { stage, shop } = await open()
    await using load = startLoad(shop)
    await using _ = await startMachine(stage, ports.at(-1) as number)
    await until(
      () => load.answered().length,
      (count) => count > 10,
    )
    cluster.freeze(await cluster.standby())
    cluster.cut(await cluster.primary())
    await pause(1_000)
    throw new Error('as meant')
  },
}

// The rest is `npm run drill`.
test('no answered payment is lost or doubled when the primary of the database dies, and an act before that broke off is no matter', async () => {
  const lines: string[] = []
  const acts = [BREAKS_OFF, ...ACTS.filter(({ name }) => name === 'kill-primary')]
  const outcomes = await drill(acts, (line) => lines.push(line), { seed: 1 })
  expect(lines.join('\n')).toContain('seed 1')
  const { 'breaks-off': broken, 'kill-primary': outcome } = outcomes
  expect(broken?.faults, lines.join('\n')).toEqual([expect.stringContaining('as meant')])
  expect(outcome, lines.join('\n')).toMatchObject({ lost: 0, doubled: 0, faults: [] })
  expect(outcome?.answered).toBeGreaterThan(100)
})
