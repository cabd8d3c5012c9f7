import { createPurser, type EventType, type PurserEvent } from '@purser/sdk'
import { command } from '../command.ts'
import { readDevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'
import { eventLine } from './show.ts'
import { accessTriggers } from './triggers/access.ts'
import { cardTriggers } from './triggers/cards.ts'
import { paymentTriggers } from './triggers/payments.ts'
import type { Stage, Triggers } from './triggers/stage.ts'

const TRIGGERS: Triggers = { ...cardTriggers, ...paymentTriggers, ...accessTriggers }
/** The types of events that `trigger` can make happen. */
export const TRIGGERED = Object.keys(TRIGGERS) as EventType[]

/** Jobs that wait for a full minute are awaited. */
const SHOWN_WITHIN_MS = 90_000
const LOOK_EVERY_MS = 300

export const triggerCommand = command({
  name: 'trigger',
  summary: 'make what an event tells of happen, on the local service and its chain',
  example: 'npx purser trigger payment.settled',
  options: (made) =>
    made
      .argument('<event>', 'its type')
      .addHelpText(
        'after',
        `\nTypes that it can make happen:\n  ${TRIGGERED.join('\n  ')}\n\napproval.expired, card.expired and paylink.expired move the service's clock by an hour.`,
      ),
  run: async ({ json }, name = '') => {
    const dev = await readDevFile()
    if (!dev)
      throw new Fault('This needs the local service: start it with `npx purser start` first.')
    const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
    print(await trigger({ dev, purser }, name), json, eventLine)
  },
})

/** Makes it happen, and waits for the event. */
export async function trigger(stage: Stage, name: string): Promise<PurserEvent> {
  const type = TRIGGERED.find((known) => known === name)
  const act = type && TRIGGERS[type]
  if (!type || !act)
    throw new Fault(`${name} cannot be triggered. These can: ${TRIGGERED.join(', ')}.`)
  const after = await lastOf(stage, type)
  await act(stage)
  return shown(stage, type, after)
}

/** The last event of the type that there is. */
async function lastOf({ purser }: Stage, type: EventType): Promise<string | undefined> {
  let last: string | undefined
  for await (const { id } of purser.listEvents({ types: [type] })) last = id
  return last
}

/** The first event of the type after `after`. Blocks are mined meanwhile, for what waits for them. */
async function shown(stage: Stage, type: EventType, after?: string): Promise<PurserEvent> {
  const deadline = performance.now() + SHOWN_WITHIN_MS
  while (performance.now() < deadline) {
    const events = stage.purser.listEvents({ types: [type], ...(after && { after }) })
    for await (const event of events) return event
    await stage.purser.POST('/api/dev/mine', { body: { blocks: 1 } })
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Fault(`It was done, and no ${type} was shown within ${SHOWN_WITHIN_MS / 1000} s.`)
}
