/** The documentation as it is served: every link and anchor of every page leads somewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../world.ts'

let w: World
let base: string
beforeAll(async () => {
  w = await world()
  base = await w.listen()
})
afterAll(async () => {
  await w?.[Symbol.asyncDispose]()
})

type Page = { status: number; ids: Set<string>; links: string[]; from: string }

/** Read without a browser: the pages are whole before their scripts run. */
async function read(path: string, from: string): Promise<Page> {
  const answer = await fetch(base + path, { headers: { accept: 'text/html' } })
  const text = await answer.text()
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, one = '']) => one)
  const names = found(/<[^>]+? id="([^"]+)"/g)
  return {
    status: answer.status,
    ids: new Set(names.map((name) => name.replaceAll('&amp;', '&'))),
    links: found(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]+)"/g),
    from,
  }
}

test('every link of every page leads to a page or file that is there, and every anchor to a place in it', async () => {
  const pages = new Map<string, Page>()
  const waiting = [['/docs', 'the start']]
  const anchors: [to: string, anchor: string, from: string][] = []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path = '', from = ''] = next
    if (pages.has(path)) continue
    const page = await read(path, from)
    pages.set(path, page)
    if (!path.startsWith('/docs') || /\.\w+$/.test(path)) continue
    for (const link of page.links) {
      const url = new URL(link.replaceAll('&amp;', '&'), base + path)
      if (url.origin !== base) continue
      waiting.push([url.pathname, path])
      if (url.hash && url.pathname.startsWith('/docs'))
        anchors.push([url.pathname, decodeURIComponent(url.hash.slice(1)), path])
    }
  }
  const broken = [...pages].filter(([, { status }]) => status !== 200)
  expect(
    broken.map(([path, { status, from }]) => `${path} ${status}, linked from ${from}`),
  ).toEqual([])
  const astray = anchors.filter(([to, anchor]) => !pages.get(to)?.ids.has(anchor))
  expect(astray.map(([to, anchor, from]) => `${to}#${anchor}, linked from ${from}`)).toEqual([])
  expect(anchors.length).toBeGreaterThan(500)

  const { body } = await w.call('GET', '/openapi.json')
  const operations = Object.values<object>(body.paths).flatMap((path) => Object.values(path))
  for (const { operationId } of operations)
    expect([...pages.keys()]).toContain(`/docs/reference/${operationId}`)
})

test('every page and file that llms.txt and llms-full.txt name is there', async () => {
  const { text: short } = await w.call('GET', '/llms.txt')
  const { text: whole } = await w.call('GET', '/llms-full.txt')
  const { publicUrl } = w.services.settings
  const named = new Set<string>()
  for (const [, url = ''] of short.matchAll(/\]\(([^)#\s]+)/g))
    named.add(url.replace(publicUrl, ''))
  for (const [, url = ''] of whole.matchAll(/\]\((\/docs\/[^)#\s]+)/g)) named.add(url)
  expect(named.size).toBeGreaterThan(200)
  for (const path of named) expect([path, (await w.call('GET', path)).status]).toEqual([path, 200])
})
