import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from '../crash/stage.ts'
import { pause, until } from '../until.ts'
import { type Ask, openWallet } from './http-wallet.ts'
import { receiver } from './receiver.ts'

const TEST_MS = 900_000
let stage: Stage

beforeAll(async () => {
  stage = await openStage({ blockTimeSeconds: 0.5, processes: 1 })
}, TEST_MS)
afterAll(() => stage?.[Symbol.asyncDispose](), TEST_MS)

async function feedOf(ask: Ask): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ; ) {
    const page = await ask('GET', `/api/events?limit=100${after}`)
    ids.push(...page.events.map(({ id }: { id: string }) => id))
    if (!page.has_more) return ids
    after = `&after=${ids.at(-1)}`
  }
}

const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100) throw error
      await pause(200)
    }
  }
}

test('workers and the database are killed while events are made, and the receiver misses none', {
  timeout: TEST_MS,
}, async () => {
  let service = await stage.launch('api,worker').ready()
  const { ask } = await openWallet(stage.baseUrl)
  let n = 0
  // Slow enough that a kill meets requests under way.
  await using there = await receiver(async ({ headers }) => {
    await pause(100)
    return ++n % 7 === 0 && headers['purser-attempt'] === '1' ? 500 : 200
  })
  const { id } = await ask('POST', '/api/webhooks', { url: there.url })
  let isOver = false
  // Two events a pass: enough that some are under way at each kill. Every one more is only work.
  const load = (async () => {
    for (; !isOver; await pause(60))
      await ask('POST', '/api/keys/restricted', { name: 'x', scopes: ['cards:read'] })
        .then(({ key }) => insist(() => ask('DELETE', `/api/keys/${key.key_hash}`)))
        .catch(() => undefined)
  })()
  for (const target of ['service', 'postgres', 'service'] as const) {
    const before = there.got.length
    await until(
      () => there.got.length,
      (seen) => expect(seen).toBeGreaterThan(before + 20),
    )
    if (target === 'postgres') await stage.killPostgres()
    else {
      await service.kill()
      service = await insist(() => stage.launch('api,worker').ready())
    }
  }
  isOver = true
  await load

  const facts = (await insist(() => feedOf(ask))).slice(1)
  expect(facts.length).toBeGreaterThan(60)
  const missing = () => {
    const taken = new Set(there.taken.map(({ event }) => event.id))
    return facts.filter((fact) => !taken.has(fact)).length
  }
  await until(missing, (seen) => expect(seen).toBe(0))
  const made = new Set(facts)
  expect(there.got.filter(({ event }) => !made.has(event.id))).toEqual([])
  const { deliveries } = await ask('GET', `/api/webhooks/deliveries?webhook_id=${id}&limit=100`)
  expect(deliveries.length).toBeGreaterThan(60)
})
