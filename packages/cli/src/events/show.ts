import type { EventType, PurserEvent } from '@purser/sdk'
import { InvalidArgumentError } from 'commander'
import { printable, terminalWidth } from '../output.ts'
import { shortened } from '../table.ts'

/** For commander: types of events, separated by commas. The service knows which there are. */
export function eventTypes(text: string): EventType[] {
  const types = text.split(',').map((part) => part.trim())
  if (types.includes('')) throw new InvalidArgumentError('Separate the types by single commas.')
  return types as EventType[]
}

/**
 * An event as a line: when, type, id, the answer of a receiver if there is one, and what is in it. As a row of a table, it is
 * cut to the width of a terminal, and whole with tabs in a pipe.
 */
export function eventLine({ created, type, id, data }: PurserEvent, answer?: string): string {
  const at = new Date(created * 1000).toISOString().replace('.000', '')
  const facts = Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
  const given = answer === undefined ? [] : [`-> ${answer}`]
  const cells = [at, type, id, ...given, facts.join(' ')].map((text) =>
    printable(text).replaceAll(/[\n\t]/g, ' '),
  )
  const page = terminalWidth()
  return page === undefined ? cells.join('\t') : shortened(cells.join('  '), page)
}

/** Prints an event: a line for people, or one JSON object on a line. */
export const printEvent = (event: PurserEvent, asJson: boolean | undefined): void =>
  console.log(asJson ? JSON.stringify(event) : eventLine(event))

/** A signal that aborts on Ctrl-C, so that following ends with exit code 0. */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
