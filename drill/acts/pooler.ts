/** Purser by way of pgBouncer. */
import { writeFileSync } from 'node:fs'
import { ownPort } from '../../packages/service/test/run/own-port.ts'
import { pause, until } from '../../packages/service/test/until.ts'
import { type Act, type Drill, outcomeOf } from '../act.ts'
import { fill } from '../cluster.ts'
import { compare, startLoad } from '../load.ts'
import { startMachine, stopMachine } from '../machines.ts'
import { launch, run } from '../programs.ts'

/** Starts one between a machine and haproxy, and returns the address that leads through it. */
async function startPooler(
  drill: Drill,
  mode: 'session' | 'transaction',
  url: string,
): Promise<string> {
  const listen = String(await ownPort())
  const folder = `${drill.folder}/data/${mode}`
  run('install', ['-d', '-o', 'postgres', '-g', 'postgres', folder])
  const through = new URL(url)
  const file = `${folder}/pgbouncer.ini`
  const text = fill('pgbouncer.ini', {
    ...{ host: '127.0.0.1', port: through.port, address: '127.0.0.1', listen, mode, folder },
  })
  // The drill has one account, which the pooler signs in with.
  const login = `host=127.0.0.1 port=${through.port} user=${through.username} password=${through.password}`
  writeFileSync(file, text.replace(/^\* = .*$/m, `* = ${login}`))
  const uid = run('id', ['-u', 'postgres']).trim()
  const gid = run('id', ['-g', 'postgres']).trim()
  launch(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '/usr/sbin/pgbouncer', file],
    {
      log: `${drill.folder}/pgbouncer.log`,
      cwd: '/',
    },
  )
  through.port = listen
  return through.href
}

export const POOLER: Act = {
  name: 'pgbouncer',
  summary: 'a machine through pgBouncer in session mode; transaction mode is refused at the start',
  goal: 'payments go through; the refusal names the reason',
  async play(drill) {
    const { stage, shop } = await drill.open()
    const faults: string[] = []
    const url = await startPooler(drill, 'session', stage.env.DATABASE_URL)
    const port = drill.ports.at(-1) as number
    await using machine = await startMachine(stage, port, { env: { DATABASE_URL: url } })
    const aside = { ...shop, stage: { ...stage, baseUrl: machine.url } }
    await using load = startLoad(aside)
    await pause(3_000)
    const measured = await load.stop()
    await stopMachine(machine)
    const compared = await compare(shop)

    const pooled = await startPooler(drill, 'transaction', stage.env.DATABASE_URL)
    const refusal = await until(
      () =>
        startMachine(stage, port, { env: { DATABASE_URL: pooled } }).then(
          () => 'it started',
          (error: Error) => error.message,
        ),
      (text) => !text.includes('refuses connections'),
      { everyMs: 500 },
    )
    if (!refusal.includes('pooler in transaction mode'))
      faults.push(`transaction mode: ${refusal.slice(-300)}`)
    return outcomeOf(measured, compared, {
      note: 'session mode pays; transaction mode is refused by name',
      own: faults,
    })
  },
}
