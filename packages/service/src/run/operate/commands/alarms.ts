import type { Db } from '../../../base/db/sql.ts'
import { type Alarm, acknowledge, findAlarms } from '../../../links/reconcile/store.ts'
import { StartError } from '../start-error.ts'

const SHOWN_MAX = 100
const NOTE_MAX = 500

/** The alarms, open ones first, then newest first. */
export const listAlarms = ({ db }: { db: Db }): Promise<Alarm[]> => findAlarms(db.reader, SHOWN_MAX)

/** Records that somebody knows of the alarm. The alarm ends only when its cause is gone. Throws a sentence. */
export async function acknowledgeAlarm(
  { db }: { db: Db },
  at: Date,
  { id, note }: { id: string; note: string },
): Promise<Alarm> {
  const text = note.trim()
  if (text === '' || text.length > NOTE_MAX)
    throw new StartError(`Say what is known of it, in 1 to ${NOTE_MAX} characters: --note "…"`)
  const alarm = await db.write((tx) => acknowledge(tx, at, { id, note: text }))
  if (!alarm) throw new StartError(`There is no alarm ${id}: purser alarms shows those that are.`)
  return alarm
}

/** The alarms for a person. */
export function alarmsText(alarms: readonly Alarm[]): string {
  if (alarms.length === 0) return 'There are no alarms.'
  const open = alarms.filter(({ resolvedAt }) => resolvedAt === null)
  const blocks = alarms.map((alarm) =>
    [
      `  ${stateOf(alarm).padEnd(12)}  ${alarm.id}  ${alarm.kind}, since ${alarm.firstSeen.toISOString()}`,
      `                ${alarm.sentence}`,
      ...(alarm.acknowledgedNote ? [`                Note: ${alarm.acknowledgedNote}`] : []),
    ].join('\n'),
  )
  return [
    ...blocks,
    '',
    open.length === 0
      ? 'None is open.'
      : `${open.length} of these ${open.length === 1 ? 'is' : 'are'} open.`,
  ].join('\n')
}

const stateOf = ({ resolvedAt, acknowledgedAt }: Alarm): string => {
  if (resolvedAt) return 'over'
  return acknowledgedAt ? 'acknowledged' : 'OPEN'
}

/** The alarms for a program. */
export const alarmsJson = (alarms: readonly Alarm[]): string =>
  JSON.stringify({ alarms: alarms.map(wireOf) }, null, 2)

const wireOf = (alarm: Alarm) => ({
  id: alarm.id,
  kind: alarm.kind,
  about: alarm.subject,
  sentence: alarm.sentence,
  details: alarm.details,
  first_seen: alarm.firstSeen.toISOString(),
  last_seen: alarm.lastSeen.toISOString(),
  acknowledged_at: alarm.acknowledgedAt?.toISOString() ?? null,
  note: alarm.acknowledgedNote,
  resolved_at: alarm.resolvedAt?.toISOString() ?? null,
})
