import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../parts/acts/button.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Id } from '../../parts/id.tsx'
import { Listed, usePages } from '../../parts/lists/more.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { purser } from '../../service/client.ts'
import { useIsOperator } from '../../service/session.ts'
import { Nowhere } from '../no-page.tsx'

const read = async (after: string | undefined) => {
  const page = await purser.operator
    .audit({ limit: 50, ...(after !== undefined && { after }) })
    .page()
  return { rows: page.acts, hasMore: page.has_more }
}
type Act = Awaited<ReturnType<typeof read>>['rows'][number]

const WAYS: Readonly<Record<Act['way'], string>> = {
  session: 'by a sign-in',
  key: 'by an API key',
  command: 'by a command',
}

const COLUMNS: readonly Column<Act>[] = [
  { title: 'When', isWide: true, cell: ({ at }) => <Time at={at} /> },
  {
    title: 'What',
    cell: ({ act, at, subject, note }) => (
      <>
        <span className="font-mono text-sm [overflow-wrap:anywhere]">{act}</span>
        <div className="text-sm text-soft md:hidden">
          <Time at={at} />
        </div>
        <div>
          <Id id={subject} />
        </div>
        {note && (
          <div className="text-sm text-soft">
            <Foreign>{note}</Foreign>
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Who',
    cell: ({ actor, way }) => (
      <>
        {way === 'command' ? <Foreign>{actor}</Foreign> : <Id id={actor} />}
        <div className="text-sm text-soft">{WAYS[way]}</div>
      </>
    ),
  },
  {
    title: 'Request',
    isWide: true,
    cell: ({ request_id }) => request_id && <Id id={request_id} />,
  },
]

/** The acts of operators, and of wallets with their keys. */
export function Audit() {
  return useIsOperator() ? <Acts /> : <Nowhere />
}

function Acts() {
  const list = usePages<Act>(['operator', 'audit'], read)
  return (
    <>
      <Heading title="Audit log">
        <Link to="/operator" className={buttonStyle()}>
          Operator
        </Link>
      </Heading>
      <Listed list={list} empty={<Empty title="Nothing was done yet" />}>
        {(rows) => (
          <Table
            caption="Acts, the newest first"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </Listed>
    </>
  )
}
