import { isoOrNull } from '../../api/http/fields.ts'
import type { Alarm } from '../../links/reconcile/store.ts'
import { FIRST_STEPS, runbookOf } from './runbook.ts'

/** An alarm as the API and the command line show it. */
export const alarmView = (alarm: Alarm) => ({
  id: alarm.id,
  kind: alarm.kind,
  about: alarm.subject,
  sentence: alarm.sentence,
  details: alarm.details,
  what_to_do: FIRST_STEPS[alarm.kind],
  runbook: runbookOf(alarm.kind),
  first_seen: alarm.firstSeen.toISOString(),
  last_seen: alarm.lastSeen.toISOString(),
  acknowledged_at: isoOrNull(alarm.acknowledgedAt),
  note: alarm.acknowledgedNote,
  resolved_at: isoOrNull(alarm.resolvedAt),
})
