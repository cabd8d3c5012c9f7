import { expect, test } from 'vitest'
import { asIssuer } from '../../../../test/actors/ap2/issuer.ts'
import { eventsOf } from '../../../../test/events-of.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { amount } from '../../../base/kernel/money.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { readLiabilities } from '../../ledger/verify/verify.ts'

const SOMEONE: Address = '0x52908400098527886E0F7030069857D2E4169EE7'

async function withdrawn(user: User, body: object): Promise<string> {
  const reply = await user.post('/api/withdraw', body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.withdrawal_id as string
}

const listed = async (user: User, query = '') =>
  (await user.get(`/api/withdrawals${query}`)).body.withdrawals

const untilCompleted = (w: World, user: User, ids: string[]) =>
  w.workUntil(
    () => listed(user),
    (rows: { id: string; status: string }[]) =>
      ids.every((id) => rows.find((row) => row.id === id)?.status === 'COMPLETED'),
  )

const available = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].available

/** Books and chain agree to the unit: the treasury holds what is owed, and nothing is on its way. */
async function expectBooksToMatch(w: World): Promise<void> {
  expect(await w.faults()).toEqual([])
  const [books] = await readLiabilities(w.db.reader)
  expect(books).toMatchObject({ outbound: 0n, custody: await w.treasuryOnChain() })
}

test('a withdrawal pays the wallet, keeps its fee, and books and chain agree to the unit', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const reply = await user.post('/api/withdraw', { amount: '4.000001' })
  expect([reply.status, reply.body], reply.text).toEqual([
    200,
    {
      success: true,
      withdrawal_id: expect.stringMatching(/^wd_[0-9a-z]{26}$/),
      amount: 4.000001,
      withdrawal_fee: 0.05,
      net_amount: 3.950001,
      status: 'PROCESSING',
      balance: (await user.get('/api/balance')).body.balances[0],
    },
  ])
  expect(reply.body.balance.available).toBe(5.999999)
  const id = reply.body.withdrawal_id
  const shown = {
    id,
    wallet_address: user.wallet,
    chain: 'eip155',
    asset: 'USDC',
    network: w.chain.network,
    amount: 4.000001,
    fee_amount: 0.05,
    net_amount: 3.950001,
    to_address: user.wallet,
    status: 'PROCESSING',
    tx_hash: null,
    reason: null,
    created_at: expect.any(String),
    completed_at: null,
  }
  expect(await listed(user)).toEqual([shown])

  await untilCompleted(w, user, [id])
  const [row] = await listed(user, `?id=${id}`)
  const tx_hash = await w.lastTransferTo(user.account.address)
  expect(row).toEqual({ ...shown, status: 'COMPLETED', tx_hash, completed_at: expect.any(String) })
  expect(await readAssetBalance(w.chain, user.account.address)).toBe(3_950_001n)
  expect(await w.treasuryOnChain()).toBe(6_049_999n)
  await expectBooksToMatch(w)
  const { balances } = (await user.get('/api/balance')).body
  expect(balances).toMatchObject([{ total_withdrawn: 4.000001, available: 5.999999 }])
  const events = await eventsOf(w.db.reader, id)
  expect(events.map(({ type, data }) => [type, data.status, data.tx_hash])).toEqual([
    ['withdrawal.processing', 'PROCESSING', null],
    ['withdrawal.completed', 'COMPLETED', tx_hash],
  ])
})

test('withdrawals at once never take more than there is, and each is paid once', async () => {
  await using w = await world()
  await w.withGas()
  const user = await w.user({ treasury: 10 })
  const replies = await Promise.all(
    Array.from({ length: 12 }, () =>
      user.post('/api/withdraw', { amount: 2, to_address: user.wallet.toLowerCase() }),
    ),
  )
  const taken = replies.filter(({ status }) => status === 200)
  expect(taken).toHaveLength(5)
  expect(taken.map(({ body }) => body.balance.available).sort()).toEqual([0, 2, 4, 6, 8])
  for (const { status, body } of replies.filter((reply) => !taken.includes(reply)))
    expect([status, body]).toMatchObject([
      403,
      { code: 'insufficient_balance', available: 0, requested: 2, withdrawal_fee: 0.05 },
    ])
  await untilCompleted(
    w,
    user,
    taken.map(({ body }) => body.withdrawal_id),
  )
  expect(await readAssetBalance(w.chain, user.account.address)).toBe(9_750_000n)
  expect(await w.treasuryOnChain()).toBe(250_000n)
  await expectBooksToMatch(w)
})

test('one Idempotency-Key withdraws once', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const send = (amount: number) =>
    user.post('/api/withdraw', { amount }, { headers: { 'idempotency-key': 'rent' } })
  const race = await Promise.all([send(2), send(2), send(2), send(2)])
  for (const { status, body } of race)
    expect(status === 200 || body.code === 'idempotency_in_progress').toBe(true)
  const again = await send(2)
  expect([again.status, again.headers['idempotency-hit']]).toEqual([200, 'true'])
  const other = await send(3)
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  expect(await listed(user)).toMatchObject([{ id: again.body.withdrawal_id, amount: 2 }])
  expect(await available(user)).toBe(8)
})

