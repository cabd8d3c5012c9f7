import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownPort } from '../../../service/test/run/own-port.ts'
import { until } from '../../../service/test/until.ts'
import { type Installed, installPacked, type Node } from './install.ts'

const exec = promisify(execFile)

let installed: Installed
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  installed = stack.use(await installPacked())
})
afterAll(() => stack.disposeAsync())

const PURSER = 'node_modules/purser'
/** As npx runs it. */
const program = () => join(installed.folder, 'node_modules', '.bin', 'purser')

/** A folder in which nothing is, not even what is installed. */
async function empty(node: Node) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-empty-'))
  const port = await ownPort()
  const { PATH, TMPDIR } = process.env
  const env = { PATH, TMPDIR, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, PORT: String(port) }
  const begin = (...args: string[]) =>
    spawn(installed.nodeOf(node), [program(), ...args], {
      cwd: folder,
      env: { ...env, PURSER_PROCESSES: '2', PURSER_DRAIN_SECONDS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    folder,
    base: `http://127.0.0.1:${port}`,
    begin,
    run: async (...args: string[]) => {
      const { stdout } = await exec(installed.nodeOf(node), [program(), ...args], {
        cwd: folder,
        env,
      })
      return stdout
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** Collects what a program says, and how it ends. */
function watch(child: ChildProcess) {
  const seen = { out: '', err: '' }
  child.stdout?.on('data', (text) => {
    seen.out += text
  })
  child.stderr?.on('data', (text) => {
    seen.err += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { seen, ended }
}

test.each(['node24', 'node26'] as const)(
  'npx purser start runs the whole service in an empty folder with %s',
  async (node) => {
    await using place = await empty(node)
    const service = place.begin('start')
    const { seen, ended } = watch(service)
    try {
      await until(() => {
        if (service.exitCode !== null) throw new Error(`it ended: ${seen.out}${seen.err}`)
        return seen.out.includes('Stop         Ctrl-C')
      })
      const { balances } = JSON.parse(await place.run('balance', '--json'))
      expect(balances[0].available).toBe(1000)
      const issued = await place.run('cards', 'issue', '--purpose', 'one', '--limit', '5', '--json')
      expect(JSON.parse(issued)).toMatchObject({ card: { balance: 5, status: 'ACTIVE' } })
      expect(JSON.parse(await place.run('verify', '--json'))).toMatchObject({
        ok: true,
        faults: [],
      })
      const checks = JSON.parse(await place.run('doctor', '--json')).checks as { status: string }[]
      expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
      const page = await fetch(`${place.base}/assets/checkout.css`)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/css; charset=utf-8',
      ])
      const document = (await (await fetch(`${place.base}/openapi.json`)).json()) as any
      expect(JSON.stringify(document.paths['/api/issue'])).toContain('example')
      for (const [path, text] of [
        ['/docs', '](/docs/start.md)'],
        ['/docs/reference/postPay', '`POST /api/pay`'],
        ['/llms.txt', '/docs/reference/postPay.md)'],
        ['/llms-full.txt', '# Ten minutes to a paid call'],
      ] as const) {
        const read = await fetch(place.base + path)
        expect([read.status, (await read.text()).includes(text)], path).toEqual([200, true])
      }
    } finally {
      service.kill('SIGTERM')
      await ended
    }
    expect([service.exitCode, seen.err]).toEqual([0, ''])
    expect(await readdir(place.folder)).toContain('data')
  },
)

test('with a Node that is too old for the service, it says how to run it', async () => {
  await using place = await empty('node22')
  const { seen, ended } = watch(place.begin('start'))
  expect([await ended, seen.err]).toEqual([
    1,
    expect.stringMatching(
      /^The service needs Node 24 or later; .*npx -p node@24 -p purser purser start\n$/,
    ),
  ])
})

test('without the optional packages, commands of an account work and start says what is missing', async () => {
  await using place = await empty('node24')
  const from = join(installed.folder, 'node_modules', 'secp256k1')
  await exec('mv', [from, `${from}-away`])
  try {
    const { seen, ended } = watch(place.begin('start'))
    expect([await ended, seen.err]).toEqual([1, expect.stringContaining('--omit=optional')])
    expect(await place.run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  } finally {
    await exec('mv', [`${from}-away`, from])
  }
})

test('the licences of what is bundled go with it, and it is no larger than it needs to be', async () => {
  const dist = join(installed.folder, PURSER, 'dist')
  const licences = await readFile(join(dist, 'service', 'LICENSES.txt'), 'utf8')
  for (const name of ['fastify 5', 'viem 2', 'pg 8', 'kysely 0'])
    expect(licences).toMatch(new RegExp(`\\b${name}\\.`))
  const files = await readdir(dist, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_100_000)
})
