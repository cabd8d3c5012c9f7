import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Choice } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Money, Time } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'

const SORTS = [
  ['newest', 'Newest'],
  ['revenue_desc', 'Most revenue in 30 days'],
  ['price_asc', 'Lowest price'],
  ['price_desc', 'Highest price'],
] as const
type Sort = (typeof SORTS)[number][0]
export type Listing = Awaited<ReturnType<typeof purser.listings.get>>['listing']
const A_PAGE = 25

const COLUMNS: readonly Column<Listing>[] = [
  {
    title: 'Card',
    cell: ({ id, card_id, status }) => (
      <>
        <Link
          to="/market/$id"
          params={{ id }}
          className="font-mono text-sm underline decoration-line hover:text-accent"
        >
          {card_id.slice(0, 9)}…{card_id.slice(-6)}
        </Link>
        {status !== 'LISTED' && (
          <div>
            <Badge state={status} />
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Earned in 30 days',
    isNumber: true,
    isWide: true,
    cell: ({ stats }) => <Money amount={stats.rx30d} />,
  },
  {
    title: 'Earned in all',
    isNumber: true,
    isWide: true,
    cell: ({ stats }) => <Money amount={stats.rxLifetime} />,
  },
  { title: 'Payments', isNumber: true, isWide: true, cell: ({ stats }) => stats.rxCount },
  {
    title: 'Last paid',
    isWide: true,
    cell: ({ stats }) => (stats.lastActive ? <Time at={stats.lastActive} /> : 'never'),
  },
  { title: 'Seller', isWide: true, cell: ({ seller }) => <Id id={seller} /> },
  {
    title: 'Price',
    isNumber: true,
    cell: ({ price, currency }) => <Money amount={price} asset={currency} />,
  },
]

export function Market() {
  const { sort = 'newest', page = 1 } = useSearch({ from: '/shell/market' })
  const navigate = useNavigate({ from: '/market' })
  const query = { sort: sort as Sort, page, limit: A_PAGE }
  const listings = useQuery({
    queryKey: ['listings', query],
    queryFn: () => purser.listings.list(query).page(),
  })
  const turn = (by: number) => void navigate({ search: (now) => ({ ...now, page: page + by }) })
  return (
    <>
      <Heading title="Market">
        <Link to="/tokens" className={buttonStyle()}>
          Credential tokens
        </Link>
      </Heading>
      <p className="mb-4 text-soft">
        Cards that earn, with what they have earned by the books of this service. A sale hands over
        the card with its money, its pay links and its agreements.
      </p>
      <form className="mb-4 max-w-60" aria-label="Order">
        <Choice
          label="Order"
          value={sort as Sort}
          options={SORTS}
          onChange={(value) => void navigate({ search: value === '' ? {} : { sort: value } })}
        />
      </form>
      <Loaded query={listings} rows={8}>
        {(found) =>
          found.listings.length === 0 ? (
            <Empty title="No card is for sale">
              <p>List one of yours from its page.</p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Cards for sale"
                columns={COLUMNS}
                rows={found.listings}
                keyOf={({ id }) => id}
              />
              {found.pages > 1 && (
                <div className="mt-4 flex items-center gap-3">
                  <Button disabled={page <= 1} onClick={() => turn(-1)}>
                    Back
                  </Button>
                  <span className="text-soft">
                    {found.page} of {found.pages}
                  </span>
                  <Button disabled={page >= found.pages} onClick={() => turn(1)}>
                    On
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}
