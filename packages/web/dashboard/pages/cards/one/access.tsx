import type { Card } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AskButton } from '../../../parts/acts/ask.tsx'
import { FormDialog } from '../../../parts/acts/form-dialog.tsx'
import { RevokeKey } from '../../../parts/acts/revoke-key.tsx'
import { Badge } from '../../../parts/badge.tsx'
import { Id } from '../../../parts/id.tsx'
import { Listed, usePages } from '../../../parts/lists/more.tsx'
import { type Column, Table } from '../../../parts/lists/table.tsx'
import { Foreign, Time } from '../../../parts/money.tsx'
import { Payee } from '../../../parts/names/payee.tsx'
import { Part } from '../../../parts/part.tsx'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { moneyText } from '../../../service/amounts.ts'
import { purser, queries } from '../../../service/client.ts'
import { keyFor } from '../handed/hand-over.ts'
import { HandedCard } from '../handed/handed-card.tsx'
import { renewCard } from './card-acts.tsx'

const A_PAGE = 20

/** The programs and agents that may spend with the card, besides whoever has its token. */
export const Access = ({ card }: { card: Card }) => (
  <>
    <Part title="Keys for this card">
      {card.kind === 'spending' && (card.status === 'ACTIVE' || card.status === 'FROZEN') && (
        <div className="mb-4">
          <HandOver card={card} />
        </div>
      )}
      <Keys cardId={card.id} />
    </Part>
    <Part title="AP2 mandates that may pay again">
      <Mandates key="open" cardId={card.id} kind="open" />
    </Part>
    <Part title="AP2 mandates that have paid">
      <Mandates key="closed" cardId={card.id} kind="closed" />
    </Part>
  </>
)

const HandOver = ({ card }: { card: Card }) => (
  <FormDialog
    label="Hand it to an agent"
    title="Give this card to an agent?"
    submit="Make key and token"
    act={async (_, idempotencyKey) => {
      const { card: renewed } = await purser.cards.rotateToken(card.id, { idempotencyKey })
      const apiKey = await keyFor(card, idempotencyKey)
      await Promise.all([renewCard(card.id), queries.invalidateQueries({ queryKey: ['keys'] })])
      return { id: card.id, token: renewed.token, apiKey }
    }}
    done={(handed) => <HandedCard handed={handed} />}
  >
    <p className="text-soft">
      It gets a key that may use this card and do nothing else, and a new token, since a token is
      shown only once. The old token stops at once: whoever has it pays nothing more.
    </p>
  </FormDialog>
)

function Keys({ cardId }: { cardId: string }) {
  const keys = useQuery({
    queryKey: ['keys', 'of', cardId],
    queryFn: async () => {
      const found = []
      for await (const key of purser.keys.list({ limit: 100 }))
        if (key.status === 'active' && key.card_ids?.includes(cardId)) found.push(key)
      return found
    },
  })
  return (
    <Loaded query={keys}>
      {(found) =>
        found.length === 0 ? (
          <Empty title="No key is for this card alone">
            <p>
              Full keys of your wallet may use it.{' '}
              <Link to="/developers" className="text-accent underline">
                Keys of the wallet
              </Link>
            </p>
          </Empty>
        ) : (
          <ul className="divide-y divide-line rounded-lg border border-line">
            {found.map(({ key_hash, key_hint, name, scopes, last_used_at }) => (
              <li
                key={key_hash}
                className="flex flex-wrap items-center justify-between gap-3 px-4 py-2"
              >
                <span className="min-w-0">
                  <Foreign>{name ?? 'Key'}</Foreign>{' '}
                  <span className="font-mono text-sm text-soft">{key_hint}</span>
                  <span className="block text-sm text-soft [overflow-wrap:anywhere]">
                    {scopes?.join(', ')}; last used{' '}
                    {last_used_at ? <Time at={last_used_at} /> : 'never'}
                  </span>
                </span>
                <RevokeKey hash={key_hash} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

type Mandate = Awaited<
  ReturnType<ReturnType<typeof purser.ap2.mandates>['page']>
>['mandates'][number] & { id: string }

const COLUMNS: readonly Column<Mandate>[] = [
  {
    title: 'Payee',
    cell: ({ merchant, mandate_id }) => (
      <>
        <Payee of={merchant} />
        <div className="text-sm">
          <Id id={mandate_id} />
        </div>
      </>
    ),
  },
  {
    title: 'Used',
    isWide: true,
    cell: ({ spent, budget, uses, max_uses }) => (
      <span className="tabular-nums">
        {spent === null ? '' : moneyText(spent)}
        {budget !== null && ` of ${moneyText(budget)}`}
        {uses !== null && `, ${uses}${max_uses ? ` of ${max_uses}` : ''} times`}
      </span>
    ),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, currency }) => (
      <span className="tabular-nums">
        {moneyText(amount)} <span className="text-soft">{currency}</span>
      </span>
    ),
  },
  {
    title: 'Act',
    isAct: true,
    cell: ({ mandate_id, kind, status }) =>
      kind === 'open' &&
      status === 'ACTIVE' && (
        <AskButton
          label="Revoke"
          look="danger"
          title="Revoke this mandate?"
          act={async (idempotencyKey) => {
            await purser.ap2.revokeMandate(mandate_id, {}, { idempotencyKey })
            await queries.invalidateQueries({ queryKey: ['mandates'] })
          }}
        >
          It is one grant: the agent that has it pays nothing more by it, with no card. This cannot
          be undone.
        </AskButton>
      ),
  },
]

function Mandates({ cardId, kind }: { cardId: string; kind: 'open' | 'closed' }) {
  const list = usePages<Mandate>(['mandates', cardId, kind], async (after) => {
    const page = await purser.ap2
      .mandates(cardId, { kind, limit: A_PAGE, ...(after !== undefined && { after }) })
      .page()
    return {
      rows: page.mandates.map((mandate) => ({ ...mandate, id: mandate.mandate_id })),
      hasMore: page.has_more,
    }
  })
  return (
    <Listed
      list={list}
      empty={
        <Empty
          title={kind === 'open' ? 'No open mandate is for this card' : 'No mandate paid with it'}
        />
      }
    >
      {(rows) => (
        <Table
          caption={
            kind === 'open'
              ? 'Open mandates, the newest first'
              : 'Mandates that have paid, the newest first'
          }
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </Listed>
  )
}
