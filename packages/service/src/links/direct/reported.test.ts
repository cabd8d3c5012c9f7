import { encodeFunctionData, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  report,
  reportTo,
} from '../../../test/actors/direct/direct-kit.ts'
import { NETWORK } from '../../../test/actors/facilitator-kit.ts'
import { newToken, sendBy, type TestToken } from '../../../test/actors/token-kit.ts'
import { pause } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { callsTogether, MULTICALL3 } from '../../chain/client/multicall.ts'
import { mine } from '../../run/embedded/dev/chain.ts'
import { DEV_TOKENS, mintToken } from '../../run/embedded/dev/tokens.ts'
import { memoOf } from './binding.ts'

const ABI = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function transferWithMemo(address to, uint256 value, bytes32 memo) returns (bool)',
])
const B20 = DEV_TOKENS[1]!

let w: World
let s: DirectSeller
beforeAll(async () => {
  w = await world()
  await w.withGas()
  s = await directSeller(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const pay = (payer: PrivateKeyAccount, value = 500_000n) => w.transfer(payer, s.wallet, value)
const payerWith = (usdc = 5_000_000n) => freshAccount({ usdc })
const linkOf = async (code: string) => (await w.call('GET', `/api/paylinks/${code}`)).body
/** Reports again until the block is safe and the job has ended the settlement. */
async function settled(code: string, body: object) {
  await w.safe()
  return reportTo(w, { code }, body)
}
const exceptions = async () => (await s.seller.get('/api/exceptions')).body.exceptions

test('a plain transfer counts once its sender signed for link and transaction, and its block is safe', async () => {
  const link = await s.open()
  const payer = await payerWith()
  const txHash = await pay(payer)
  // The hash, the sender and the amount alone prove nothing: anybody can read them.
  for (const body of [
    { tx_hash: txHash },
    { tx_hash: txHash, from_address: payer.address },
    { tx_hash: txHash, from_address: payer.address, amount: 0.5 },
  ]) {
    const bare = await reportTo(w, link, body)
    expect([bare.status, bare.body.code]).toEqual([422, 'binding_required'])
  }
  // Nor does it wait for a transaction that nobody has signed for.
  const unseen = { tx_hash: `0x${'1'.repeat(64)}`, from_address: payer.address, amount: 0.5 }
  expect((await reportTo(w, link, unseen)).body.code).toBe('binding_required')
  const good = await report(w, { link, txHash, payer, amount: 0.5 })
  await w.safe()
  const replies = await Promise.all([1, 2, 3].map(() => reportTo(w, link, good)))
  const statuses = replies.map(({ status, body }) => [status, body.status])
  expect(statuses, replies.map(({ text }) => text).join()).toEqual(Array(3).fill([200, 'SETTLED']))
  const reply = await reportTo(w, link, good)
  expect(reply.body).toMatchObject({
    status: 'SETTLED',
    protocol: 'onchain',
    amount: 0.5,
    fee: 0,
    metered_fee: 0,
    tx_hash: txHash,
  })
  // An answer may get lost: the same report has the same settlement, for whoever can prove it.
  const again = await reportTo(w, link, good)
  expect([again.status, again.body]).toEqual([200, reply.body])
  const bare = await reportTo(w, link, { ...good, signature: undefined })
  expect([bare.status, bare.body.code]).toEqual([422, 'binding_required'])
  expect(await linkOf(link.code)).toMatchObject({ status: 'COMPLETED', uses: 1 })
})

test('a transfer from before its card was sold still pays the link, and one to the old owner afterwards does not', async () => {
  const heir = await w.user()
  const card = await s.seller.card({ settlement_mode: 'DIRECT' })
  const body = { card_id: card.id, amount: 0.5, type: 'RECURRING', max_uses: 0 }
  const made = await s.seller.post('/api/paylinks', body)
  expect(made.status, made.text).toBe(200)
  const link = made.body
  const payer = await payerWith()
  const early = await report(w, { link, txHash: await pay(payer), payer, amount: 0.5 })
  expect((await settled(link.code, early)).body.status).toBe('SETTLED')
  const before = await report(w, { link, txHash: await pay(payer), payer, amount: 0.5 })
  await w.safe()
  const given = await s.seller.post(`/api/cards/${card.id}/transfer`, { to_wallet: heir.wallet })
  expect(given.status, given.text).toBe(200)
  const reply = await settled(link.code, before)
  expect([reply.status, reply.body.status], reply.text).toEqual([200, 'SETTLED'])
  expect((await linkOf(link.code)).uses).toBe(2)
  // Both learn of the late one, and where the money is; what the card received is its owner's.
  await w.shown()
  const eventsOf = async (user: User) =>
    (await user.get('/api/events?type=payment.settled&limit=100')).body.events.flatMap(
      ({ data }: any) => (data.receiver_card_id === card.id ? [data.pay_to] : []),
    )
  expect(await eventsOf(s.seller)).toEqual([s.wallet, s.wallet])
  expect(await eventsOf(heir)).toEqual([s.wallet])
  const paid = async (user: User) =>
    (await user.get('/api/payments?direction=received')).body.payments.filter(
      (one: { card_id: string }) => one.card_id === card.id,
    ).length
  expect([await paid(s.seller), await paid(heir)]).toEqual([0, 2])
  const ofCard = (user: User) => user.get(`/api/cards/${card.id}/transactions`)
  const { transactions } = (await ofCard(heir)).body
  expect(transactions).toHaveLength(2)
  const oldest = `/api/payments/${transactions[1].id}`
  expect([(await s.seller.get(oldest)).status, (await heir.get(oldest)).status]).toEqual([404, 200])
  // Blocks tell whole seconds.
  await pause(1_100)
  const late = { tx_hash: await pay(payer), from_address: payer.address, amount: 0.5 }
  expect((await settled(link.code, late)).body).toMatchObject({
    code: 'invalid_transaction',
    error: expect.stringContaining(heir.wallet),
  })
})

test('another’s transfer cannot be claimed, and one transfer pays one link', async () => {
  const [mine, theirs] = [await s.open(), await s.open()]
  const [payer, thief] = [await payerWith(), await freshAccount()]
  const txHash = await pay(payer)
  const forged = await report(w, { link: theirs, txHash, payer, by: thief })
  const refused = await reportTo(w, theirs, forged)
  expect(refused.body.code, refused.text).toBe('invalid_signature')
  const own = await report(w, { link: theirs, txHash, payer: thief })
  expect((await reportTo(w, theirs, own)).body.code).toBe('invalid_transaction')
  // A signature for one link does not count for another, nor one for another transaction.
  const good = await report(w, { link: mine, txHash, payer })
  expect((await reportTo(w, theirs, good)).body.code).toBe('invalid_signature')
  const both = await report(w, { link: theirs, txHash, payer })
  await w.safe()
  const replies = await Promise.all([
    reportTo(w, mine, good),
    reportTo(w, theirs, both),
    reportTo(w, mine, good),
  ])
  const codes = replies.map(({ body }) => body.code ?? body.status)
  expect(codes.filter((code) => code === 'SETTLED').length).toBeGreaterThanOrEqual(1)
  const uses = [await linkOf(mine.code), await linkOf(theirs.code)].map((link) => link.uses)
  expect(uses.toSorted()).toEqual([0, 1])
  // The database refuses the log a second use, and a settlement without a claim.
  const row = await sql<any>`select * from direct_settlements where tx_hash = ${txHash}`.execute(
    w.db.reader,
  )
  expect(row.rows).toHaveLength(1)
  const write = (statement: ReturnType<typeof sql>) =>
    w.write((tx) => statement.execute(tx) as never)
  for (const [statement, promise] of [
    [
      sql`insert into pay_link_logs (network, tx_hash, log_index, direct_id)
        select network, tx_hash, log_index, id from direct_settlements where tx_hash = ${txHash}`,
      /one_use_per_log/,
    ],
    [sql`update direct_settlements set amount = 1 where tx_hash = ${txHash}`, /cannot change so/],
    [
      sql`update direct_settlements set state = 'failed', reason = 'x', settled_at = null where tx_hash = ${txHash}`,
      /cannot change so/,
    ],
    [
      sql`insert into direct_settlements (id, pay_link_id, card_id, wallet_address, protocol, bound_by, payer, network, token,
          amount, nonce, valid_before, from_block, created_at)
        select 'stl_none', pay_link_id, card_id, wallet_address, 'x402', 'eip3009', payer, network, token, 1, '0x1', 1, 1, now()
        from direct_settlements where tx_hash = ${txHash}`,
      /is not claimed for it/,
    ],
    [
      sql`insert into direct_settlements (id, pay_link_id, card_id, wallet_address, protocol, bound_by, payer, network, token,
          amount, from_block, created_at)
        select 'stl_none', pay_link_id, card_id, payer, 'onchain', 'signature', payer, network, token, 1, 1, now()
        from direct_settlements where tx_hash = ${txHash}`,
      /does not pay the seller of its link/,
    ],
  ] as const)
    await expect(write(statement)).rejects.toThrow(promise)
})

test('a transfer is found whatever the transaction calls, and only since the link was made', async () => {
  const payer = await payerWith()
  const early = await pay(payer, 123_456n)
  await pause(1_100)
  const link = await s.open({ amount: null, type: 'RECURRING' })
  const tooEarly = await report(w, { link, txHash: early, payer })
  expect((await reportTo(w, link, tooEarly)).body).toMatchObject({
    code: 'invalid_transaction',
    error: expect.stringContaining('before the link'),
  })
  // Two transfers in a call of another contract, and more to somebody else.
  const usdc = w.chain.asset.contract
  const spend = (functionName: 'approve' | 'transferFrom', args: readonly unknown[]) =>
    encodeFunctionData({ abi: ABI, functionName, args } as never)
  await sendBy(payer, usdc, spend('approve', [MULTICALL3, 10_000_000n]), w.rpcUrl)
  const to = (address: string, value: bigint) => ({
    target: usdc,
    callData: spend('transferFrom', [payer.address, address, value]),
  })
  const data = callsTogether([to(s.wallet, 300_000n), to(MULTICALL3, 9n), to(s.wallet, 200_000n)])
  const txHash = await sendBy(payer, MULTICALL3, data, w.rpcUrl)
  await w.safe()
  const vague = await reportTo(w, link, await report(w, { link, txHash, payer }))
  expect([vague.body.code, vague.body.param], vague.text).toEqual(['missing_field', 'amount'])
  for (const amount of [0.2, 0.3]) {
    const reply = await reportTo(w, link, await report(w, { link, txHash, payer, amount }))
    expect(reply.body).toMatchObject({ status: 'SETTLED', amount })
  }
  const again = await reportTo(w, link, await report(w, { link, txHash, payer, amount: 0.2 }))
  expect(again.body).toMatchObject({ status: 'SETTLED', amount: 0.2 })
  const other = await reportTo(w, link, await report(w, { link, txHash, payer, amount: 0.25 }))
  expect(other.body.code).toBe('invalid_transaction')
})

test('short, over, late and to a closed link: an exception KEPT, for the money is with the seller; metered if it is the price', async () => {
  const before = await s.used()
  const outcomes: Record<string, string> = {}
  const closing: Record<string, (code: string) => Promise<unknown>> = {
    closed: (code) => s.seller.send('DELETE', `/api/paylinks/${code}`),
    late: (code) =>
      w.write((tx) =>
        sql`update pay_links set expires_at = created_at - interval '1 hour' where code = ${code}`.execute(
          tx,
        ),
      ),
  }
  for (const [reason, value] of [
    ['short', 400_000n],
    ['over', 700_000n],
    ['closed', 500_000n],
    ['late', 500_000n],
  ] as const) {
    const link = await s.open()
    const payer = await payerWith()
    const signed = await report(w, { link, txHash: '{tx}', payer })
    const { message } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body.direct
    await closing[reason]?.(link.code)
    const txHash = await pay(payer, value)
    const signature = await payer.signMessage({ message: message.replace('{tx_hash}', txHash) })
    const reply = await settled(link.code, { ...signed, tx_hash: txHash, signature })
    if (reply.status === 422) {
      expect(reply.body.error).toContain("in the seller's own wallet")
      expect(reply.body.error).not.toMatch(/refund|not lost/)
    }
    outcomes[reason] = `${reply.status} ${reply.body.code ?? reply.body.status}`
    if (reason === 'over') expect(reply.body.amount).toBe(0.5)
  }
  expect(outcomes).toEqual({
    short: '422 payment_exception',
    over: '200 SETTLED',
    closed: '422 payment_exception',
    late: '422 payment_exception',
  })
  const found = await exceptions()
  expect(
    found.map((one: any) => [one.reason, one.amount, one.status, one.settlement_mode, one.fee]),
  ).toEqual([
    ['late', 0.5, 'KEPT', 'DIRECT', 0],
    ['closed', 0.5, 'KEPT', 'DIRECT', 0],
    ['over', 0.2, 'KEPT', 'DIRECT', 0],
    ['short', 0.4, 'KEPT', 'DIRECT', 0],
  ])
  expect(await s.events('payment.exception')).toHaveLength(4)
  expect((await s.used()) - before).toBe(3)
  const refund = await s.seller.post(`/api/exceptions/${found[0].id}/refund`)
  expect(refund.body.code).toBe('invalid_state')
})

test('a B20 transfer with the memo of the link needs no signature, and a memo of another link counts for none', async () => {
  await mintToken({ rpcUrl: w.rpcUrl, token: B20, to: s.wallet, amount: 1n })
  const payer = await freshAccount()
  await mintToken({ rpcUrl: w.rpcUrl, token: B20, to: payer.address, amount: 10n ** 10n })
  await mine({ rpcUrl: w.rpcUrl, blocks: 1 })
  const made = await s.seller.post('/api/tokens', { network: NETWORK, address: B20.contract })
  expect(made.status, made.text).toBe(200)
  const [link, other] = [
    await s.open({ asset: B20.contract, amount: '1.00000001' }),
    await s.open({ asset: B20.contract, amount: '1.00000001' }),
  ]
  const { direct } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
  expect(direct.memo).toBe(memoOf(link))
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'transferWithMemo',
    args: [s.wallet, 100_000_001n, direct.memo],
  })
  const txHash = await sendBy(payer, B20.contract, data, w.rpcUrl)
  await w.safe()
  expect((await reportTo(w, other, { tx_hash: txHash })).body.code).toBe('binding_required')
  const reply = await reportTo(w, link, { tx_hash: txHash })
  expect(reply.body).toMatchObject({
    status: 'SETTLED',
    asset: 'DB20',
    decimals: 8,
    amount: 1.00000001,
    amount_atomic: '100000001',
  })
})

/** A registered token that was honest when it was registered. */
async function turning(decimals = 18): Promise<TestToken> {
  const token = await newToken({ manner: 'Honest', decimals })
  const made = await s.seller.post('/api/tokens', { network: NETWORK, address: token.contract })
  expect(made.status, made.text).toBe(200)
  return token
}

async function payIn(token: TestToken, value: bigint) {
  const payer = await freshAccount()
  await token.mint(payer.address, value)
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [s.wallet, value] })
  return { payer, send: () => sendBy(payer, token.contract, data, w.rpcUrl) }
}

