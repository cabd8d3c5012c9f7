import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../../test/actors/browser.ts'
import { marketKit } from '../../../test/actors/markets/market-kit.ts'
import { newToken, place, sendBy } from '../../../test/actors/token-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { randomHex } from '../../base/kernel/secrets.ts'

let w: World
let browser: Browser
beforeAll(async () => {
  ;[w, browser] = await Promise.all([world(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await w[Symbol.asyncDispose]()
})

const read = (path: string, on = w) => on.call('GET', `/explorer${path}`)

/** The page as a person sees it: its text without markup. */
async function textOf(path: string): Promise<string> {
  const { status, text } = await read(path)
  expect(status).toBe(200)
  return text.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]+>/g, ' ')
}

test('a transaction is shown with its logs in words and its amounts in the token’s units', async () => {
  const [from, to] = [await freshAccount({ usdc: 5_000_000n }), await freshAccount()]
  const hash = await w.transfer(from, to.address, 1_250_000n)
  const text = await textOf(`/tx/${hash}`)
  for (const part of ['Success', hash, from.address, to.address, 'Transfer', '1.25 USDC'])
    expect(text).toContain(part)
  expect((await read(`/tx/${hash.toUpperCase().replace('X', 'x')}`)).status).toBe(200)
})

test('a page names contracts of ours and tokens of cards, and takes structs apart', async () => {
  const kit = marketKit(w)
  const user = await w.user()
  const { token, hashes } = await kit.launch(user)
  const vest = (await textOf(`/tx/${hashes.vest}`)).replace(/\s+/g, ' ')
  for (const part of [
    ...[
      'createWithDurationsLL',
      'commonParams.recipient',
      'commonParams.depositAmount 100,000 ACME',
    ],
    'lockup of vesting streams',
  ])
    expect(vest).toContain(part)
  expect((await read(`/tx/${hashes.vest}`)).text).toMatch(/href="..\/streams\/\d+"/)
  const list = (await textOf(`/tx/${hashes.list}`)).replace(/\s+/g, ' ')
  for (const part of ['multicall', 'Uniswap PositionManager', `By ${token} (ACME)`])
    expect(list).toContain(part)
  expect(await textOf(`/address/${user.wallet}`)).toContain('ACME')
})

test('a contract that logs what it likes cannot write into the page, nor make it long', async () => {
  const { contract, mint } = await newToken({ symbol: '<script>alert(1)</script>' })
  const user = await w.user()
  const order = { network: 'eip155:84532', address: contract }
  expect((await user.post('/api/tokens', order)).status).toBe(200)
  await mint(user.account.address, 7n)
  for (const path of [`/token/${contract}`, `/address/${user.wallet}`]) {
    const { text } = await read(path)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script')
  }
  // LOG1 of 10,000 bytes under a topic of nobody, three hundred times: a loop that counts down on the stack.
  const loud = await place('0x61012c5b60016127106000a1600190038060035700')
  const account = await freshAccount()
  const hash = await sendBy(account, loud, '0x')
  const { text, status } = await read(`/tx/${hash}`)
  expect(status).toBe(200)
  expect(text).toContain('200 more are not shown')
  expect(text.length).toBeLessThan(200_000)
})

// A name could turn the amount beside it around, or hide what follows.
test('a token’s own words cannot turn or hide what stands beside them', async () => {
  const hostile = 'PAY\u202e\u2066\u200f\u200b\u0007\u{e0041}DLO'
  const { contract, mint } = await newToken({
    symbol: hostile,
    name: `${hostile} ${'x'.repeat(500)}`,
  })
  const user = await w.user()
  await user.post('/api/tokens', { network: 'eip155:84532', address: contract })
  await mint(user.account.address, 7n)
  const shown = await read(`/token/${contract}`)
  expect(shown.text).toContain('<bdi>PAY DLO</bdi>')
  expect(shown.text.length).toBeLessThan(10_000)
  for (const path of [`/token/${contract}`, `/address/${user.wallet}`, `/address/${contract}`]) {
    const { text, status } = await read(path)
    expect(status).toBe(200)
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(text).toMatch(/<bdi>\(?PAY DLO/)
  }
})

test('an address shows its money, and whether it is the account of an identity token', async () => {
  const account = await freshAccount({ usdc: 2_500_000n })
  const plain = await textOf(`/address/${account.address}`)
  for (const part of ['Account without code', '2.5', 'USDC']) expect(plain).toContain(part)
  expect(await textOf(`/address/${w.chain.treasury.address}`)).toContain('treasury of this service')
  const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')
  const registry = randomHex(20)
  const holder = await place(
    `0x363d3d373d3d3d363d73${'11'.repeat(20)}5af43d82803e903d91602b57fd5bf3${word(0n)}${word(84_532n)}${word(registry)}${word(77n)}`,
  )
  const shown = await textOf(`/address/${holder}`)
  for (const part of ['Holder account', '77', 'of']) expect(shown).toContain(part)
  expect(shown.toLowerCase()).toContain(registry)
})

test('a token shows its supply, and says that its name proves nothing', async () => {
  const { contract } = await newToken({ symbol: 'BRD', name: 'Bread', held: 25n * 10n ** 17n })
  const text = await textOf(`/token/${contract}`)
  for (const part of ['Bread', 'BRD', '2.5', 'prove nothing']) expect(text).toContain(part)
})

test('unknown things are pages that say so, and without the embedded chain there are none', async () => {
  const { address } = await freshAccount()
  const paths = [
    `/tx/${randomHex(32)}`,
    '/tx/0x12',
    '/address/me',
    `/token/${address}`,
    '/token/%3Cscript%3E',
  ]
  for (const path of paths) {
    const { status, text } = await read(path)
    expect([path, status]).toEqual([path, 404])
    expect(text).toContain('The chain knows no')
    expect(text).not.toContain('<script')
  }
  await using elsewhere = await w.machine({ settings: { embeddedRpcUrl: null } })
  for (const path of [`/tx/${randomHex(32)}`, `/address/${address}`, `/token/${address}`])
    expect((await read(path, elsewhere)).body).toMatchObject({ code: 'not_found' })
})

test('a browser shows each page without a script, a request or an error, on a phone too', async () => {
  const url = await w.listen()
  const from = await freshAccount({ usdc: 5_000_000n })
  const hash = await w.transfer(from, w.chain.treasury.address, 1_250_000n)
  for (const [kind, ref] of [
    ['tx', hash],
    ['address', from.address],
    ['token', w.chain.asset.contract],
  ])
    for (const width of [360, 1_200]) {
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(`${url}/explorer/`) && !request.url().startsWith('data:'))
          faults.push(request.url())
      })
      page.on('console', (message) => faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${url}/explorer/${kind}/${ref}`)
      const overflow = 'document.documentElement.scrollWidth > window.innerWidth'
      expect(await page.evaluate(overflow)).toBe(false)
      if (kind === 'tx') {
        await page.getByRole('link', { name: from.address }).first().click()
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Address')
      }
      expect(faults).toEqual([])
      await context.close()
    }
})
