import type { Db } from '../../../base/db/sql.ts'
import { type Alarm, acknowledge, findAlarms } from '../../../links/reconcile/store.ts'
import { alarmView } from '../../oversight/alarm-view.ts'
import { FIRST_STEPS } from '../../oversight/runbook.ts'
import { noteCommand } from '../command-line.ts'
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
  const alarm = await db.write(async (tx) => {
    const known = await acknowledge(tx, at, { id, note: text })
    if (known) await noteCommand(tx, at, { act: 'alarm.acknowledged', subject: id, note: text })
    return known
  })
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
      ...(alarm.resolvedAt ? [] : [`                To do: ${FIRST_STEPS[alarm.kind]}`]),
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
  JSON.stringify({ alarms: alarms.map(alarmView) }, null, 2)