test('the seller is shown what its balance confirms, whatever a token logs', async () => {
  const unit = 10n ** 18n
  const taking = await turning()
  const link = await s.open({ asset: taking.contract, amount: 1 })
  const one = await payIn(taking, unit)
  await taking.setManner('TakesFee')
  const txHash = await one.send()
  const reply = await settled(link.code, await report(w, { link, txHash, payer: one.payer }))
  expect(reply.body).toMatchObject({ code: 'payment_exception', reason: 'short' })
  expect((await exceptions())[0]).toMatchObject({ reason: 'short', amount: 0.99, status: 'KEPT' })

  const lying = await turning()
  const second = await s.open({ asset: lying.contract, amount: 1 })
  const two = await payIn(lying, unit)
  await lying.setManner('MovesNothing')
  const nothing = await two.send()
  const none = await settled(
    second.code,
    await report(w, { link: second, txHash: nothing, payer: two.payer }),
  )
  expect([none.status, none.body.code]).toEqual([400, 'invalid_transaction'])
  expect(await linkOf(second.code)).toMatchObject({ status: 'ACTIVE', uses: 0 })

  // No decimals at all is a token like any other.
  const whole = await turning(0)
  const third = await s.open({ asset: whole.contract, amount: 3 })
  expect(
    (
      await s.seller.post('/api/paylinks', {
        card_id: s.card.id,
        asset: whole.contract,
        amount: 0.5,
      })
    ).body.code,
  ).toBe('invalid_amount')
  const three = await payIn(whole, 3n)
  const paid = await three.send()
  const good = await settled(
    third.code,
    await report(w, { link: third, txHash: paid, payer: three.payer }),
  )
  expect(good.body).toMatchObject({ status: 'SETTLED', amount: 3, decimals: 0 })
})

test('a transaction in no block makes no row; one that is not safe waits, and its job ends it', async () => {
  const link = await s.open()
  const payer = await payerWith()
  const unknown = `0x${'ab'.repeat(32)}`
  const first = await reportTo(w, link, await report(w, { link, txHash: unknown, payer }))
  expect(first.body).toMatchObject({ status: 'PENDING', settlement_id: null })
  const rows = await sql`select 1 from direct_settlements where tx_hash = ${unknown}`.execute(
    w.db.reader,
  )
  expect(rows.rows).toEqual([])
  const txHash = await pay(payer)
  const reply = await reportTo(w, link, await report(w, { link, txHash, payer }))
  expect(['PENDING', 'SETTLED']).toContain(reply.body.status)
  await w.safe()
  await w.advance(60)
  await w.runJobs()
  expect(await linkOf(link.code)).toMatchObject({ status: 'COMPLETED' })
})
