import { useQuery } from '@tanstack/react-query'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Button } from '../../parts/acts/button.tsx'
import { Field } from '../../parts/acts/field.tsx'
import { FormDialog } from '../../parts/acts/form-dialog.tsx'
import { OrderForm } from '../../parts/acts/order-form.tsx'
import { ShownOnce } from '../../parts/acts/shown-once.tsx'
import { useOrder } from '../../parts/acts/use-order.ts'
import { Badge } from '../../parts/badge.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'
import { listOf } from '../../service/limits.ts'
import { FRAME } from './new-key.tsx'

const renew = (key: string) => queries.invalidateQueries({ queryKey: [key] })

type Hook = Awaited<ReturnType<typeof purser.webhooks.list>>['webhooks'][number]

const HOOKS: readonly Column<Hook>[] = [
  {
    title: 'Endpoint',
    cell: ({ url, description, events }) => (
      <>
        <Foreign>{url}</Foreign>
        {description && (
          <div className="text-sm text-soft">
            <Foreign>{description}</Foreign>
          </div>
        )}
        <div className="text-sm text-soft">
          {events === null ? 'all events' : events.join(', ')}
        </div>
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
    cell: (hook) => <Acts hook={hook} />,
  },
]

function Acts({ hook }: { hook: Hook }) {
  const { id, url, status } = hook
  return (
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
      <Change hook={hook} />
      <Rotate id={id} />
      {status === 'ACTIVE' ? (
        <AskButton
          key="off"
          label="Switch off"
          title="Send nothing to this webhook for now?"
          act={(idempotencyKey) => change(id, { status: 'DISABLED' }, idempotencyKey)}
        >
          What waits for it is not sent any more. It can be sent again once it is switched on.
        </AskButton>
      ) : (
        <AskButton
          key="on"
          label="Switch on"
          look="main"
          title="Send events to this webhook again?"
          act={(idempotencyKey) => change(id, { status: 'ACTIVE' }, idempotencyKey)}
        >
          It receives what happens from now on.
        </AskButton>
      )}
      <Recover id={id} />
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
  )
}

export function Webhooks() {
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

type Changes = Parameters<typeof purser.webhooks.update>[1]

async function change(id: string, changes: Changes, idempotencyKey: string): Promise<void> {
  await purser.webhooks.update(id, changes, { idempotencyKey })
  await renew('webhooks')
}

const Change = ({ hook: { id, url, description, events } }: { hook: Hook }) => (
  <FormDialog
    label="Change"
    title="Change this webhook"
    submit="Save"
    act={(given, idempotencyKey) => {
      const types = listOf(given('events')) as EventTypes
      const changes = {
        ...(given('url') !== url && { url: given('url') }),
        ...(given('description') !== (description ?? '') && { description: given('description') }),
        ...(types.join() !== (events ?? []).join() && { events: types.length > 0 ? types : null }),
      } as Changes
      return change(id, changes, idempotencyKey)
    }}
  >
    <HookFields url={url} events={events?.join(', ')} />
    <Field
      name="description"
      label="What it is for"
      defaultValue={description ?? ''}
      maxLength={500}
      autoComplete="off"
    />
  </FormDialog>
)

const Rotate = ({ id }: { id: string }) => (
  <FormDialog
    label="New secret"
    title="Give this webhook a new secret?"
    act={async (_, idempotencyKey) =>
      (await purser.webhooks.rotateSecret(id, { idempotencyKey })).secret
    }
    done={(secret) => (
      <ShownOnce secret={secret}>
        <strong>The secret is shown once.</strong> For 24 hours both sign what is sent.
      </ShownOnce>
    )}
  >
    <p className="text-soft">Your endpoint goes on with the old one for 24 hours.</p>
  </FormDialog>
)

const Recover = ({ id }: { id: string }) => (
  <FormDialog
    label="Send what failed"
    title="Send again what failed since a time"
    submit="Send it again"
    act={async (given, idempotencyKey) => {
      const since = new Date(given('since')).toISOString()
      const { count } = await purser.webhooks.recover(id, { since }, { idempotencyKey })
      await renew('deliveries')
      return count
    }}
    done={(count) => (
      <p>{count === 1 ? 'One delivery is' : `${count} deliveries are`} sent again.</p>
    )}
  >
    <Field name="since" type="datetime-local" label="Failed since, in your time" required />
  </FormDialog>
)

const HookFields = ({ url, events }: { url?: string; events?: string | undefined }) => (
  <>
    <Field
      name="url"
      type="url"
      label="Send events to"
      placeholder="https://"
      defaultValue={url}
      required
      autoComplete="off"
      hint="An https address that anybody can reach."
    />
    <Field
      name="events"
      label="Only of these types"
      placeholder="payment.settled, card.declined"
      defaultValue={events}
      autoComplete="off"
      hint="Empty: all, those that are still to come too."
    />
  </>
)

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
      <HookFields />
    </OrderForm>
  )
}
