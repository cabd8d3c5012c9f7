import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  concatHex,
  createTestClient,
  encodeErrorResult,
  getAddress,
  type Hex,
  http,
  pad,
  parseAbi,
  serializeErc6492Signature,
  size,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import { all, type RawBuilder, sql } from '../../src/base/db/sql.ts'
import { isSystemAddress } from '../../src/base/kernel/address.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { findOpenAlarms } from '../../src/links/reconcile/store.ts'
import { mintUsdc } from '../../src/run/embedded/dev/chain.ts'
import { balanceOf, issue, open, report } from '../actors/attack-kit.ts'
import { type World, world } from '../world.ts'

// In the EVM an invalid signature "recovers" to the zero address, and mints come from that address. A sign-in as the
// zero address would own every deposit that a bridge makes.

const ZERO: Address = `0x${'0'.repeat(40)}`
const SYSTEM: Address[] = [
  ZERO,
  `0x${'0'.repeat(39)}1`,
  `0x${'0'.repeat(38)}11`,
  `0x${'0'.repeat(37)}100`,
  `0x${'0'.repeat(36)}dEaD`,
  '0x4200000000000000000000000000000000000010',
  '0x42000000000000000000000000000000000007Ff',
]
const ask = (w: World, wallet_address: string) =>
  w.call('POST', '/api/auth/challenge', { wallet_address })
const verify = (w: World, message: string, signature: string) =>
  w.call('POST', '/api/auth/verify', { message, signature })

test('nobody signs in as an address of the chain itself', async () => {
  await using w = await world()
  for (const address of SYSTEM)
    expect(await ask(w, address.toLowerCase()), address).toMatchObject({
      status: 400,
      body: { code: 'invalid_address', param: 'wallet_address' },
    })
})

test('a mint to the treasury is credited to nobody, whoever asks for it, and is an alarm', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 1 })
  const hash = await w.fundTreasury(7_000_000n)
  await w.safe()
  expect((await u.post('/api/fund/verify', { tx_hash: hash })).status).toBe(400)
  await w.runJobs()
  await w.runJobs({ compares: true })
  const deposits = await all(w.db.reader, sql`select from deposits where tx_hash = ${hash}`)
  expect(deposits).toHaveLength(0)
  expect(await balanceOf(u)).toBe(1)
  const alarms = (await findOpenAlarms(w.db.reader)).filter(({ kind }) => kind === 'no_depositor')
  expect(alarms).toMatchObject([{ details: { transfers: '1', amount: '7000000' } }])
  expect(await w.faults()).toEqual([])
})

test('a mint to a link pays it for nobody: it waits, explained to the unit', async () => {
  await using w = await world()
  await w.withGas()
  const u = await w.user({ treasury: 10 })
  const link = await open(u, await issue(u, 5), { amount: 2, accepted_protocols: ['onchain'] })
  const { rpcUrl, chain } = w
  const minted = { rpcUrl, chainId: chain.chainId, to: link.deposit_address, amount: 2_000_000n }
  const hash = await mintUsdc(minted)
  await w.mined(hash)
  await w.safe()
  for (const more of [{}, { from_address: ZERO, amount: 2 }])
    expect((await report(w, link.code, hash, more)).status).toBe(400)
  for (let round = 0; round < 3; round++) {
    await w.runJobs({ compares: true })
    await w.advance(70)
  }
  const shown = await w.call('GET', `/api/paylinks/${link.code}`)
  expect(shown.body).toMatchObject({ status: 'ACTIVE', uses: 0 })
  expect(await balanceOf(u)).toBe(5)
  const alarms = (await findOpenAlarms(w.db.reader)).map(({ kind }) => kind)
  expect(alarms).toEqual(['no_depositor'])
  expect(await w.faults()).toEqual([])
})

const anvil = (w: World) => createTestClient({ mode: 'anvil', transport: http(w.rpcUrl) })
/** Code of an account that accepts every signature once somebody has called it without data. */
const PREPARED: Hex = concatHex([
  '0x36600957',
  '0x60015f5500',
  '0x5b5f547f',
  pad('0x1626ba7e', { dir: 'right', size: 32 }),
  '0x025f5260205ff3',
])

