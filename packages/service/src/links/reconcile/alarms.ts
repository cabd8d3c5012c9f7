import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import { operatorAlarm, operatorAlarmResolved } from '../../api/events/types/operator.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { type Alarm, type AlarmKind, endAlarms, type Trouble, upsertAlarms } from './store.ts'

/**
 * Updates the alarms of these kinds, of one subject if given, to the troubles just found: raises an alarm for a new trouble and ends the alarm of one
 * that is gone. An alarm repairs nothing.
 */
export async function reportTroubles(
  services: Uses<'db' | 'chain' | 'log'>,
  at: Date,
  found: { kinds: readonly AlarmKind[]; subject?: string; troubles: Trouble[] },
): Promise<void> {
  const { chain, db, log } = services
  const { kinds, subject, troubles } = found
  const { raised, ended } = await db.write(async (tx) => {
    const ended = await endAlarms(tx, at, { kinds, subject, but: troubles })
    const raised = await upsertAlarms(tx, at, troubles)
    await recordAlarms(tx, at, { operator: chain.treasury.address, raised, ended })
    return { raised, ended }
  })
  for (const { id, kind, sentence, details } of raised)
    log.error({ alarm: id, kind, ...details }, sentence)
  for (const { id, kind, sentence } of ended)
    log.info({ alarm: id, kind, sentence }, 'an alarm is over')
}

/** Events for the operator go to the address of the treasury. */
const recordAlarms = (
  tx: Tx,
  at: Date,
  { operator, raised, ended }: { operator: Address; raised: Alarm[]; ended: Alarm[] },
): Promise<void> => {
  const eventOf = (kind: Pick<typeof operatorAlarm, 'of'>, alarm: Alarm): BuiltEvent =>
    kind.of({
      walletAddress: operator,
      data: {
        alarm_id: alarm.id,
        kind: alarm.kind,
        about: alarm.subject,
        sentence: alarm.sentence,
        first_seen: alarm.firstSeen.toISOString(),
        details: alarm.details,
      },
    })
  return record(tx, at, [
    ...raised.map((alarm) => eventOf(operatorAlarm, alarm)),
    ...ended.map((alarm) => eventOf(operatorAlarmResolved, alarm)),
  ])
}
