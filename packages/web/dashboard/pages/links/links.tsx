import { Link } from '@tanstack/react-router'
import { AskButton } from '../../parts/acts/ask.tsx'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Money, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

type PayLink = Awaited<ReturnType<ReturnType<typeof purser.payLinks.list>['page']>>['links'][number]
const A_PAGE = 50

const COLUMNS: readonly Column<PayLink>[] = [
  {
    title: 'For',
    cell: ({ url, memo, code }) => (
      <a href={url} className="underline decoration-line hover:text-accent">
        <Foreign>{memo || code}</Foreign>
      </a>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Paid',
    isNumber: true,
    isWide: true,
    cell: ({ uses, max_uses }) => (max_uses === 0 ? `${uses} times` : `${uses} of ${max_uses}`),
  },
  { title: 'Made', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, asset }) =>
      amount === null ? 'payer’s choice' : <Money amount={amount} asset={asset} />,
  },
  {
    title: 'Act',
    isAct: true,
    cell: ({ code, status }) =>
      status === 'ACTIVE' && (
        <AskButton
          label="Cancel"
          look="danger"
          title="Cancel this pay link?"
          act={async (idempotencyKey) => {
            await purser.payLinks.cancel(code, { idempotencyKey })
            await queries.invalidateQueries({ queryKey: ['links'] })
          }}
        >
          Nobody can pay it from now on. What was paid stays yours.
        </AskButton>
      ),
  },
]

export function Links() {
  const list = usePages<PayLink>(['links'], async (after) => {
    const page = await purser.payLinks
      .list({ limit: A_PAGE, ...(after !== undefined && { after }) })
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
      <Listed
        list={list}
        empty={
          <Empty title="You have no pay links yet">
            <p>A link is a price at a URL: people pay it on a page, agents by x402, AP2 or MPP.</p>
          </Empty>
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
