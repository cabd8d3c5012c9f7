import { Badge } from '../../parts/badge.tsx'
import { Id } from '../../parts/id.tsx'
import { Line, Lines } from '../../parts/lines.tsx'
import { type Column, Table } from '../../parts/lists/table.tsx'
import { Foreign, Money, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import type {
  Machine,
  Overview,
  Queues as QueuesFound,
  Relayer,
  SigningKeys,
} from '../../service/operator.ts'

const whole = (value: number | null): string =>
  value === null ? 'unknown' : value.toLocaleString('en')

const NAMES: Readonly<Record<string, string>> = {
  chain: 'Chain',
  books: 'Books',
  relayers: 'Relayers',
  watcher: 'Watcher',
}

export const Components = ({ components }: Pick<Overview, 'components'>) => (
  <ul className="content-start divide-y divide-line rounded-lg border border-line">
    {components.map(({ component, status, sentence }) => (
      <li key={component} className="px-4 py-2">
        <span className="font-medium">{NAMES[component] ?? component}</span>{' '}
        <Badge state={status.toUpperCase()} />
        <p className="text-soft">{sentence}</p>
      </li>
    ))}
  </ul>
)

export const Chain = ({ chain, version, mode, at }: Overview) => (
  <Lines>
    <Line name="Network">{chain.network}</Line>
    <Line name="Newest block">
      {whole(chain.head)}
      {chain.lag_seconds !== null && (
        <span className="text-soft">, {whole(chain.lag_seconds)} s old</span>
      )}
    </Line>
    <Line name="Read for transfers">
      {chain.watched_block === null ? 'not yet' : whole(chain.watched_block)}
      {chain.blocks_behind !== null && (
        <span className="text-soft">, {whole(chain.blocks_behind)} safe blocks behind</span>
      )}
    </Line>
    <Line name="Version">
      {version} <span className="text-soft">({mode})</span>
    </Line>
    <Line name="As of">
      <Time at={at} isWhole />
    </Line>
  </Lines>
)

type Book = Overview['books'][number]
type Compared = NonNullable<Book['compared']>
/** The terms by which books and chain are compared, in the order of the sum. */
const TERMS: readonly (readonly [name: keyof Compared, words: string])[] = [
  ['on_chain', 'Held on chain'],
  ['owed', 'In custody by the books'],
  ['unclaimed', 'Arrived from wallets that nobody knows'],
  ['awaited', 'Arrived, and not credited yet'],
  ['early', 'Credited, and arrived later'],
  ['departed', 'Left, and not booked yet'],
  ['ahead', 'Booked, and left later'],
  ['opening', 'There before the books began'],
]

export const Books = ({ books }: Pick<Overview, 'books'>) => (
  <div className="grid gap-4 lg:grid-cols-2">
    {books.map((book) => (
      <BookOf key={`${book.network} ${book.asset}`} {...book} />
    ))}
  </div>
)

function BookOf({ asset, payouts, compared }: Book) {
  const isEven = compared !== null && Number(compared.difference) === 0
  return (
    <Lines>
      <Line name={asset}>
        {compared ? (
          <Badge state={isEven ? 'EVEN' : 'DIFFERENT'} />
        ) : (
          'Not compared yet: the first comparison follows within a minute of the start.'
        )}
      </Line>
      {compared && (
        <>
          {TERMS.map(([name, words]) => (
            <Line key={name} name={words}>
              <Money amount={compared[name]} />
            </Line>
          ))}
          <Line name="Difference">
            <span className={`font-medium ${isEven ? '' : 'text-bad'}`}>
              <Money amount={compared.difference} />
            </span>
          </Line>
          <Line name="Compared">
            <Time at={compared.at} isWhole />{' '}
            <span className="text-soft">at block {whole(compared.block)}</span>
          </Line>
        </>
      )}
      <Line name="Payouts">
        {payouts.are_held ? <span className="text-bad">held: {payouts.why}</span> : 'go'}
      </Line>
    </Lines>
  )
}

type Task = QueuesFound['tasks'][number]
const TASKS: readonly Column<Task>[] = [
  {
    title: 'Task',
    cell: ({ task }) => <span className="font-mono text-sm [overflow-wrap:anywhere]">{task}</span>,
  },
  { title: 'Due', isNumber: true, cell: ({ ready }) => whole(ready) },
  { title: 'Run', isNumber: true, isWide: true, cell: ({ running }) => whole(running) },
  { title: 'Retried', isNumber: true, isWide: true, cell: ({ retrying }) => whole(retrying) },
  {
    title: 'Failed',
    isNumber: true,
    cell: ({ failed }) => <span className={failed > 0 ? 'text-bad' : ''}>{whole(failed)}</span>,
  },
  {
    title: 'Oldest waits',
    isNumber: true,
    isWide: true,
    cell: ({ oldest_seconds }) => (oldest_seconds === null ? '' : `${whole(oldest_seconds)} s`),
  },
]

export const Queues = ({ jobs, tasks, webhooks }: QueuesFound) => (
  <div className="grid gap-4">
    <div className="grid gap-4 lg:grid-cols-2">
      <Lines>
        <Line name="Jobs due">{whole(jobs.ready)}</Line>
        <Line name="Jobs for later">{whole(jobs.waiting)}</Line>
        <Line name="Jobs that run">{whole(jobs.running)}</Line>
        <Line name="Jobs given up">
          <span className={jobs.failed > 0 ? 'text-bad' : ''}>{whole(jobs.failed)}</span>
        </Line>
      </Lines>
      <Lines>
        <Line name="Webhooks that wait">{whole(webhooks.endpoints_due)}</Line>
        {webhooks.oldest_due_at && (
          <Line name="The first since">
            <Time at={webhooks.oldest_due_at} isWhole />
          </Line>
        )}
        {webhooks.deliveries.map(({ status, count }) => (
          <Line key={status} name={`Deliveries ${status.toLowerCase()}`}>
            {whole(count)}
          </Line>
        ))}
      </Lines>
    </div>
    {tasks.length > 0 && (
      <Table
        caption="Tasks with work, those that fail first"
        columns={TASKS}
        rows={tasks}
        keyOf={({ task }) => task}
      />
    )}
  </div>
)

const WEI_DIGITS = 18
const SHOWN_DIGITS = 6

/** Gas money in whole coins, cut after six digits: what is left is too little for a transaction. */
function coinsOf(wei: string): string {
  const digits = wei.padStart(WEI_DIGITS + 1, '0')
  const point = digits.length - WEI_DIGITS
  return `${BigInt(digits.slice(0, point)).toLocaleString('en')}.${digits.slice(point, point + SHOWN_DIGITS)}`
}

const RELAYERS: readonly Column<Relayer>[] = [
  { title: 'Relayer', cell: ({ address }) => <Id id={address} /> },
  {
    title: 'Gas, in ETH',
    isNumber: true,
    cell: ({ wei }) => (
      <span className="tabular-nums">{wei === null ? 'not measured' : coinsOf(wei)}</span>
    ),
  },
  {
    title: 'Measured',
    isWide: true,
    cell: ({ measured_at }) => (measured_at ? <Time at={measured_at} /> : 'never'),
  },
  { title: 'Next nonce', isNumber: true, isWide: true, cell: ({ next_nonce }) => next_nonce },
  { title: 'Not mined', isNumber: true, isWide: true, cell: ({ unmined }) => whole(unmined) },
  { title: 'State', cell: ({ is_resting }) => <Badge state={is_resting ? 'RESTING' : 'READY'} /> },
]

export const Relayers = ({ relayers }: { relayers: readonly Relayer[] }) => (
  <Table
    caption="Relayers of the machine that answers"
    columns={RELAYERS}
    rows={relayers}
    keyOf={({ address }) => address}
  />
)

const MACHINES: readonly Column<Machine>[] = [
  {
    title: 'Machine',
    cell: ({ host, pid }) => (
      <>
        <Foreign>{host}</Foreign>
        <div className="text-sm text-soft">process {pid}</div>
      </>
    ),
  },
  { title: 'Version', cell: ({ version }) => version },
  {
    title: 'Does',
    isWide: true,
    cell: ({ roles, processes }) =>
      `${roles.join(', ')}${processes > 1 ? `; ${processes} processes` : ''}`,
  },
  { title: 'Since', isWide: true, cell: ({ started_at }) => <Time at={started_at} isWhole /> },
  {
    title: 'State',
    cell: ({ is_lost, seen_at }) =>
      is_lost ? (
        <>
          <Badge state="LOST" />
          <p className="text-sm text-soft">
            seen <Time at={seen_at} />
          </p>
        </>
      ) : (
        <Badge state="RUNNING" />
      ),
  },
]

export const Machines = ({ machines }: { machines: readonly Machine[] }) =>
  machines.length === 0 ? (
    <Empty title="No machine has been seen within a day">
      A machine shows itself while the service runs on it.
    </Empty>
  ) : (
    <Table
      caption="Machines, the newest start first"
      columns={MACHINES}
      rows={machines}
      keyOf={({ id }) => id}
    />
  )

type Key = SigningKeys['keys'][number]
const DAY_MS = 86_400_000
const daysSince = (at: string): number => Math.floor((Date.now() - new Date(at).getTime()) / DAY_MS)

const KEYS: readonly Column<Key>[] = [
  {
    title: 'Key',
    cell: ({ kid, signs }) => (
      <>
        <Id id={kid} />
        <div className="text-sm text-soft">signs {signs}</div>
      </>
    ),
  },
  {
    title: 'Kind',
    isWide: true,
    cell: ({ public_key }) => `${public_key.kty} ${public_key.crv}`,
  },
  {
    title: 'Made',
    isWide: true,
    cell: ({ created_at }) => (
      <>
        <Time at={created_at} isWhole />
        <div className="text-sm text-soft">{daysSince(created_at)} days ago</div>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ state, retired_at, revoked_at }) => {
      const since = revoked_at ?? retired_at
      return (
        <>
          <Badge state={state.toUpperCase()} />
          {since && (
            <p className="text-sm text-soft">
              since <Time at={since} />
            </p>
          )}
        </>
      )
    },
  },
]

export const Keys = ({ keys }: SigningKeys) =>
  keys.length === 0 ? (
    <Empty title="No key has been made yet">The service makes one when it first signs.</Empty>
  ) : (
    <Table
      caption="Keys by which the service signs"
      columns={KEYS}
      rows={keys}
      keyOf={({ kid }) => kid}
    />
  )

const SOURCES: Readonly<Record<string, string>> = {
  made: 'made by the first start, in the data folder',
  environment: 'the environment',
  file: 'a file',
  keystore: 'an encrypted keystore',
  kms: 'a KMS, which it never leaves',
}

const ACCOUNTS: readonly Column<SigningKeys['accounts'][number]>[] = [
  { title: 'Account', cell: ({ address }) => <Id id={address} /> },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Its key is from', cell: ({ source }) => SOURCES[source] ?? source },
]

export const Accounts = ({ accounts }: SigningKeys) => (
  <Table
    caption="Accounts on chain that the service signs for"
    columns={ACCOUNTS}
    rows={accounts}
    keyOf={({ address }) => address}
  />
)
