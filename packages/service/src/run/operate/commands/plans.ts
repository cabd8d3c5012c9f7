import type { Db } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import {
  type Amount,
  formatAmount,
  parseAmount,
  parsePositiveAmount,
} from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { assetsOf } from '../../../chain/client/rails.ts'
import {
  BILLING_PERIODS,
  type Plan,
  type PlanName,
  TIERS,
} from '../../../members/membership/plan.ts'
import { listPlans, savePlan, withdrawPlan } from '../../../members/membership/store.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

type Books = { db: Db; chain: Chain }
const ORDER = 'plans set <tier> <period> <asset> <price> <quota> <overage>'

/** Whether these are the words of an order: none, `set` with six, or `withdraw` with three. */
export const isPlansOrder = ([verb, ...words]: readonly string[]): boolean =>
  verb === undefined ||
  (verb === 'set' && words.length === 6) ||
  (verb === 'withdraw' && words.length === 3)

/**
 * Does an order, and answers the plans after it. A price counts from the next subscription and enrolment on: who is enrolled
 * keeps the price that was agreed on. Throws a sentence for an order that means nothing.
 */
export async function orderPlans(
  { db, chain }: Books,
  at: Date,
  [verb, ...words]: readonly string[],
): Promise<Plan[]> {
  const assets = assetsOf(chain)
  if (verb === 'set') {
    const plan = readPlan(words, assets)
    await db.write(async (tx) => {
      await savePlan(tx, at, plan)
      await noteCommand(tx, at, { act: 'plan.set', subject: nameOf(plan) })
    })
  }
  if (verb === 'withdraw') {
    const name = readName(words, assets)
    const isGone = await db.write(async (tx) => {
      const was = await withdrawPlan(tx, at, name)
      if (was) await noteCommand(tx, at, { act: 'plan.withdrawn', subject: nameOf(name) })
      return was
    })
    if (!isGone)
      throw new StartError(
        'There is no such plan to withdraw: purser plans shows those that are sold.',
      )
  }
  return listPlans(db.reader)
}

const nameOf = ({ tier, billingPeriod, asset }: PlanName): string =>
  `${tier} ${billingPeriod} ${asset}`

function readName([tierWord, periodWord, symbol]: readonly string[], assets: Asset[]): PlanName {
  const tier = TIERS.find((one) => one === tierWord)
  const billingPeriod = BILLING_PERIODS.find((one) => one === periodWord)
  const asset = assets.find((one) => one.symbol === symbol)
  if (tier && billingPeriod && asset) return { tier, billingPeriod, asset: asset.symbol }
  const symbols = assets.map((one) => one.symbol).join(', ')
  throw new StartError(
    `A plan is a tier (${TIERS.join(', ')}), a period (${BILLING_PERIODS.join(', ')}) and an asset (${symbols}): ${ORDER}.`,
  )
}

function readPlan(words: readonly string[], assets: Asset[]): Plan {
  const name = readName(words, assets)
  const [, , , price = '', quota = '', overage = ''] = words
  const decimalsOf = (symbol: string) => assets.find((one) => one.symbol === symbol)?.decimals ?? 6
  if (!/^\d{1,9}$/.test(quota))
    throw new StartError(`"${quota}" is no quota: give a whole number of settlements a month.`)
  return {
    ...name,
    price: read(() => parsePositiveAmount(price, decimalsOf(name.asset), 'The price')),
    directQuota: BigInt(quota),
    overageFee: read(() => parseAmount(overage, decimalsOf('USDC'), 'The overage fee')),
    isOffered: true,
  }
}

function read(parse: () => Amount): Amount {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Problem) throw new StartError(error.message)
    throw error
  }
}

const shown = ({ chain }: Books, plan: Plan) => {
  const decimalsOf = (symbol: string) =>
    assetsOf(chain).find((one) => one.symbol === symbol)?.decimals ?? 0
  return {
    tier: plan.tier,
    billing_period: plan.billingPeriod,
    payment_asset: plan.asset,
    price: formatAmount(plan.price, decimalsOf(plan.asset)),
    direct_quota: Number(plan.directQuota),
    overage_fee: formatAmount(plan.overageFee, decimalsOf('USDC')),
    is_offered: plan.isOffered,
  }
}

/** The plans for a person. */
export const plansText = (books: Books, plans: readonly Plan[]): string =>
  plans
    .map((plan) => shown(books, plan))
    .map(
      (one) =>
        `${one.tier}  ${one.billing_period}  ${one.price} ${one.payment_asset}  ${one.direct_quota} DIRECT settlements a month, then ${one.overage_fee} USDC each${one.is_offered ? '' : '  (not sold)'}`,
    )
    .join('\n')

/** The plans for a program. */
export const plansJson = (books: Books, plans: readonly Plan[]): string =>
  JSON.stringify({ plans: plans.map((plan) => shown(books, plan)) }, null, 2)
