import { createWalletClient, encodeFunctionData, erc20Abi, http, maxUint256 } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { endedWithdrawal as ended } from '../../../../test/actors/tokens/ended-withdrawal.ts'
import {
  ownTokenWorld,
  tokenWorld,
  UNIT,
} from '../../../../test/actors/tokens/service-token-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import type { User, World } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { amount } from '../../../base/kernel/money.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { railOf, railsOf } from '../../../chain/client/rails.ts'
import { testChain } from '../../../chain/client/self-test.ts'
import { findPayoutWay } from '../../../chain/client/tokens/payout-way.ts'
import { maintainSends } from '../../../chain/relay/maintain.ts'
import { compareCustody } from '../../../links/reconcile/compare.ts'
import { increaseTime } from '../../../run/embedded/dev/chain.ts'
import { payoutCall, railOfPayout } from './payout/payout.ts'
import { payoutWayOf, preparePayout } from './payout/terms.ts'
import { NO_CAPS } from './safety/caps.ts'
import { findWithdrawal, type Withdrawal } from './store.ts'
import { beginWithdrawal, signWithdrawal } from './withdraw.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

type Kind = Parameters<typeof tokenWorld>[0]

/** A world whose wallet has 20 of a token on its balance, credited by the watcher. */
async function funded(kind: Kind = { permits: true }) {
  const made = await tokenWorld(kind)
  const { w } = made
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  const unit = 10n ** BigInt(made.token.decimals)
  await made.send(w.chain.treasury.address, 20n * unit)
  await w.safe()
  await w.runJobs()
  expect(await made.balance()).toMatchObject({ available: 20 })
  return { ...made, unit, rail: railOf(w.services.chain, 'TOK'), payee: await newPayee() }
}

const newPayee = async () => (await freshAccount()).address
const withdraw = (user: User, body: object, key?: string) =>
  user.post(
    '/api/withdraw',
    { asset: 'TOK', ...body },
    key ? { headers: { 'idempotency-key': key } } : {},
  )

/** Every asset's books and chain agree to the unit. */
async function expectBooksToMatch(w: World) {
  expect(await w.faults()).toEqual([])
  for (const chain of railsOf(w.services.chain))
    expect(
      await compareCustody({ db: w.db, rail: chain, at: w.now(), isEmbedded: true }),
    ).toMatchObject({
      difference: 0n,
      departed: 0n,
    })
}

test.each([
  ['permits', { permits: true }, 'permit2'],
  ['authorizations', { circle: true }, 'eip3009'],
] as const)(
  'a token that takes signed %s is withdrawn, keeps its fee, and books and chain agree to the unit',
  async (_, kind, way) => {
    const { w, user, unit, rail, payee, balance, tokensOf } = await funded(kind)
    expect((await findPayoutWay(rail)).kind).toBe(way)
    const { body: config } = await user.get('/api/config')
    expect(config.tokens[w.chain.network].TOK).toMatchObject({ withdrawable: true })
    const begun = await withdraw(user, { amount: '5', to_address: payee })
    expect(begun.status, begun.text).toBe(200)
    const fee = way === 'permit2' ? 0.1 : 0.05
    expect(begun.body).toMatchObject({
      amount: 5,
      withdrawal_fee: fee,
      net_amount: 5 - fee,
      balance: { asset: 'TOK', available: 15 },
      ...(way === 'permit2' ? { net_amount_atomic: '4900000000000000000' } : {}),
    })
    const done = await ended(w, user, begun.body.withdrawal_id)
    expect(done).toMatchObject({ status: 'COMPLETED', asset: 'TOK', net_amount: 5 - fee })
    const feeUnits = way === 'permit2' ? UNIT / 10n : 50_000n
    expect(await tokensOf(payee)).toBe(5n * unit - feeUnits)
    expect(await balance()).toMatchObject({ available: 15, total_withdrawn: 5 })
    const { events } = (await user.get('/api/events?limit=100')).body
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['withdrawal.processing', 'withdrawal.completed']),
    )
    await expectBooksToMatch(w)
  },
)