// ERC-6492's validator makes any call that the signer names before it asks a deployed account again.
test('a deployed account is asked as it stands, without a call of the stranger who signs in', async () => {
  await using w = await world()
  const address = getAddress(randomHex(20))
  await anvil(w).setCode({ address, bytecode: PREPARED })
  const { message } = (await ask(w, address)).body
  const signature = serializeErc6492Signature({ address, data: '0x', signature: '0x1234' })
  expect((await verify(w, message, signature)).body.code).toBe('invalid_signature')
  expect((await verify(w, message, '0x1234')).body.code).toBe('invalid_signature')
})

/** Code that reverts with the error that makes an ERC-3668 client fetch a URL. */
function lookingUp(sender: Address, url: string): Hex {
  const abi = parseAbi([
    'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra)',
  ])
  const data = encodeErrorResult({
    abi,
    errorName: 'OffchainLookup',
    args: [sender, [url], '0x', '0x12345678', '0x'],
  })
  return concatHex(['0x61', toHex(size(data), { size: 2 }), '0x80600a5f395ffd', data])
}

// Outgoing requests go through one guard. A chain client that follows ERC-3668 would bypass it.
test('a contract makes the service call no URL', async () => {
  await using w = await world()
  const calls: string[] = []
  const inside = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.end('0x')
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = inside.address() as AddressInfo
    const address = getAddress(randomHex(20))
    const bytecode = lookingUp(address, `http://127.0.0.1:${port}/metadata`)
    await anvil(w).setCode({ address, bytecode })
    const u = await w.user()
    const { network } = w.chain
    expect((await u.post('/api/tokens', { network, address })).body.code).toBe('token_unreadable')
    const { message } = (await ask(w, address)).body
    expect((await verify(w, message, '0x1234')).body.code).toBe('invalid_signature')
    expect(calls).toEqual([])
  } finally {
    await new Promise((resolve) => inside.close(resolve))
  }
})

test.each(SYSTEM)('%s is refused wherever it would name a person', async (address) => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const refused = { status: 400, body: { code: 'invalid_address' } }
  const withdraw = { amount: 5, network: w.chain.network, asset: 'USDC', to_address: address }
  expect(await u.post('/api/withdraw', withdraw)).toMatchObject(refused)
  const card = await issue(u, 5)
  const link = await open(u, card, { accepted_protocols: ['onchain'] })
  expect(
    await report(w, link.code, `0x${'1'.repeat(64)}`, { from_address: address }),
  ).toMatchObject(refused)
  const deposit = {
    ...{ from: address, to: w.chain.treasury.address, value: '1000000' },
    ...{ valid_after: '0', valid_before: '9999999999', nonce: randomHex(32) },
    signature: `0x${'11'.repeat(64)}1b`,
  }
  expect(await u.post('/api/fund/authorization', deposit)).toMatchObject(refused)
  expect(
    await w.call('POST', '/api/dev/faucet', { wallet_address: address, amount: 1 }),
  ).toMatchObject(refused)
})

test('the database says the same as the code, and takes no row that names such an address', async () => {
  await using w = await world()
  const near = [
    `0x${'0'.repeat(35)}10000`,
    '0x4200000000000000000000000000000000000800',
    '0x4300000000000000000000000000000000000006',
    (await w.user()).wallet,
  ]
  const said = await all<{ address: string; isSystem: boolean }>(
    w.db.reader,
    sql`select a as address, is_system_address(a) as is_system from unnest(${[...SYSTEM, ...near]}::text[]) as a`,
  )
  expect(said.filter(({ isSystem }) => isSystem).map(({ address }) => address)).toEqual(SYSTEM)
  for (const { address, isSystem } of said) expect(isSystemAddress(address)).toBe(isSystem)
  const at = w.now()
  const refused = { constraint: 'an_address_of_a_person' }
  const insert = (row: RawBuilder<unknown>) => expect(w.write((tx) => row.execute(tx))).rejects
  await insert(sql`insert into sessions (hash, nonce, wallet_address, created_at, expires_at)
    values (sha256('x'), 'x', ${ZERO}, ${at}, ${new Date(at.getTime() + 1)})`).toMatchObject(
    refused,
  )
  await insert(sql`insert into ledger_accounts (kind, owner, network, asset)
    values ('treasury', ${ZERO}, ${w.chain.network}, 'USDC')`).toMatchObject(refused)
  await insert(sql`insert into watched_transfers values (${w.chain.network}, 'USDC', ${`0x${'1'.repeat(64)}`}, 0, 1,
    ${`0x${'2'.repeat(64)}`}, ${ZERO}, ${w.chain.treasury.address}, 1, 'credited', ${at})`).toMatchObject(
    refused,
  )
})
