import { PurserError } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { Foreign, Money, moneyText, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

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
  if (!receipt.data) return null
  return (
    <Line name="Receipt">
      <a href={receipt.data} className="text-accent underline">
        See and print it
      </a>
    </Line>
  )
}

export function PaymentPage() {
  const { id } = useParams({ from: '/shell/payments/$id' })
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: async () => (await purser.payments.get(id)).payment,
  })
  return (
    <Loaded query={payment} rows={8} page="Payment">
      {(one) => {
        const isRefundable =
          one.direction === 'received' &&
          one.status === 'SETTLED' &&
          one.refunded < one.amount &&
          one.protocol !== 'onchain'
        return (
          <>
            <Heading
              title={`${one.direction === 'sent' ? 'Paid' : 'Received'} ${moneyText(one.amount)} ${one.asset}`}
            >
              {isRefundable && (
                <AskButton
                  label="Refund"
                  look="danger"
                  title="Give the money back?"
                  act={async (idempotencyKey) => {
                    await purser.payments.refund(id, {}, { idempotencyKey })
                    await queries.invalidateQueries({ queryKey: ['payment', id] })
                  }}
                >
                  What was not refunded yet goes back to the card that paid. This cannot be undone.
                </AskButton>
              )}
            </Heading>
            <Lines>
              <Line name="State">
                <Badge state={one.status} />
              </Line>
              <Line name={one.direction === 'sent' ? 'Payee' : 'Payer'}>
                <Foreign>{one.merchant}</Foreign>
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
              <Line name="Fee">
                <Money amount={one.fee} asset={one.asset} />
              </Line>
              {one.refunded > 0 && (
                <Line name="Refunded">
                  <Money amount={one.refunded} asset={one.asset} />
                </Line>
              )}
              <Line name="Rail">{one.protocol}</Line>
              <Line name="Network">{one.network}</Line>
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
                  <Id id={one.tx_hash} />
                </Line>
              )}
              {one.status === 'SETTLED' && one.settlement_id && <Receipt id={one.settlement_id} />}
              <Line name="Id">
                <Id id={one.id} isWhole />
              </Line>
            </Lines>
            <div className="mt-6">
              <Part title="How it went">
                <ol className="grid gap-2 border-l-2 border-line pl-4">
                  {one.timeline.map(({ at, type }, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the past does not move
                    <li key={i} className="flex flex-wrap justify-between gap-x-4">
                      <code className="font-mono text-sm">{type}</code>
                      <span className="text-sm text-soft">
                        <Time at={at} isWhole />
                      </span>
                    </li>
                  ))}
                </ol>
              </Part>
            </div>
          </>
        )
      }}
    </Loaded>
  )
}
