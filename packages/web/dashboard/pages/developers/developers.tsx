import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { RevokeKey } from '../../parts/acts/revoke-key.tsx'
import { ShownOnce } from '../../parts/acts/shown-once.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty, Fault, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

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

type Scope = Parameters<typeof purser.keys.restrict>[0]['scopes'][number]
/** Scopes of a key in words, from the least to the most. */
const SCOPES: readonly (readonly [scope: Scope, words: string])[] = [
  ['cards:read', 'see cards'],
  ['payments:read', 'see payments'],
  ['payments:write', 'pay with cards'],
  ['cards:write', 'issue and fund cards'],
  ['controls:write', 'change limits'],
  ['paylinks:read', 'see pay links'],
  ['paylinks:write', 'open pay links'],
  ['approvals:write', 'approve payments'],
  ['treasury:read', 'see the balance'],
  ['events:read', 'hear of events'],
]

function NewKey() {
  const [isOpen, setOpen] = useState(false)
  const [scopes, setScopes] = useState<readonly Scope[]>([
    'cards:read',
    'payments:read',
    'payments:write',
  ])
  const make = useOrder(
    (given, idempotencyKey) =>
      purser.keys.restrict({ name: given('name'), scopes: [...scopes] }, { idempotencyKey }),
    () => renew('keys'),
  )
  const close = () => {
    setOpen(false)
    make.again()
  }
  if (!isOpen)
    return (
      <Button className="mb-4" onClick={() => setOpen(true)}>
        Make a key
      </Button>
    )
  if (make.result)
    return (
      <>
        <ShownOnce secret={make.result.api_key}>
          <strong>The key is shown once.</strong> Keep it where the program reads its secrets.
        </ShownOnce>
        <Button onClick={close}>I have it</Button>
      </>
    )
  return (
    <form {...make.form} className="mb-4 grid max-w-2xl gap-4 rounded-lg border border-line p-4">
      <Field name="name" label="Who uses it" required maxLength={100} autoComplete="off" />
      <fieldset>
        <legend className="font-medium">It may</legend>
        <div className="mt-1 grid gap-1 sm:grid-cols-2">
          {SCOPES.map(([scope, words]) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(
                    target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope),
                  )
                }
              />{' '}
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      {make.error && <Fault error={make.error} />}
      <div className="flex gap-2">
        <Button type="submit" look="main" isBusy={make.isPending} disabled={scopes.length === 0}>
          Make the key
        </Button>
        <Button onClick={close}>Leave it</Button>
      </div>
    </form>
  )
}

type Hook = Awaited<ReturnType<typeof purser.webhooks.list>>['webhooks'][number]

const HOOKS: readonly Column<Hook>[] = [
  {
    title: 'Endpoint',
    cell: ({ url, description }) => (
      <>
        <Foreign>{url}</Foreign>
        {description && (
          <div className="text-sm text-soft">
            <Foreign>{description}</Foreign>
          </div>
        )}
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ status, failing_since, disabled_reason }) => (
      <>
        <Badge state={status} />
        {disabled_reason && <p className="text-sm text-soft">{disabled_reason}</p>}
        {failing_since && (
          <p className="text-sm text-warn">
            fails since <Time at={failing_since} />
          </p>
        )}
      </>
    ),
  },
  {
    title: 'Act',
    cell: ({ id, url, status }) => (
      <div className="flex flex-wrap gap-2">
        {status === 'ACTIVE' && (
          <AskButton
            label="Test"
            title="Send a test event?"
            act={async (idempotencyKey) => {
              await purser.webhooks.test(id, { idempotencyKey })
              await renew('deliveries')
            }}
          >
            It is signed as real ones are, and goes to {url}.
          </AskButton>
        )}
        <AskButton
          label="Delete"
          look="danger"
          title="Delete this webhook?"
          act={async (idempotencyKey) => {
            await purser.webhooks.remove(id, { idempotencyKey })
            await renew('webhooks')
          }}
        >
          Nothing is sent to {url} any more, and its secret is gone.
        </AskButton>
      </div>
    ),
  },
]

function Webhooks() {
  const hooks = useQuery({ queryKey: ['webhooks'], queryFn: () => purser.webhooks.list() })
  return (
    <>
      <NewHook />
      <Loaded query={hooks}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty title="No webhook is registered" />
          ) : (
            <Table
              caption="Webhooks, the newest first"
              columns={HOOKS}
              rows={webhooks}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </>
  )
}

function NewHook() {
  const make = useOrder(
    (given, idempotencyKey) => purser.webhooks.create({ url: given('url') }, { idempotencyKey }),
    () => renew('webhooks'),
  )
  if (make.result)
    return (
      <>
        <ShownOnce secret={make.result.secret}>
          <strong>The secret is shown once.</strong> Your endpoint checks the signatures with it.
        </ShownOnce>
        <Button onClick={make.again}>I have it</Button>
      </>
    )
  return (
    <form {...make.form} className="mb-4 grid max-w-2xl gap-3 rounded-lg border border-line p-4">
      <Field
        name="url"
        type="url"
        label="Send every event to"
        placeholder="https://"
        required
        autoComplete="off"
        hint="An https address that anybody can reach. It is signed by a secret that you get now."
      />
      {make.error && <Fault error={make.error} />}
      <div>
        <Button type="submit" isBusy={make.isPending}>
          Register
        </Button>
      </div>
    </form>
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
