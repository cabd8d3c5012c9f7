import { type EventType, type PurserEvent, signWebhook } from '@purser/sdk'
import { accountCommand } from '../command.ts'
import { type AccountOptions, connect } from '../context.ts'
import { Fault } from '../fault.ts'
import { eventLine, eventTypes, untilInterrupted } from './show.ts'

type Options = AccountOptions & { forwardTo?: string; type?: EventType[] }
type Receiver = { url: string; secret: string }

const ANSWER_WITHIN_MS = 15_000

export const listenCommand = accountCommand<Options>({
  name: 'listen',
  summary: 'show events as they come, and forward each to a URL, signed as a real delivery',
  json: 'print one JSON object a line',
  example: 'npx purser listen --forward-to http://127.0.0.1:3000/webhooks',
  options: (made) =>
    made
      .option('--forward-to <url>', 'where your receiver listens')
      .option('--type <types>', 'only events of these types, separated by commas', eventTypes),
  run: async ({ forwardTo, type: types, json, ...options }) => {
    const purser = await connect(options)
    const receiver = forwardTo === undefined ? undefined : receiverAt(forwardTo)
    if (receiver) {
      const { secret } = receiver
      console.log(
        json ? JSON.stringify({ secret }) : `Deliveries are signed with the secret ${secret}`,
      )
    }
    const following = { ...(types && { types }), signal: untilInterrupted() }
    for await (const event of purser.followEvents(following)) {
      const status = receiver && (await forward(receiver, event))
      console.log(
        json
          ? JSON.stringify(receiver ? { event, status } : event)
          : eventLine(event, receiver && String(status ?? 'no answer')),
      )
    }
  },
})

/** A receiver with a new secret, as one that was just registered. */
function receiverAt(url: string): Receiver {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new Fault(`--forward-to must be an http or https URL, and ${url} is none.`)
  const key = crypto.getRandomValues(new Uint8Array(32))
  return { url, secret: `whsec_${btoa(String.fromCharCode(...key))}` }
}

/** Delivers the event once; null if nobody answers. */
async function forward({ url, secret }: Receiver, event: PurserEvent): Promise<number | null> {
  const body = JSON.stringify(event)
  const headers = {
    ...(await signWebhook(body, secret, { id: event.id })),
    'content-type': 'application/json',
    'purser-delivery': `listen:${event.id}`,
    'purser-attempt': '1',
    'user-agent': 'Purser-Webhooks/listen',
  }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}
