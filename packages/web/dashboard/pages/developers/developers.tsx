import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AskButton } from '../../parts/acts/ask.tsx'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { RevokeKey } from '../../parts/acts/revoke-key.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'
import { NewKey } from './new-key.tsx'
import { Webhooks } from './webhooks.tsx'

export function Developers() {
  return (
    <>
      <Heading title="Developers">
        <Link to="/developers/deliveries" className={buttonStyle()}>
          Deliveries of webhooks
        </Link>
        <Link to="/developers/requests" className={buttonStyle()}>
          Requests
        </Link>
        <Link to="/developers/events" className={buttonStyle()}>
          Events
        </Link>
        <Link to="/developers/tokens" className={buttonStyle()}>
          Tokens and settlements
        </Link>
      </Heading>
      <div className="grid gap-8">
        <Part title="API keys">
          <Keys />
        </Part>
        <Part title="Webhooks">
          <Webhooks />
        </Part>
        <Part title="Sign-ins">
          <Sessions />
        </Part>
      </div>
    </>
  )
}

const renew = (key: string) => queries.invalidateQueries({ queryKey: [key] })

type Key = Awaited<ReturnType<ReturnType<typeof purser.keys.list>['page']>>['keys'][number]

const KEYS: readonly Column<Key & { id: string }>[] = [
  {
    title: 'Key',
    cell: ({ name, key_hint }) => (
      <>
        <Foreign>{name ?? 'Full key'}</Foreign>
        <div className="font-mono text-sm text-soft">{key_hint}</div>
      </>
    ),
  },
  {
    title: 'May',
    isWide: true,
    cell: ({ scopes, card_ids }) => (
      <span className="text-sm [overflow-wrap:anywhere]">
        {scopes ? scopes.join(', ') : 'everything'}
        {card_ids && `; with ${card_ids.length === 1 ? 'one card' : `${card_ids.length} cards`}`}
      </span>
    ),
  },
  {
    title: 'Last used',
    isWide: true,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'never'),
  },
  { title: 'State', cell: ({ status }) => <Badge state={status.toUpperCase()} /> },
  {
    title: 'Act',
    isAct: true,
    cell: ({ key_hash, status }) => status === 'active' && <RevokeKey hash={key_hash} />,
  },
]

function Keys() {
  const list = usePages<Key & { id: string }>(['keys'], async (after) => {
    const page = await purser.keys.list({ limit: 50, ...(after !== undefined && { after }) }).page()
    return {
      rows: page.keys.map((key) => ({ ...key, id: key.key_hash })),
      hasMore: page.has_more,
    }
  })
  return (
    <>
      <NewKey />
      <Listed list={list} empty={<Empty title="You have no keys yet" />}>
        {(rows) => (
          <Table
            caption="API keys, the newest first"
            columns={KEYS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}

function Sessions() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => purser.sessions.list() })
  return (
    <Loaded query={sessions}>
      {({ sessions: rows }) => (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {rows.map(({ id, created_at, expires_at, is_current }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
              <span>
                <Time at={created_at} isWhole /> <span className="text-soft">until</span>{' '}
                <Time at={expires_at} isWhole />
              </span>
              {is_current ? (
                <span className="text-soft">this one</span>
              ) : (
                <AskButton
                  label="End"
                  look="danger"
                  title="End this sign-in?"
                  act={async (idempotencyKey) => {
                    await purser.sessions.end(id, {}, { idempotencyKey })
                    await renew('sessions')
                  }}
                >
                  Whoever uses it is signed out at once. Keys that it made stay.
                </AskButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
