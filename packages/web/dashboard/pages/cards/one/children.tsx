import type { Card } from '@purser/sdk'
import { Link } from '@tanstack/react-router'
import { AMOUNT, Field } from '../../../parts/acts/field.tsx'
import { FormDialog } from '../../../parts/acts/form-dialog.tsx'
import { ShownOnce } from '../../../parts/acts/shown-once.tsx'
import { Badge } from '../../../parts/badge.tsx'
import { Listed, usePages } from '../../../parts/lists/more.tsx'
import { type Column, Table } from '../../../parts/lists/table.tsx'
import { Foreign, Sum } from '../../../parts/money.tsx'
import { Part } from '../../../parts/part.tsx'
import { Empty } from '../../../parts/states.tsx'
import { purser, queries } from '../../../service/client.ts'
import { renewCard } from './card-acts.tsx'

const A_PAGE = 50

const COLUMNS: readonly Column<Card>[] = [
  {
    title: 'Purpose',
    cell: ({ id, purpose }) => (
      <Link to="/cards/$id" params={{ id }} className="underline decoration-line hover:text-accent">
        <Foreign>{purpose}</Foreign>
      </Link>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Spent',
    isNumber: true,
    isWide: true,
    cell: (card) => (
      <>
        <Sum of={card} field="spent" /> <span className="text-soft">of</span>{' '}
        <Sum of={card} field="limit_amount" />
      </>
    ),
  },
  {
    title: 'Can still spend',
    isNumber: true,
    cell: (card) => <Sum of={card} field="remaining" hasAsset />,
  },
]

/** The cards that are slices of this one, for the agents that its agent hires. */
export function Children({ card }: { card: Card }) {
  const { id } = card
  const list = usePages<Card>(['cards', 'below', id], async (after) => {
    const page = await purser.cards
      .children(id, { limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return { rows: page.cards, hasMore: page.has_more }
  })
  return (
    <Part title="Child cards">
      {card.status === 'ACTIVE' && (
        <div className="mb-4">
          <NewChild card={card} />
        </div>
      )}
      <Listed
        list={list}
        empty={
          <Empty title="No slice was cut off this card">
            <p>A child card gets a part of the money, and spends within the limits of this one.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Child cards, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={(one) => one.id}
          />
        )}
      </Listed>
    </Part>
  )
}

const NewChild = ({ card: { id, funding_asset } }: { card: Card }) => (
  <FormDialog
    label="Cut off a slice"
    title="Issue a child card"
    submit="Issue it"
    act={async (given, idempotencyKey) => {
      const most = given('max_transaction')
      const { card } = await purser.cards.issueChild(
        id,
        {
          purpose: given('purpose'),
          limit_amount: given('limit_amount'),
          ...(most !== '' && { max_transaction: most }),
        },
        { idempotencyKey },
      )
      await Promise.all([renewCard(id), queries.invalidateQueries({ queryKey: ['cards'] })])
      return card.token
    }}
    done={(token) => (
      <ShownOnce secret={token}>
        <strong>The token is shown once.</strong> Give it to the other agent.
      </ShownOnce>
    )}
  >
    <Field name="purpose" label="What it is for" required maxLength={200} autoComplete="off" />
    <Field
      name="limit_amount"
      label={`Money on it, in ${funding_asset}`}
      required
      hint="It comes off this card, and goes back to it when the child is closed."
      {...AMOUNT}
    />
    <Field name="max_transaction" label="Most in one payment" {...AMOUNT} />
  </FormDialog>
)
