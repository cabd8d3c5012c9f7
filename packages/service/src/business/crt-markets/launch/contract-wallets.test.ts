import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MarketKit,
  marketKit,
  pathOf,
  TERMS,
  TOKEN,
} from '../../../../test/actors/markets/market-kit.ts'
import {
  delegatedAccount,
  deployedAccount,
  executeAs,
  type SmartPayer,
} from '../../../../test/actors/smart-account-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { CREATE2_DEPLOYER } from '../../../chain/client/markets/launch.ts'

let w: World
let kit: MarketKit
beforeAll(async () => {
  w = await world()
  kit = marketKit(w)
})
afterAll(() => w[Symbol.asyncDispose]())

type Launch = Awaited<ReturnType<MarketKit['prepare']>>
type Hashes = Awaited<ReturnType<MarketKit['sendAll']>>

/** Every step as a call of the contract, by its owner's transactions. */
async function executeAll(wallet: SmartPayer, launch: Launch, done: Partial<Hashes> = {}) {
  const hashes: Partial<Hashes> = { ...done }
  for (const { step, to, data } of launch.transactions)
    hashes[step] ??= await executeAs(wallet, to!, data)
  return hashes as Hashes
}

async function smartUser() {
  const wallet = await deployedAccount()
  const user = await w.user({ account: wallet })
  return { wallet, user, card: await user.card() }
}

test('a wallet that is a contract launches a token by calls of its own, which no nonce moves', async () => {
  const { wallet, user, card } = await smartUser()
  expect(user.wallet).toBe(wallet.address)
  const launch = await kit.prepare(user, card)
  expect([launch.nonce, launch.transactions[0]?.to]).toEqual([null, CREATE2_DEPLOYER])
  await executeAs(wallet, wallet.owner.address, '0x')
  const hashes = await executeAll(wallet, launch)
  await w.safe()
  const reply = await kit.confirm(user, card, hashes)
  expect([reply.status, reply.body.code ?? '']).toEqual([200, ''])
  expect(reply.body.market).toMatchObject({ token: launch.token, creator: user.wallet })
  expect(await kit.balanceOf(launch.token, wallet.address)).toBeLessThan(TOKEN / 10n ** 9n)
  const vested = await user.post(pathOf(card, '/vesting-confirm'), {
    ...{ vestingTx: hashes.vest, keepBps: TERMS.keep_bps },
  })
  expect([vested.status, vested.body.code ?? '']).toEqual([200, ''])
  expect((await user.get(pathOf(card))).body.market).toMatchObject({
    status: 'VESTED',
    nonce: null,
  })
})

// The bytes are public before a block holds them, and the deployer obeys anybody.
test('a stranger who sends the deployment first gains nothing, and the launch goes on', async () => {
  const { wallet, user, card } = await smartUser()
  const launch = await kit.prepare(user, card)
  const stranger = await freshAccount()
  const [deploy] = launch.transactions
  const made = await kit.send(stranger, deploy!)
  expect(await kit.balanceOf(launch.token, stranger.address)).toBe(0n)
  expect(await kit.balanceOf(launch.token, wallet.address)).toBe(BigInt(TERMS.supply) * TOKEN)
  const hashes = await executeAll(wallet, launch, { deploy: made })
  await w.safe()
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
})

test('another token, another salt and a transaction that made none are no deployment of it', async () => {
  const { wallet, user, card } = await smartUser()
  const first = await kit.prepare(user, card)
  const launch = await kit.prepare(user, card)
  expect(launch.token).not.toBe(first.token)
  const old = await executeAs(wallet, first.transactions[0]!.to!, first.transactions[0]!.data)
  const hashes = await executeAll(wallet, launch)
  const stranger = await freshAccount()
  const { data } = launch.transactions[0]!
  const other: Hex = `0x${data.startsWith('0xff') ? '00' : 'ff'}${data.slice(4)}`
  const salted = await kit.send(stranger, { to: CREATE2_DEPLOYER, data: other })
  await w.safe()
  for (const deploy of [old, salted, hashes.approve]) {
    const reply = await kit.confirm(user, card, { ...hashes, deploy })
    expect([reply.status, reply.body.code]).toEqual([422, 'token_mismatch'])
  }
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
})

test('a key that has delegated to a contract launches as other keys do', async () => {
  const user = await w.user({ account: await delegatedAccount() })
  const card = await user.card()
  const launch = await kit.prepare(user, card)
  expect([typeof launch.nonce, launch.transactions[0]?.to]).toEqual(['number', null])
  const hashes = await kit.sendAll(user, launch)
  await w.safe()
  expect((await kit.confirm(user, card, hashes)).status).toBe(200)
})
