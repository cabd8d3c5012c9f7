import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { responseAt } from '../../../api/http/openapi/read.ts'
import type { OpenApiDocument, OpenApiResponse } from '../../../api/http/openapi/shape.ts'

test('pages and pay links answer the media types and headers that the document declares', async () => {
  await using w = await world()
  const document: OpenApiDocument = (await w.call('GET', '/openapi.json')).body
  const declared = (path: string, status: number): OpenApiResponse =>
    responseAt(document, document.paths[path]!.get!, status)!

  for (const path of ['/', '/docs', '/llms.txt', '/llms-full.txt', '/metrics'])
    for (const type of Object.keys(declared(path, 200).content!)) {
      const answer = await w.call('GET', path, undefined, { headers: { accept: type } })
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers['content-type'], path).toContain(type)
    }

  const seller = await w.user({ treasury: 10 })
  const { id } = await seller.card()
  const link = (await seller.post('/api/paylinks', { card_id: id, amount: 1 })).body
  const ask = (code: string, accept: string) =>
    w.call('GET', `/pay/${code}`, undefined, { headers: { accept } })
  const demand = await ask(link.code, 'application/json')
  expect(demand.status).toBe(402)
  const said = declared('/pay/{code}', 402)
  expect(Object.keys(said.content!)).toContain(demand.headers['content-type'])
  for (const name of ['PAYMENT-REQUIRED', 'WWW-Authenticate']) {
    expect(said.headers).toHaveProperty(name)
    expect(demand.headers).toHaveProperty(name.toLowerCase())
  }
  for (const [code, status] of [[link.code, 200] as const, ['PL_ZZZZZZZZZZ', 404] as const]) {
    const page = await ask(code, 'text/html')
    expect([page.status, page.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ])
    expect(declared('/pay/{code}', status).content).toHaveProperty('text/html')
  }
})
