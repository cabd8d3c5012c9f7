import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { RevokeKey } from '../../parts/acts/revoke-key.tsx'
import { ShownOnce } from '../../parts/acts/shown-once.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Part } from '../../parts/part.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'
import { listOf } from '../../service/limits.ts'
import { FRAME, NewKey } from './new-key.tsx'

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
    isAct: true,
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

type EventTypes = NonNullable<Parameters<typeof purser.webhooks.create>[0]['events']>

function NewHook() {
  const make = useOrder(
    (given, idempotencyKey) => {
      const events = listOf(given('events')) as EventTypes
      return purser.webhooks.create(
        { url: given('url'), ...(events.length > 0 && { events }) },
        { idempotencyKey },
      )
    },
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
    <OrderForm order={make} submit="Register" look="plain" className={FRAME}>
      <Field
        name="url"
        type="url"
        label="Send events to"
        placeholder="https://"
        required
        autoComplete="off"
        hint="An https address that anybody can reach. Each is signed by a secret that you get now."
      />
      <Field
        name="events"
        label="Only of these types"
        placeholder="payment.received, card.declined"
        autoComplete="off"
        hint="Empty: all, those that are still to come too."
      />
    </OrderForm>
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
