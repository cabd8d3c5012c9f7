import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { recordExchange } from '../../../../test/world/record-exchange.ts'
import type { Reply } from '../../../../test/world/service.ts'
import { type World, world } from '../../../../test/world.ts'
import { mountRoutes } from '../../../api/http/server/router.ts'
import { createServer } from '../../../api/http/server/server.ts'
import { createAuthenticate } from '../../../api/keys/authenticate.ts'
import { sql } from '../../../base/db/sql.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import { type Address, USDC } from '../../../base/kernel/assets.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { openChain } from '../../../chain/client/chain.ts'
import { readAssetBalance, readBlock } from '../../../chain/client/reads.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import { readTokenBalance } from '../../../chain/client/tokens/calls.ts'
import { finishDepositTask } from '../../../money/treasury/deposits/tasks.ts'
import { startAnvil } from '../anvil/anvil.ts'
import { prepareDevChain } from './chain.ts'
import { readClockOffset } from './clock.ts'
import { devRoutes } from './routes.ts'
import { DEV_TOKENS } from './tokens.ts'

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function serve(w: World) {
  const app = await createServer({
    log: w.services.log,
    rateLimitPerMinute: 1_000_000,
    now: w.now,
  })
  mountRoutes(app, devRoutes, w.services, createAuthenticate(w.services))
  apps.push(app)
  return async (path: string, payload: object) => {
    const url = `/api/dev/${path}`
    const answer = await app.inject({ method: 'POST', url, payload })
    const { statusCode: status, headers, body: text } = answer
    const reply = { status, body: answer.json(), headers: headers as Reply['headers'], text }
    recordExchange({ method: 'POST', path: url, request: payload }, reply)
    return { status, body: reply.body }
  }
}

const SOMEONE: Address = '0x52908400098527886E0F7030069857D2E4169EE7'

const UNUSED_KEYS = {
  treasury: localSigner(new Secret(randomHex(32))),
  relayers: [],
  secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
}

test('the faucet mints what is asked, up to a million', async () => {
  await using w = await world()
  const post = await serve(w)
  const { chain } = w
  const before = await readAssetBalance(chain, SOMEONE)
  const given = await post('faucet', { wallet_address: SOMEONE, amount: '12.5' })
  expect(given).toEqual({
    status: 200,
    body: {
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      contract: chain.asset.contract,
      gas_balance: String(10n ** 18n),
    },
  })
  // A wallet that has just received money can send it on.
  expect(await chain.rpc.getBalance({ address: SOMEONE })).toBe(10n ** 18n)
  expect((await readAssetBalance(chain, SOMEONE)) - before).toBe(12_500_000n)
  for (const { symbol, contract, decimals } of DEV_TOKENS) {
    const had = (await readTokenBalance(chain, contract, SOMEONE)) ?? 0n
    const order = { wallet_address: SOMEONE, amount: '2.5', asset: symbol }
    expect(await post('faucet', order)).toMatchObject({ status: 200, body: { contract } })
    const got = ((await readTokenBalance(chain, contract, SOMEONE)) ?? 0n) - had
    expect(got).toBe(25n * 10n ** BigInt(decimals - 1))
  }
  const unknown = await post('faucet', { wallet_address: SOMEONE, amount: 1, asset: 'WETH' })
  expect(unknown.status).toBe(400)
  for (const amount of ['1000000.000001', 0, -1, 'x'])
    expect(await post('faucet', { wallet_address: SOMEONE, amount })).toMatchObject({
      status: 400,
      body: { code: 'invalid_amount' },
    })
  expect(await post('faucet', { wallet_address: '0x12', amount: 1 })).toMatchObject({ status: 400 })
})

test('mining answers the newest block', async () => {
  await using w = await world()
  const post = await serve(w)
  const first = await post('mine', { blocks: 1 })
  const second = await post('mine', { blocks: 5 })
  expect(second.status).toBe(200)
  expect(second.body.block_number).toBeGreaterThanOrEqual(first.body.block_number + 5)
  for (const blocks of [0, 1.5, 10_001]) expect((await post('mine', { blocks })).status).toBe(400)
})

