import { afterEach, expect, test } from 'vitest'
import { endedWithdrawal as completed } from '../../../../test/actors/tokens/ended-withdrawal.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { orderPayouts } from '../../../run/operate/commands/payouts.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

const withdraw = (user: User, body: object, idempotencyKey?: string) =>
  user.post('/api/withdraw', body, {
    headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
  })

/** A wallet with 100 USDC, a backup, and 10 USDC paid out to a stranger after the backup. */
async function paidAfterBackup() {
  const w = await world()
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  const user = await w.user({ treasury: 100 })
  const payee = (await freshAccount()).address
  const ask = { amount: '10', to_address: payee }
  const backup = await w.backup()
  const made = await withdraw(user, ask, 'order-1')
  expect(made.status, made.text).toBe(200)
  const first = await completed(w, user, made.body.withdrawal_id)
  expect(first.status).toBe('COMPLETED')
  const restored = await backup.restore()
  stack.defer(() => restored[Symbol.asyncDispose]())
  return { restored, user, payee, ask, first, received: () => readAssetBalance(w.chain, payee) }
}

test('a withdrawal that a restored backup has forgotten is found on chain when it is asked for again', async () => {
  const { restored, user, ask, first, received } = await paidAfterBackup()
  const again = await withdraw(restored.as(user), ask, 'order-1')
  expect(again.status, again.text).toBe(200)
  const found = await completed(restored, user, again.body.withdrawal_id)
  expect(found).toMatchObject({ status: 'COMPLETED', tx_hash: first.tx_hash, amount: 10 })
  expect(await received()).toBe(9_950_000n)
  expect((await restored.as(user).get('/api/balance')).body.balances[0].available).toBe(90)
  expect(await restored.faults()).toEqual([])
})

test('a key that is used again after its time pays again', async () => {
  const w = await world()
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  const user = await w.user({ treasury: 100 })
  const payee = (await freshAccount()).address
  const ask = { amount: '10', to_address: payee }
  for (let time = 0; time < 2; time++) {
    const made = await withdraw(user, ask, 'monthly')
    expect(made.status, made.text).toBe(200)
    expect(made.headers['idempotency-hit']).toBeUndefined()
    expect((await completed(w, user, made.body.withdrawal_id)).status).toBe('COMPLETED')
    await w.advance(49 * 3600)
    await w.runJobs()
  }
  expect(await readAssetBalance(w.chain, payee)).toBe(19_900_000n)
})

test('after a restore no other payout is signed until custody is whole, or an operator releases payouts', async () => {
  const { restored, user, ask } = await paidAfterBackup()
  const other = { amount: '5', to_address: (await freshAccount()).address }
  const refused = await withdraw(restored.as(user), other)
  expect(refused).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
  expect(refused.body.error).toContain('9.95 USDC less')
  expect(refused.headers['retry-after']).toBe('60')
  expect((await restored.as(user).get('/api/balance')).body.balances[0].available).toBe(100)

  const again = await withdraw(restored.as(user), ask, 'order-1')
  await completed(restored, user, again.body.withdrawal_id)
  await restored.runJobs({ compares: true })
  const allowed = await withdraw(restored.as(user), other)
  expect(allowed.status, allowed.text).toBe(200)
})

test('a release accepts the shortage of now and no larger one', async () => {
  const { restored, user } = await paidAfterBackup()
  const books = { db: restored.db, chain: restored.chain }
  const other = { amount: '5', to_address: (await freshAccount()).address }
  expect((await withdraw(restored.as(user), other)).status).toBe(503)
  await orderPayouts(books, restored.now(), { kind: 'release', note: 'the loss is ours' })
  const released = await withdraw(restored.as(user), other)
  expect(released.status, released.text).toBe(200)

  await orderPayouts(books, restored.now(), { kind: 'stop', note: 'looking at it' })
  expect((await withdraw(restored.as(user), other)).body.code).toBe('payouts_held')

  await orderPayouts(books, restored.now(), { kind: 'release', note: 'the loss is ours' })
  await restored.write((tx) =>
    sql`update reconciliations set on_chain = on_chain - 1, difference = difference - 1`.execute(
      tx,
    ),
  )
  expect((await withdraw(restored.as(user), other)).body.code).toBe('payouts_held')
  await expect(orderPayouts(books, restored.now(), { kind: 'release', note: ' ' })).rejects.toThrow(
    '--note',
  )
})

test('two requests of one key at two machines pay once', async () => {
  const w = await world()
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  const user = await w.user({ treasury: 100 })
  const second = await w.machine()
  stack.defer(() => second[Symbol.asyncDispose]())
  const ask = { amount: '10', to_address: (await freshAccount()).address }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => withdraw((i % 2 ? w : second).as(user), ask, 'once')),
  )
  const made = answers.filter(({ status }) => status === 200)
  expect(new Set(made.map(({ body }) => body.withdrawal_id)).size).toBe(1)
  for (const { status, body } of answers)
    if (status !== 200) expect(body.code).toBe('idempotency_in_progress')
  expect((await user.get('/api/balance')).body.balances[0].available).toBe(90)
})
