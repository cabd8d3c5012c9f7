import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../service/src/base/kernel/secrets.ts'
import { createKeystore } from '../../service/src/chain/client/signers/keystore.ts'
import { type World, world } from '../../service/test/world.ts'

const exec = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`
/** The oldest that the packages promise, and the one after it; the third is the one that runs the tests. */
const OTHERS = { node20: '20.20.2', node22: '22.23.3' }

let w: World
let baseUrl: string
let empty: string
const stack = new AsyncDisposableStack()

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'purser-pack-'))
  stack.defer(() => rm(path, { recursive: true }))
  return path
}

/** Packs copies: what `npm pack` builds there is nobody else's. */
async function pack(): Promise<string[]> {
  const copy = await newFolder()
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  await cp(join(ROOT, 'tsconfig.json'), join(copy, 'tsconfig.json'))
  const packed: string[] = []
  for (const name of ['sdk', 'mcp', 'cli']) {
    const to = join(copy, 'packages', name)
    await mkdir(to, { recursive: true })
    await cp(join(ROOT, 'packages', name), to, {
      recursive: true,
      filter: (path) => path !== join(ROOT, 'packages', name, 'dist'),
    })
    const { stdout } = await exec('npm', ['pack', '--json'], { cwd: to }).catch((error) => {
      // The compiler writes what it finds to standard output.
      throw new Error(`${error.stdout}\n${error.stderr}`)
    })
    const found = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? ''
    packed.push(join(to, found.replace('@', '').replace('/', '-')))
  }
  return packed
}

beforeAll(async () => {
  w = stack.use(await world())
  baseUrl = await w.listen()
  empty = await newFolder()
  await writeFile(join(empty, 'package.json'), '{"private":true,"type":"module"}')
  const nodes = Object.entries(OTHERS).map(([as, v]) => `${as}@npm:${NODE_PACKAGE}@${v}`)
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--no-bin-links', '--silent']
  await exec('npm', ['install', ...quiet, ...(await pack()), ...nodes], { cwd: empty })
}, 600_000)
afterAll(() => stack.disposeAsync())

const nodeOf = (name: string): string =>
  name === 'node24' ? process.execPath : join(empty, 'node_modules', name, 'bin', 'node')

const CONSUMER = `
import { createApiKey, createPurser, PurserError, type Card, type PayOutcome } from '@purser/sdk'
const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const purser = createPurser({ baseUrl, apiKey })
const show = (outcome: PayOutcome): string => outcome.outcome
const cards: Card[] = []
for await (const card of purser.listCards()) cards.push(card)
const refused: string = await purser.GET('/api/cards/{id}', { params: { path: { id: 'card_x' } } }).then(
  () => 'found',
  (error: unknown) => (error instanceof PurserError ? error.code : String(error)),
)
console.log(JSON.stringify({ cards: cards.length, refused, kinds: [typeof createApiKey, typeof show] }))
`

test('a strict nodenext project type-checks against the packed SDK and runs on Node 20, 22 and 24', async () => {
  const user = await w.user({ treasury: 5 })
  await user.post('/api/issue', { purpose: 'one', limit_amount: 1 })
  await writeFile(join(empty, 'consumer.ts'), CONSUMER)
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'] }
  const typeRoots = [join(ROOT, 'node_modules', '@types')]
  const config = { compilerOptions: { ...compilerOptions, typeRoots }, files: ['consumer.ts'] }
  await writeFile(join(empty, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const checked = await exec(process.execPath, [tsc], { cwd: empty }).catch((error) => error)
  expect(checked.stdout).toBe('')
  for (const node of [...Object.keys(OTHERS), 'node24']) {
    const { stdout } = await exec(nodeOf(node), ['consumer.js', baseUrl, user.key], { cwd: empty })
    const kinds = ['function', 'function']
    expect(JSON.parse(stdout), node).toEqual({ cards: 1, refused: 'not_found', kinds })
  }
})

test('the packed command line signs in with a key file, acts, and signs out', async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await w.credit(address, 7_000_000n)
  await writeFile(join(empty, 'wallet.key'), `${key}\n`, { mode: 0o600 })
  for (const node of [...Object.keys(OTHERS), 'node24']) {
    const run = async (...args: string[]) => {
      const program = join(empty, 'node_modules', 'purser', 'bin', 'purser.js')
      const env = { PATH: '/nowhere', XDG_CONFIG_HOME: join(empty, node) }
      const done = await exec(nodeOf(node), [program, ...args], { cwd: empty, env })
      return done.stdout
    }
    const signedIn = await run('login', '--base-url', baseUrl, '--wallet-file', 'wallet.key')
    expect(signedIn, node).toContain(`as ${address}`)
    const { balances } = JSON.parse(await run('balance', '--json'))
    expect(balances[0].available, node).toBe(7)
    const profile = join(empty, node, 'purser', 'profiles', 'default.json')
    const { api_key } = JSON.parse(await readFile(profile, 'utf8'))
    expect(await run('logout'), node).toContain('revoked')
    expect((await w.call('GET', '/api/balance', undefined, { key: api_key })).status).toBe(401)
    await expect(run('balance'), node).rejects.toThrow('npx purser login')
    await expect(run('demo'), node).rejects.toThrow()
  }
  if (process.platform !== 'linux') return
  // Below /proc no folder can be made, and Node's own recursive mkdir never says so.
  const program = join(empty, 'node_modules', 'purser', 'bin', 'purser.js')
  const env = { PATH: '/nowhere', XDG_CONFIG_HOME: '/proc/nope' }
  const login = ['login', '--base-url', baseUrl, '--wallet-file', 'wallet.key']
  const failed = await exec(process.execPath, [program, ...login], { cwd: empty, env }).catch(
    (error) => error,
  )
  expect([failed.code, failed.stderr]).toEqual([
    1,
    '/proc/nope/purser/profiles/default.json cannot be written: its folder does not exist and cannot be made.\n',
  ])
})

test('a checkout that was not built says what to do, without a stack', async () => {
  const checkout = await newFolder()
  for (const part of ['bin', 'src', 'package.json'])
    await cp(join(ROOT, 'packages', 'cli', part), join(checkout, 'packages', 'cli', part), {
      recursive: true,
    })
  const program = join(checkout, 'packages', 'cli', 'bin', 'purser.js')
  const failed = await exec(process.execPath, [program, 'demo']).catch((error) => error)
  expect([failed.code, failed.stdout]).toEqual([1, ''])
  expect(failed.stderr).toMatch(/^Something that purser needs is not installed .*npm ci in .*\n$/)
})

test('a keystore signs in with its passphrase and not with another', async () => {
  const key = generatePrivateKey()
  const cost = 2 ** 12
  const keystore = await createKeystore(new Secret(key), new Secret('correct horse'), cost)
  await writeFile(join(empty, 'wallet.json'), JSON.stringify(keystore))
  const signIn = (passphrase: string) =>
    writeFile(join(empty, 'passphrase'), passphrase, { mode: 0o600 }).then(() =>
      exec(
        process.execPath,
        [
          join(empty, 'node_modules', 'purser', 'bin', 'purser.js'),
          ...['login', '--base-url', baseUrl, '--keystore', 'wallet.json'],
          ...['--passphrase-file', 'passphrase', '--json'],
        ],
        { cwd: empty, env: { PATH: '/nowhere', XDG_CONFIG_HOME: join(empty, 'keystore') } },
      ),
    )
  await expect(signIn('wrong')).rejects.toThrow('does not open the keystore')
  const { stdout } = await signIn('correct horse')
  expect(JSON.parse(stdout).wallet_address).toBe(privateKeyToAccount(key).address)
})

test('what the packages promise npm is there: types, licence, README, engines', async () => {
  for (const name of ['@purser/sdk', 'purser']) {
    const folder = join(empty, 'node_modules', name)
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=20' } })
    expect(manifest.private).toBeUndefined()
    const licence = await readFile(join(folder, 'LICENSE'), 'utf8')
    expect(licence).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'))
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain(name)
    await expect(readFile(join(folder, 'src', 'main.ts'))).rejects.toThrow('ENOENT')
  }
})
