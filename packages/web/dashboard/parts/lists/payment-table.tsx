import type { Transaction } from '@purser/sdk'
import { Link } from '@tanstack/react-router'
import { Badge } from '../badge.tsx'
import { Foreign, Sum, Time } from '../money.tsx'
import { Payee } from '../names/payee.tsx'
import { wayOf } from '../names/ways.ts'
import { type Column, Table } from './table.tsx'

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'When', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: 'Payee or payer',
    cell: ({ id, merchant, direction, created_at, refund_of }) => (
      <>
        <Link
          to="/payments/$id"
          params={{ id }}
          className="inline-block max-w-72 md:min-w-44 underline decoration-line hover:text-accent"
        >
          {refund_of && 'Refund '}
          {direction === 'sent' ? 'to ' : 'from '}
          <Payee of={merchant} />
        </Link>
        <div className="text-sm text-soft md:hidden">
          <Time at={created_at} />
        </div>
      </>
    ),
  },
  { title: 'Card', isWide: true, cell: ({ card_purpose }) => <Foreign>{card_purpose}</Foreign> },
  { title: 'Way', isWide: true, cell: ({ protocol }) => wayOf(protocol) },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: (row) => (
      <Sum of={row} field="amount" hasAsset sign={row.direction === 'sent' ? '−' : '+'} />
    ),
  },
]

export const PaymentTable = ({ rows }: { rows: readonly Transaction[] }) => (
  <Table
    caption="Payments, the newest first"
    columns={COLUMNS}
    rows={rows}
    keyOf={({ id }) => id}
  />
)
