import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Spending } from '../parts/charts/spending.tsx'
import { Heading } from '../parts/heading.tsx'
import { PaymentTable } from '../parts/lists/payment-table.tsx'
import { Money } from '../parts/money.tsx'
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
      </div>
    </>
  )
}

function Balances() {
  const balance = useQuery({ queryKey: ['balance'], queryFn: () => purser.treasury.balance() })
  return (
    <Loaded query={balance} rows={2}>
      {({ balances }) =>
        balances.every(({ total_funded }) => total_funded === 0) ? (
          <Empty title="No money yet">
            <p>
              Deposit USDC to the address that the service names, and it is here once the chain has
              it.
            </p>
          </Empty>
        ) : (
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {balances.map((one) => (
              <li
                key={`${one.network} ${one.asset}`}
                className="rounded-lg border border-line bg-panel p-4"
              >
                <p className="text-sm text-soft">Free in the treasury</p>
                <p className="text-3xl font-semibold">
                  <Money amount={one.available} asset={one.asset} />
                </p>
                <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
                  <dt className="text-soft">Put on cards</dt>
                  <dd className="text-right">
                    <Money amount={one.total_allocated} />
                  </dd>
                  <dt className="text-soft">Spent</dt>
                  <dd className="text-right">
                    <Money amount={one.total_spent} />
                  </dd>
                </dl>
              </li>
            ))}
          </ul>
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
