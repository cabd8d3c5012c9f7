import { Problem } from '../../base/kernel/problem.ts'
import { EVENT_TYPES } from '../events/catalogue.ts'

const OPERATOR = 'operator.'
const OPEN_TYPES = [...EVENT_TYPES].filter((type) => !type.startsWith(OPERATOR)).sort()

/** Refuses a filter that names anything but types of events that a wallet gets. */
export function checkFilter(events: readonly string[] | null): void {
  for (const type of events ?? []) {
    if (type.startsWith(OPERATOR) && EVENT_TYPES.has(type))
      throw refusal(`${type} goes to the operators of the service alone. Leave it out.`)
    if (!OPEN_TYPES.includes(type))
      throw refusal(
        `events names a type that does not exist. Each must be one of ${OPEN_TYPES.join(', ')}.`,
      )
  }
}

const refusal = (sentence: string): Problem =>
  new Problem('invalid_field', sentence, { param: 'events' })
