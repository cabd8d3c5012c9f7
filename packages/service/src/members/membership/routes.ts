import { Type } from 'typebox'
import { checkKeyAmount } from '../../api/http/caller.ts'
import { Success } from '../../api/http/fields.ts'
import { keyRoute, publicRoute, type Route } from '../../api/http/route.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { ZERO } from '../../base/kernel/money.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { findCard } from '../../money/cards/store.ts'
import { cancelMembership, resumeMembership } from './change/cancel.ts'
import { subscribe } from './change/subscribe.ts'
import { autoRenewRoutes } from './enrol/routes.ts'
import { checkWholeWallet } from './membership.ts'
import { offeredPlan } from './offered-plan.ts'
import type { Plan } from './plan.ts'
import { houseOf, readState } from './state/state.ts'
import { listPlans } from './store.ts'
import {
  AutoRenewBody,
  BillingPeriodField,
  MembershipBody,
  PlanBody,
  showAutoRenew,
  showMembership,
  showPlan,
  TierField,
} from './view.ts'

const TAG = 'Membership'
const Changed = Type.Object({ success: Success, membership: MembershipBody })

const plans = publicRoute({
  method: 'GET',
  path: '/api/membership/plans',
  tag: TAG,
  summary: 'The tiers of the membership, and what they cost',
  description: 'One entry for each tier, billing period and asset that it is paid in.',
  response: Type.Object({
    plans: Type.Array(PlanBody, { description: 'Every way to buy a membership' }),
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: [],
  handle: async ({ services }) => {
    const sold = await listPlans(services.db.reader, { isOffered: true })
    const house = houseOf(services)
    const isKnown = ({ asset }: Plan) => house.assets.some(({ symbol }) => symbol === asset)
    return { plans: sold.filter(isKnown).map((plan) => showPlan(plan, house)) }
  },
})

const read = keyRoute({
  method: 'GET',
  path: '/api/membership',
  tag: TAG,
  summary: 'Your membership and its auto-renew',
  description: 'Null for each that you do not have.',
  scope: 'membership:read',
  response: Type.Object({
    membership: Type.Union([MembershipBody, Type.Null()], {
      description: 'The membership; null where there is none',
    }),
    auto_renew: Type.Union([AutoRenewBody, Type.Null()], {
      description: 'How the membership is renewed',
    }),
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: [],
  handle: async ({ caller, at, services }) => {
    const { reader } = services.db
    const house = houseOf(services)
    const { membership, agreement } = await readState(reader, caller.walletAddress)
    const cardId = agreement?.payerCardId
    const card = cardId ? await findCard(reader, cardId) : undefined
    return {
      membership: membership ? showMembership(membership, { at, house }) : null,
      auto_renew: agreement
        ? showAutoRenew(agreement, { reserve: card?.available ?? ZERO, house })
        : null,
    }
  },
})

const pay = keyRoute({
  method: 'POST',
  path: '/api/membership/subscribe',
  tag: TAG,
  summary: 'Pay for a membership out of your treasury balance',
  description:
    'Pays the first period, or the due one of a membership that is past due. No fee is taken. An ACTIVE membership is refused: auto-renew pays for further periods.',
  scope: 'membership:write',
  body: Type.Object(
    {
      tier: TierField,
      billing_period: BillingPeriodField,
      payment_asset: Type.Optional(
        Type.String({ maxLength: 20, description: 'USDC without it; the plans list the others' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Changed,
  attack: 'none',
  costs: { statements: 2_000 },
  errors: ['insufficient_balance', 'invalid_asset', 'invalid_state', 'charge_in_flight'],
  handle: async ({ body, caller, at, services, write }) => {
    checkWholeWallet(caller)
    const house = houseOf(services)
    const asset = house.assetOf(body.payment_asset ?? defaultAsset(services.chain).symbol)
    const { tier, billing_period: billingPeriod } = body
    const answer = await write(async (tx) => {
      checkKeyAmount(caller, (await offeredPlan(tx, { tier, billingPeriod, asset })).price, asset)
      const { walletAddress } = caller
      const asked = { walletAddress, house, tier, billingPeriod, asset }
      const membership = await subscribe(tx, at, asked)
      reach('membership.before_subscribe')
      return { success: true, membership: showMembership(membership, { at, house }) }
    })
    reach('membership.after_subscribe')
    return answer
  },
})

const change = (
  said: { verb: 'cancel' | 'resume'; summary: string; description: string },
  work: typeof cancelMembership,
): Route => {
  const { verb, ...words } = said
  return keyRoute({
    method: 'POST',
    path: `/api/membership/${verb}`,
    tag: TAG,
    ...words,
    scope: 'membership:write',
    response: Changed,
    attack: 'none',
    costs: { statements: 1_200 },
    errors: ['invalid_state', 'charge_in_flight'],
    handle: ({ caller, at, services, write }) => {
      checkWholeWallet(caller)
      const house = houseOf(services)
      const { walletAddress } = caller
      return write(async (tx) => ({
        success: true,
        membership: showMembership(await work(tx, at, { walletAddress, house }), { at, house }),
      }))
    },
  })
}
const cancel = change(
  {
    verb: 'cancel',
    summary: 'End your membership with its current period',
    description: 'It stays ACTIVE until then, and nothing is charged any more.',
  },
  cancelMembership,
)
const resume = change(
  {
    verb: 'resume',
    summary: 'Undo a scheduled cancel while still in the period',
    description: 'Refused with 409 if nothing is scheduled, or the period is over.',
  },
  resumeMembership,
)

export const membershipRoutes: Route[] = [plans, read, pay, cancel, resume, ...autoRenewRoutes]
