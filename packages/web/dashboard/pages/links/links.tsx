import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { CardField, useNamedCard } from '../../parts/acts/card-field.tsx'
import { Choice, FILTERS } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { CancelLink } from './cancel-link.tsx'
import { LinkAmount, type PayLink, usesOf } from './pay-link.tsx'

const A_PAGE = 50

const COLUMNS: readonly Column<PayLink>[] = [
  {
    title: 'For',
    cell: ({ memo, code }) => (
      <Link
        to="/links/$code"
        params={{ code }}
        className="underline decoration-line hover:text-accent"
      >
        <Foreign>{memo || code}</Foreign>
      </Link>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Paid',
    isNumber: true,
    isWide: true,
    cell: usesOf,
  },
  { title: 'Made', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: (link) => <LinkAmount link={link} />,
  },
  {
    title: 'Act',
    isAct: true,
    cell: ({ code, status }) => status === 'ACTIVE' && <CancelLink code={code} />,
  },
]

const STATES = ['ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELLED'] as const
type Query = NonNullable<Parameters<typeof purser.payLinks.list>[0]>

export function Links() {
  const asked = useSearch({ from: '/shell/links' })
  const navigate = useNavigate({ from: '/links' })
  const card = useNamedCard(asked.card)
  const filter = {
    ...(asked.status && { status: asked.status }),
    ...(asked.card && { card_id: asked.card }),
  } as Query
  const isFiltered = Object.keys(filter).length > 0
  const choose = (name: 'status' | 'card') => (value: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, [name]: value || undefined }) })
  const list = usePages<PayLink>(['links', filter], async (after) => {
    const page = await purser.payLinks
      .list({ ...filter, limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.links, hasMore: page.has_more }
  })
  return (
    <>
      <Heading title="Pay links">
        <Link to="/links/profile" className={buttonStyle()}>
          Profile
        </Link>
        <Link to="/links/new" className={buttonStyle('main')}>
          Open a pay link
        </Link>
      </Heading>
      <form className={FILTERS} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="State"
          value={asked.status ?? ''}
          onChange={choose('status')}
          options={[['', 'All states'], ...STATES.map((one) => [one, one.toLowerCase()] as const)]}
        />
        <CardField
          label="Card"
          look="filter"
          value={card}
          onChange={(chosen) => choose('card')(chosen?.id)}
        />
      </form>
      <Listed
        list={list}
        empty={
          isFiltered ? (
            <Empty title="No pay link is like that">
              <Link to="/links" className="text-accent underline">
                Show all pay links
              </Link>
            </Empty>
          ) : (
            <Empty title="You have no pay links yet">
              <p>
                A link is a price at a URL: people pay it on a page, agents by x402, AP2 or MPP.
              </p>
            </Empty>
          )
        }
      >
        {(rows) => (
          <Table
            caption="Pay links, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}
