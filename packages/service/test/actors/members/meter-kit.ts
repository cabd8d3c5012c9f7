import { run, sql } from '../../../src/base/db/sql.ts'
import { newId } from '../../../src/base/kernel/ids.ts'
import { meterSettlement } from '../../../src/members/meter/meter.ts'
import type { User, World } from '../../world.ts'

const YEAR_PRICE = 190_000_000n

/** Buys the wallet a year of the tier `starter`, with money that it gets for it. */
export async function join(w: World, user: Pick<User, 'wallet' | 'post'>): Promise<void> {
  await w.credit(user.wallet, YEAR_PRICE)
  const plan = { tier: 'starter', billing_period: 'year' }
  const paid = await user.post('/api/membership/subscribe', plan)
  if (paid.status !== 200) throw new Error(paid.text)
}

/** Writes a membership in this state down without a payment: the books of such a world show a fault. */
export const joinAs = (w: World, { wallet }: Pick<User, 'wallet'>, status: string) =>
  w.write(async (tx) => {
    const at = w.now()
    await run(
      tx,
      sql`insert into membership_wallets (wallet_address) values (${wallet}) on conflict do nothing`,
    )
    await run(
      tx,
      sql`insert into memberships (wallet_address, tier, billing_period, asset, network, status, price, anchor, months,
          current_period_start, current_period_end, cancel_at_period_end, auto_renew, last_payment_id, created_at, updated_at)
        values (${wallet}, 'starter', 'year', 'USDC', ${w.chain.asset.network}, ${status}, 190000000, ${at}, 0, ${at},
          months_after(${at}, 12), false,
          ${status === 'PAST_DUE'}, 'stl_1', ${at}, ${at})`,
    )
  })

/** Has the tier `starter` give so many settlements a month for nothing, and ask so many base units for each one above. */
export const setPlan = (w: World, quota: number, overage: number) =>
  w.write((tx) =>
    run(
      tx,
      sql`update plans set direct_quota = ${quota}, overage_fee = ${overage} where tier = 'starter'`,
    ),
  )

/** Meters settlements of the wallet, each in a transaction of its own, all at once. */
export const meter = (w: World, { wallet }: Pick<User, 'wallet'>, count = 1) =>
  Promise.all(Array.from({ length: count }, () => meterOne(w, wallet, newId('stl', w.now()))))

export const meterOne = (w: World, walletAddress: string, settlementId: string) =>
  w.write((tx) =>
    meterSettlement(tx, w.now(), {
      ...{ walletAddress, settlementId, asset: w.chain.asset },
      worth: 'named',
    }),
  )
