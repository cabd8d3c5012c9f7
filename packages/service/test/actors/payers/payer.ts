import { all, sql } from '../../../src/base/db/sql.ts'
import type { Address } from '../../../src/base/kernel/assets.ts'
import { amount } from '../../../src/base/kernel/money.ts'
import { carryPull } from '../../../src/money/pulls/carry.ts'
import { requestPull } from '../../../src/money/pulls/pull.ts'
import { findPull, type Pull } from '../../../src/money/pulls/store.ts'
import { until } from '../../until.ts'
import type { User, World } from '../../world.ts'

/** Base units of the charges below. */
export const PRICE = 19_000_000n

/** A wallet with USDC on chain that lets the world's BatchSettler take some of it. */
export async function payer(
  w: World,
  { usdc = 40, allowed = PRICE * 2n }: { usdc?: number; allowed?: bigint } = {},
): Promise<User> {
  const user = await w.user({ usdc })
  if (allowed > 0n)
    await w.mined(await w.approve(user.account, { spender: w.chain.settler!, value: allowed }))
  return user
}

let charges = 0

/** Requests that the wallet pays a charge. Returns the charge's id. */
export async function requested(
  w: World,
  user: User,
  { chargeId = `chg_${++charges}`, period = 'p1' }: { chargeId?: string; period?: string } = {},
): Promise<string> {
  await w.write((tx) =>
    requestPull(tx, w.now(), {
      ...{ chargeId, agreementId: `agr_${user.wallet}`, periodKey: period },
      ...{ walletAddress: user.wallet as Address, amount: amount(PRICE), asset: w.chain.asset },
    }),
  )
  return chargeId
}

/** Carries the pull until nothing is left to do. */
export async function untilEnded(w: World, chargeId: string): Promise<Pull> {
  const { pull } = await until(
    async () => {
      const isOver = await carryPull(w.services, w.now(), chargeId)
      return { isOver, pull: await findPull(w.db.reader, chargeId) }
    },
    ({ isOver, pull }) => isOver && pull !== undefined,
  )
  return pull!
}

/** The revenue of memberships in the books. */
export async function revenue(w: World): Promise<bigint> {
  const [row] = await all<{ sum: bigint }>(
    w.db.reader,
    sql`select coalesce(sum(p.posted), 0) as sum from ledger_accounts a join ledger_house_parts p on p.account_id = a.id
      where a.kind = 'membership_revenue'`,
  )
  return row?.sum ?? 0n
}
