import { Type } from 'typebox'
import { checkKeyAmount } from '../../../api/http/caller.ts'
import {
  AmountOut,
  AtomicOut,
  HashField,
  NullableTimestamp,
  OneOf,
  Success,
  shownAmounts,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { normalHash } from '../../../chain/client/reads.ts'
import { AgreementBody, showAgreement } from '../../agreements/view.ts'
import { enrolmentOf } from '../enrolment.ts'
import { checkWholeWallet } from '../membership.ts'
import { houseOf } from '../state/state.ts'
import { endPeriodTask } from '../tasks.ts'
import {
  BillingPeriodField,
  MembershipBody,
  showAutoRenew,
  showMembership,
  TierField,
} from '../view.ts'
import { type Enrolled, endAutoRenew, enrolByBalance, type Wish } from './auto-renew.ts'
import {
  enrolByAllowance,
  type Permission,
  readPermission,
  reportedAllowance,
} from './by-allowance.ts'

const TAG = 'Membership'
const PERIODS_MAX = 24
/** A wait for an approval asks the chain some fifty times, and a wallet needs no money for it. */
const ENROLMENTS_PER_MINUTE = 30

const EnrolBody = Type.Object(
  {
    mode: Type.Optional(
      OneOf(['wallet'], 'wallet: paid by your allowance on chain. Without it: by your balance'),
    ),
    periods: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PERIODS_MAX,
        description: 'Without mode: periods to set money aside for; 1 without it',
      }),
    ),
    approve_tx: Type.Optional(HashField),
    tier: Type.Optional(TierField),
    billing_period: Type.Optional(BillingPeriodField),
  },
  { additionalProperties: false },
)

const EnrolledBody = Type.Object({
  success: Success,
  enrolled: Type.Boolean({ description: 'Whether the membership will be renewed' }),
  soft: Type.Optional(
    Type.Boolean({
      description:
        'true: an intent without money set aside; the balance pays at the end of the period',
    }),
  ),
  mode: Type.Optional(OneOf(['funded', 'wallet'], 'How it is paid or renewed')),
  already_enrolled: Type.Optional(
    Type.Boolean({ description: 'true: there was an enrolment before, and this is it' }),
  ),
  agreement: Type.Optional(AgreementBody),
  card_id: Type.Optional(Type.String({ description: 'Id of the card' })),
  reserve: Type.Optional(AmountOut),
  reserve_atomic: AtomicOut,
  periods_funded: Type.Optional(
    Type.Integer({ description: 'Periods for which money is set aside' }),
  ),
  price: Type.Optional(AmountOut),
  price_atomic: AtomicOut,
  next_charge_at: Type.Optional(
    NullableTimestamp('Start of the next period to be charged; null where none is'),
  ),
  allowance: Type.Optional(Type.Number({ description: 'Reported up to 1,000,000,000' })),
})

const enrol = keyRoute({
  method: 'POST',
  path: '/api/membership/auto-renew',
  tag: TAG,
  summary: 'Enroll in membership auto-renew',
  description:
    'Without mode, money for `periods` is set aside on an autopay card; where your balance covers none, an intent is recorded, and the balance pays at the end of the period. With mode wallet, your allowance to `operator` (GET /api/config) pays; 403 `approval_required` where it is too low. Another tier counts from the next period on.',
  scope: 'membership:write',
  perMinute: ENROLMENTS_PER_MINUTE,
  body: Type.Union([EnrolBody, Type.Null()], {
    description: 'Body of the request or answer, as text',
  }),
  response: EnrolledBody,
  attack: { capped: 'one agreement a wallet' },
  costs: { statements: 700, rows: 150, rpc: 1_800 },
  errors: ['approval_required', 'invalid_state', 'charge_in_flight', 'chain_unavailable'],
  handle: async ({ body, caller, at, services, write }) => {
    checkWholeWallet(caller)
    const { mode, periods, approve_tx, ...wanted } = body ?? {}
    const isWallet = mode === 'wallet'
    if (isWallet && periods !== undefined)
      throw misplaced('periods', 'counts periods to set money aside for. Leave it out with mode.')
    if (!isWallet && approve_tx !== undefined)
      throw misplaced('approve_tx', 'is for mode wallet. Send that too, or leave it out.')
    const { walletAddress } = caller
    const wish: Wish = {
      walletAddress,
      house: houseOf(services),
      periods: periods ?? 1,
      tier: wanted.tier,
      billingPeriod: wanted.billing_period,
      checkAmount: (value, asset) => checkKeyAmount(caller, value, asset),
    }
    const approveTx = approve_tx === undefined ? undefined : normalHash(approve_tx)
    const permission = isWallet
      ? await readPermission(services, at, { wish, approveTx })
      : undefined
    const answer = await write(async (tx) => {
      const enrolled = isWallet
        ? await enrolByAllowance(tx, at, { services, wish, permission })
        : await enrolByBalance(tx, at, wish)
      await beginIfDue(tx, at, { enrolled, walletAddress })
      reach('membership.before_enrol')
      return showEnrolled(services, { enrolled, permission })
    })
    reach('membership.after_enrol')
    return answer
  },
})

