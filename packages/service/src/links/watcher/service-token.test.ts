import { expect, test } from 'vitest'
import { open } from '../../../test/actors/attack-kit.ts'
import { ownTokenWorld, tokenWorld, UNIT } from '../../../test/actors/tokens/service-token-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import type { World } from '../../../test/world.ts'
import { type Reader, sql } from '../../base/db/sql.ts'
import { railsOf } from '../../chain/client/rails.ts'
import { mine } from '../../run/embedded/dev/chain.ts'
import { orderPayouts, readPayouts } from '../../run/operate/commands/payouts.ts'
import { verifyBooks } from '../../run/operate/commands/verify.ts'
import { compareCustody } from '../reconcile/compare.ts'
import { claimOnce } from './claim.ts'
import { watchOnce } from './pass.ts'

type Row = { asset: string; state: string; amount: bigint }
const rowsOf = async (on: Reader): Promise<Row[]> =>
  (
    await sql<Row>`select asset, state, amount from watched_transfers where asset <> 'USDC'
      order by block_number, log_index`.execute(on)
  ).rows
const statesOf = async (w: World) => (await rowsOf(w.db.reader)).map(({ state }) => state)
const pass = (w: World) => watchOnce(w.services, w.now())
/** Books and chain in the token, at one block. */
const compare = (w: World) => {
  const [, chain] = railsOf(w.services.chain)
  return compareCustody({ db: w.db, rail: chain!, at: w.now(), isEmbedded: true })
}

test('a transfer of the service token is credited without a call, once, beside one of USDC', async () => {
  const { w, user, send, balance } = await tokenWorld()
  await using _ = w
  const hash = await send(w.chain.treasury.address, 20n * UNIT + 1n)
  await w.transfer(user.account, w.chain.treasury.address, 2_000_000n)
  await w.safe()
  const verify = () => user.post('/api/fund/verify', { tx_hash: hash, asset: 'TOK' })
  await Promise.all([pass(w), pass(w), verify(), verify(), claimOnce(w.services, w.now())])
  await pass(w)
  expect(await rowsOf(w.db.reader)).toEqual([
    { asset: 'TOK', state: 'credited', amount: 20n * UNIT + 1n },
  ])
  expect(await balance()).toMatchObject({
    available: 20,
    available_atomic: String(20n * UNIT + 1n),
  })
  expect((await user.get('/api/balance')).body.balances[0].available).toBe(5)
  const credited = await sql`select from events where type = 'funding.confirmed'
    and data->>'asset' = 'TOK'`.execute(w.db.reader)
  expect(credited.rows).toHaveLength(1)
  expect(await compare(w)).toMatchObject({ owed: 20n * UNIT + 1n, difference: 0n })
  expect(await w.faults()).toEqual([])
})

test('service tokens of a wallet that nobody knows wait for it, and books and chain say so', async () => {
  const { w, sendFrom, token } = await tokenWorld()
  await using _ = w
  const stranger = await freshAccount()
  await token.mint(stranger.address, 5n * UNIT)
  await sendFrom(stranger, w.chain.treasury.address, 5n * UNIT)
  await w.safe()
  await pass(w)
  expect(await statesOf(w)).toEqual(['unclaimed'])
  expect(await compare(w)).toMatchObject({ owed: 0n, unclaimed: 5n * UNIT, difference: 0n })
  const challenge = await w.call('POST', '/api/auth/challenge', {
    wallet_address: stranger.address,
  })
  const { message } = challenge.body
  const signature = await stranger.signMessage({ message })
  const session = await w.call('POST', '/api/auth/verify', { message, signature })
  await claimOnce(w.services, w.now())
  const { body } = await w.call('GET', '/api/balance', undefined, { key: session.body.token })
  expect(body.balances[1]).toMatchObject({ asset: 'TOK', available: 5 })
  expect(await statesOf(w)).toEqual(['credited'])
})

test('a link is paid in USDC alone: service tokens at its address are not seen', async () => {
  const { w, user, send } = await tokenWorld()
  await using _ = w
  const link = await open(user, await user.card())
  await send(link.deposit_address, 5n * UNIT)
  await w.safe()
  await pass(w)
  expect(await rowsOf(w.db.reader)).toEqual([])
  expect(await compare(w)).toMatchObject({ difference: 0n })
})

