import type { Tx } from '../db/sql.ts'
import type { BuiltEvent } from '../events/define.ts'
import { record } from '../events/record.ts'
import { operatorAlarm, operatorAlarmResolved } from '../events/types/operator.ts'
import type { Services } from '../http/services.ts'
import type { Address } from '../kernel/assets.ts'
import { type Alarm, type AlarmKind, endAlarms, type Trouble, upsertAlarms } from './store.ts'

/**
 * Brings the alarms of these kinds up to what was just found: a trouble that is new is told, one that is gone ends.
 * Nothing else changes; no alarm repairs anything.
 */
export async function reportTroubles(
  services: Pick<Services, 'db' | 'chain' | 'log'>,
  at: Date,
  found: { kinds: readonly AlarmKind[]; troubles: Trouble[] },
): Promise<void> {
  const { chain, db, log } = services
  const { kinds, troubles } = found
  const { news, ended } = await db.write(async (tx) => {
    const ended = await endAlarms(tx, at, { kinds, but: troubles })
    const news = await upsertAlarms(tx, at, troubles)
    await tell(tx, at, { operator: chain.treasury.address, news, ended })
    return { news, ended }
  })
  for (const { id, kind, sentence, details } of news)
    log.error({ alarm: id, kind, ...details }, sentence)
  for (const { id, kind, sentence } of ended)
    log.info({ alarm: id, kind, sentence }, 'an alarm is over')
}

/** The operator's own address stands for the operator among those whom events are for. */
const tell = (
  tx: Tx,
  at: Date,
  { operator, news, ended }: { operator: Address; news: Alarm[]; ended: Alarm[] },
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
    ...news.map((alarm) => eventOf(operatorAlarm, alarm)),
    ...ended.map((alarm) => eventOf(operatorAlarmResolved, alarm)),
  ])
}
