import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { freshAccount } from '../../test/chain.ts'
import { type User, type World, world } from '../../test/world.ts'
import { readUsdcBalance } from '../chain/reads.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** The same user at another process of the service. */
const at = (w: World, user: User) => ({
  get: (path: string) => w.call('GET', path, undefined, { key: user.key }),
  withdraw: (body: object, idempotencyKey?: string) =>
    w.call('POST', '/api/withdraw', body, {
      key: user.key,
      headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
    }),
})

async function completed(w: World, user: User, id: string) {
  for (let tries = 0; tries < 80; tries++) {
    await w.advance(0)
    await w.runJobs()
    const { body } = await at(w, user).get(`/api/withdrawals?id=${id}`)
    if (body.withdrawals[0].status !== 'PROCESSING') return body.withdrawals[0]
    await sleep(150)
  }
  throw new Error(`${id} never ended`)
}

/** A wallet with 100 USDC, a backup, and 10 of it paid out to a stranger after the backup. */
async function paidAfterBackup() {
  const w = await world()
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  const user = await w.user({ treasury: 100 })
  const payee = (await freshAccount()).address
  const ask = { amount: '10', to_address: payee }
  const backup = await w.backup()
  const made = await at(w, user).withdraw(ask, 'order-1')
  expect(made.status, made.text).toBe(200)
  const first = await completed(w, user, made.body.withdrawal_id)
  expect(first.status).toBe('COMPLETED')
  const restored = await backup.restore()
  stack.defer(() => restored[Symbol.asyncDispose]())
  return { restored, user, payee, ask, first, received: () => readUsdcBalance(w.chain, payee) }
}

test('a withdrawal that a restored backup has forgotten is found on chain when it is asked for again', async () => {
  const { restored, user, ask, first, received } = await paidAfterBackup()
  const again = await at(restored, user).withdraw(ask, 'order-1')
  expect(again.status, again.text).toBe(200)
  const found = await completed(restored, user, again.body.withdrawal_id)
  expect(found).toMatchObject({ status: 'COMPLETED', tx_hash: first.tx_hash, amount: 10 })
  expect(await received()).toBe(9_950_000n)
  expect((await at(restored, user).get('/api/balance')).body.balances[0].available).toBe(90)
  expect(await restored.faults()).toEqual([])
})