test('a service token that is taken off the configuration and put back orphans and loses nothing', async () => {
  const { w, send, balance } = await tokenWorld()
  await using _ = w
  await send(w.chain.treasury.address, 5n * UNIT)
  await w.safe()
  await pass(w)
  const { serviceToken, ...chain } = w.services.chain
  await watchOnce({ ...w.services, chain }, w.now())
  expect(await statesOf(w)).toEqual(['credited'])
  expect(serviceToken?.symbol).toBe('TOK')
  await pass(w)
  expect(await statesOf(w)).toEqual(['credited'])
  expect(await balance()).toMatchObject({ available: 5 })
})

test('tokens that came before the service was set to them are credited when reported, and are not missing then', async () => {
  const { w, user, send, sendFrom, token, balance } = await tokenWorld()
  await using _ = w
  const { serviceToken: __, ...plain } = w.services.chain
  await watchOnce({ ...w.services, chain: plain }, w.now())
  const tx_hash = await send(w.chain.treasury.address, 5n * UNIT)
  const stranger = await freshAccount()
  await token.mint(stranger.address, 2n * UNIT)
  await sendFrom(stranger, w.chain.treasury.address, 2n * UNIT)
  await w.safe()
  await mine({ rpcUrl: w.rpcUrl, blocks: 70 })
  await w.safe()
  await watchOnce({ ...w.services, chain: plain }, w.now())
  await pass(w)
  expect(await rowsOf(w.db.reader)).toEqual([])
  await w.runJobs({ compares: true })
  expect(await compare(w)).toMatchObject({ opening: 7n * UNIT, owed: 0n, difference: 0n })
  await w.advance(1)
  await user.post('/api/fund/verify', { tx_hash, asset: 'TOK' })
  expect(await balance()).toMatchObject({ available: 5 })
  expect(await compare(w)).toMatchObject({ owed: 5n * UNIT, claimed: 5n * UNIT, difference: 0n })
  await w.runJobs({ compares: true })
  const { rows } = await sql`select from alarms where kind = 'custody'`.execute(w.db.reader)
  expect(rows).toEqual([])
})

test('a reorganization orphans a token that was seen, and makes an alarm of one that was credited', async () => {
  const { own, send, balance } = await ownTokenWorld()
  await using _ = own
  const { w } = own
  await own.blocks(12)
  await send(w.chain.treasury.address, 5n * UNIT)
  await pass(w)
  expect(await statesOf(w)).toEqual(['seen'])
  await own.reorg(2)
  await own.blocks(1)
  await pass(w)
  expect(await statesOf(w)).toEqual(['orphaned'])
  expect(await balance()).toMatchObject({ available: 0 })

  await send(w.chain.treasury.address, 7n * UNIT)
  await own.blocks(8)
  await pass(w)
  expect(await statesOf(w)).toEqual(['orphaned', 'credited'])
  await own.reorg(10)
  await own.blocks(1)
  await pass(w)
  expect(await statesOf(w)).toEqual(['orphaned', 'alarm'])
  await own.until(async () => (await own.alarms()).includes('moved_transfer'))
  expect(await own.alarms()).toEqual(['custody', 'moved_transfer'])
})

test('stolen service tokens are an alarm of their own and hold no USDC back', async () => {
  const { own, token, send } = await ownTokenWorld()
  await using _ = own
  const { w } = own
  await send(w.chain.treasury.address, 5n * UNIT)
  await own.blocks(8)
  await w.runJobs()
  expect(await own.alarms()).toEqual([])
  await token.takeFrom(w.chain.treasury.address, 2n * UNIT)
  await own.blocks(8)
  await w.runJobs()
  expect(await own.alarms()).toEqual(['custody'])
  const books = { db: w.db, chain: w.services.chain }
  expect((await readPayouts(books)).map(({ standing }) => standing.shortage)).toEqual([
    0n,
    2n * UNIT,
  ])
  const verified = await verifyBooks({
    ...books,
    keys: w.services.checkpointKeys,
    at: w.now(),
    isEmbedded: true,
  })
  expect(verified.balances.map(({ asset, difference }) => [asset, difference])).toEqual([
    ['USDC', 0n],
    ['TOK', -2n * UNIT],
  ])
  expect(verified.faults.map(({ check }) => check)).toEqual(['custody'])
  const released = await orderPayouts(books, w.now(), { kind: 'release', note: 'the loss is ours' })
  expect(released.map(({ standing }) => standing.order?.shortage)).toEqual([0n, 2n * UNIT])
})
