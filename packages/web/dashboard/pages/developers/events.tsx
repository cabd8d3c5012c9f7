import { useNavigate, useSearch } from '@tanstack/react-router'
import { Choice } from '../../parts/acts/field.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'

type Query = NonNullable<Parameters<typeof purser.events.list>[0]>
type Type = NonNullable<Query['type']>
const TYPES = [
  'payment.settled',
  'payment.sent',
  'payment.failed',
  'payment.refunded',
  'payment.exception',
  'card.issued',
  'card.frozen',
  'approval.requested',
  'funding.confirmed',
  'withdrawal.confirmed',
  'webhook.disabled',
] as const
const A_PAGE = 30

/** The events of the wallet, the newest first, each with what webhooks and the feed send of it. New ones come by themselves. */
export function Events() {
  const { type } = useSearch({ from: '/shell/developers/events' })
  const navigate = useNavigate({ from: '/developers/events' })
  const list = usePages(['events', 'newest', type ?? 'all'], async (after) => {
    const page = await purser.events
      .list({
        ...{ order: 'newest', limit: A_PAGE },
        ...(type !== undefined && { type: [type] as Type }),
        ...(after !== undefined && { after }),
      })
      .page()
    return { rows: page.events, hasMore: page.has_more }
  })
  return (
    <>
      <Heading title="Events" />
      <form className="mb-4 max-w-60" aria-label="Filters">
        <Choice
          label="Type"
          value={type ?? ''}
          onChange={(value) => void navigate({ search: value === '' ? {} : { type: value } })}
          options={[['', 'All types'], ...TYPES.map((one) => [one, one] as const)]}
        />
      </form>
      <Listed
        list={list}
        empty={
          <Empty title="Nothing has happened yet">
            <p>What happens to your cards, links and money is here, as webhooks send it.</p>
          </Empty>
        }
      >
        {(rows) => (
          <ol className="divide-y divide-line rounded-lg border border-line">
            {rows.map((event) => (
              <li key={event.id} className="px-4 py-2">
                <details>
                  <summary className="cursor-pointer">
                    <span className="font-mono text-sm">{event.type}</span>{' '}
                    <span className="text-sm text-soft sm:float-right">
                      <Time at={event.created} />
                    </span>
                  </summary>
                  <p className="mt-2 text-sm">
                    <Id id={event.id} isWhole />
                  </p>
                  <pre className="mt-1 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
                    <bdi>{JSON.stringify(event.data, null, 2)}</bdi>
                  </pre>
                </details>
              </li>
            ))}
          </ol>
        )}
      </Listed>
    </>
  )
}