test('withdrawals of two assets at once never take more than there is, and each is paid once', async () => {
  const { w, user, payee, balance, tokensOf } = await funded()
  const asks = await Promise.all([
    ...Array.from({ length: 6 }, () => withdraw(user, { amount: '4', to_address: payee })),
    withdraw(user, { amount: '2', asset: 'USDC', to_address: payee }),
  ])
  const begun = asks.filter(({ status }) => status === 200)
  expect(begun).toHaveLength(6)
  expect(asks.find(({ status }) => status !== 200)?.body).toMatchObject({
    code: 'insufficient_balance',
    requested_atomic: String(4n * UNIT),
  })
  for (const { body } of begun)
    expect(await ended(w, user, body.withdrawal_id)).toMatchObject({ status: 'COMPLETED' })
  expect(await tokensOf(payee)).toBe(5n * 4n * UNIT - 5n * (UNIT / 10n))
  expect(await balance()).toMatchObject({ available: 0 })
  // The allowance was signed and carried once, for all of them.
  const permits = await sql`select from chain_sends where ref like 'permit2:%'`.execute(w.db.reader)
  expect(permits.rows).toHaveLength(1)
  await expectBooksToMatch(w)
})

test('a token without signatures is refused with the reason, until its treasury has allowed Permit2 by hand', async () => {
  const { w, user, rail, payee, token, tokensOf } = await funded({})
  const refused = await withdraw(user, { amount: '5', to_address: payee })
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_asset'])
  expect(refused.body.error).toContain('no signed allowances (EIP-2612)')
  const { body: config } = await user.get('/api/config')
  expect(config.tokens[w.chain.network].TOK).toMatchObject({ withdrawable: false })
  expect(config.tokens[w.chain.network].USDC).toMatchObject({ withdrawable: true })
  const check = async () =>
    (await testChain(w.services.chain)).find((one) => one.check === 'service_token')
  expect(await check()).toMatchObject({
    status: 'warn',
    sentence: expect.stringContaining('cannot be withdrawn'),
  })
  expect(await w.faults()).toEqual([])

  const approve = (value: bigint) =>
    token.callAs(
      w.chain.treasury.address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [PERMIT2, value] }),
    )
  await approve(6n * UNIT)
  expect(await check()).toMatchObject({ status: 'ok' })
  // Another process than the one that has remembered the answer.
  const other = await w.machine()
  stack.defer(() => other[Symbol.asyncDispose]())
  const begun = await withdraw(other.as(user), { amount: '5', to_address: payee })
  expect(begun.status, begun.text).toBe(200)
  expect(await ended(other, user, begun.body.withdrawal_id)).toMatchObject({ status: 'COMPLETED' })
  expect(await tokensOf(payee)).toBe(5n * UNIT - UNIT / 10n)
  const short = await withdraw(other.as(user), { amount: '5', to_address: payee })
  expect([short.status, short.body.code]).toEqual([502, 'upstream_failed'])
  await approve(maxUint256)
  expect((await withdraw(other.as(user), { amount: '5', to_address: payee })).status).toBe(200)
  expect((await findPayoutWay(rail)).kind).toBe('none')
})

test('an amount below the minimum, a key with a limit in USDC and the token itself move nothing', async () => {
  const { w, user, payee, token, balance } = await funded()
  const small = await withdraw(user, { amount: '0.5', to_address: payee })
  expect([small.status, small.body]).toMatchObject([
    400,
    {
      code: 'invalid_amount',
      minimum_withdrawal: 1,
      minimum_withdrawal_atomic: String(UNIT),
      withdrawal_fee: 0.1,
    },
  ])
  for (const to_address of [token.contract, w.chain.asset.contract, w.chain.treasury.address])
    expect((await withdraw(user, { amount: '5', to_address })).body.code).toBe('invalid_address')
  const { body: made } = await user.post('/api/keys/restricted', {
    scopes: ['treasury:write'],
    max_amount: 100,
    name: 'limited',
  })
  const limited = await user.post(
    '/api/withdraw',
    { amount: 5, asset: 'TOK', to_address: payee },
    { key: made.api_key },
  )
  expect([limited.status, limited.body.code]).toEqual([403, 'forbidden_scope'])
  expect(await balance()).toMatchObject({ available: 20 })
})

