import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, Fragment } from 'react'
import { Button, buttonStyle } from '../../parts/acts/button.tsx'
import { Choice, Field } from '../../parts/acts/field.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'

const CLASSES = [
  ['', 'All answers'],
  ['2xx', 'Done'],
  ['4xx', 'Refused'],
  ['5xx', 'Failed'],
] as const
type Class = Exclude<(typeof CLASSES)[number][0], ''>
type Filter = { status?: string; by?: 'all'; id?: string }

/** While the page is seen, new requests come by themselves. */
const EVERY_MS = 5_000

/** Pages like this one ask much: without a wish, what programs asked is shown. One that is looked for by its id is found either way. */
const read = async ({ status, by, id }: Filter, after: string | undefined) => {
  const page = await purser.requests
    .list({
      limit: 50,
      ...(after !== undefined && { after }),
      ...(status !== undefined && { status: status as Class }),
      ...(id === undefined ? by !== 'all' && { way: 'key' as const } : { request_id: id }),
    })
    .page()
  return {
    rows: page.requests.map((row) => ({ ...row, id: row.request_id })),
    hasMore: page.has_more,
  }
}
type Row = Awaited<ReturnType<typeof read>>['rows'][number]

const toneOf = (status: number): string => {
  if (status >= 500) return 'text-bad'
  return status >= 400 ? 'text-warn' : 'text-good'
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'When', isWide: true, cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Request',
    cell: ({ method, path, at, request_id }) => (
      <>
        <span className="font-mono text-sm [overflow-wrap:anywhere]">
          {method} <Foreign>{path}</Foreign>
        </span>
        <div className="text-sm text-soft md:hidden">
          <Time at={at} />
        </div>
        <div>
          <Id id={request_id} />
        </div>
      </>
    ),
  },
  {
    title: 'Answer',
    cell: ({ status, code }) => (
      <>
        <span className={`tabular-nums font-medium ${toneOf(status)}`}>{status}</span>
        {code && (
          <div className="text-sm text-soft">
            {code.split('_').map((word, i) => (
              <Fragment key={word}>
                {i > 0 && '_'}
                <wbr />
                {word}
              </Fragment>
            ))}
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Took',
    isNumber: true,
    isWide: true,
    cell: ({ ms }) => <span className="whitespace-nowrap">{ms} ms</span>,
  },
  {
    title: 'By',
    isWide: true,
    cell: ({ way, key_name, key_hash }) =>
      way === 'session' ? (
        'a sign-in'
      ) : (
        <>
          <Foreign>{key_name ?? 'a key'}</Foreign>
          {key_hash && (
            <div>
              <Id id={key_hash} />
            </div>
          )}
        </>
      ),
  },
]

/** The wallet's requests of the last hour. */
export function Requests() {
  const filter = useSearch({ from: '/shell/developers/requests' })
  const navigate = useNavigate({ from: '/developers/requests' })
  const list = usePages<Row>(['requests', filter], (after) => read(filter, after), EVERY_MS)
  const show = (search: Filter) => void navigate({ search })
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget).get('id')).trim()
    show(id === '' ? {} : { id })
  }
  return (
    <>
      <Heading title="Requests of the last hour">
        <Link to="/developers" className={buttonStyle()}>
          Developers
        </Link>
      </Heading>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <form
          aria-label="Find a request"
          onSubmit={find}
          className="flex flex-wrap items-end gap-3"
        >
          <Field
            key={filter.id}
            name="id"
            label="Request id"
            look="filter"
            placeholder="req_"
            defaultValue={filter.id}
            maxLength={64}
            autoComplete="off"
          />
          <Button type="submit">Find</Button>
        </form>
        <Choice
          label="Answer"
          value={CLASSES.find(([one]) => one === filter.status)?.[0] ?? ''}
          onChange={(status) =>
            show({ ...(filter.by && { by: filter.by }), ...(status !== '' && { status }) })
          }
          options={CLASSES}
        />
        <Choice
          label="Asked by"
          value={filter.by ?? ''}
          onChange={(by) =>
            show({ ...(filter.status && { status: filter.status }), ...(by !== '' && { by }) })
          }
          options={[
            ['', 'API keys'],
            ['all', 'API keys and these pages'],
          ]}
        />
      </div>
      <Listed list={list} empty={<Nothing {...filter} />}>
        {(rows) => (
          <Table
            caption="Requests, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}

const Nothing = ({ status, id }: Filter) =>
  id === undefined ? (
    <Empty
      title={status ? 'No request was answered like that' : 'No API key was used in the last hour'}
    >
      A request is here about a second after its answer.
    </Empty>
  ) : (
    <Empty title="No request of yours has this id">
      It may be older than an hour, or of another wallet, or it was asked without a key. A request
      is here about a second after its answer.
    </Empty>
  )
