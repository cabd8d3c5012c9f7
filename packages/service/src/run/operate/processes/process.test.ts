import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import {
  livedPlace,
  PASSED_ON,
  place,
  run,
  start,
  stopPrograms,
} from '../../../../test/actors/program.ts'
import { pause, until } from '../../../../test/until.ts'
import { readConfig } from '../../config/config.ts'

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url))

afterEach(stopPrograms)

// A load balancer needs time to notice. Requests that arrive meanwhile are served.
test.each(['1', '2'])(
  'a SIGTERM is said at /readyz first, and then the port drains (%s processes)',
  async (processes) => {
    const env = { ...(await livedPlace()), PURSER_PROCESSES: processes }
    const patient = { ...env, PURSER_DRAIN_SECONDS: '60' }
    const { program, dev } = await start(patient)
    const readyz = () =>
      fetch(`${dev.base_url}/readyz`, { headers: { connection: 'close' } }).then(
        (answer) => answer.status,
        () => 0,
      )
    expect(await readyz()).toBe(200)
    program.child.kill('SIGTERM')
    await until(readyz, (seen) => expect(seen).toBe(503))
    for (let i = 0; i < 4; i++) expect(await readyz()).toBe(503)
    expect((await fetch(`${dev.base_url}/api/status`)).status).toBe(200)
    // A second request that comes later ends it at once.
    await pause(1_100)
    expect(await program.stop('SIGTERM')).toBe(1)

    if (processes === '1') {
      const brief = await start({ ...env, PURSER_DRAIN_SECONDS: '2' })
      const signalled = performance.now()
      expect(await brief.program.stop('SIGTERM')).toBe(0)
      expect(performance.now() - signalled).toBeGreaterThan(1_900)
      return
    }
    // Ctrl-C does not wait. The test of .env below says so of one process.
    const again = await start(patient)
    expect(await again.program.stop('SIGINT')).toBe(0)
    expect(again.program.out).not.toContain('Leaving')
  },
)

test('.env is read where the service is started, what is set already stays, and doctor names the address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-env-'))
  const { PORT, ...env } = await livedPlace()
  await writeFile(
    join(folder, '.env'),
    `# written by hand\nPORT=${PORT}\nPURSER_FEE_BPS="75"\nPURSER_LOG_LEVEL=sing\n`,
  )
  const inFolder = (...args: string[]) =>
    spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { ...PASSED_ON, ...env, PURSER_LOG_LEVEL: 'info', PURSER_DRAIN_SECONDS: '60' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  try {
    const service = inFolder('start')
    let said = ''
    service.stdout.on('data', (text) => {
      said += text
    })
    const ended = new Promise((resolve) => service.once('close', resolve))
    await until(() =>
      fetch(`http://127.0.0.1:${PORT}/readyz`).then(
        (a) => a.ok,
        () => false,
      ),
    )
    const status = await (await fetch(`http://127.0.0.1:${PORT}/api/status`)).json()
    expect((status as any).protocols.settlement.fee.bps).toBe(75)
    // Without the file doctor finds the address by the lock file.
    const doctor = run(['doctor'], env)
    expect(await doctor.exited).toBe(0)
    expect(doctor.out).toContain(`at http://127.0.0.1:${PORT}`)
    service.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(said).not.toContain('Leaving')

    await rm(join(folder, '.env'))
    await mkdir(join(folder, '.env'))
    const broken = inFolder('doctor')
    expect(await new Promise((resolve) => broken.once('close', resolve))).toBe(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('an unknown PURSER_ variable is refused, with the name that is meant', () => {
  const refused = (env: Record<string, string>): string[] => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return (error as { faults: string[] }).faults
    }
  }
  expect(
    refused({ PURSER_FEES_BPS: '1', PURSER_OPERATORKEY: 'x', PURSER_SOMETHING_ELSE: 'x' }),
  ).toEqual([
    'PURSER_FEES_BPS is not a variable of this service: did you mean PURSER_FEE_BPS?',
    'PURSER_OPERATORKEY is not a variable of this service: did you mean PURSER_OPERATOR_KEY?',
    'PURSER_SOMETHING_ELSE is not a variable of this service: remove it; .env.example lists all.',
  ])
  // Variables of the CLI and of agents may be set as well.
  expect(
    refused({ PURSER_API_KEY: 'x', PURSER_BASE_URL: 'x', PURSER_CARD_TOKEN: 'x', PURSERX: '' }),
  ).toEqual([])
})

test('a start without the native signature build is refused with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-native-'))
  const hook = join(folder, 'hide.cjs')
  await writeFile(
    hook,
    `const Module = require('node:module')
     const load = Module._load
     Module._load = function (name, ...rest) {
       if (/secp256k1.bindings$|node-gyp-build/.test(name)) throw new Error('No native build was found')
       return load.call(this, name, ...rest)
     }`,
  )
  try {
    const env = { ...(await place()), NODE_OPTIONS: `--require ${hook}` }
    const program = run(['start'], env)
    expect(await program.exited).toBe(1)
    expect(program.complaint).toMatch(
      /^The native build of secp256k1, .*npm rebuild secp256k1.*\.$/,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
