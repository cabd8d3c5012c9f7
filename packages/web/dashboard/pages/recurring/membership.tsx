import { useQuery } from '@tanstack/react-query'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Table } from '../../parts/lists/table.tsx'
import { Sum, Time, useExact } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

type State = Awaited<ReturnType<typeof purser.membership.get>>
type Plan = Awaited<ReturnType<typeof purser.membership.plans>>['plans'][number]

const renew = () =>
  Promise.all(
    ['membership', 'balance', 'fees', 'agreements', 'cards'].map((key) =>
      queries.invalidateQueries({ queryKey: [key] }),
    ),
  )

/** The tier of the wallet, what renews it, and the tiers that there are. */
export function Membership() {
  const membership = useQuery({ queryKey: ['membership'], queryFn: () => purser.membership.get() })
  return (
    <Loaded query={membership}>
      {(state) => (
        <div className="grid gap-4">
          {state.membership === null ? (
            <Empty title="You have no membership">
              <p>A tier has direct payments without a fee, and may have lower fees.</p>
            </Empty>
          ) : (
            <Mine membership={state.membership} renewal={state.auto_renew} />
          )}
          <Plans state={state} />
        </div>
      )}
    </Loaded>
  )
}

const WAYS: Readonly<Record<string, string>> = {
  funded: 'from money that is set aside, then from your treasury balance',
  soft: 'from your treasury balance, if it covers the price then',
  wallet: 'from your wallet, by its allowance on the chain',
}

function Mine({
  membership: now,
  renewal,
}: {
  membership: NonNullable<State['membership']>
  renewal: State['auto_renew']
}) {
  const isOver = now.status === 'EXPIRED'
  return (
    <div className="grid gap-3">
      <Lines>
        <Line name="Tier">
          {now.tier}, by the {now.billing_period}
        </Line>
        <Line name="State">
          <Badge state={now.status} />
        </Line>
        <Line name={isOver ? 'Ended' : 'Paid until'}>
          <Time at={now.current_period_end} isWhole />
        </Line>
        <Line name="Paid for this period">
          <Sum of={now} field="price" hasAsset />
        </Line>
        <Line name="Renewed">
          {now.cancel_at_period_end
            ? 'no: it ends with this period'
            : renewal
              ? `by itself, ${WAYS[renewal.mode] ?? renewal.mode}`
              : 'by hand'}
        </Line>
        {renewal && renewal.reserve > 0 && (
          <Line name="Set aside">
            <Sum of={{ ...renewal, asset: now.payment_asset }} field="reserve" hasAsset />, for{' '}
            {renewal.periods_funded === 1 ? 'one period' : `${renewal.periods_funded} periods`}
          </Line>
        )}
        {renewal?.next_charge_at && (
          <Line name="Next charge">
            <Time at={renewal.next_charge_at} isWhole />
          </Line>
        )}
      </Lines>
      <div className="flex flex-wrap gap-2">
        {renewal ? <EndRenewal key="end" /> : <Enrol key="enrol" plan={now} />}
        {!isOver && (now.cancel_at_period_end ? <Resume key="resume" /> : <Cancel key="cancel" />)}
      </div>
    </div>
  )
}

type Tier = Pick<Plan, 'tier' | 'billing_period'>

const Enrol = ({
  plan: { tier, billing_period },
  label = 'Renew it by itself',
}: {
  plan: Tier
  label?: string
}) => (
  <FormDialog
    label={label}
    title={`Renew by itself, as ${tier} by the ${billing_period}?`}
    submit="Renew it by itself"
    act={async (given, idempotencyKey) => {
      const periods = Number(given('periods') || 1)
      await purser.membership.autoRenew({ tier, billing_period, periods }, { idempotencyKey })
      await renew()
    }}
  >
    <Field
      name="periods"
      label="Periods to set money aside for"
      type="number"
      min={1}
      max={24}
      defaultValue={1}
      required
      hint="The money leaves your treasury balance now, and comes back if you end this. Where the balance covers no period, it pays at the end of this one."
    />
  </FormDialog>
)

const EndRenewal = () => (
  <AskButton
    label="Renew it no more"
    title="End the renewal by itself?"
    act={async (idempotencyKey) => {
      await purser.membership.endAutoRenew({ idempotencyKey })
      await renew()
    }}
  >
    What was set aside returns to your treasury balance. The membership lasts to the end of its
    period; one that is past due ends now.
  </AskButton>
)

const Cancel = () => (
  <AskButton
    label="Cancel it"
    look="danger"
    title="End the membership with this period?"
    act={async (idempotencyKey) => {
      await purser.membership.cancel({ idempotencyKey })
      await renew()
    }}
  >
    It stays as it is until then, and nothing is charged any more. You can take this back while the
    period lasts.
  </AskButton>
)

const Resume = () => (
  <AskButton
    label="Keep it"
    look="main"
    title="Keep the membership?"
    act={async (idempotencyKey) => {
      await purser.membership.resume({ idempotencyKey })
      await renew()
    }}
  >
    It no longer ends with this period.
  </AskButton>
)

function Plans({ state }: { state: State }) {
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => purser.membership.plans() })
  const mine = state.membership?.status === 'EXPIRED' ? null : state.membership
  return (
    <Loaded query={plans}>
      {(found) => (
        <Table
          caption="The tiers and what they cost"
          columns={[
            {
              title: 'Tier',
              cell: ({ tier, billing_period }) => `${tier}, by the ${billing_period}`,
            },
            {
              title: 'Free direct payments',
              isNumber: true,
              isWide: true,
              cell: ({ direct_quota }) => `${direct_quota.toLocaleString('en')} a month`,
            },
            {
              title: 'Each above them',
              isNumber: true,
              isWide: true,
              cell: ({ overage_fee }) => (
                <Sum of={{ asset: 'USDC', overage_fee }} field="overage_fee" hasAsset />
              ),
            },
            {
              title: 'Price',
              isNumber: true,
              cell: (plan) => <Sum of={plan} field="price" hasAsset />,
            },
            {
              title: 'Act',
              isAct: true,
              cell: (plan) => <Choose plan={plan} membership={mine} />,
            },
          ]}
          rows={found.plans}
          keyOf={({ tier, billing_period, payment_asset }) =>
            `${tier} ${billing_period} ${payment_asset}`
          }
        />
      )}
    </Loaded>
  )
}

/** The act that a plan allows: an active membership changes with its next period, and is not paid for twice. */
function Choose({ plan, membership }: { plan: Plan; membership: State['membership'] }) {
  if (membership?.status !== 'ACTIVE')
    return <Subscribe plan={plan} label={membership ? 'Pay now' : 'Subscribe'} />
  const { tier, billing_period, payment_asset } = plan
  if (
    membership.tier === tier &&
    membership.billing_period === billing_period &&
    membership.payment_asset === payment_asset
  )
    return <span className="text-soft">yours</span>
  // Renewals by themselves are paid in USDC.
  return payment_asset === 'USDC' && <Enrol plan={plan} label="From the next period" />
}

function Subscribe({ plan, label }: { plan: Plan; label: string }) {
  const exact = useExact()
  const { tier, billing_period, payment_asset } = plan
  const price = `${exact.text(plan, 'price')} ${payment_asset}`
  return (
    <AskButton
      label={label}
      title={`Pay ${price} for a ${billing_period} of ${tier}?`}
      act={async (idempotencyKey) => {
        await purser.membership.subscribe(
          { tier, billing_period, payment_asset },
          { idempotencyKey },
        )
        await renew()
      }}
    >
      It is paid out of your treasury balance, now. It is not renewed by itself until you say so.
    </AskButton>
  )
}
