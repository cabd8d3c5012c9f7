import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finish, purser, startService } from '../../demo/local-service.ts'

const WALLET = `0x${'51'.repeat(20)}`

test("the operator makes a wallet's first key on the machine, and no wallet's second", async () => {
  await using service = await startService()
  const config = await mkdtemp(join(tmpdir(), 'purser-config-'))
  const env = { ...service.env, XDG_CONFIG_HOME: config }
  const ask = (...words: string[]) => finish(purser(words, env))
  const login = (wallet: string) => ask('login', '--operator', wallet, '--profile', 'mine')

  const made = await login(WALLET)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const path = join(config, 'purser', 'profiles', 'mine.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const { api_key, wallet_address } = JSON.parse(await readFile(path, 'utf8'))
  expect(wallet_address.toLowerCase()).toBe(WALLET)
  expect(made.stdout).not.toContain(api_key)
  const keys = JSON.parse((await ask('keys', 'list', '--profile', 'mine', '--json')).stdout).keys
  expect(keys).toMatchObject([{ name: 'first key, by the operator', status: 'active' }])

  const dev = JSON.parse(await readFile(join(service.folder, 'dev.json'), 'utf8'))
  for (const wallet of [WALLET, dev.demo.wallet_address]) {
    const refused = await login(wallet)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^0x\w+ has signed in here before: only its own signature/)
  }
  expect(JSON.parse(await readFile(path, 'utf8')).api_key).toBe(api_key)
  expect((await login('0x1')).stderr).toMatch(/^The wallet must be /)
  await rm(config, { recursive: true })
})
