import { parseArgs } from 'node:util'
import { openWorld } from './acts/players.ts'
import { checkAll, waitUntilFinal } from './check.ts'
import { soak } from './rounds.ts'
import { openStage } from './stage.ts'
import { ALL_POINTS, walk } from './walk.ts'

const FINAL_MS = 180_000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    callers: { type: 'string', default: '10' },
    'check-every': { type: 'string', default: '5' },
    points: { type: 'string', default: '' },
    'no-walk': { type: 'boolean', default: false },
    log: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const points = ALL_POINTS.filter((point) => point.startsWith(values.points))
const say = (line: string) => console.log(line)

/** Runs every fault point once, then rounds of random kills. Returns what is wrong. */
async function main(): Promise<string[]> {
  await using stage = await openStage({
    blockTimeSeconds: 1,
    ...(values.log ? { logFile: values.log } : {}),
  })
  say(`seed ${values.seed}; what the service says is in ${stage.logFile}`)
  const first = await stage.launch('api,worker').ready()
  const world = await openWorld(stage, { players: 4, sellerTimeoutSeconds: 20 })
  await first.kill()
  try {
    if (!values['no-walk']) {
      const missed = await walk(world, points)
      const open = await waitUntilFinal(world, FINAL_MS)
      const faults = [
        ...missed.map((point) => `${point} was never reached`),
        ...open.map((what) => `not final: ${what}`),
        ...(await checkAll(world)),
      ]
      say(`${points.length} fault points, ${faults.length} faults`)
      if (faults.length > 0) return faults
      await stage.killAll()
    }
    return await soak(world, {
      rounds: Number(values.rounds),
      seed: Number(values.seed),
      callers: Number(values.callers),
      verifyEvery: 1,
      checkEvery: Number(values['check-every']),
      finalMs: FINAL_MS,
      report: say,
    })
  } finally {
    await world.seller.close()
  }
}

const faults = await main()
for (const fault of faults) say(fault)
say(faults.length === 0 ? 'Every promise was kept.' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
