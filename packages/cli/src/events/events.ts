import type { EventType } from '@purser/sdk'
import { accountCommand, wholeNumber } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { eventTypes, printEvent, untilInterrupted } from './show.ts'

type Options = AccountOptions & {
  type?: EventType[]
  after?: string
  limit?: number
  follow?: true
}

export const eventsCommand = accountCommand<Options>({
  name: 'events',
  summary: 'list what happened to your wallet, oldest first, and follow what happens',
  json: 'print one JSON object a line',
  example: 'npx purser events --type payment.settled,card.declined --follow',
  options: (made) =>
    made
      .option('--type <types>', 'only events of these types, separated by commas', eventTypes)
      .option('--after <id>', 'go on after this event')
      .option('--limit <n>', 'so many at most, also with --follow', wholeNumber)
      .option('--follow', 'then wait for more; a lost connection is made again, without a gap'),
  run: async ({
    type: types,
    after,
    limit = Number.POSITIVE_INFINITY,
    follow,
    json,
    ...options
  }) => {
    const purser = await connect(options)
    const filter = types && { types }
    let last = after
    let left = limit
    if (left === 0) return
    for await (const event of purser.listEvents({ ...filter, ...(after && { after }) })) {
      printEvent(event, json)
      last = event.id
      if (--left === 0) return
    }
    if (!follow) return
    const from = { ...filter, ...(last && { after: last }), signal: untilInterrupted() }
    for await (const event of purser.followEvents(from)) {
      printEvent(event, json)
      if (--left === 0) return
    }
  },
})