test('the clock moves the jobs along by as much, and is found again', async () => {
  // Its own chain: on that of this process, others would find the time a day later.
  const own = await startAnvil({ chainId: testChain().chainId, blockTimeSeconds: 1 })
  await using stack = new AsyncDisposableStack()
  stack.defer(own.stop)
  const w = stack.use(await world({ settings: { embeddedRpcUrl: own.rpcUrl } }))
  const post = await serve(w)
  await w.write((tx) => enqueue(tx, finishDepositTask, { id: 'dep_soon' }, { delaySeconds: 50 }))
  await w.write((tx) => enqueue(tx, finishDepositTask, { id: 'dep_late' }, { delaySeconds: 500 }))
  const before = w.now()
  const moved = await post('clock', { advance_seconds: 100 })
  expect(moved.status).toBe(200)
  const now = new Date(moved.body.now)
  expect(now.getTime() - before.getTime()).toBeGreaterThanOrEqual(100_000)
  expect(now.getTime() - before.getTime()).toBeLessThan(200_000)
  expect(await readClockOffset(w.db.reader)).toBe(100_000)
  const { rows } = await sql<{ key: string; isDue: boolean; inSeconds: number }>`
    select key, run_at <= now() as is_due, extract(epoch from run_at - now())::float8 as in_seconds
    from graphile_worker.jobs order by run_at`.execute(w.db.reader)
  expect(rows.map(({ key, isDue }) => [key, isDue])).toEqual([
    ['finish_deposit:dep_soon', true],
    ['finish_deposit:dep_late', false],
  ])
  expect(rows[1]?.inSeconds).toBeGreaterThan(300)
  expect(rows[1]?.inSeconds).toBeLessThan(401)

  const target = new Date(w.now().getTime() + 3_600_000).toISOString()
  const later = await post('clock', { now: target })
  expect(Date.parse(later.body.now)).toBeGreaterThanOrEqual(Date.parse(target))
  const chain = openChain({ ...UNUSED_KEYS, asset: w.chain.asset, rpcUrls: [own.rpcUrl] })
  const head = await readBlock(chain, 'latest')
  expect(Math.abs(head.at.getTime() - w.now().getTime())).toBeLessThan(60_000)
})

test('every operation waits while the chain restarts, and both keep one time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-dev-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true }))
  const { asset, chainId } = { asset: USDC[testChain().chainId]!, chainId: testChain().chainId }
  const own = await startAnvil({
    stateFile: join(folder, 'state.json'),
    chainId,
    blockTimeSeconds: 1,
    restartAfterBlocks: 300,
  })
  stack.defer(own.stop)
  await prepareDevChain({ rpcUrl: own.rpcUrl, chainId })
  const w = stack.use(await world({ settings: { embeddedRpcUrl: own.rpcUrl } }))
  const chain = openChain({ ...UNUSED_KEYS, asset, rpcUrls: [own.rpcUrl] })
  const post = await serve({ ...w, services: { ...w.services, chain } })
  expect((await post('clock', { advance_seconds: 100_000_000 })).status).toBe(200)

  const mined = post('mine', { blocks: 1_500 })
  let isMined = false
  void mined.then(() => {
    isMined = true
  })
  let given = 0
  while (!isMined) {
    const order = { wallet_address: SOMEONE, amount: 1 }
    expect(await post('faucet', order)).toMatchObject({ status: 200 })
    given++
  }
  expect(await mined).toMatchObject({ status: 200 })
  // A restart keeps the blocks of the faucet's transactions, so more than one is asked for.
  const early = [200n, 201n, 202n, 203n, 204n, 205n, 206n, 207n]
  const isKept = (blockNumber: bigint) =>
    chain.rpc.getBlock({ blockNumber }).then(Boolean, () => false)
  await until(
    () => Promise.all(early.map(isKept)),
    (seen) => expect(seen).toContain(false),
  )
  expect(await readAssetBalance(chain, SOMEONE)).toBe(BigInt(given) * 1_000_000n)
  expect((await post('mine', { blocks: 1 })).status).toBe(200)
  const head = await readBlock(chain, 'latest')
  expect(Math.abs(head.at.getTime() - w.now().getTime())).toBeLessThan(60_000)
})

