import { type AddressInfo, createServer } from 'node:net'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { newToken, place, replaceCode } from '../../../test/actors/token-kit.ts'
import { testChain } from '../../../test/world/chain.ts'
import { type User, world } from '../../../test/world.ts'
import { balanceData } from '../../chain/client/tokens/calls.ts'
import { readWords } from '../../chain/client/tokens/read-words.ts'

/** Code that answers every call in one of these ways. */
const REVERTS: Hex = '0x60006000fd'
const BURNS_GAS: Hex = '0x5b600056'
const ANSWERS_100_KB: Hex = '0x620186a06000f3'
const ANSWERS_31_BYTES: Hex = '0x601f6000f3'
const ANSWERS_NOTHING: Hex = '0x00'
const SAYS_MOST: Hex = '0x60001960005260206000f3'
/** Anything above the range is a lie, but one that a number can tell. */
const MOST = 2n ** 256n - 1n

const NETWORK = 'eip155:84532'
const linesOf = async (user: User) => (await user.get('/api/holdings')).body

async function register(user: User, decimals = 18) {
  const token = await newToken({ decimals })
  await token.mint(user.account.address, 7n)
  const made = await user.post('/api/tokens', { network: NETWORK, address: token.contract })
  expect(made.status).toBe(200)
  return token.contract
}

test('a token that turns hostile spoils only its own line', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 2, usdc: 1 })
  const codes = [
    REVERTS,
    BURNS_GAS,
    ANSWERS_100_KB,
    ANSWERS_31_BYTES,
    ANSWERS_NOTHING,
    BURNS_GAS,
    SAYS_MOST,
  ]
  const hostile: string[] = []
  for (const code of codes) {
    const contract = await register(user, code === SAYS_MOST ? 0 : 18)
    hostile.push(contract)
    await replaceCode(contract, code)
  }
  const honest = await register(user)
  const answer = await linesOf(user)
  expect(answer.chain).toBe(undefined)
  expect(answer.total_value_usdc).toBe(3)
  const onChain = answer.holdings.filter(({ where }: any) => where === 'wallet')
  const amounts = new Map(onChain.map((line: any) => [line.contract, line.amount_atomic]))
  expect(amounts.size).toBe(codes.length + 2)
  expect(amounts.get(w.chain.asset.contract)).toBe('1000000')
  expect(amounts.get(honest)).toBe('7')
  expect(hostile.map((contract) => amounts.get(contract))).toEqual([
    ...[null, null, null, null, null, null],
    MOST.toString(),
  ])
})

test('hundred and fifty contracts that burn all gas leave enough for the next', async () => {
  await using w = await world()
  const [burner, most] = [await place(BURNS_GAS), await place(SAYS_MOST)]
  const data = balanceData(burner)
  const reads = Array.from({ length: 310 }, (_, i) => ({
    target: i % 10 === 9 ? most : burner,
    data,
  }))
  const words = await readWords(w.chain, reads)
  expect(words).toEqual(reads.map(({ target }) => (target === most ? MOST : undefined)))
  expect(await readWords(w.chain, [])).toEqual([])
})

test('without the chain the ledger is shown at once, and says so; a chain that is silent holds nobody up', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  try {
    await using w = await world()
    const user = await w.user({ treasury: 2, usdc: 1 })
    const card = await user.card({ limit: 3 })
    for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
      const on = { rpcUrl: testChain().rpcUrl, rpcUrls: [url], mine: async () => {} }
      await using dark = await w.machine({ on })
      const before = Date.now()
      const asked = Array.from({ length: 20 }, () =>
        dark.call('GET', '/api/holdings', undefined, { key: user.key }),
      )
      const answers = await Promise.all(asked)
      expect(Date.now() - before).toBeLessThan(9_000)
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expect(body.chain).toBe('unavailable')
        expect(body.total_value_usdc).toBe(5)
        expect(body.holdings.map(({ where, ref }: any) => [where, ref])).toEqual([
          ['treasury', user.wallet],
          ['card', card.id],
        ])
      }
    }
  } finally {
    silent.close()
  }
})

test('a hundred callers who ask at once ask the chain once', async () => {
  await using w = await world()
  const user = await w.user({ usdc: 1 })
  let calls = 0
  const { rpc } = w.services.chain
  const call = rpc.call.bind(rpc)
  rpc.call = ((...args: Parameters<typeof call>) => {
    calls += 1
    return call(...args)
  }) as typeof rpc.call
  const answers = await Promise.all(Array.from({ length: 100 }, () => user.get('/api/holdings')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(calls).toBe(1)
})
