import { request as ask } from 'node:http'
import { createPurser } from '@purser/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pause, until } from '../../service/test/until.ts'
import type { PaywallOptions } from '../src/options.ts'
import { paywall } from '../src/paywall.ts'
import { payByX402, repeating } from './payers.ts'
import {
  ADAPTERS,
  GOODS,
  listen,
  listener,
  openShop,
  openStage,
  PRICE,
  type Stage,
} from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

const codeOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { code: string }).code,
]
/** A shop of web standards whose handler is the test's. */
const shopOf = (
  handler: (request: Request) => Response | Promise<Response>,
  options: Partial<PaywallOptions> = {},
) => listen(listener(paywall(stage.purser, { price: '0.01', ...options })(handler)))
/** The headers of a payment for the URL that was never sent. */
async function paymentFor(url: string, init: RequestInit = {}): Promise<Headers> {
  let headers = new Headers()
  const over = (async (input: Request, more?: RequestInit) => {
    const request = new Request(input, more)
    if (!request.headers.has('payment-signature')) return fetch(request)
    headers = request.headers
    return new Response(null, { status: 418 })
  }) as typeof fetch
  await payByX402(await stage.payer(), over)(url, init)
  return headers
}

describe.each(ADAPTERS)('%s', (adapter) => {
  test('a client that hangs up while the handler runs is not charged, and its payment still buys', async () => {
    let served = 0
    const release = Promise.withResolvers<void>()
    await using shop = await openShop(adapter, stage.purser, {
      serve: async () => {
        served += 1
        if (served === 1) await release.promise
        return { status: 200, body: JSON.stringify(GOODS) }
      },
    })
    const before = await stage.onChain()
    const headers = await paymentFor(shop.url)
    const stop = new AbortController()
    const gone = fetch(shop.url, { headers, signal: stop.signal }).catch(() => 'gone')
    await until(
      async () => served,
      (count) => expect(count).toBe(1),
    )
    stop.abort()
    expect(await gone).toBe('gone')
    await pause(50)
    release.resolve()
    const again = () => fetch(shop.url, { headers })
    await until(
      async () => (await again()).status,
      (status) => expect(status).toBe(200),
    )
    expect((await stage.onChain()) - before).toBe(PRICE)
  })

  test('the handler reads the body that was paid for, and a refusal of the body comes before payment', async () => {
    let served = 0
    await using shop = await openShop(adapter, stage.purser, {
      options: {
        check: async (request) =>
          (await request.text()) === 'good' ? undefined : Response.json({ no: 1 }, { status: 422 }),
      },
      serve: async (body) => ({ status: 200, body: JSON.stringify({ body, served: ++served }) }),
    })
    const post = (body?: string): RequestInit => ({
      ...{ method: 'POST', headers: { 'content-type': 'text/plain' } },
      ...(body !== undefined && { body }),
    })
    // An empty probe is asked to pay, whatever the handler needs.
    expect((await fetch(shop.url, post())).status).toBe(402)
    const bad = await fetch(shop.url, post('bad'))
    expect([bad.status, await bad.json()]).toEqual([422, { no: 1 }])
    expect((await fetch(shop.url, post('good'))).status).toBe(402)
    const paid = await payByX402(await stage.payer())(shop.url, post('good'))
    expect([paid.status, await paid.json()]).toEqual([200, { body: 'good', served: 1 }])
  })

  test('an answer that is refused, moved or not modified is not charged', async () => {
    let status = 404
    await using shop = await openShop(adapter, stage.purser, {
      serve: async () => ({ status, body: '{}' }),
    })
    const before = await stage.onChain()
    const headers = await paymentFor(shop.url)
    for (status of [404, 302, 503]) {
      const answer = await fetch(shop.url, { headers, redirect: 'manual' })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('payment-response')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
    expect(await stage.onChain()).toBe(before)
    status = 206
    expect((await fetch(shop.url, { headers })).status).toBe(206)
    expect((await stage.onChain()) - before).toBe(PRICE)
  })
})

test('HEAD asks for the price and buys nothing', async () => {
  let served = 0
  await using shop = await shopOf(() => {
    served += 1
    return Response.json(GOODS)
  })
  const headers = await paymentFor(shop.url)
  const head = await fetch(shop.url, { method: 'HEAD', headers })
  expect([head.status, await head.text(), served]).toEqual([402, '', 0])
  expect(head.headers.get('payment-required')).toBeTruthy()
})

test('an answer that streams begins once it is paid, and arrives whole', async () => {
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  await using shop = await shopOf(
    () => new Response(readable, { headers: { 'content-type': 'text/plain' } }),
  )
  const before = await stage.onChain()
  const headers = await paymentFor(shop.url)
  const asked = fetch(shop.url, { headers })
  await writer.write(new TextEncoder().encode('first '))
  const response = await asked
  expect(response.headers.get('payment-response')).toBeTruthy()
  expect((await stage.onChain()) - before).toBe(PRICE)
  void writer.write(new TextEncoder().encode('second')).then(() => writer.close())
  expect(await response.text()).toBe('first second')
  // It was given, and is not kept.
  expect(await codeOf(await fetch(shop.url, { headers }))).toEqual([409, 'payment_used'])
})

test('with settle: before the money comes first, and a handler that fails owes its answer', async () => {
  let isBroken = true
  let served = 0
  await using shop = await shopOf(
    () => {
      served += 1
      return isBroken ? new Response('no', { status: 500 }) : Response.json({ served })
    },
    { settle: 'before' },
  )
  const before = await stage.onChain()
  const headers = await paymentFor(shop.url)
  const failed = await fetch(shop.url, { headers })
  expect(failed.status).toBe(500)
  expect(failed.headers.get('payment-response')).toBeTruthy()
  expect((await stage.onChain()) - before).toBe(PRICE)
  isBroken = false
  for (let i = 0; i < 3; i++) {
    const again = await fetch(shop.url, { headers })
    expect([again.status, await again.json()]).toEqual([200, { served: 2 }])
  }
  expect((await stage.onChain()) - before).toBe(PRICE)
})

test('a payer without money, a payment twice in one request, and bytes that are none have each an answer of their own', async () => {
  await using shop = await openShop('web', stage.purser)
  const poor = await payByX402(await stage.payer(1n))(shop.url)
  const said: any = await poor.json()
  expect([poor.status, said.code, said.reason]).toEqual([
    402,
    'insufficient_funds',
    'invalid_exact_evm_insufficient_balance',
  ])
  expect(said.retry).toMatchObject({ same_payment: false, new_payment: true })
  const headers = await paymentFor(shop.url)
  headers.set('authorization', 'Payment e30')
  expect(await codeOf(await fetch(shop.url, { headers }))).toEqual([400, 'invalid_payment'])
  for (const junk of ['x', '{}', btoa('[]'), btoa('{}'), btoa('{"accepted":{"scheme":"exact"}}')]) {
    const answer = await fetch(shop.url, { headers: { 'payment-signature': junk } })
    expect([400, 402], junk).toContain(answer.status)
    const v1 = await fetch(shop.url, { headers: { 'x-payment': junk } })
    expect([400, 402], junk).toContain(v1.status)
    const mpp = await fetch(shop.url, { headers: { authorization: `Payment ${junk}` } })
    expect([400, 402], junk).toContain(mpp.status)
  }
})

test('a payment for one URL or price buys nothing at another', async () => {
  await using cheap = await openShop('web', stage.purser)
  await using dear = await openShop('web', stage.purser, { options: { price: '0.02' } })
  const before = await stage.onChain()
  const elsewhere = await fetch(`${cheap.url}?other`, { headers: await paymentFor(cheap.url) })
  const refused: any = await elsewhere.json()
  expect([elsewhere.status, refused.code]).toEqual([400, 'invalid_payment'])
  // It may have been taken where it was made for.
  expect(refused.retry.words).toContain(
    'This request took nothing. If the payment was taken before',
  )
  const headers = await paymentFor(cheap.url)
  expect((await fetch(dear.url, { headers })).status).toBe(400)
  const payload = JSON.parse(atob(headers.get('payment-signature')!))
  delete payload.resource
  const bare = { 'payment-signature': btoa(JSON.stringify(payload)) }
  expect(await codeOf(await fetch(dear.url, { headers: bare }))).toEqual([402, 'payment_refused'])
  expect(await stage.onChain()).toBe(before)
})

test('a price by request, a free one, and one that cannot be said', async () => {
  await using shop = await shopOf(() => Response.json(GOODS), {
    price: (request) => {
      const asked = new URL(request.url).searchParams.get('price')
      return asked ?? new Response('Which?', { status: 400 })
    },
  })
  const priced: any = await (await fetch(`${shop.url}?price=0.25`)).json()
  expect(priced.price).toMatchObject({ amount: '0.25', amount_atomic: '250000' })
  expect((await fetch(`${shop.url}?price=0`)).status).toBe(200)
  expect((await fetch(shop.url)).status).toBe(400)
  const wrong = await fetch(`${shop.url}?price=a`)
  expect(await codeOf(wrong)).toEqual([500, 'invalid_price'])
})

test('an option that is not known ends the making of the route, nested ones too', () => {
  const made = (options: object) => () => paywall({} as never, { price: '0.01', ...options })
  const wrong = [
    [{ maxBodybytes: 5 }, 'maxBodybytes', 'maxBodyBytes'],
    [{ settled: 'before' }, 'settled', 'settle'],
    [{ max_body_bytes: 5 }, 'max_body_bytes', 'maxBodyBytes'],
    [{ discovery: { service_name: 'x' } }, 'service_name', 'serviceName'],
    [{ price: { upTo: '1', upto: '2' } }, 'upto', 'upTo'],
  ] as const
  for (const [options, name, nearest] of wrong)
    expect(made(options)).toThrow(
      new RegExp(`^${name} is not an option of \\w+: did you mean ${nearest}\\? It takes `),
    )
  expect(made({ discovery: false })).not.toThrow()
})

test('a service that redirects, is silent, or lies lets nobody in', async () => {
  let served = 0
  const good = stage.base
  const answers: Record<string, (path: string) => Response | Promise<Response>> = {
    redirects: () => new Response(null, { status: 307, headers: { location: `${good}/readyz` } }),
    'is silent': () => new Promise(() => undefined),
    'answers a page': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'answers nothing': () => Response.json({}),
    'says yes to all': () => Response.json({ success: true, isValid: true, status: 'settled' }),
    fails: () => Response.json({ code: 'internal' }, { status: 500 }),
  }
  for (const [name, lie] of Object.entries(answers))
    for (const from of ['/api/paywall/payments', '/settle']) {
      await using liar = await listen(
        listener(async (request) => {
          const { pathname } = new URL(request.url)
          if (pathname.endsWith(from)) return lie(pathname)
          return fetch(new Request(good + pathname, request))
        }),
      )
      const purser = createPurser({
        ...{ baseUrl: new URL(liar.url).origin, apiKey: stage.seller.key },
        retries: 0,
      })
      await using shop = await openShop('web', purser, {
        options: { serviceMs: 1_000 },
        serve: async () => {
          served += 1
          return { status: 200, body: '"goods"' }
        },
      })
      const before = await stage.onChain()
      const headers = await paymentFor(shop.url)
      const answer = await fetch(shop.url, { headers })
      const text = await answer.text()
      expect([answer.status, JSON.parse(text).code], `${name} ${from}`).toEqual([
        503,
        'payment_service_unavailable',
      ])
      expect(text).not.toContain('goods')
      expect(await stage.onChain()).toBe(before)
    }
  // The handler may have run before the settlement, but its answer was given to nobody.
  expect(served).toBe(Object.keys(answers).length)
})

test('a slow handler and a client of HTTP/1.0 with a range', async () => {
  await using shop = await openShop('express', stage.purser)
  const headers = await paymentFor(shop.url)
  const { status, cache } = await new Promise<{ status?: number; cache?: string }>((resolve) => {
    const sent = { ...Object.fromEntries(headers), range: 'bytes=0-3' }
    ask(shop.url, { headers: sent }, (response) => {
      response.resume()
      resolve({
        ...(response.statusCode !== undefined && { status: response.statusCode }),
        cache: String(response.headers['cache-control']),
      })
    }).end()
  })
  expect([200, 206]).toContain(status)
  expect(cache).toContain('private')
})

test('two processes with one key serve a payment once between them', async () => {
  let served = 0
  const serve = async () => ({ status: 200, body: JSON.stringify({ served: ++served }) })
  await using one = await openShop('web', stage.purser, {
    serve,
    options: { publicUrl: 'https://shop.example' },
  })
  const second = createPurser({ baseUrl: stage.base, apiKey: stage.seller.key })
  await using two = await openShop('express', second, {
    serve,
    options: { publicUrl: 'https://shop.example' },
  })
  const before = await stage.onChain()
  const headers = await paymentFor(one.url)
  const urls = Array.from({ length: 10 }, (_, i) => (i % 2 ? one.url : two.url))
  const all = await Promise.all(urls.map((url) => fetch(url, { headers })))
  expect(all.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
  expect(served).toBe(1)
  expect((await stage.onChain()) - before).toBe(PRICE)
})

test('what was lost on the way back is given again, and what leaks from the chain buys nothing', async () => {
  let served = 0
  await using shop = await shopOf(() => Response.json({ served: ++served }))
  const { over, seen } = repeating(1)
  await payByX402(await stage.payer(), over)(shop.url)
  const again = await fetch(shop.url, { headers: seen.headers })
  expect([again.status, await again.json()]).toEqual([200, { served: 1 }])
  expect(again.headers.get('payment-response')).toBeTruthy()
  // The chain shows authorization and signature, and the 402 the rest, but for the secret of that one 402.
  const payload = JSON.parse(atob(seen.headers.get('payment-signature')!))
  payload.extensions['retry-key'].info.key = 'A'.repeat(22)
  const forged = { 'payment-signature': btoa(JSON.stringify(payload)) }
  expect(await codeOf(await fetch(shop.url, { headers: forged }))).toEqual([409, 'payment_used'])
})
