import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
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

/** The site that `packages/docs` has built, or its Markdown alone, as the command line's package has it. Undefined without either. */
export function openSite(publicUrl: string): Site | undefined {
  if (!existsSync(`${SITE}guides.json.br`)) return undefined
  const below = new URL(publicUrl).pathname.replace(/\/+$/, '')
  return {
    guides: async () => JSON.parse(await textOf('guides.json')),
    whole: async () => moved(await textOf('llms-full.md'), below),
    send: async (request, reply, path) => {
      for (const name of namesOf(path)) {
        const bytes = await readIfThere(name)
        if (bytes) return sendFile(request, reply, { name, bytes, below })
      }
      const missing = wantsPage(request.headers.accept) && (await readIfThere('404.html'))
      if (!missing) throw noOperation('GET', request.url)
      return reply
        .code(404)
        .header('content-security-policy', POLICY)
        .type(TYPES['.html'] ?? '')
        .send(moved(String(await unpack(missing)), below))
    },
  }
}

/** The files that an address may mean: itself, a page, the first page of a folder, or its Markdown where there are no pages. */
function namesOf(path: string): string[] {
  if (!/^[\w@-][\w@.-]*(\/[\w@-][\w@.-]*)*\/?$/.test(path)) return []
  const bare = path.replace(/\/$/, '')
  const pages = [`${bare}.html`, `${bare}/index.html`, `${bare}.md`, `${bare}/index.md`]
  return extname(bare) in TYPES ? [bare] : pages
}

/** The file as it is stored: all but pictures are packed. A build may replace files while the service runs, so it keeps no list. */
async function readIfThere(name: string): Promise<Buffer | undefined> {
  return readFile(SITE + storedAs(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}

const storedAs = (name: string): string => (extname(name) === '.svg' ? name : `${name}.br`)

const unpack = promisify(brotliDecompress)
const textOf = async (name: string): Promise<string> =>
  String(await unpack(await readFile(SITE + storedAs(name))))

async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { name, bytes, below }: { name: string; bytes: Buffer; below: string },
): Promise<FastifyReply> {
  const type = extname(name)
  const etag = `"${sha256Hex(bytes).slice(0, 32)}"`
  reply.headers({ etag, 'cache-control': HASHED.test(name) ? FOREVER : FIVE_MINUTES })
  if (type === '.html')
    reply.header('content-security-policy', name === EXPLORER ? EXPLORER_POLICY : POLICY)
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  reply.type(TYPES[type] ?? '')
  if (storedAs(name) === name) return reply.send(bytes)
  reply.header('vary', 'Accept-Encoding')
  if (below === '' && /\bbr\b/.test(headers['accept-encoding'] ?? ''))
    return reply.header('content-encoding', 'br').send(bytes)
  return reply.send(moved(String(await unpack(bytes)), below))
}

/** The site is built for `/docs/`. Below another path each address of it begins there. */
const moved = (text: string, below: string): string =>
  below === '' ? text : text.replace(/(?<![\w.$}/])\/docs\//g, `${below}/docs/`)

/** Adds the site's pages and files. */
export function mountSite(app: FastifyInstance, site: Site): void {
  app.get('/docs', (request, reply) => site.send(request, reply, 'index'))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
    site.send(request, reply, request.params['*']),
  )
}
