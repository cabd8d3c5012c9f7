import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  belongings,
  expectRefusal,
  fill,
  isDevelopment,
  keyed,
  openStage,
  type Stage,
  sample,
  unknownOf,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const more = await belongings(stage.theirs)
  expect(Object.values(more)).not.toContain(undefined)
  Object.assign(stage.foreign, more)
})
afterAll(() => stage[Symbol.asyncDispose]())

describe('no credential, or a bad one, is 401 before anything else is looked at', () => {
  test.each(keyed)('%s', async (name, route) => {
    const path = fill(route, stage.ids)
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic eA==' },
      { authorization: `Bearer ${stage.mine.key.slice(0, -1)}` },
    ]) {
      const reply = await stage.w.call(
        route.method,
        path,
        route.method === 'GET' ? undefined : { junk: true },
        { headers },
      )
      expect([name, reply.status]).toEqual([name, 401])
      expectRefusal(reply, name)
    }
  })
})

const owned = keyed.filter(([, route]) => route.path.includes('{'))
describe("somebody else's object, and one that does not exist, are the same 404", () => {
  test.each(owned)('%s', async (name, route) => {
    const before = await stage.footprint()
    const unknown = unknownOf(stage.foreign)
    const body = route.body ? sample(route) : undefined
    const [theirsReply, unknownReply] = [
      await stage.mine.send(route.method, fill(route, stage.foreign), body),
      await stage.mine.send(route.method, fill(route, unknown), body),
    ]
    expect([name, theirsReply.status, theirsReply.body.code]).toEqual([name, 404, 'not_found'])
    expect({ ...unknownReply.body, request_id: '' }).toEqual({
      ...theirsReply.body,
      request_id: '',
    })
    expect(await stage.footprint()).toEqual(before)
  })
})

/** Fields that name what the caller must own, and the kind of each. */
const NAMED: Record<string, string> = {
  card_id: 'card_id',
  card_ids: 'card_id',
  payer_card_id: 'card_id',
  stream_id: 'stream',
  approval_id: 'approval',
  webhook_id: 'webhook',
  transaction_id: 'txn',
}
type Named = readonly [
  name: string,
  route: (typeof keyed)[number][1],
  where: 'body' | 'query',
  field: string,
]
const namedInside = keyed.flatMap(([name, route]) =>
  (['body', 'query'] as const).flatMap((where) => {
    const fields = (route[where] as { properties?: object } | undefined)?.properties ?? {}
    return Object.keys(fields)
      .filter((field) => field in NAMED)
      .map((field): Named => [`${name} ${where} ${field}`, route, where, field])
  }),
)
describe("somebody else's object in a body or a query, and one that does not exist, are answered alike", () => {
  test.each(namedInside)('%s', async (name, route, where, field) => {
    const path = fill(route, stage.ids)
    const ask = async (values: Record<string, string>) => {
      const id = values[NAMED[field] ?? ''] ?? ''
      const given = field === 'card_ids' ? [id] : id
      const reply =
        where === 'query'
          ? await stage.mine.get(`${path}?${field}=${id}`)
          : await stage.mine.send(route.method, path, { ...sample(route), [field]: given })
      return { status: reply.status, text: reply.text.replace(/req_\w+/g, '').replaceAll(id, 'ID') }
    }
    const before = await stage.footprint()
    const [theirs, unknown] = [await ask(stage.foreign), await ask(unknownOf(stage.foreign))]
    expect(theirs, name).toEqual(unknown)
    expect(await stage.footprint()).toEqual(before)
  })
})

describe('a key that is replayed gives the stored answer, and a malformed one is refused', () => {
  test.each(keyed.filter(([, route]) => route.method !== 'GET' && !isDevelopment(route)))(
    '%s',
    async (name, route) => {
      const path = fill(route, stage.ids)
      const bad = await stage.mine.send(
        route.method,
        path,
        route.body ? sample(route) : undefined,
        {
          headers: { 'idempotency-key': 'x'.repeat(256) },
        },
      )
      expect([name, bad.status]).toEqual([name, 400])
      const headers = { 'idempotency-key': `replay ${name}` }
      const body = route.body ? sample(route) : undefined
      const first = await stage.theirs.send(route.method, fill(route, stage.foreign), body, {
        headers,
      })
      if (first.status >= 500) return
      const second = await stage.theirs.send(route.method, fill(route, stage.foreign), body, {
        headers,
      })
      expect([name, second.status]).toEqual([name, second.status === 401 ? 401 : first.status])
      if (second.status !== 401 && !(first.status === 400 && first.body.code.endsWith('field'))) {
        expect(second.headers['idempotency-hit'], name).toBe('true')
        expect({ ...second.body, request_id: 0 }).toEqual({ ...first.body, request_id: 0 })
      }
    },
  )
})
