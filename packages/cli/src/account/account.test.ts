import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { world } from '../../../service/test/world.ts'
import { standIn } from '../../test/stand-in.ts'
import { terminal } from '../../test/terminal.ts'

/** Two services, and a terminal with a wallet of its own. */
async function stage() {
  const stack = new AsyncDisposableStack()
  const [one, two] = [stack.use(await world()), stack.use(await world())]
  const urls = [await one.listen(), await two.listen()] as const
  const here = stack.use(await terminal({ PURSER_BASE_URL: '' }))
  const wallet = join(here.folder, 'wallet')
  await writeFile(wallet, generatePrivateKey(), { mode: 0o600 })
  const login = async (...words: string[]) => {
    const ran = await here.run('login', '--wallet-file', wallet, ...words)
    expect(ran.error).toBe('')
    return ran
  }
  const profiles = join(here.folder, 'purser', 'profiles')
  return { here, urls, login, profiles, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('profiles of several services: the one in use, one by name, and no key goes to the other', async () => {
  await using s = await stage()
  const { here, urls, profiles } = s
  await s.login('--base-url', urls[0])
  await s.login('--base-url', urls[1], '--profile', 'second')
  for (const name of ['default.json', 'second.json'])
    expect((await stat(join(profiles, name))).mode & 0o777).toBe(0o600)
  expect((await stat(profiles)).mode & 0o777).toBe(0o700)
  expect(await readdir(profiles)).toHaveLength(2)

  const asked = async (...words: string[]) => {
    const ran = await here.run('profiles', 'list', '--json')
    expect(ran.out).not.toContain('api_key')
    const inUse = JSON.parse(ran.out).profiles.find((one: { in_use: boolean }) => one.in_use)
    return { inUse: inUse?.name, balance: await here.run('balance', ...words) }
  }
  expect(await asked()).toMatchObject({ inUse: 'second', balance: { code: 0 } })
  expect((await here.run('profiles', 'use', 'default')).out).toContain(urls[0])
  expect(await asked('--profile', 'second')).toMatchObject({
    inUse: 'default',
    balance: { code: 0 },
  })
  const crossed = await here.run('balance', '--profile', 'second', '--base-url', urls[0])
  expect(crossed).toMatchObject({ code: 1 })
  expect(crossed.error).toBe(`The profile second is of ${urls[1]}, not of ${urls[0]}.`)
  const none = await here.run('balance', '--base-url', urls[1])
  expect(none.error).toMatch(/^No API key is given/)

  await chmod(join(profiles, 'second.json'), 0o644)
  expect((await here.run('balance', '--profile', 'second')).error).toMatch(
    / may be read by others: /,
  )
  expect((await here.run('profiles', 'list')).out).toMatch(/may be read by others/)
  await chmod(join(profiles, 'second.json'), 0o600)
  expect((await here.run('logout', '--profile', 'second')).code).toBe(0)
  expect(await readdir(profiles)).toEqual(['default.json'])
  expect((await here.run('balance', '--profile', 'second')).error).toMatch(/^There is no profile/)
  expect((await here.run('profiles', 'remove', 'default')).code).toBe(0)
  expect((await here.run('profiles', 'list')).error).toMatch(/^There are no profiles yet/)
  expect((await here.run('balance', '--profile', '../x')).error).toMatch(/^A profile is named by/)
})

test('.env names the service and the key, gives no secret of the environment away, and is not for others', async () => {
  await using w = await standIn()
  const folder = join(w.folder, 'project')
  await mkdir(folder)
  const put = (text: string, mode = 0o600) => writeFile(join(folder, '.env'), text, { mode })
  const ask = (env = {}, words = ['balance']) => w.purser(words, env, folder)

  await put(`PURSER_BASE_URL=${w.baseUrl}\nPURSER_API_KEY=purser_test_file\nNODE_OPTIONS=--bad\n`)
  expect(await ask()).toMatchObject({ code: 0, stderr: '' })
  expect(w.seen.at(-1)?.headers.authorization).toBe('Bearer purser_test_file')
  const elsewhere = { PURSER_BASE_URL: 'http://127.0.0.1:1' }
  expect((await ask(elsewhere)).stderr).toMatch(/^http:\/\/127\.0\.0\.1:1 could not be reached/)

  const before = w.seen.length
  const mixed = await ask({ PURSER_API_KEY: 'purser_test_env' })
  expect(mixed.stderr).toMatch(/^The \.env of this folder names the service, and your environment/)
  const pay = ['pay', 'https://seller.example/', '--card', 'card_1']
  const token = await ask({ PURSER_CARD_TOKEN: 'tok_env' }, pay)
  expect(token.stderr).toMatch(/^The \.env of this folder names the service, and your environment/)
  await chmod(join(folder, '.env'), 0o644)
  expect((await ask()).stderr).toMatch(/\.env holds PURSER_API_KEY and may be read by others/)
  expect(w.seen).toHaveLength(before)
})

test('an unknown variable of ours is refused with a suggestion, in the environment and in .env', async () => {
  await using w = await standIn()
  await w.writeDevFile()
  const slip = await w.purser(['balance'], { PURSER_BASE_ULR: 'http://127.0.0.1:1' })
  expect(slip).toEqual({
    code: 1,
    stdout: '',
    stderr: 'PURSER_BASE_ULR is not a variable of Purser: did you mean PURSER_BASE_URL?\n',
  })
  const folder = join(w.folder, 'project')
  await mkdir(folder)
  await writeFile(join(folder, '.env'), 'PURSER_SOMETHING_ELSE=1\n')
  const other = await w.purser(['balance', '--json'], {}, folder)
  expect(other.stderr).toBe('PURSER_SOMETHING_ELSE is not a variable of Purser: remove it.\n')
  expect(JSON.parse(other.stdout)).toMatchObject({ code: 'command_failed' })
  expect(w.seen).toEqual([])
})

test('a saved card pays at its own service alone', async () => {
  const card = { id: 'card_1', token: 'tok_secret', balance: 5, funding_asset: 'USDC' }
  await using w = await standIn({ status: 200, body: { success: true, card } })
  await w.writeDevFile()
  const file = join(w.folder, 'card.json')
  await w.purser(['cards', 'issue', '--purpose', 'x', '--limit', '5', '--save', file])
  const env = { PURSER_API_KEY: 'purser_test_x', PURSER_BASE_URL: 'http://localhost:1' }
  const paid = await w.purser(['pay', 'https://seller.example/', '--card-file', file], env)
  expect(paid).toMatchObject({ code: 1, stdout: '' })
  expect(paid.stderr).toBe(
    `The card is of ${w.baseUrl}, so its token does not go to http://localhost:1.\n`,
  )
})

test("the figures are asked for with the operator's token", async () => {
  await using w = await standIn()
  await w.writeDevFile()
  const token = 'a-token-of-the-operator'
  const ran = await w.purser(['service', 'metrics'], { PURSER_METRICS_TOKEN: token })
  expect(ran.code).toBe(0)
  expect(w.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/metrics', `Bearer ${token}`],
  ])
})
