import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApp } from '../../src/run/app.ts'
import { issue } from '../actors/attack-kit.ts'
import { world } from '../world.ts'
import { bareServer } from './sellers-kit.ts'

type Line = { level: number; msg: string; code?: string; err?: unknown; why?: unknown }
const ERROR = 50

// An operator who gets an alert for every failing seller will ignore all alerts.
test("a seller's failure is written down without a stack and below our errors; our own is an error", async () => {
  await using w = await world()
  const lines: Line[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const services = { ...w.services, log }
  const app = await createApp(services)
  const user = await w.user({ treasury: 5 })
  const card = await issue(user, 1)
  const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const headers = { authorization: `Bearer ${user.key}` }
    return (await app.inject({ method, url, headers, ...(body && { payload: body }) })).statusCode
  }
  await using broken = await bareServer((_, response) => void response.socket?.end('+PONG\r\n'))
  await using hangUp = await bareServer((request) => void request.socket.destroy())
  await using bytes = await bareServer((_, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: secret of a peer\r\n\r\n')
  })
  await using failing = await bareServer((_, response) => response.writeHead(500).end('no'))

  for (const { url } of [broken, hangUp, bytes, { url: 'http://127.0.0.1:9/' }]) {
    const ask = { card_id: card.id, card_token: card.token, url }
    expect(await call('POST', '/api/pay', ask)).toBe(502)
    expect(await call('GET', `/api/mpp/discover?url=${encodeURIComponent(url)}`)).toBe(502)
  }
  const ask = { card_id: card.id, card_token: card.token, url: failing.url }
  expect(await call('POST', '/api/pay', ask)).toBe(200)

  expect(lines.filter(({ level }) => level >= ERROR)).toEqual([])
  const answered = lines.filter(({ msg }) => msg === 'request not served')
  expect(answered).toHaveLength(8)
  for (const line of answered) expect(line).toMatchObject({ code: 'upstream_failed', why: {} })
  const text = JSON.stringify(lines)
  for (const word of ['stack', 'secret of a peer', '    at ']) expect(text).not.toContain(word)

  Object.assign(services, {
    egress: {
      ...services.egress,
      fetch: () => Promise.reject(new TypeError('a bug of ours')),
    },
  })
  expect(await call('POST', '/api/pay', ask)).toBe(500)
  expect(lines.find(({ level }) => level >= ERROR)).toMatchObject({ msg: 'request failed' })
  expect(JSON.stringify(lines)).toContain('a bug of ours')
  await app.close()
})
