import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import {
  livedPlace,
  PASSED_ON,
  readDev,
  run,
  stopPrograms,
} from '../../../../test/actors/program.ts'
import { until } from '../../../../test/until.ts'
import { isAlive } from '../../embedded/child.ts'

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url))

afterEach(stopPrograms)

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** The process and all its descendants. */
const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)]

async function says(child: ChildProcess, text: string): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += chunk
    if (said.includes(text)) return
  }
  throw new Error(`npm start did not say "${text}" but:\n${said}`)
}

// systemd and containers signal the one process that they started, which is npm.
test("npm start gives Node the service's flags", () => {
  const read = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))
  const { nodeFlags } = read('packages/service/package.json')
  const { scripts } = read('package.json')
  expect(scripts.start).toContain(`node ${nodeFlags.join(' ')} `)
})

test('a SIGTERM to npm start stops the service and everything that it started', async () => {
  const env = await livedPlace()
  const npm = spawn('npm', ['start', '--prefix', ROOT], {
    cwd: tmpdir(),
    env: { ...PASSED_ON, HOME: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  await says(npm, 'Stop         Ctrl-C')
  npm.stdout?.resume()
  const family = familyOf(npm.pid as number)
  expect(family.length).toBeGreaterThan(3)
  npm.kill('SIGTERM')
  await ended
  await until(
    () => family.filter(isAlive),
    (alive) => expect(alive).toEqual([]),
  )

  // The folder and the port are free.
  const again = run([], env)
  await again.says('Stop         Ctrl-C')
  expect((await readDev(env)).pid).toBe(again.child.pid)
})
