import type { EventType } from '@purser/sdk'
import { accountCommand } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { eventTypes, printEvent, untilInterrupted } from './show.ts'

type Options = AccountOptions & { type?: EventType[]; after?: string; follow?: true }

export const eventsCommand = accountCommand<Options>({
  name: 'events',
  summary: 'list what happened to your wallet, oldest first, and follow what happens',
  example: 'npx purser events --type payment.settled,card.declined --follow',
  options: (made) =>
    made
      .option('--type <types>', 'only events of these types, separated by commas', eventTypes)
      .option('--after <id>', 'go on after this event')
      .option('--follow', 'then wait for more; a lost connection is made again, without a gap'),
  run: async ({ type: types, after, follow, json, ...options }) => {
    const purser = await connect(options)
    const filter = types && { types }
    let last = after
    for await (const event of purser.listEvents({ ...filter, ...(after && { after }) })) {
      printEvent(event, json)
      last = event.id
    }
    if (!follow) return
    const from = { ...filter, ...(last && { after: last }), signal: untilInterrupted() }
    for await (const event of purser.followEvents(from)) printEvent(event, json)
  },
})
