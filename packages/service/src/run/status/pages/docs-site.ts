import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wantsPage } from '../../../api/http/server/missing-page.ts'
import { noOperation } from '../../../base/kernel/problem.ts'
import { sha256Hex } from '../../../base/kernel/secrets.ts'
import { PACKAGE } from '../../../places.ts'

const SITE = fileURLToPath(new URL('../docs/dist/site/', PACKAGE))
/** Files whose content never changes under their name. */
const HASHED = /^assets\//
const FOREVER = 'public, max-age=31536000, immutable'
const FIVE_MINUTES = 'public, max-age=300'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Its own scripts, styles and calls alone. Nobody may put it into a frame. */
const policyOf = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
const POLICY = policyOf("'self'")
/** Scalar writes its styles when it runs. */
const EXPLORER = 'reference/explorer.html'
const EXPLORER_POLICY = policyOf("'self' 'unsafe-inline'")

/** A guide as `llms.txt` names it. */
export type Guide = { page: string; title: string; about: string }
export type Site = {
  guides: () => Promise<Guide[]>
  /** Every guide and operation as one text. */
  whole: () => Promise<string>
  send: (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>
}

/** The site that `packages/docs` has built. Undefined without a build. */
export function openSite(publicUrl: string): Site | undefined {
  if (!existsSync(`${SITE}index.html`)) return undefined
  const below = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const names = new Set(readdirSync(SITE, { recursive: true, encoding: 'utf8' }))
  const read = async (name: string): Promise<Buffer> => {
    const bytes = await readFile(SITE + name)
    return below === '' || !(extname(name) in TYPES) ? bytes : moved(bytes, below)
  }
  return {
    guides: async () => JSON.parse(await readFile(`${SITE}guides.json`, 'utf8')),
    whole: async () => String(await read('llms-full.md')),
    send: async (request, reply, path) => {
      const name = [path, `${path}.html`, `${path.replace(/\/$/, '')}/index.html`].find(
        (one) => names.has(one) && extname(one) in TYPES,
      )
      if (name !== undefined) return sendFile(request, reply, { name, read, names, below })
      if (!wantsPage(request.headers.accept)) throw noOperation('GET', request.url)
      const missing = reply.code(404).type(TYPES['.html'] ?? '')
      return missing.header('content-security-policy', POLICY).send(await read('404.html'))
    },
  }
}

type Served = {
  name: string
  read: (name: string) => Promise<Buffer>
  names: ReadonlySet<string>
  below: string
}

async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { name, read, names, below }: Served,
): Promise<FastifyReply> {
  const type = extname(name)
  const isPacked =
    below === '' && names.has(`${name}.br`) && /\bbr\b/.test(headers['accept-encoding'] ?? '')
  const bytes = isPacked ? await readFile(`${SITE}${name}.br`) : await read(name)
  const etag = `"${sha256Hex(bytes).slice(0, 32)}"`
  reply.headers({ etag, 'cache-control': HASHED.test(name) ? FOREVER : FIVE_MINUTES })
  if (names.has(`${name}.br`)) reply.header('vary', 'Accept-Encoding')
  if (type === '.html')
    reply.header('content-security-policy', name === EXPLORER ? EXPLORER_POLICY : POLICY)
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  if (isPacked) reply.header('content-encoding', 'br')
  return reply.type(TYPES[type] ?? '').send(bytes)
}

/** The site is built for `/docs/`. Below another path each address of it begins there. */
const moved = (bytes: Buffer, below: string): Buffer =>
  Buffer.from(String(bytes).replace(/(?<![\w.$}/])\/docs\//g, `${below}/docs/`))

/** Adds the site's pages and files. */
export function mountSite(app: FastifyInstance, site: Site): void {
  app.get('/docs', (request, reply) => site.send(request, reply, 'index.html'))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
    site.send(request, reply, request.params['*']),
  )
}
