import type { Card } from '@purser/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { Choice, FILTERS } from '../../parts/acts/field.tsx'
import { SearchField } from '../../parts/acts/search-field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { LimitBar } from '../../parts/limit-bar.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Sum, useExact } from '../../parts/money.tsx'
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
    isWide: true,
    cell: (card) => (
      <div className="min-w-44">
        <LimitBar card={card} label="In all" used="spent" most="limit_amount" />
      </div>
    ),
  },
  {
    title: 'Today',
    isNumber: true,
    isWide: true,
    cell: (card) => <Sum of={{ ...card, day_used: card.day_used ?? 0 } as Card} field="day_used" />,
  },
  {
    title: 'Can still spend',
    isNumber: true,
    cell: (card) => <Sum of={card} field="remaining" hasAsset />,
  },
]

const ORDERS = [
  ['', 'The newest first'],
  ['spent', 'Most spent first'],
  ['balance', 'Most money first'],
  ['purpose', 'By purpose'],
] as const

const AMOUNTS = ['limit_amount', 'spent', 'held', 'remaining', 'received'] as const
type Cell = (card: Card) => string | number | null

const csv = ({ plain }: ReturnType<typeof useExact>): (readonly [string, Cell])[] => [
  ['id', ({ id }) => id],
  ['purpose', ({ purpose }) => purpose],
  ['status', ({ status }) => status],
  ['asset', ({ funding_asset }) => funding_asset],
  ...AMOUNTS.map((field) => [field, (card: Card) => plain(card, field)] as const),
  ['parent_card_id', ({ parent_card_id }) => parent_card_id],
  ['expires_at', ({ expires_at }) => expires_at],
  ['created_at', ({ created_at }) => created_at],
]

export function Cards() {
  const exact = useExact()
  const asked = useSearch({ from: '/shell/cards' })
  const navigate = useNavigate({ from: '/cards' })
  const choose = (name: 'status' | 'sort' | 'search') => (value: string) =>
    void navigate({
      search: (now) => ({ ...now, [name]: value === '' ? undefined : value }),
      replace: name === 'search',
    })
  const filter = {
    ...(asked.status && { status: asked.status }),
    ...(asked.sort && { sort: asked.sort }),
    ...(asked.search && { search: asked.search }),
  } as NonNullable<Parameters<typeof purser.cards.list>[0]>
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
        <Link to="/cards/many" className={buttonStyle()}>
          Many from a file
        </Link>
        <ExportButton
          name="cards"
          columns={csv(exact)}
          read={(signal) => purser.cards.list({ ...filter, limit: 100 }, { signal })}
        />
      </Heading>
      <form className={FILTERS} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <SearchField value={asked.search ?? ''} onSearch={choose('search')} />
        <Choice
          label="State"
          value={asked.status ?? ''}
          onChange={choose('status')}
          options={[
            ['', 'All states'],
            ...STATES.map((one) => [one, one.toLowerCase().replaceAll('_', ' ')] as const),
          ]}
        />
        <Choice label="Order" value={asked.sort ?? ''} onChange={choose('sort')} options={ORDERS} />
      </form>
      <Listed
        list={list}
        empty={
          <Empty
            title={asked.status || asked.search ? 'No card is like that' : 'You have no cards yet'}
          >
            <p>A card holds money for one agent, and spends it within the limits that you set.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table caption="Your cards" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
        )}
      </Listed>
    </>
  )
}
