import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Spending } from '../parts/charts/spending.tsx'
import { EventWords } from '../parts/event-words.tsx'
import { Heading } from '../parts/heading.tsx'
import { PaymentTable } from '../parts/lists/payment-table.tsx'
import { Sum, Time } from '../parts/money.tsx'
import { Part } from '../parts/part.tsx'
import { Empty, Fault, Loaded, Skeleton } from '../parts/states.tsx'
import { purser } from '../service/client.ts'
import { useWaiting } from '../service/waiting.ts'

export function Home() {
  return (
    <>
      <Heading title="Home" />
      <div className="grid gap-6">
        <Balances />
        <Waiting />
        <Part title="Spent">
          <Spending />
        </Part>
        <Part title="Latest payments">
          <LastPayments />
        </Part>
        <Part title="Latest events">
          <LastEvents />
        </Part>
      </div>
    </>
  )
}

const FIGURES = [
  ['total_allocated', 'Put on cards'],
  ['total_spent', 'Spent'],
  ['total_withdrawn', 'Withdrawn'],
] as const

function Balances() {
  const balance = useQuery({ queryKey: ['balance'], queryFn: () => purser.treasury.balance() })
  return (
    <Loaded query={balance} rows={2}>
      {({ balances }) =>
        balances.every(({ total_funded }) => total_funded === 0) ? (
          <Empty title="No money yet">
            <p>
              <Link to="/money" className="text-accent underline">
                Deposit USDC
              </Link>
              , and it is here once the chain has it.
            </p>
          </Empty>
        ) : (
          <div className="grid gap-3">
            {balances.map((one) => (
              <dl
                key={`${one.network} ${one.asset}`}
                className="grid gap-x-6 gap-y-3 rounded-lg border border-line bg-panel p-4 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr]"
              >
                <div>
                  <dt className="text-sm text-soft">Free in the treasury</dt>
                  <dd className="text-2xl font-semibold">
                    <Sum of={one} field="available" hasAsset />
                  </dd>
                </div>
                {FIGURES.map(([field, words]) => (
                  <div key={field}>
                    <dt className="text-sm text-soft">{words}</dt>
                    <dd className="text-2xl">
                      <Sum of={one} field={field} />
                    </dd>
                  </div>
                ))}
              </dl>
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

/** Lists all that needs a person, each with the page where it is dealt with. */
function Waiting() {
  const { found, isPending, error } = useWaiting()
  if (isPending) return <Skeleton rows={1} />
  if (error) return <Fault error={error} />
  if (found.length === 0) return null
  return (
    <Part title="Needs you">
      <ul className="grid gap-2">
        {found.map(({ words, to }) => (
          <li key={words}>
            <Link
              to={to}
              className="block rounded-lg border border-warn bg-warn-wash px-4 py-2 hover:underline"
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function LastPayments() {
  const payments = useQuery({
    queryKey: ['payments', 'last'],
    queryFn: async () => (await purser.payments.list({ limit: 10 }).page()).payments,
  })
  return (
    <Loaded query={payments} rows={6}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="Nothing was paid yet">
            <p>
              <Link to="/cards/new" className="text-accent underline">
                Issue a card
              </Link>{' '}
              and give it to an agent. What it pays is here at once.
            </p>
          </Empty>
        ) : (
          <PaymentTable rows={rows} />
        )
      }
    </Loaded>
  )
}

const SHOWN = 8

/** The newest events, as they happen. */
function LastEvents() {
  const events = useQuery({
    queryKey: ['events', 'last'],
    queryFn: async () =>
      (await purser.events.list({ order: 'newest', limit: SHOWN }).page()).events,
  })
  return (
    <Loaded query={events} rows={4}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="Nothing has happened yet" />
        ) : (
          <>
            <ol className="divide-y divide-line rounded-lg border border-line">
              {rows.map((event) => (
                <li key={event.id} className="flex flex-wrap justify-between gap-x-4 px-4 py-2">
                  <EventWords event={event} />
                  <span className="text-sm text-soft">
                    <Time at={event.created} />
                  </span>
                </li>
              ))}
            </ol>
            <p className="mt-2">
              <Link to="/developers/events" className="text-accent underline">
                All events
              </Link>
            </p>
          </>
        )
      }
    </Loaded>
  )
}
