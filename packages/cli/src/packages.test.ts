import { execFile } from 'node:child_process'
import { access, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '../../service/src/base/kernel/secrets.ts'
import { createKeystore } from '../../service/src/chain/client/signers/keystore.ts'
import { type World, world } from '../../service/test/world.ts'
import { type Installed, installPacked, NODES } from '../test/packages/install.ts'

const exec = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

let w: World
let baseUrl: string
let installed: Installed
let empty: string
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  w = stack.use(await world())
  baseUrl = await w.listen()
  installed = stack.use(await installPacked())
  empty = installed.folder
}, 600_000)
afterAll(() => stack.disposeAsync())

test('the command line stands on the packed SDK, and carries no source', async () => {
  const packages = join(empty, 'node_modules')
  expect(await readdir(join(packages, '@purser'))).toEqual(['mcp', 'paywall', 'sdk'])
  for (const name of ['purser', '@purser/mcp', '@purser/paywall']) {
    expect(await exists(join(packages, name, 'node_modules', '@purser')), name).toBe(false)
    expect(await exists(join(packages, name, 'src')), name).toBe(false)
  }
})

test('the packed command line signs in with a key file, acts, and signs out', async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await w.credit(address, 7_000_000n)
  await writeFile(join(empty, 'wallet.key'), `${key}\n`, { mode: 0o600 })
  for (const node of NODES) {
    const run = async (...args: string[]) => {
      const program = join(empty, 'node_modules', 'purser', 'bin', 'purser.js')
      const env = { PATH: '/nowhere', XDG_CONFIG_HOME: join(empty, node) }
      const done = await exec(installed.nodeOf(node), [program, ...args], { cwd: empty, env })
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
  const checkout = await mkdtemp(join(tmpdir(), 'purser-checkout-'))
  stack.defer(() => rm(checkout, { recursive: true }))
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