/** A withdrawal of 5 whose process died right after its first transaction. */
async function begun(w: World, user: User, { validSeconds }: { validSeconds?: number } = {}) {
  const { services } = w
  const rail = railOf(services.chain, 'TOK')
  const at = w.now()
  const way = await payoutWayOf(rail)
  const value = amount(5n * UNIT)
  await preparePayout(services, at, { rail, way, amount: value })
  const ask = {
    walletAddress: user.wallet,
    amount: value,
    fee: amount(UNIT / 10n),
    toAddress: randomHex(20),
  }
  const signing = { caps: NO_CAPS, way, ...(validSeconds ? { validSeconds } : {}) }
  const signed = await signWithdrawal(rail, at, ask, signing)
  return (await w.write((tx) => beginWithdrawal(tx, at, rail, signed))).withdrawal
}

/** Submits the payout to the chain, as anybody who saw it could. */
async function carriedBy(w: World, payout: Withdrawal): Promise<void> {
  const account = await freshAccount({ rpcUrl: w.rpcUrl })
  const wallet = createWalletClient({ account, transport: http(w.rpcUrl) })
  const { to, data } = payoutCall(railOfPayout(w.services.chain, payout), payout)
  await w.mined(await wallet.sendTransaction({ chain: null, to, data }))
}

test('a payout that a stranger carried first is completed, once', async () => {
  const { w, user, tokensOf, balance } = await funded()
  const payout = await begun(w, user)
  await carriedBy(w, payout)
  expect(await ended(w, user, payout.id)).toMatchObject({ status: 'COMPLETED' })
  await w.runJobs()
  expect(await tokensOf(payout.toAddress)).toBe(payout.netAmount)
  expect(await balance()).toMatchObject({ available: 15 })
  await expectBooksToMatch(w)
})

test('a process that died after its first transaction: the sweep pays, once', async () => {
  const { w, user, tokensOf } = await funded()
  const payout = await begun(w, user)
  await w.write((tx) => sql`delete from graphile_worker._private_jobs`.execute(tx))
  await w.advance(1801)
  expect(await ended(w, user, payout.id)).toMatchObject({ status: 'COMPLETED' })
  expect(await tokensOf(payout.toAddress)).toBe(payout.netAmount)
})

test('after the restore of an old backup the same request finds its payout, and another is held', async () => {
  const { w, user, payee, tokensOf } = await funded()
  const backup = await w.backup()
  const ask = { amount: '5', to_address: payee }
  const made = await withdraw(user, ask, 'order-1')
  expect(made.status, made.text).toBe(200)
  const first = await ended(w, user, made.body.withdrawal_id)
  const restored = await backup.restore()
  stack.defer(() => restored[Symbol.asyncDispose]())

  const other = { amount: '2', to_address: await newPayee() }
  const refused = await withdraw(restored.as(user), other)
  expect(refused).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
  expect(refused.body.error).toContain('4.9 TOK less')
  // USDC has no shortage, so it is paid out.
  const usdc = await restored.as(user).post('/api/withdraw', { ...other, asset: 'USDC' })
  expect(usdc.status, usdc.text).toBe(200)

  const again = await withdraw(restored.as(user), ask, 'order-1')
  expect(again.status, again.text).toBe(200)
  const found = await ended(restored, user, again.body.withdrawal_id)
  expect(found).toMatchObject({ status: 'COMPLETED', tx_hash: first.tx_hash, amount: 5 })
  expect(await tokensOf(payee)).toBe(5n * UNIT - UNIT / 10n)
  await ended(restored, user, usdc.body.withdrawal_id)
  await restored.runJobs({ compares: true })
  expect((await withdraw(restored.as(user), other)).status).toBe(200)
})

