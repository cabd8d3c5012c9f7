import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { Table } from '../../parts/lists/table.tsx'
import { Sum, Time } from '../../parts/money.tsx'
import { Payee } from '../../parts/names/payee.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { moneyText } from '../../service/amounts.ts'
import { purser, queries } from '../../service/client.ts'
import { useSession } from '../../service/session.ts'

type Agreement = Awaited<
  ReturnType<ReturnType<typeof purser.agreements.list>['page']>
>['agreements'][number]
const A_PAGE = 50
const renew = () => queries.invalidateQueries({ queryKey: ['agreements'] })

/** Agreements by which others charge the wallet's cards, and those by which it charges others. */
export function Agreements() {
  const list = usePages<Agreement>(['agreements'], async (after) => {
    const page = await purser.agreements
      .list({ limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.agreements, hasMore: page.has_more }
  })
  return (
    <Listed
      list={list}
      empty={
        <Empty title="Nobody is charged again and again">
          <p>
            An agreement charges a card each period, within an open mandate that its owner signed.
          </p>
        </Empty>
      }
    >
      {(rows) => (
        <ul className="grid gap-3">
          {rows.map((one) => (
            <li key={one.id} className="rounded-lg border border-line p-4">
              <AgreementRow agreement={one} />
            </li>
          ))}
        </ul>
      )}
    </Listed>
  )
}

const periodOf = ({ period_months, period_days, threshold_floor }: Agreement): string => {
  if (threshold_floor !== null)
    return `whenever the balance falls below ${moneyText(threshold_floor)}`
  if (period_months === 1) return 'each month'
  if (period_months !== null) return `every ${period_months} months`
  return period_days === 1 ? 'each day' : `every ${period_days} days`
}

function AgreementRow({ agreement }: { agreement: Agreement }) {
  const wallet = useSession().data
  const isPayer = agreement.payer_wallet === wallet
  const { id, status, asset } = agreement
  const isOpen = status === 'ACTIVE' || status === 'PAST_DUE' || status === 'PAUSED'
  const mayResume = status === 'PAUSED' && agreement.paused_by === (isPayer ? 'payer' : 'merchant')
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">
            <Payee
              of={agreement.description ?? agreement.plan_ref ?? agreement.pay_link_code ?? id}
            />
          </p>
          <p className="text-soft">
            {isPayer ? 'You pay ' : 'You are paid '}
            <Sum of={agreement} field="amount" hasAsset /> {periodOf(agreement)}
          </p>
        </div>
        <Badge state={status} />
      </div>
      <Lines>
        {agreement.status_reason && <Line name="Why">{agreement.status_reason}</Line>}
        {agreement.next_charge_at && (
          <Line name="Next charge">
            <Time at={agreement.next_charge_at} isWhole />
          </Line>
        )}
        {status === 'PAST_DUE' && agreement.next_attempt_at && (
          <Line name="Tried again">
            <Time at={agreement.next_attempt_at} isWhole />
          </Line>
        )}
        <Line name="Charged so far">
          <Sum of={agreement} field="total_charged" hasAsset />, in{' '}
          {agreement.charges_made === 1 ? 'one charge' : `${agreement.charges_made} charges`}
        </Line>
        <Line name={isPayer ? 'Payee' : 'Payer'}>
          <Payee of={isPayer ? agreement.merchant_wallet : agreement.payer_wallet} />
        </Line>
        {agreement.cancel_at_period_end && <Line name="Ends">with its current period</Line>}
      </Lines>
      <Charges id={id} asset={asset} />
      {isOpen && (
        <div className="mt-3 flex flex-wrap gap-2">
          {status === 'ACTIVE' && (
            <AskButton
              key="pause"
              label="Pause"
              title="Stop the charges for a time?"
              act={async (idempotencyKey) => {
                await purser.agreements.pause(id, {}, { idempotencyKey })
                await renew()
              }}
            >
              Nothing is charged until you resume it. The periods that pass meanwhile are not
              charged later.
            </AskButton>
          )}
          {mayResume && (
            <AskButton
              key="resume"
              label="Resume"
              look="main"
              title="Go on with this agreement?"
              act={async (idempotencyKey) => {
                await purser.agreements.resume(id, {}, { idempotencyKey })
                await renew()
              }}
            >
              It is charged again from the next period on.
            </AskButton>
          )}
          <AskButton
            key="cancel"
            label="End it"
            look="danger"
            title="End this agreement for good?"
            act={async (idempotencyKey) => {
              await purser.agreements.cancel(id, {}, { idempotencyKey })
              await renew()
            }}
          >
            No more charges. What was paid stays paid. This cannot be undone.
          </AskButton>
        </div>
      )}
    </>
  )
}

/** Lists the charges of an agreement. They are asked for once a person opens the list. */
function Charges({ id, asset }: { id: string; asset: string }) {
  const [isOpen, setOpen] = useState(false)
  const charges = useQuery({
    queryKey: ['agreements', id, 'charges'],
    queryFn: async () => (await purser.agreements.get(id)).charges,
    enabled: isOpen,
  })
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-soft">Its charges</summary>
      {isOpen && (
        <div className="mt-2">
          <Loaded query={charges} rows={2}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title="Nothing was charged yet" />
              ) : (
                <Table
                  caption="Charges, the newest first"
                  columns={[
                    { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
                    {
                      title: 'State',
                      cell: ({ status, error }) => (
                        <>
                          <Badge state={status} /> <span className="text-soft">{error}</span>
                        </>
                      ),
                    },
                    {
                      title: 'Amount',
                      isNumber: true,
                      cell: (charge) => <Sum of={{ ...charge, asset }} field="amount" hasAsset />,
                    },
                  ]}
                  rows={rows}
                  keyOf={({ period_key }) => period_key}
                />
              )
            }
          </Loaded>
        </div>
      )}
    </details>
  )
}
