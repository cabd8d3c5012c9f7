// A receiver of events: it verifies each delivery and takes each event once.
// Run it beside `npm start`: npx node examples/webhook-receiver.ts
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createPurser, verifyWebhook, WebhookError } from '@purser/sdk'
import { dev } from './dev.ts'

const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
/** In your program: a table with the event id as its key, written in the transaction that acts on the event. */
const taken = new Set<string>()
let secret = ''

const server = createServer(async (request, response) => {
  try {
    // The raw bytes: a body that was parsed and written again has another signature.
    const event = await verifyWebhook(await buffer(request), request.headers, secret)
    if (!taken.has(event.id)) console.log(event.type, event.id)
    taken.add(event.id)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    response.writeHead(400).end(error.message)
  }
})

server.listen(Number(process.env.PORT ?? 4032), '127.0.0.1', async () => {
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}/events`
  const webhook = await purser.POST('/api/webhooks', { body: { url, description: 'example' } })
  secret = webhook.secret
  console.log(url, webhook.id)
  const path = { id: webhook.id }
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, async () => {
      await purser.DELETE('/api/webhooks/{id}', { params: { path } })
      process.exit()
    })
})
