import { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Badge } from '../../parts/badge.tsx'
import { ChainLink } from '../../parts/chain-link.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Foreign, Money, Sum, Time, useExact } from '../../parts/money.tsx'
import { Payee } from '../../parts/names/payee.tsx'
import { wayOf } from '../../parts/names/ways.ts'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { BASE, purser } from '../../service/client.ts'
import { useNetworkName } from '../../service/config.ts'
import { RefundDialog, refundable } from './refund.tsx'
import { type Payment, Timeline } from './timeline.tsx'

/** The other side; a pay link of the wallet leads to its page. */
const Counterpart = ({ merchant }: { merchant: string }) =>
  /^PL_\w{10}$/.test(merchant) ? (
    <a href={`${BASE}pay/${merchant}`} className="text-accent underline">
      <Payee of={merchant} />
    </a>
  ) : (
    <Payee of={merchant} />
  )

/** The words for a row of money. */
const actOf = ({ direction, refund_of }: Payment) =>
  direction === 'sent' ? (refund_of ? 'Gave back' : 'Paid') : refund_of ? 'Got back' : 'Received'

/** The name of the other side. */
const sideOf = ({ direction, refund_of }: Payment) =>
  direction === 'sent' ? (refund_of ? 'To' : 'Payee') : refund_of ? 'From' : 'Payer'

/** The request to the seller, and its answer. */
const Asked = ({ request }: { request: NonNullable<Payment['request']> }) => (
  <div className="mt-6">
    <Part title="What was asked">
      <Lines>
        <Line name="Request">
          <code className="font-mono text-sm">{request.method}</code>{' '}
          <Foreign>{request.url}</Foreign>
        </Line>
        <Line name="Answer">{request.response_status ?? 'none'}</Line>
        <Line name="Paid to">
          <Payee of={request.pay_to} />
        </Line>
        <Line name="Of it the seller’s">
          <Money amount={request.merchant_amount} />
        </Line>
      </Lines>
    </Part>
  </div>
)

/** Leads to the receipt, of a payment that has one: those of pay links do. */
function Receipt({ id }: { id: string }) {
  const receipt = useQuery({
    queryKey: ['receipt', id],
    queryFn: () =>
      purser.payLinks
        .receipt(id)
        .then((found) => found.receipt.url)
        .catch((error: unknown) => {
          if (error instanceof PurserError && error.status === 404) return null
          throw error
        }),
  })
  if (receipt.isError || receipt.data === null) return null
  return (
    <Line name="Receipt">
      {receipt.data === undefined ? (
        <span className="text-soft">Asking for it…</span>
      ) : (
        <a href={receipt.data} className="text-accent underline">
          See and print it
        </a>
      )}
    </Line>
  )
}

export function PaymentPage() {
  const exact = useExact()
  const networkName = useNetworkName()
  const { id } = useParams({ from: '/shell/payments/$id' })
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: async () => (await purser.payments.get(id)).payment,
  })
  return (
    <Loaded query={payment} rows={8} page="Payment">
      {(one) => {
        return (
          <>
            <Heading title={`${actOf(one)} ${exact.text(one, 'amount')} ${one.asset}`}>
              {refundable(one) > 0 && <RefundDialog payment={one} />}
            </Heading>
            <Lines>
              <Line name="State">
                <Badge state={one.status} />
              </Line>
              <Line name={sideOf(one)}>
                <Counterpart merchant={one.merchant} />
              </Line>
              <Line name="Card">
                <Link
                  to="/cards/$id"
                  params={{ id: one.card_id }}
                  className="text-accent underline"
                >
                  <Foreign>{one.card_purpose}</Foreign>
                </Link>
              </Line>
              {one.refund_of ? (
                <>
                  <Line name="Refund of">
                    <Link
                      to="/payments/$id"
                      params={{ id: one.refund_of }}
                      className="text-accent underline"
                    >
                      the payment
                    </Link>
                  </Line>
                  <Line name="Fee of the payment, kept">
                    <Sum of={one} field="fee_kept" hasAsset />
                  </Line>
                </>
              ) : (
                <Line name="Fee">
                  <Sum of={one} field="fee" hasAsset />
                </Line>
              )}
              {one.refunded > 0 && (
                <Line name="Refunded">
                  <Sum of={one} field="refunded" hasAsset />
                </Line>
              )}
              <Line name="Way of payment">{wayOf(one.protocol)}</Line>
              <Line name="Network">
                {networkName(one.network)} <span className="text-soft">({one.network})</span>
              </Line>
              {one.memo && (
                <Line name="Memo">
                  <Foreign>{one.memo}</Foreign>
                </Line>
              )}
              <Line name="Made">
                <Time at={one.created_at} isWhole />
              </Line>
              {one.settled_at && (
                <Line name="Settled">
                  <Time at={one.settled_at} isWhole />
                </Line>
              )}
              {one.tx_hash && (
                <Line name="Transaction">
                  <ChainLink hash={one.tx_hash} />
                </Line>
              )}
              {one.status === 'SETTLED' && !one.refund_of && <Receipt id={one.settlement_id} />}
              <Line name="Id">
                <Id id={one.id} isWhole />
              </Line>
            </Lines>
            {one.request && <Asked request={one.request} />}
            <div className="mt-6">
              <Part title="How it went">
                <Timeline payment={one} />
              </Part>
            </div>
          </>
        )
      }}
    </Loaded>
  )
}
