import type { Reader } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { BillingPeriod, Plan, Tier } from './plan.ts'
import { findPlan } from './store.ts'

/** The plan, if it is sold. */
export async function offeredPlan(
  on: Reader,
  { tier, billingPeriod, asset }: { tier: Tier; billingPeriod: BillingPeriod; asset: Asset },
): Promise<Plan> {
  const plan = await findPlan(on, { tier, billingPeriod, asset: asset.symbol })
  if (plan?.isOffered) return plan
  throw new Problem(
    'invalid_field',
    `The tier ${tier} is not sold by the ${billingPeriod} in ${asset.symbol}. GET /api/membership/plans lists what is.`,
    { param: 'tier' },
  )
}
