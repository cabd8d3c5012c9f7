/** The disk of the database is full, and has room again. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { startPostgres } from '../../packages/service/src/run/embedded/postgres/postgres.ts'
import { ownPort } from '../../packages/service/test/run/own-port.ts'
import { until } from '../../packages/service/test/until.ts'
import { type Act, outcomeOf, pauseOf } from '../act.ts'
import { compare, openShop, startLoad } from '../load.ts'
import { isReady, isServing, migrated, startMachine, untilServed } from '../machines.ts'
import { atEnd, run } from '../programs.ts'

const SIZE_MB = 320
const BEFORE_MS: [number, number] = [1_000, 4_000]
const HELD_MS: [number, number] = [10_000, 20_000]
const NOTICED_GOAL_MS = 15_000
const AGAIN_GOAL_MS = 30_000
const AFTER_ANSWERS = 50

/** A disk of its own, of that size. */
function openDisk(folder: string): string {
  mkdirSync(folder)
  run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'none', folder])
  atEnd(() => run('umount', ['--lazy', folder]))
  return folder
}

/** PostgreSQL's files on that disk, its log elsewhere: without room for the log the server stops, which is another fault. */
async function filesOn(disk: string, log: string): Promise<string> {
  const folder = `${disk}/postgres`
  await (await startPostgres({ dataDir: folder, port: await ownPort() })).stop()
  const usual = `${folder}/cluster/pg_wal`
  run('cp', ['-a', usual, log])
  rmSync(usual, { recursive: true })
  symlinkSync(log, usual)
  return folder
}

function fill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k'], { stdio: 'ignore' })
  } catch {
    // It ends where the disk does.
  }
}

export const FULL_DISK: Act = {
  name: 'full-disk',
  summary: 'the disk of a database with one server is full, and has room again',
  goal: `not ready ${NOTICED_GOAL_MS / 1000} s later, the machine lives, paid again within ${AGAIN_GOAL_MS / 1000} s, 0 lost, 0 doubled`,
  async play(drill) {
    await drill.close()
    const disk = openDisk(`${drill.folder}/disk`)
    const files = await filesOn(disk, `${drill.folder}/disk-log`)
    const stage = await migrated(await drill.ownStage('disk', { folder: files }))
    await using machine = await startMachine(stage, drill.ports[0] as number)
    await untilServed(stage)
    const shop = await openShop(stage, 3)
    await using load = startLoad(shop)
    await pauseOf(drill, BEFORE_MS)
    const struckAt = performance.now()
    fill(`${disk}/filler`)
    // What was freed meanwhile, as by a checkpoint, is filled too.
    const filling = setInterval(() => fill(`${disk}/more`), 2_000)
    await using _ = { [Symbol.asyncDispose]: async () => clearInterval(filling) }
    const isNoticed = await until(
      () => isReady(machine),
      (isUp) => !isUp,
      {
        everyMs: 250,
        longestMs: NOTICED_GOAL_MS,
      },
    ).then(
      () => true,
      () => false,
    )
    const noticed = Math.round((performance.now() - struckAt) / 100) / 10
    await pauseOf(drill, HELD_MS)
    const lives = await isServing(machine)
    clearInterval(filling)
    const mendedAt = performance.now()
    for (const name of ['filler', 'more']) rmSync(`${disk}/${name}`, { force: true })
    await until(
      () => load.answered().filter(({ at }) => at > mendedAt).length,
      (count) => count > AFTER_ANSWERS,
      { everyMs: 100, longestMs: 4 * AGAIN_GOAL_MS },
    )
    const first = Math.min(...load.answered().flatMap(({ at }) => (at > mendedAt ? [at] : [])))
    const again = Math.round((first - mendedAt) / 100) / 10
    await until(() => isReady(machine), Boolean, { everyMs: 250, longestMs: 60_000 })
    const measured = await load.stop()
    return outcomeOf(measured, await compare(shop), {
      note: `not ready ${noticed} s later; paid again ${again} s after there was room`,
      own: [
        ...(isNoticed ? [] : [`it was ready for ${noticed} s with a full disk`]),
        ...(lives ? [] : ['the machine did not answer meanwhile']),
        ...(again > AGAIN_GOAL_MS / 1000 ? [`nobody was paid for ${again} s more`] : []),
      ],
    })
  },
}