test('moves of the clock at one time end at one time, for service, chain and jobs', async () => {
  const own = await startAnvil({ chainId: testChain().chainId, blockTimeSeconds: 1 })
  await using stack = new AsyncDisposableStack()
  stack.defer(own.stop)
  const w = stack.use(await world({ settings: { embeddedRpcUrl: own.rpcUrl } }))
  const post = await serve(w)
  await w.write((tx) => enqueue(tx, finishDepositTask, { id: 'dep_1' }, { delaySeconds: 5_000 }))
  const moves = await Promise.all([1, 2, 3].map(() => post('clock', { advance_seconds: 1_000 })))
  expect(moves.map(({ status }) => status)).toEqual([200, 200, 200])
  const offset = await readClockOffset(w.db.reader)
  expect(w.clock.offsetMs).toBe(offset)
  const chain = openChain({ ...UNUSED_KEYS, asset: w.chain.asset, rpcUrls: [own.rpcUrl] })
  const head = await readBlock(chain, 'latest')
  expect(Math.abs(head.at.getTime() - w.now().getTime())).toBeLessThan(60_000)
  const { rows } = await sql<{
    inSeconds: number
  }>`select extract(epoch from run_at - now())::float8 as in_seconds
    from graphile_worker.jobs where key = 'finish_deposit:dep_1'`.execute(w.db.reader)
  expect(Math.abs((rows[0]?.inSeconds ?? 0) - (5_000 - offset / 1000))).toBeLessThan(60)
})

test('the clock does not go back, nor is it asked two things at once', async () => {
  await using w = await world()
  const post = await serve(w)
  const at = w.now()
  const refused = [
    {},
    { advance_seconds: 0 },
    { advance_seconds: -5 },
    { now: new Date(at.getTime() - 1000).toISOString() },
    { now: 'yesterday' },
    { now: '9999-01-01T00:00:00Z' },
    { advance_seconds: 1, now: at.toISOString() },
  ]
  for (const body of refused) expect((await post('clock', body)).status).toBe(400)
  expect(w.clock.offsetMs).toBe(0)
})

test('without the embedded chain these operations do not exist', async () => {
  await using w = await world({ settings: { embeddedRpcUrl: null } })
  const post = await serve(w)
  for (const [path, body] of [
    ['faucet', { wallet_address: SOMEONE, amount: 1 }],
    ['mine', { blocks: 1 }],
    ['clock', { advance_seconds: 1 }],
  ] as const)
    expect(await post(path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('the demo wallet signs in a page of this service, and no page of a name that only points here', async () => {
  await using w = await world({ demoKey: new Secret(randomHex(32)) })
  const signIn = (headers = {}) => w.call('POST', '/api/dev/session', undefined, { headers })
  const rebound = await signIn({ origin: 'http://evil.example:4021' })
  expect([rebound.status, rebound.body.code]).toEqual([403, 'origin_not_allowed'])
  expect(rebound.headers['set-cookie']).toBeUndefined()
  const neighbour = await signIn({ host: 'localhost:4021', origin: 'http://localhost:3000' })
  expect(neighbour.status).toBe(403)
  const opened = await signIn({ host: 'nas.local:4021', origin: 'http://nas.local:4021' })
  expect(opened.status, opened.text).toBe(200)
  expect(opened.text).not.toContain('purser_session_')
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';')
  const balance = await w.call('GET', '/api/balance', undefined, { headers: { cookie } })
  expect(balance.status).toBe(200)
  await using plain = await world()
  expect((await plain.call('POST', '/api/dev/session')).status).toBe(404)
})
