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

type Session = Awaited<ReturnType<typeof purser.sessions.list>>['sessions'][number]

function Sessions() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => purser.sessions.list() })
  return (
    <Loaded query={sessions}>
      {({ sessions: rows }) => {
        const others = rows.filter(({ is_current }) => !is_current)
        return (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line">
              {rows.map((session) => (
                <li
                  key={session.id}
                  className="flex flex-wrap items-center justify-between gap-3 px-4 py-2"
                >
                  <SessionWords session={session} />
                  {session.is_current ? (
                    <span className="text-soft">this one</span>
                  ) : (
                    <EndSessions
                      ids={[session.id]}
                      label="End"
                      title="End this sign-in?"
                      words="Whoever uses it is signed out at once. Keys that it made stay."
                    />
                  )}
                </li>
              ))}
            </ul>
            {others.length > 1 && (
              <div className="mt-4">
                <EndSessions
                  ids={others.map(({ id }) => id)}
                  label="End all others"
                  title={`End ${others.length} sign-ins?`}
                  words="Whoever uses them is signed out at once; this one stays. Keys that they made stay."
                />
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const SessionWords = ({ session: { device, created_at, expires_at } }: { session: Session }) => (
  <span className="min-w-0" title={device ?? undefined}>
    <Foreign>{deviceOf(device)}</Foreign>
    <span className="block text-sm text-soft">
      <Time at={created_at} isWhole /> until <Time at={expires_at} isWhole />
    </span>
  </span>
)

const PROGRAMS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const
const ofFirst = (known: readonly (readonly [RegExp, string])[], device: string) =>
  known.find(([form]) => form.test(device))?.[1]

/** A browser and its system, as people call them; a program as it names itself. */
function deviceOf(device: string | null): string {
  if (!device) return 'A program that gives no name'
  const [program, system] = [ofFirst(PROGRAMS, device), ofFirst(SYSTEMS, device)]
  return program ? [program, system].filter(Boolean).join(' on ') : device
}

const EndSessions = ({
  ids,
  label,
  title,
  words,
}: {
  ids: readonly string[]
  label: string
  title: string
  words: string
}) => (
  <AskButton
    label={label}
    look="danger"
    title={title}
    act={async (idempotencyKey) => {
      for (const id of ids)
        await purser.sessions.end(id, {}, { idempotencyKey: `${idempotencyKey}-${id}` })
      await renew('sessions')
    }}
  >
    {words}
  </AskButton>
)
