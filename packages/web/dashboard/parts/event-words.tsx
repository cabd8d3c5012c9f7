import { Link } from '@tanstack/react-router'
import { eventTitle } from '../service/events.ts'
import { Sum } from './money.tsx'
import { Payee } from './names/payee.tsx'

type Event = { type: string; data: Record<string, unknown> }

/** An event in a line: what happened, how much, for what, and the way to it. */
export function EventWords({ event: { type, data } }: { event: Event }) {
  const words = eventTitle(type)
  const named = [data.purpose, data.merchant, data.memo, data.payee, data.description].find(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  const hasAmount = typeof data.amount === 'number' || typeof data.amount === 'string'
  // A payment that came is shown by what it brought, as in the list of payments.
  const field = type === 'payment.settled' && 'net_amount' in data ? 'net_amount' : 'amount'
  return (
    <span className="min-w-0">
      <Place type={type} data={data}>
        {words}
      </Place>
      {hasAmount && (
        <>
          {' '}
          <Sum of={data} field={field} hasAsset />
        </>
      )}
      {named && (
        <span className="text-soft">
          {' '}
          <Payee of={named.length > LONGEST ? `${named.slice(0, LONGEST)}…` : named} />
        </span>
      )}
    </span>
  )
}

const LONGEST = 60
const STYLE = 'underline decoration-line hover:text-accent'
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Leads to the object that the event is of, where the dashboard has a page of it. */
function Place({ type, data, children }: Event & { children: string }) {
  const payment = textOf(data.transaction_id)
  const card = textOf(data.card_id)
  const listing = textOf(data.listing_id)
  const code = textOf(data.pay_link_code) ?? textOf(data.code)
  if (payment?.startsWith('txn_'))
    return (
      <Link to="/payments/$id" params={{ id: payment }} className={STYLE}>
        {children}
      </Link>
    )
  if (type.startsWith('paylink.') && code)
    return (
      <Link to="/links/$code" params={{ code }} className={STYLE}>
        {children}
      </Link>
    )
  if (type.startsWith('listing.') && listing)
    return (
      <Link to="/market/$id" params={{ id: listing }} className={STYLE}>
        {children}
      </Link>
    )
  if (type.startsWith('approval.') || type === 'payment.exception')
    return (
      <Link to="/inbox" className={STYLE}>
        {children}
      </Link>
    )
  if (card)
    return (
      <Link to="/cards/$id" params={{ id: card }} className={STYLE}>
        {children}
      </Link>
    )
  return <span>{children}</span>
}
