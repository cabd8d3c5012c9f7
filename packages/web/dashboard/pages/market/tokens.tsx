import { Link } from '@tanstack/react-router'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'

type Market = Awaited<ReturnType<typeof purser.crtMarkets.get>>['market'] & { id: string }
const A_PAGE = 25

const COLUMNS: readonly Column<Market>[] = [
  {
    title: 'Token',
    cell: ({ token, symbol, name }) => (
      <>
        <Link
          to="/tokens/$token"
          params={{ token }}
          className="underline decoration-line hover:text-accent"
        >
          <Foreign>{symbol}</Foreign>
        </Link>
        <div className="text-sm text-soft">
          <Foreign>{name}</Foreign>
        </div>
      </>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Supply',
    isNumber: true,
    isWide: true,
    cell: ({ supply }) => supply.toLocaleString('en'),
  },
  { title: 'Creator', isWide: true, cell: ({ creator }) => <Id id={creator} /> },
  { title: 'Since', isWide: true, cell: ({ listedAt }) => <Time at={listedAt} /> },
]

/** Tokens that owners made of their cards, with a pool of Uniswap v4 each. */
export function Tokens() {
  const list = usePages<Market>(['tokens'], async (after) => {
    const page = await purser.crtMarkets
      .list({ limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return {
      rows: page.markets.map((market) => ({ ...market, id: market.token })),
      hasMore: page.has_more,
    }
  })
  return (
    <>
      <Heading title="Credential tokens" />
      <p className="mb-4 text-soft">
        A token that the owner of a card made and sells. It is no claim on what the card earns.
      </p>
      <Listed
        list={list}
        empty={
          <Empty title="No token has a market here">
            <p>
              The owner of a card makes one with{' '}
              <code className="font-mono">npx purser crt prepare</code>.
            </p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Credential tokens, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ token }) => token}
          />
        )}
      </Listed>
    </>
  )
}