const misplaced = (param: string, why: string): Problem =>
  new Problem('invalid_field', `${param} ${why}`, { param })

/** The first charge of a wallet without a live membership is due at once. */
async function beginIfDue(
  tx: Tx,
  at: Date,
  { enrolled, walletAddress }: { enrolled: Enrolled; walletAddress: `0x${string}` },
): Promise<void> {
  if (enrolled.kind === 'soft' || !enrolled.isNew) return
  const { nextAttemptAt } = enrolled.agreement
  if (nextAttemptAt !== null && nextAttemptAt <= at)
    await enqueue(tx, endPeriodTask, { wallet: walletAddress })
}

function showEnrolled(
  services: Services,
  { enrolled, permission }: { enrolled: Enrolled; permission: Permission | undefined },
) {
  if (enrolled.kind === 'soft') return { success: true, enrolled: true, soft: true }
  const { agreement, isNew } = enrolled
  const house = houseOf(services)
  const { price, cardId } = enrolmentOf(agreement)
  const asset = house.assetOf(agreement.asset)
  const shown = {
    success: true,
    enrolled: true,
    mode: enrolled.kind,
    ...(isNew ? {} : { already_enrolled: true }),
    agreement: showAgreement(agreement, { viewer: agreement.payerWallet, asset }),
    ...shownAmounts({ price }, asset.decimals),
    next_charge_at: agreement.nextChargeAt?.toISOString() ?? null,
  }
  if (enrolled.kind === 'wallet')
    return permission ? { ...shown, allowance: reportedAllowance(services, permission) } : shown
  const { reserve } = enrolled
  const { periods_funded } = showAutoRenew(agreement, { reserve, house })
  return {
    ...shown,
    card_id: cardId ?? '',
    ...shownAmounts({ reserve }, asset.decimals),
    periods_funded,
  }
}

const end = keyRoute({
  method: 'DELETE',
  path: '/api/membership/auto-renew',
  tag: TAG,
  summary: 'End auto-renew; its reserve returns to your treasury balance',
  description:
    'The membership lasts to the end of its period; one that is past due ends at once. Refused with 409 while a charge is on its way on chain.',
  scope: 'membership:write',
  response: Type.Object({
    success: Success,
    membership: Type.Union([MembershipBody, Type.Null()], {
      description: 'The membership; null where there is none',
    }),
    returned: AmountOut,
    returned_atomic: AtomicOut,
  }),
  attack: 'none',
  costs: { statements: 1_200 },
  errors: ['invalid_state', 'charge_in_flight'],
  handle: ({ caller, at, services, write }) => {
    checkWholeWallet(caller)
    const house = houseOf(services)
    return write(async (tx) => {
      const { walletAddress } = caller
      const ended = await endAutoRenew(tx, at, { walletAddress, house })
      return {
        success: true,
        membership: ended.membership ? showMembership(ended.membership, { at, house }) : null,
        ...shownAmounts({ returned: ended.returned }, ended.asset.decimals),
      }
    })
  },
})

export const autoRenewRoutes: Route[] = [enrol, end]