test('a payout that is newer than the compared block holds others back after a restore', async () => {
  const made = await ownTokenWorld({ permits: true })
  stack.defer(() => made.own[Symbol.asyncDispose]())
  const { own, user, send } = made
  const { w } = own
  await send(w.chain.treasury.address, 20n * UNIT)
  await own.blocks(8)
  await w.runJobs()
  const backup = await w.backup()
  const payout = await own.during(begun(w, user))
  await carriedBy(w, payout)
  const restored = await backup.restore()
  stack.defer(() => restored[Symbol.asyncDispose]())
  // As on a public chain, where only safe blocks are compared.
  restored.services.settings.embeddedRpcUrl = null
  const refused = await own.during(
    withdraw(restored.as(user), { amount: '2', to_address: await newPayee() }),
  )
  expect(refused).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
  expect(refused.body.error).toContain('payouts that the books do not know')
})

test('a token that stops its transfers holds the payout up; once it has expired, all the money is back', async () => {
  const made = await ownTokenWorld({ permits: true })
  stack.defer(() => made.own[Symbol.asyncDispose]())
  const { own, user, send, token, balance, tokensOf } = made
  const { w } = own
  await send(w.chain.treasury.address, 20n * UNIT)
  await own.blocks(8)
  await w.runJobs()
  const manners = ['Paused', 'TakesFee', 'AnswersFalse'] as const
  const payouts: Withdrawal[] = []
  const reasons: unknown[] = []
  for (const manner of manners) {
    await token.setManner(manner)
    const payout = await own.during(begun(w, user))
    await own.during(w.runJobs())
    payouts.push(payout)
    // Nobody else sends what its own job holds back, however long it waits.
    await own.during(maintainSends(w.services.relay, addSeconds(w.now(), 60)))
    await own.blocks(1)
    // On a slow machine the next round looks at it again, and finds another manner.
    reasons.push((await findWithdrawal(w.db.reader, payout.id))?.reason)
  }
  expect(reasons).toEqual([
    expect.stringContaining('the token refuses the payout'),
    'the token would not pay the whole amount',
    expect.stringContaining('the token refuses the payout'),
  ])
  expect(await balance()).toMatchObject({ available: 5 })
  await increaseTime({ rpcUrl: w.rpcUrl, seconds: 25 * 3600 })
  await own.blocks(10)
  const isOver = async () =>
    (await Promise.all(payouts.map(({ id }) => findWithdrawal(w.db.reader, id)))).every(
      (row) => row?.status === 'FAILED',
    )
  await own.until(isOver, 1801)
  expect(await balance()).toMatchObject({ available: 20, total_withdrawn: 0 })
  for (const { toAddress } of payouts) expect(await tokensOf(toAddress)).toBe(0n)
  expect(await w.faults()).toEqual([])
})

test('a payout that a reorganization takes is made again, and paid once', async () => {
  const made = await ownTokenWorld({ permits: true })
  stack.defer(() => made.own[Symbol.asyncDispose]())
  const { own, user, send, tokensOf } = made
  const { w } = own
  await send(w.chain.treasury.address, 20n * UNIT)
  await own.blocks(8)
  await w.runJobs()
  const payout = await own.during(begun(w, user))
  await own.during(w.runJobs())
  expect(await tokensOf(payout.toAddress)).toBe(payout.netAmount)
  await own.reorg(2)
  expect(await tokensOf(payout.toAddress)).toBe(0n)
  const isOver = async () => (await findWithdrawal(w.db.reader, payout.id))?.status === 'COMPLETED'
  await own.until(isOver)
  expect(await tokensOf(payout.toAddress)).toBe(payout.netAmount)
  await expectBooksToMatch(w)
})
