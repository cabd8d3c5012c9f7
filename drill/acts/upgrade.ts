/** The version before and this one on one database, under load. */
import { readFileSync, rmSync } from 'node:fs'
import type { Stage } from '../../packages/service/test/crash/stage.ts'
import { pause } from '../../packages/service/test/until.ts'
import { type Act, type Drill, outcomeOf } from '../act.ts'
import { compare, openShop, startLoad } from '../load.ts'
import { killMachine, ROOT, startMachine, stopMachine, untilServed } from '../machines.ts'
import { ended, launch, run } from '../programs.ts'

const MIGRATIONS = 'packages/service/src/base/db/migrations'

const git = (...args: string[]): string => run('git', ['-C', ROOT, ...args]).trim()

/** The last commit before the newest migration, so that the upgrade has one to do. A clone without history has none. */
function versionBefore(): string | undefined {
  const newest = git('log', '--diff-filter=A', '--format=%h', '-1', '--', MIGRATIONS)
  try {
    return git('rev-parse', '--short', '--verify', `${newest}^`)
  } catch {
    return undefined
  }
}

/** The version before in a folder of its own, with its own packages. */
function checkOut(drill: Drill, commit: string): string {
  const folder = `${drill.folder}/before`
  run('git', ['clone', '-q', '--shared', '--no-checkout', ROOT, folder])
  run('git', ['-C', folder, 'checkout', '-q', commit])
  // From its sources, as an installation without development packages runs.
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  return folder
}

/** Not awaited in one piece: the payers pay meanwhile. */
async function migrateWith(stage: Stage, folder: string): Promise<string> {
  const log = `${stage.folder}/migrate.log`
  const args = [`${folder}/packages/service/src/main.ts`, 'migrate']
  const code = await ended(launch(process.execPath, args, { log, env: stage.env }))
  const said = readFileSync(log, 'utf8')
  rmSync(log)
  if (code !== 0) throw new Error(`migrate ended with ${code}: ${said.slice(-1500)}`)
  return said
}

export const UPGRADE: Act = {
  name: 'upgrade',
  summary:
    'a version before, migrate, this version beside it, the old one drained and started again',
  goal: '0 failed requests, 0 lost, 0 doubled',
  async play(drill) {
    const commit = drill.before ?? versionBefore()
    if (!commit)
      return {
        note: 'there is no history here with a version before; a whole clone has it, or name one by --before',
        skipped: true,
        faults: [],
      }
    const before = checkOut(drill, commit)
    await drill.close()
    const stage = await drill.ownStage(
      'upgrade',
      drill.before ? { folder: `${drill.folder}/postgres` } : 'cluster',
    )
    const [oldPort = 0, newPort = 0] = drill.ports
    await migrateWith(stage, before)
    await using old = await startMachine(stage, oldPort, { folder: before })
    await untilServed(stage)
    const shop = await openShop(stage, 4)
    await using load = startLoad(shop)
    await pause(2_000)
    const said = (await migrateWith(stage, ROOT)).split('\n')
    const applied = said.filter((line) => line.startsWith('Applied'))
    await pause(1_000)
    await using young = await startMachine(stage, newPort)
    await pause(2_000)
    await stopMachine(old)
    await pause(2_000)
    // systemd may start a machine of the version before on the new schema.
    await using again = await startMachine(stage, oldPort, { folder: before })
    await pause(2_000)
    await stopMachine(again)
    const measured = await load.stop()
    const compared = await compare(shop)
    await killMachine(young)
    return outcomeOf(measured, compared, {
      note: `from ${commit}: ${applied.length} migrations while the old machine served; it started again on the new schema`,
      own: measured.failed > 0 ? [`${measured.failed} requests failed`] : [],
    })
  },
}
