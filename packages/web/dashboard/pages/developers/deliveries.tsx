import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AskButton } from '../../parts/acts/ask.tsx'
import { Button } from '../../parts/acts/button.tsx'
import { Choice } from '../../parts/acts/field.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Heading } from '../../parts/heading.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { purser, queries } from '../../service/client.ts'

const STATES = ['PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED'] as const
type Delivery = Awaited<ReturnType<typeof purser.webhooks.deliveries>>['deliveries'][number]
const A_PAGE = 50
const EVERY_MS = 10_000

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'When', cell: ({ updated_at }) => <Time at={updated_at} /> },
  { title: 'To', isWide: true, cell: ({ url }) => <Foreign>{url}</Foreign> },
  {
    title: 'State',
    cell: ({ id, status, status_code, attempts, error, response_head, has_payload }) => (
      <>
        <Badge state={status} />
        <p className="text-sm text-soft">
          {status_code ?? 'no answer'}, {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
        </p>
        {error && <p className="text-sm text-soft">{error}</p>}
        {response_head && (
          <details className="text-sm">
            <summary>What it answered</summary>
            <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              <bdi>{response_head}</bdi>
            </pre>
          </details>
        )}
        {has_payload && <Body id={id} />}
      </>
    ),
  },
  {
    title: 'Act',
    isAct: true,
    cell: ({ id, url, has_payload }) =>
      has_payload && (
        <AskButton
          label="Send again"
          title="Send this event again?"
          act={async (idempotencyKey) => {
            await purser.webhooks.replay(id, { idempotencyKey })
            await queries.invalidateQueries({ queryKey: ['deliveries'] })
          }}
        >
          The same event, under the same id, goes to {url}.
        </AskButton>
      ),
  },
]

/** The body of a delivery, asked for once a person opens it. */
function Body({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const delivery = useQuery({
    queryKey: ['delivery', id],
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await purser.webhooks.delivery(id)).delivery,
  })
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What is sent</summary>
      {isOpen && (
        <Loaded query={delivery} rows={2}>
          {({ body }) => (
            <pre className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              <bdi>{body === null ? 'It is not kept any more.' : pretty(body)}</bdi>
            </pre>
          )}
        </Loaded>
      )}
    </details>
  )
}

/** The same document, a member a line. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export function Deliveries() {
  const { status, page = 1 } = useSearch({ from: '/shell/developers/deliveries' })
  const navigate = useNavigate({ from: '/developers/deliveries' })
  const query = {
    ...(status && { status: status as (typeof STATES)[number] }),
    ...{ page, limit: A_PAGE },
  }
  const deliveries = useQuery({
    // No event tells of an attempt.
    refetchInterval: EVERY_MS,
    queryKey: ['deliveries', query],
    queryFn: () => purser.webhooks.deliveries(query),
  })
  return (
    <>
      <Heading title="Deliveries of webhooks" />
      <form className="mb-4 max-w-60" aria-label="Filters">
        <Choice
          label="State"
          value={query.status ?? ''}
          onChange={(value) => void navigate({ search: value === '' ? {} : { status: value } })}
          options={[['', 'All states'], ...STATES.map((one) => [one, one.toLowerCase()] as const)]}
        />
      </form>
      <Loaded query={deliveries} rows={8}>
        {(log) =>
          log.deliveries.length === 0 ? (
            <Empty title={status ? 'No delivery is in this state' : 'Nothing was sent yet'} />
          ) : (
            <>
              <Table
                caption="Deliveries, the newest first"
                columns={COLUMNS}
                rows={log.deliveries}
                keyOf={({ id }) => id}
              />
              {log.pages > 1 && (
                <div className="mt-4 flex items-center gap-3">
                  <Button
                    disabled={page <= 1}
                    onClick={() => void navigate({ search: (now) => ({ ...now, page: page - 1 }) })}
                  >
                    Newer
                  </Button>
                  <span className="text-soft">
                    {log.page} of {log.pages}
                  </span>
                  <Button
                    disabled={page >= log.pages}
                    onClick={() => void navigate({ search: (now) => ({ ...now, page: page + 1 }) })}
                  >
                    Older
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}
