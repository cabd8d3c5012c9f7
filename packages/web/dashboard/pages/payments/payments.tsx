import type { Transaction } from '@purser/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CardField, useNamedCard } from '../../parts/acts/card-field.tsx'
import { Choice, DayField, FILTERS } from '../../parts/acts/field.tsx'
import { SearchField } from '../../parts/acts/search-field.tsx'
import { Heading } from '../../parts/heading.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { PaymentTable } from '../../parts/lists/payment-table.tsx'
import { useExact } from '../../parts/money.tsx'
import { WAY_NAMES } from '../../parts/names/ways.ts'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { startOf } from '../../service/days.ts'

const STATES = ['PENDING', 'SETTLED', 'FAILED', 'REFUNDED', 'UNKNOWN'] as const
const A_PAGE = 50
type Cell = (row: Transaction) => string | number | null
type Exact = ReturnType<typeof useExact>

const csv = ({ plain }: Exact): (readonly [string, Cell])[] => [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['settled_at', ({ settled_at }) => settled_at],
  ['direction', ({ direction }) => direction],
  // A refund is a row of its own, so that the file of a month stays the same whatever is refunded later.
  ['status', ({ status }) => (status === 'REFUNDED' ? 'SETTLED' : status)],
  ['amount', (row) => plain(row, 'amount')],
  ['fee', (row) => plain(row, 'fee')],
  ['fee_kept', (row) => (row.refund_of ? plain(row, 'fee_kept') : null)],
  ['refund_of', ({ refund_of }) => refund_of ?? null],
  ['asset', ({ asset }) => asset],
  ['network', ({ network }) => network],
  ['merchant', ({ merchant }) => merchant],
  ['protocol', ({ protocol }) => protocol],
  ['card_id', ({ card_id }) => card_id],
  ['card_purpose', ({ card_purpose }) => card_purpose],
  ['tx_hash', ({ tx_hash }) => tx_hash ?? null],
  ['memo', ({ memo }) => memo ?? null],
]

type Query = NonNullable<Parameters<typeof purser.payments.list>[0]>

export function Payments() {
  const asked = useSearch({ from: '/shell/payments' })
  const exact = useExact()
  const filters = {
    ...(asked.search && { search: asked.search }),
    ...(asked.status && { status: asked.status }),
    ...(asked.direction && { direction: asked.direction }),
    ...(asked.protocol && { protocol: asked.protocol }),
    ...(asked.card && { card_id: asked.card }),
    ...(asked.since && { since: startOf(asked.since) }),
    ...(asked.before && { before: startOf(asked.before, 1) }),
  } as Query
  const list = usePages(['payments', filters], async (after) => {
    const page = await purser.payments
      .list({ ...filters, limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.payments, hasMore: page.has_more }
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <Heading title="Payments">
        <ExportButton
          name="payments"
          columns={csv(exact)}
          read={(signal) => purser.payments.list({ ...filters, limit: 100 }, { signal })}
        />
      </Heading>
      <Filters />
      <Listed
        list={list}
        empty={
          <Empty title={isFiltered ? 'No payment is like that' : 'Nothing was paid yet'}>
            {isFiltered && (
              <Link to="/payments" className="text-accent underline">
                Show all payments
              </Link>
            )}
          </Empty>
        }
      >
        {(rows) => <PaymentTable rows={rows} />}
      </Listed>
    </>
  )
}

function Filters() {
  const asked = useSearch({ from: '/shell/payments' })
  const navigate = useNavigate({ from: '/payments' })
  const card = useNamedCard(asked.card)
  const choose = (name: string) => (value: string) =>
    void navigate({ search: (now) => ({ ...now, [name]: value === '' ? undefined : value }) })
  return (
    <form className={FILTERS} aria-label="Filters">
      <SearchField
        value={asked.search ?? ''}
        onSearch={choose('search')}
        hint="Id, amount, payee or memo"
      />
      <CardField
        label="Card"
        look="filter"
        value={card}
        onChange={(chosen) => choose('card')(chosen?.id ?? '')}
      />
      <Choice
        label="Direction"
        value={asked.direction ?? ''}
        onChange={choose('direction')}
        options={[
          ['', 'In and out'],
          ['sent', 'Sent'],
          ['received', 'Received'],
        ]}
      />
      <Choice
        label="State"
        value={asked.status ?? ''}
        onChange={choose('status')}
        options={[['', 'All states'], ...STATES.map((one) => [one, one.toLowerCase()] as const)]}
      />
      <Choice
        label="Way of payment"
        value={asked.protocol ?? ''}
        onChange={choose('protocol')}
        options={[['', 'All ways'], ...WAY_NAMES.map(([way, words]) => [way, words] as const)]}
      />
      <DayField label="From" value={asked.since ?? ''} onChange={choose('since')} />
      <DayField label="To" value={asked.before ?? ''} onChange={choose('before')} />
    </form>
  )
}
