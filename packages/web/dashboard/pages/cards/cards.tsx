import type { Card } from '@purser/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { Choice } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Money } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'

const STATES = [
  'ACTIVE',
  'FROZEN',
  'USED',
  'EXPIRED',
  'CLOSED',
  'PENDING_FUNDING',
  'FUNDING_FAILED',
] as const
const A_PAGE = 50

const COLUMNS: readonly Column<Card>[] = [
  {
    title: 'Purpose',
    cell: ({ id, purpose, parent_card_id }) => (
      <>
        <Link
          to="/cards/$id"
          params={{ id }}
          className="underline decoration-line hover:text-accent"
        >
          <Foreign>{purpose}</Foreign>
        </Link>
        {parent_card_id && <span className="text-sm text-soft"> (child card)</span>}
      </>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Spent',
    isNumber: true,
    isWide: true,
    cell: ({ spent, limit_amount }) => (
      <>
        <Money amount={spent} /> <span className="text-soft">of</span>{' '}
        <Money amount={limit_amount} />
      </>
    ),
  },
  {
    title: 'Can still spend',
    isNumber: true,
    cell: ({ remaining, funding_asset }) => <Money amount={remaining} asset={funding_asset} />,
  },
]

export function Cards() {
  const { status } = useSearch({ from: '/shell/cards' })
  const navigate = useNavigate({ from: '/cards' })
  const filter = status ? { status: status as (typeof STATES)[number] } : {}
  const list = usePages(['cards', filter], async (after) => {
    const page = await purser.cards
      .list({ ...filter, limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.cards, hasMore: page.has_more }
  })
  return (
    <>
      <Heading title="Cards">
        <Link to="/cards/new" className={buttonStyle('main')}>
          Issue a card
        </Link>
      </Heading>
      <form className="mb-4 max-w-60" aria-label="Filters">
        <Choice
          label="State"
          value={filter.status ?? ''}
          onChange={(value) => void navigate({ search: value === '' ? {} : { status: value } })}
          options={[
            ['', 'All states'],
            ...STATES.map((one) => [one, one.toLowerCase().replaceAll('_', ' ')] as const),
          ]}
        />
      </form>
      <Listed
        list={list}
        empty={
          <Empty title={status ? 'No card is in this state' : 'You have no cards yet'}>
            <p>A card holds money for one agent, and spends it within the limits that you set.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Cards, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}