test('an amount that is too small, too fine or too large moves nothing', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const limits = { withdrawal_fee: 0.05, minimum_withdrawal: 1, network: w.chain.network }
  for (const amount of [0, 0.05, '0.999999']) {
    const { status, body } = await user.post('/api/withdraw', { amount })
    expect([status, body]).toMatchObject([400, { code: 'invalid_amount', ...limits }])
  }
  for (const amount of [-1, '1.0000001', 'NaN', 1e10, '']) {
    const { status, body } = await user.post('/api/withdraw', { amount })
    expect([status, body.code]).toEqual([400, 'invalid_amount'])
  }
  const above = await user.post('/api/withdraw', { amount: '10.000001' })
  expect([above.status, above.body]).toMatchObject([
    403,
    { code: 'insufficient_balance', available: 10, requested: 10.000001, withdrawal_fee: 0.05 },
  ])
  for (const [body, code] of [
    [{ amount: 2, network: 'eip155:1' }, 'invalid_network'],
    [{ amount: 2, asset: 'EURC' }, 'invalid_asset'],
    [{}, 'missing_field'],
  ] as const)
    expect((await user.post('/api/withdraw', body)).body.code).toBe(code)
  expect([await available(user), await listed(user)]).toEqual([10, []])
})

test('what the fee would eat up is refused, even where the minimum allows it', async () => {
  const withdrawal = { fee: amount(2_000_000n), minimum: amount(1_000_000n) }
  await using w = await world({ settings: { withdrawal } })
  const user = await w.user({ treasury: 10 })
  const { status, body } = await user.post('/api/withdraw', { amount: 2 })
  expect([status, body]).toMatchObject([400, { code: 'invalid_amount', withdrawal_fee: 2 }])
  const least = await user.post('/api/withdraw', { amount: '2.000001' })
  expect([least.status, least.body.net_amount]).toEqual([200, 0.000001])
})

test('an address that would lose the money or send it in a circle is refused', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { card } = (await user.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body
  const link = (await user.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const deposit = w.chain.depositSigner(link.id).address
  const blacklisted = randomHex(20)
  await asIssuer(
    { rpcUrl: w.rpcUrl, asset: w.chain.asset },
    { functionName: 'blacklist', args: [blacklisted] },
  )
  const relayer = w.chain.relayers[0]!.address
  const misspelt = user.wallet.replace(/[a-f]/i, (c) =>
    c < 'a' ? c.toLowerCase() : c.toUpperCase(),
  )
  const treasury = w.chain.treasury.address
  for (const to_address of [
    `0x${'0'.repeat(40)}`,
    w.chain.asset.contract,
    treasury,
    treasury.toLowerCase(),
    relayer,
    deposit,
    deposit.toUpperCase().replace('0X', '0x'),
    blacklisted,
    '0x1234',
    'purser.eth',
    '',
    misspelt,
  ]) {
    const { status, body } = await user.post('/api/withdraw', { amount: 2, to_address })
    expect([to_address, status, body.code, body.param]).toEqual([
      to_address,
      400,
      'invalid_address',
      'to_address',
    ])
  }
  expect([await available(user), await listed(user)]).toEqual([9, []])
  for (const to_address of [SOMEONE, SOMEONE.toLowerCase()])
    expect((await user.post('/api/withdraw', { amount: 2, to_address })).status).toBe(200)
  expect(await listed(user)).toMatchObject([{ to_address: SOMEONE }, { to_address: SOMEONE }])
})

test('a restricted key withdraws within its scope and amount, and not if it is for some cards', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 10 })
  const { card } = (await user.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body
  const keyOf = async (limits: object): Promise<string> => {
    const made = await user.post('/api/keys/restricted', { name: 'agent', ...limits })
    expect(made.status, made.text).toBe(200)
    return made.body.api_key
  }
  const withdraw = async (limits: object, amount: number) =>
    user.post('/api/withdraw', { amount }, { key: await keyOf(limits) })
  const scopes = ['treasury:write']
  for (const reply of [
    await withdraw({ scopes: ['treasury:read', 'cards:write'] }, 2),
    await withdraw({ scopes, max_amount: 2 }, 2.000001),
    await withdraw({ scopes, card_ids: [card.id] }, 2),
  ])
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden_scope'])
  expect(await available(user)).toBe(9)
  expect((await withdraw({ scopes, max_amount: 2 }, 2)).status).toBe(200)
})

test('a wallet sees its own withdrawals alone, by id, by status, the newest fifty', async () => {
  await using w = await world()
  const [mine, theirs] = await Promise.all([w.user({ treasury: 60 }), w.user({ treasury: 60 })])
  const foreign = await withdrawn(theirs, { amount: 1 })
  const ids: string[] = []
  for (let i = 0; i < 51; i++) ids.push(await withdrawn(mine, { amount: 1 }))
  const shown = (await listed(mine)).map(({ id }: { id: string }) => id)
  expect(shown).toEqual(ids.slice(1).toReversed())
  expect(await listed(mine, `?id=${ids[0]}`)).toMatchObject([{ id: ids[0] }])
  expect(await listed(mine, `?id=${ids[0]}&status=PROCESSING`)).toHaveLength(1)
  expect(await listed(mine, `?id=${ids[0]}&status=FAILED`)).toEqual([])
  for (const query of [`?id=${foreign}`, '?id=wd_no', '?status=COMPLETED'])
    expect(await listed(mine, query)).toEqual([])
  for (const query of ['?status=processing', '?status=', '?status=DONE', '?page=2']) {
    const { status } = await mine.get(`/api/withdrawals${query}`)
    expect([query, status]).toEqual([query, 400])
  }
})
