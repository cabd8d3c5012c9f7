import type { ReactNode } from 'react'
import { BASE_PATH } from '../../service/client.ts'
import type { Line } from '../../service/live/follow.ts'
import { type Readiness, useReadiness } from '../../service/readiness.ts'
import { Time } from '../money.tsx'
import { wordsOf } from '../states.tsx'

/** The parts of the service, with whose money waits while one is away. The most important is first. */
const PARTS: readonly { check: string; title: string; words: string; steps: string }[] = [
  {
    check: 'database',
    title: 'The database does not answer',
    words:
      'Everybody waits: no card pays, no link is settled, nothing is credited and nothing is paid out. What was answered before is kept. What was signed and sent to the chain goes on there, and is booked once the database is back.',
    steps: 'operate/runbooks#purserdatabasesilent',
  },
  {
    check: 'writes',
    title: 'The database takes no writes',
    words:
      'Everybody waits: no card pays, no link is settled, nothing is credited and nothing is paid out. Everything can be looked at. It goes on by itself once the database takes writes again.',
    steps: 'operate/runbooks#purserdatabasesilent',
  },
  {
    check: 'migrations',
    title: 'The database does not fit this version',
    words: 'Everybody waits: no card pays and no link is settled until the migrations are applied.',
    steps: 'operate/upgrade',
  },
  {
    check: 'clock',
    title: 'The clock of this machine is wrong',
    words: 'Nobody waits yet: other machines serve, and what is due goes by the database’s clock.',
    steps: 'operating#alarm-clock',
  },
  {
    check: 'chain',
    title: 'The chain does not answer',
    words:
      'Deposits, withdrawals and payments on chain wait, and go on by themselves. Cards and links in the books pay as ever.',
    steps: 'operate/runbooks#purserchaindown',
  },
  {
    check: 'relayers',
    title: 'A relayer cannot pay gas',
    words:
      'Withdrawals and payments on chain may wait until it has gas. Cards and links in the books pay as ever.',
    steps: 'operate/runbooks#purserrelayeroutofgas',
  },
]

/** These cannot be asked while the other is away. */
const BY: Readonly<Record<string, string>> = {
  writes: 'database',
  migrations: 'database',
  relayers: 'chain',
}

const BOX = 'mb-4 rounded-lg border border-bad bg-bad-wash p-4'

/** Says what is wrong with the service, since when, and whose money waits. It needs no session, so no database either. */
export function Trouble({
  error,
  otherwise = null,
}: {
  error?: unknown
  /** Shown where nothing is wrong. */
  otherwise?: ReactNode
}) {
  const { data } = useReadiness()
  if (data === undefined) return otherwise
  if (data === null)
    return (
      <div role="alert" className={BOX}>
        The service cannot be reached. This page goes on by itself once it answers.
      </div>
    )
  const fails = (check: string | undefined) => data.checks[check ?? '']?.ok === false
  const found = PARTS.filter(({ check }) => fails(check) && !fails(BY[check]))
  if (found.length > 0)
    return (
      <div role="alert" className={`${BOX} grid gap-3`}>
        {found.map((part) => (
          <Part key={part.check} {...part} found={data.checks[part.check]} />
        ))}
      </div>
    )
  if (!error) return otherwise
  return (
    <div role="alert" className={BOX}>
      {wordsOf(error)}
    </div>
  )
}

function Part({
  title,
  words,
  steps,
  found,
}: Omit<(typeof PARTS)[number], 'check'> & { found: Readiness['checks'][string] | undefined }) {
  return (
    <div>
      <p className="font-medium">
        {title}
        {found?.since && (
          <>
            , since <Time at={found.since} isWhole />
          </>
        )}
      </p>
      <p className="mt-1">{words}</p>
      <p className="mt-1 text-sm text-soft">
        {found?.detail.replace(/\.?$/, '.')}{' '}
        <a href={`${BASE_PATH}/docs/${steps}`} className="underline">
          What the operator does
        </a>
      </p>
    </div>
  )
}

const SAID: Partial<Record<Line, string>> = {
  offline: 'The connection is lost.',
  failing: 'The service answers, and cannot work now.',
  full: 'Your wallet has as many live pages open as it may. This one asks every half a minute.',
}

/** Says that what is shown may be old, and how old. */
export function Stale({ line, asOf }: { line: Line; asOf: Date | undefined }) {
  const said = SAID[line]
  if (!said) return null
  return (
    <p role="status" className="mb-4 rounded-lg border border-warn bg-warn-wash p-3">
      {said}{' '}
      {line !== 'full' && (
        <>
          What you see is from before
          {asOf && (
            <>
              {' '}
              (<Time at={asOf.toISOString()} isWhole />)
            </>
          )}
          ; it is asked for anew once the connection is back.
        </>
      )}
    </p>
  )
}
