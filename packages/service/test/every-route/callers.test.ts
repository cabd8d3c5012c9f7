import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectRefusal,
  fill,
  isDevelopment,
  keyed,
  openStage,
  type Stage,
  sample,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
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
    const unknown = {
      id: 'card_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      txn: 'txn_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      txn_id: 'txn_zzzzzzzzzzzzzzzzzzzzzzzzzz',
      code: 'PL_ZZZZZZZZZZ',
      hash: 'f'.repeat(64),
    }
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
