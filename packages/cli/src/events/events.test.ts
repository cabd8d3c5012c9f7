import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createPurser, type PurserEvent, verifyWebhook } from '@purser/sdk'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { until } from '../../../service/test/until.ts'
import { finish, purser, startService } from '../../demo/local-service.ts'
import type { DevFile } from '../context.ts'
import { TRIGGERED, trigger } from './trigger.ts'

/** A receiver that keeps what it is sent. */
async function openReceiver() {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('every type that trigger names happens; listen forwards each event once, signed as a delivery', async () => {
  await using service = await startService()
  await using receiver = await openReceiver()
  const { env, folder } = service
  const listening = purser(['listen', '--forward-to', receiver.url, '--json'], env)
  const heard = finish(listening)
  const dev = JSON.parse(await readFile(join(folder, 'dev.json'), 'utf8')) as DevFile
  const sdk = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
  // The stream is open once it shows something.
  await until(
    async () => {
      await trigger({ dev, purser: sdk }, 'card.frozen')
      return receiver.received.length
    },
    (seen) => expect(seen).toBeGreaterThan(0),
    { everyMs: 500 },
  )
  for (const type of TRIGGERED)
    expect((await trigger({ dev, purser: sdk }, type)).type, type).toBe(type)
  const all: PurserEvent[] = []
  for await (const event of sdk.listEvents()) all.push(event)
  const last = all.at(-1)?.id
  await until(
    () => receiver.received.at(-1)?.headers['webhook-id'],
    (seen) => expect(seen).toBe(last),
  )

  listening.kill('SIGINT')
  const { code, stdout, stderr } = await heard
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [first = '', ...lines] = stdout.trim().split('\n')
  const { secret } = JSON.parse(first) as { secret: string }
  const shown = lines.map((line) => JSON.parse(line) as { event: PurserEvent; status: number })
  expect(shown.every(({ status }) => status === 204)).toBe(true)
  const ids = shown.map(({ event }) => event.id)
  expect(ids).toEqual(all.slice(-ids.length).map(({ id }) => id))
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
  for (const { headers, body } of receiver.received) {
    const event = await verifyWebhook(body, headers, secret)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
    const own = { 'purser-signature': headers['purser-signature'] }
    expect(await verifyWebhook(body, own, secret)).toEqual(event)
  }

  const listed = await finish(purser(['events', '--type', 'card.closed', '--json'], env))
  const closed = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PurserEvent)
  expect(closed.map(({ type }) => type)).toEqual(['card.closed'])
  const unknown = await finish(purser(['trigger', 'no.such'], env))
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toContain('These can: card.issued, ')
  const refused = await finish(purser(['events', '--type', 'no.such'], env))
  expect(refused.stderr).toContain('must be one of payment.exception, ')
}, 600_000)
