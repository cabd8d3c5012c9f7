import { Badge } from '../../parts/badge.tsx'
import { Id } from '../../parts/id.tsx'
import { Foreign, Time } from '../../parts/money.tsx'
import { Empty } from '../../parts/states.tsx'
import { BASE_PATH } from '../../service/client.ts'
import type { Overview } from '../../service/operator.ts'

type Alarm = Overview['alarms']['newest'][number]

/** Alarms that are open, each with what to do, then those that have ended. */
export function Alarms({ open, newest }: Overview['alarms']) {
  const [current, ended] = [
    newest.filter((alarm) => alarm.resolved_at === null),
    newest.filter((alarm) => alarm.resolved_at !== null),
  ]
  return (
    <div className="grid gap-3">
      {current.length === 0 ? (
        <Empty title="No alarm is open" />
      ) : (
        current.map((alarm) => <Open key={alarm.id} alarm={alarm} />)
      )}
      {open > current.length && (
        <p className="text-soft">
          {open - current.length} more are open: <code>npx purser alarms</code> shows them.
        </p>
      )}
      {ended.length > 0 && (
        <details>
          <summary>
            {ended.length === 1 ? 'One alarm has ended' : `${ended.length} alarms have ended`}
          </summary>
          <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
            {ended.map(({ id, kind, sentence, first_seen, resolved_at }) => (
              <li key={id} className="px-4 py-2">
                <p>
                  <Badge state={kind.toUpperCase()} /> <Foreign>{sentence}</Foreign>
                </p>
                <p className="text-sm text-soft">
                  <Time at={first_seen} isWhole /> until{' '}
                  {resolved_at && <Time at={resolved_at} isWhole />}
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Open({ alarm }: { alarm: Alarm }) {
  const isKnown = alarm.acknowledged_at !== null
  return (
    <article
      className={`rounded-lg border p-4 ${isKnown ? 'border-warn bg-warn-wash' : 'border-bad bg-bad-wash'}`}
    >
      <h3 className="font-medium">
        <Foreign>{alarm.sentence}</Foreign>
      </h3>
      <p className="mt-2">{alarm.what_to_do}</p>
      <p className="mt-2 flex flex-wrap gap-x-3 text-sm">
        <span>
          {alarm.kind.replaceAll('_', ' ')}, since <Time at={alarm.first_seen} isWhole />
        </span>
        <span>
          Steps:{' '}
          <a
            href={`${BASE_PATH}/${alarm.runbook.replace('.md', '')}`}
            className="underline [overflow-wrap:anywhere]"
          >
            {alarm.runbook}
          </a>
        </span>
        <Id id={alarm.id} />
      </p>
      {isKnown && (
        <p className="mt-1 text-sm">
          Known: <Foreign>{alarm.note}</Foreign>
        </p>
      )}
    </article>
  )
}
