import { expect, test } from 'vitest'
import { type User, type World, world } from '../../test/world.ts'
import { readUsdcBalance } from '../chain/reads.ts'
import { all, sql } from '../db/sql.ts'
import type { Address } from '../kernel/assets.ts'
import { amount } from '../kernel/money.ts'
import { readAllowance } from '../relay/pull/allowance.ts'
import { carryPull } from './carry.ts'
import { requestPull } from './pull.ts'
import { findPull } from './store.ts'

const PRICE = 19_000_000n

/** A wallet with USDC on chain that has approved the world's contract. */
async function payer(w: World, of: { usdc?: number; allowed?: bigint } = {}): Promise<User> {
  const user = await w.user({ usdc: of.usdc ?? 40 })
  const allowed = of.allowed ?? PRICE * 2n
  if (allowed > 0n) {
    await w.mined(await w.approve(user.account, { spender: w.chain.settler!, value: allowed }))
  }
  return user
}

let charges = 0
const request = (w: World, user: User, of: { period?: string; agreementId?: string } = {}) => {
  const chargeId = `chg_${++charges}`
  const periodKey = of.period ?? 'p1'
  const agreementId = of.agreementId ?? `agr_${user.wallet}`
  return w
    .write((tx) =>
      requestPull(tx, w.now(), {
        ...{ chargeId, agreementId, periodKey },
        ...{ walletAddress: user.wallet as Address, amount: amount(PRICE), asset: w.chain.asset },
      }),
    )
    .then(() => chargeId)
}

async function untilEnded(w: World, chargeId: string) {
  for (let tries = 0; tries < 60; tries++) {
    await carryPull(w.services, w.now(), chargeId)
    const pull = await findPull(w.db.reader, chargeId)
    if (pull && (pull.isSafe || pull.state === 'failed' || pull.state === 'missing')) return pull
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  throw new Error(`the pull ${chargeId} never ended`)
}

const revenue = async (w: World): Promise<bigint> => {
  const rows = await all<{ sum: bigint }>(
    w.db.reader,
    sql`select coalesce(sum(p.posted), 0) as sum from ledger_accounts a join ledger_house_parts p on p.account_id = a.id
      where a.kind = 'membership_revenue'`,
  )
  return rows[0]?.sum ?? 0n
}

test('an allowance pays one charge, and its money is revenue and no deposit', async () => {
  await using w = await world({ pulls: true })
  await w.withGas()
  const user = await payer(w)
  const { body } = await user.get('/api/config')
  expect(body.operator).toBe(w.chain.settler)
  expect(await readAllowance(w.chain, user.wallet as Address)).toEqual({
    ...{ allowance: PRICE * 2n, operator: w.chain.settler },
  })
  const id = await request(w, user)
  const pull = await untilEnded(w, id)
  expect(pull).toMatchObject({ state: 'confirmed', isSafe: true, attempts: 1 })
  expect(await readUsdcBalance(w.chain, user.wallet as Address)).toBe(21_000_000n)
  expect(await w.treasuryOnChain()).toBe(PRICE)
  expect(await revenue(w)).toBe(PRICE)
  expect(await w.faults()).toEqual([])
})
