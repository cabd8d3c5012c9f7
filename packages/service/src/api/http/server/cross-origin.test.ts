import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../../../test/actors/browser.ts'
import { bodyOf, mppShop, payByWallet } from '../../../../test/actors/mpp-payers.ts'
import { world } from '../../../../test/world.ts'
import { routes } from '../../../run/app.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** A fetch from a page of another site: sends what a browser sends, and shows what a browser lets a script see. */
async function openOtherSite() {
  const server = createServer((_, answer) =>
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>Another site</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const fetchFromPage: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const { status, headers, text } = await page.evaluate(
      async ({ url, body, ...asked }) => {
        const answer = await fetch(url, { ...asked, ...(body && { body }) })
        return { status: answer.status, headers: [...answer.headers], text: await answer.text() }
      },
      {
        url: request.url,
        method: request.method,
        headers: [...request.headers] as [string, string][],
        body: await request.text(),
      },
    )
    return new Response(text, { status, headers: headers as [string, string][] })
  }
  return {
    fetch: fetchFromPage,
    async [Symbol.asyncDispose]() {
      await page.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a page of another site pays a link by the official clients of x402 and MPP, and reads its receipts', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0 })
  await using site = await openOtherSite()
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(await s.payer()))
  const byX402 = await wrapFetchWithPayment(site.fetch, client)(s.url)
  expect(byX402.status, await byX402.clone().text()).toBe(200)
  const receipt = decodePaymentResponseHeader(byX402.headers.get('payment-response')!)
  expect(receipt).toMatchObject({ success: true, network: 'eip155:84532' })

  const byMpp = await payByWallet(await s.payer(), site.fetch)(s.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'order-1' },
    body: '{"order":1}',
  })
  expect(byMpp.status, await byMpp.clone().text()).toBe(200)
  expect(byMpp.headers.get('payment-receipt')).toBeTruthy()
  expect(await s.received()).toBe(2 * 0.5 * 0.995)
  expect(await w.faults()).toEqual([])
})

test('a page of another site pays by card, and reads refusals as they are', async () => {
  await using w = await world()
  const s = await mppShop(w)
  await using site = await openOtherSite()
  const settle = (token: string) =>
    site.fetch(`${s.base}/api/pay/${s.link.code}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `by ${token}` },
      body: JSON.stringify({ payer_card_id: s.card.id, payer_card_token: token }),
    })
  const refused = await settle(`tok_${'x'.repeat(43)}`)
  expect([refused.status, (await bodyOf(refused)).code]).toEqual([401, 'invalid_card_token'])
  expect(refused.headers.get('x-request-id')).toMatch(/^req_/)
  const paid = await settle(s.card.token)
  expect(paid.status, await paid.text()).toBe(200)
  const again = await settle(s.card.token)
  expect([again.status, again.headers.get('idempotency-hit')]).toEqual([200, 'true'])
  expect((await site.fetch(s.url)).status).toBe(410)
  expect((await site.fetch(`${s.base}/pay/PL_0000000000`)).status).toBe(404)
  expect((await site.fetch(`${s.base}/api/paylinks/${s.link.code}/status`)).status).toBe(410)
})

test('a page of another site neither sends a key nor reads an answer to one', async () => {
  await using w = await world()
  const s = await mppShop(w)
  await using site = await openOtherSite()
  const asked = (headers: Record<string, string>) => site.fetch(`${s.base}/api/cards`, { headers })
  await expect(asked({ authorization: `Bearer ${s.seller.key}` })).rejects.toThrow(
    'Failed to fetch',
  )
  await expect(asked({})).rejects.toThrow('Failed to fetch')
  // The path has an open operation and one with a key.
  const cancelled = site.fetch(`${s.base}/api/paylinks/${s.link.code}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${s.seller.key}` },
  })
  await expect(cancelled).rejects.toThrow('Failed to fetch')
  expect((await site.fetch(`${s.base}/api/paylinks/${s.link.code}`)).status).toBe(200)
})

const isOf = ({ path }: { path: string }, url: string): boolean =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url)

test('every path is open to other sites, or not, as its routes say; none to their cookies', async () => {
  await using w = await world()
  expect(routes.filter((route) => route.isOpenToSites && route.auth !== 'public')).toEqual([])
  for (const path of new Set(routes.map((route) => route.path))) {
    const url = path.replace(/\{\w+\}/g, 'PL_0000000000')
    const own = routes.filter((route) => route.path === path && route.isOpenToSites)
    // A closed path may also be read as an open one with a parameter: then that one's methods are allowed, and no others.
    const open =
      own.length > 0 ? own : routes.filter((route) => route.isOpenToSites && isOf(route, url))
    const preflight = await w.call('OPTIONS', url, undefined, {
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status, path).toBe(open.length > 0 ? 204 : 405)
    expect(preflight.headers['access-control-allow-methods'], path).toBe(
      open.length > 0 ? open.map(({ method }) => method).join(', ') : undefined,
    )
    expect(preflight.headers, path).not.toHaveProperty('access-control-allow-credentials')
  }
})

test('a page of another site can tell a limit from a network that is down', async () => {
  await using w = await world({ settings: { rateLimitPerMinute: 2 } })
  const ask = () => w.call('GET', '/pay/PL_0000000000')
  expect([(await ask()).status, (await ask()).status]).toEqual([404, 404])
  const limited = await ask()
  expect(limited.status).toBe(429)
  expect(limited.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
    'retry-after': expect.any(String),
  })
})
