import { expect, test } from 'vitest'
import { freshAccount } from './world/chain.ts'
import { type World, world } from './world.ts'

/** The documents that a stranger begins with. The walk reads every document of ours that these name. */
const FIRST = [
  '/',
  '/.well-known/agent-card.json',
  '/.well-known/jwks.json',
  '/.well-known/did.json',
  '/.well-known/http-message-signatures-directory',
  '/llms.txt',
  '/openapi.json',
  '/api/status',
  '/api/config',
  '/api/x402',
  '/api/x402/supported',
  '/api/x402/discovery/resources',
  '/api/ap2/agent-card',
]
/** Names that look like URLs, and hosts of examples (RFC 2606): nobody is sent there. */
const NO_PLACES = [
  'https://github.com/google-agentic-commerce/AP2/tree/v0.2.0',
  'https://paymentauth.org/problems/payment-required',
  'http://www.w3.org/2000/svg',
  'https://json-schema.org/draft/2020-12/schema',
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/jwk/v1',
  'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
]
/** Its examples are of services elsewhere; `docs/site.test.ts` follows its links. */
const isDocumentation = (page: string): boolean =>
  page.startsWith('/docs') || page === '/llms-full.txt'
const isNoPlace = (url: string): boolean =>
  NO_PLACES.includes(url) || /^https:\/\/(\w+\.)?(example|example\.com)(\/|$)/.test(url)

// A client follows what a discovery document names. A URL there that answers 404 sends it away for good.
test('every URL that a discovery document names answers as the document says', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const code = await openLink(w)
  const payer = await freshAccount({ usdc: 1n })
  const hash = await w.transfer(payer, w.chain.treasury.address, 1n)
  const seen = new Map<string, string>()
  // Each page is asked once, whatever the anchors that are named.
  const pages = new Map<string, Awaited<ReturnType<typeof ask>>>()
  const strangers = new Set<string>()
  const waiting = [...FIRST, `/pay/${code}`, `/api/pay/${code}/prepare`].map((path) => ({
    path,
    by: 'the first documents',
  }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, by } = next
    const [page = '', anchor] = path.split('#')
    if (seen.has(path)) continue
    seen.set(path, by)
    const known = pages.get(page)
    const answer = known ?? (await ask(baseUrl, page))
    pages.set(page, answer)
    const { status, text, isDocument } = answer
    expect.soft([path, by, status]).toEqual([path, by, expect.toBeOneOf([200, 400, 401, 402])])
    if (anchor !== undefined) expect.soft(text.includes(`id="${anchor}"`), path).toBe(true)
    if (known || !isDocument || isDocumentation(page)) continue
    for (const url of urlsIn(text)) {
      const ours = oursOf(url, { baseUrl, code, hash })
      if (ours === undefined) strangers.add(url)
      else waiting.push({ path: ours, by: page })
    }
  }
  expect([...strangers].filter((url) => !isNoPlace(url))).toEqual([])
  for (const path of [
    '/docs/reference/postPay.md',
    '/docs/start.md',
    '/llms-full.txt',
    '/a2a',
    '/api/ap2/settle',
    `/pay/${code}`,
  ])
    expect([...seen.keys()]).toContain(path)
}, 60_000)

test('every operation of openapi.json is one that the service knows, by its method', async () => {
  await using w = await world()
  const { body } = await w.call('GET', '/openapi.json')
  for (const [path, methods] of Object.entries<object>(body.paths))
    for (const method of Object.keys(methods)) {
      const url = path.replace(/\{[^}]+\}/g, 'none')
      const { status, text } = await w.call(
        method.toUpperCase(),
        url,
        method === 'post' ? {} : undefined,
      )
      expect.soft(text, `${method} ${path}`).not.toMatch(/No such operation/)
      expect.soft(status, `${method} ${path}`).not.toBe(405)
    }
})

async function openLink(w: World): Promise<string> {
  const seller = await w.user()
  const { id } = await seller.card({ limit: 1 })
  return (await seller.post('/api/paylinks', { card_id: id, amount: 1 })).body.code
}

/** By GET, or as the answer says where GET is not possible. */
async function ask(baseUrl: string, path: string) {
  const get = await fetch(baseUrl + path, { redirect: 'manual' })
  const text = await get.text()
  const headers = [...get.headers].map(([, value]) => value).join('\n')
  if (get.status !== 405)
    return {
      status: get.status,
      text: `${text}\n${decoded(headers)}`,
      isDocument: get.status !== 401,
    }
  expect(text).toMatch(/Use POST/)
  const posted = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  return { status: posted.status, text: await posted.text(), isDocument: false }
}

/** Headers of x402 and MPP name URLs too, in base64. */
const decoded = (text: string): string =>
  text.replace(/[A-Za-z0-9_+/-]{40,}={0,2}/g, (part) => Buffer.from(part, 'base64').toString())

/** URLs, and paths that are the whole of a JSON string or of a word in backquotes. */
function urlsIn(text: string): string[] {
  const whole = text.match(/https?:\/\/[^\s"'`<>)\\,]+/g) ?? []
  const paths = [
    ...text.matchAll(/"(\/[A-Za-z0-9._~{}/-]*)"(?!\s*:)/g),
    ...text.matchAll(/`(?:GET |POST )?(\/[A-Za-z0-9._~{}/-]+)`/g),
  ]
  return [...whole, ...paths.flatMap(([, path]) => path ?? [])]
}

/** The path below this service, its placeholders filled; undefined for a URL of somebody else. */
function oursOf(
  url: string,
  { baseUrl, code, hash }: { baseUrl: string; code: string; hash: string },
) {
  const path = url.startsWith('/')
    ? url
    : [baseUrl, 'http://127.0.0.1:4021'].flatMap((base) =>
        url === base || url.startsWith(`${base}/`) ? url.slice(base.length) || '/' : [],
      )[0]
  return path?.replace(/\{code\}|%7Bcode%7D/g, code).replace('{hash}', hash)
}
