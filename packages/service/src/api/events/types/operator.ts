import { Type } from 'typebox'
import { defineEvent } from '../define.ts'

const alarmEvent = <const T extends string>(type: T, when: string) =>
  defineEvent({
    type: `operator.${type}`,
    when,
    to: 'operators',
    subject: 'alarm_id',
    fields: {
      alarm_id: Type.String(),
      kind: Type.String(),
      about: Type.String(),
      sentence: Type.String(),
      first_seen: Type.String(),
      details: Type.Record(Type.String(), Type.Unknown()),
    },
  })

export const operatorAlarm = alarmEvent('alarm', 'reconciliation found a trouble')
export const operatorAlarmResolved = alarmEvent('alarm_resolved', 'the trouble is gone')
