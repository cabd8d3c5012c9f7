import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { openApiDocument } from '../../api/http/openapi/document.ts'
import { addExamples, recordedExamples } from '../../api/http/openapi/examples.ts'
import { PAGE_STYLE, policyFor } from '../../api/http/page-style.ts'
import type { Route } from '../../api/http/route.ts'
import { wantsPage } from '../../api/http/server/missing-page.ts'
import type { Services } from '../../api/http/services.ts'
import type { Settings } from '../../api/http/settings.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { equalBytes, Secret, sha256 } from '../../base/kernel/secrets.ts'
import { explorerBaseOf } from '../../chain/client/public/explorer.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { readReadiness } from './checks.ts'
import { METRICS_TYPE, measure } from './metrics.ts'
import {
  DASHBOARD_PATHS,
  type Dashboard,
  mountDashboard,
  readDashboard,
  sendDashboard,
} from './pages/dashboard.ts'
import { mountSite, openSite } from './pages/docs-site.ts'
import { homeJson, homePage } from './pages/home-page.ts'
import { llmsText } from './pages/llms.ts'
import { addPages } from './pages/pages.ts'

/** Monitoring requests do not count against the rate limit. */
const UNLIMITED = { config: { rateLimit: false as const } }
const A_DAY = 'public, max-age=86400'
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d45"/><path d="M11 25V7h6.5a5.75 5.75 0 0 1 0 11.5H11" fill="none" stroke="#fff" stroke-width="3.5"/></svg>'
const FIVE_MINUTES = 'public, max-age=300'
const HOME_POLICY = policyFor(PAGE_STYLE)

/** The paths that `mountStatus` adds, with what their callers may cause. */
export const STATUS_PATHS: readonly (Pick<Route, 'path' | 'attack' | 'costs'> & {
  body?: never
})[] = [
  { path: '/', attack: 'none', costs: { statements: 0 } },
  ...DASHBOARD_PATHS.map((path) => ({ path, attack: 'none' as const, costs: { statements: 0 } })),
  { path: '/healthz', attack: 'none', costs: { statements: 0 } },
  // One answer for all who ask within two seconds.
  { path: '/readyz', attack: 'chain', costs: { statements: 100, rpc: 200 } },
  // It needs a token; the embedded service shows it to its own machine.
  { path: '/metrics', attack: 'chain', costs: { statements: 3_200, rpc: 200 } },
  { path: '/openapi.json', attack: 'none', costs: { statements: 0, ms: 4_000 } },
  { path: '/llms.txt', attack: 'none', costs: { statements: 0, ms: 4_000 } },
  { path: '/llms-full.txt', attack: 'none', costs: { statements: 0, ms: 4_000 } },
  { path: '/docs', attack: 'none', costs: { statements: 0, ms: 4_000 } },
  { path: '/docs/*', attack: 'none', costs: { statements: 0, ms: 4_000 } },
]

/** Adds health, metrics, the documents made from the routes, and the documentation to the server. */
export function mountStatus(
  app: FastifyInstance,
  services: Services,
  routes: readonly Route[],
): void {
  const metrics = measure(app, services)
  app.get('/healthz', UNLIMITED, async () => ({ status: 'ok' }))
  app.get('/readyz', UNLIMITED, async (_, reply) => {
    const readiness = await readReadiness(services)
    return reply.code(readiness.status === 'ready' ? 200 : 503).send(readiness)
  })
  app.get('/metrics', UNLIMITED, async (request, reply) => {
    requireReader(services.settings.metrics, request.headers.authorization)
    return reply.type(METRICS_TYPE).send(await metrics.read())
  })
  for (const path of ['/favicon.svg', '/favicon.ico'])
    app.get(path, async (_, reply) =>
      reply.header('cache-control', A_DAY).type('image/svg+xml').send(FAVICON),
    )
  const built = readDashboard(services.settings.publicUrl)
  const dashboard = built === undefined ? undefined : { page: built, site: services.settings }
  mountHome(app, services, dashboard)
  if (dashboard) mountDashboard(app, dashboard)
  mountDocuments(app, services, routes)
}

function requireReader(who: Settings['metrics'], authorization: string | undefined): void {
  if (who === 'open') return
  if (!(who instanceof Secret))
    throw new Problem(
      'unauthorized',
      'Metrics are not shown to everybody: set PURSER_METRICS_TOKEN, and send it as Authorization: Bearer.',
    )
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? ''
  if (!equalBytes(sha256(given), sha256(who.reveal())))
    throw new Problem('unauthorized', 'Send PURSER_METRICS_TOKEN as Authorization: Bearer.')
}

/** The dashboard for a person, a few links for a program, depending on the request's `Accept`. */
function mountHome(
  app: FastifyInstance,
  { settings, chain, demoKey }: Services,
  dashboard: Dashboard | undefined,
): void {
  const { version, publicUrl, embeddedRpcUrl } = settings
  const home = {
    version,
    baseUrl: publicUrl.replace(/\/+$/, ''),
    network: chain.network,
    asset: defaultAsset(chain).symbol,
    isLocal: embeddedRpcUrl !== null,
    hasDemoWallet: demoKey !== undefined,
    explorer: explorerBaseOf(chain.network, settings),
  }
  const page = memo(async () => homePage(home))
  app.get('/', async ({ headers }, reply) => {
    reply.headers({ vary: 'Accept', 'cache-control': FIVE_MINUTES })
    if (!wantsPage(headers.accept)) return reply.send(homeJson(home))
    if (dashboard) return sendDashboard(reply, dashboard)
    return reply
      .header('content-security-policy', HOME_POLICY)
      .type('text/html; charset=utf-8')
      .send(await page())
  })
}

function mountDocuments(
  app: FastifyInstance,
  { settings, chain }: Services,
  routes: readonly Route[],
): void {
  const { version, publicUrl, embeddedRpcUrl } = settings
  const { contract: token } = defaultAsset(chain)
  // On other chains the development operations answer 404, so the document leaves them out.
  const offered =
    embeddedRpcUrl === null ? routes.filter(({ tag }) => tag !== 'Development') : routes
  const site = openSite(publicUrl)
  // Made and encoded once: a megabyte of text took 30 ms for each reader.
  const made = memo(async () => {
    const document = openApiDocument(offered, { version, publicUrl, token })
    addPages(document)
    addExamples(document, recordedExamples())
    return {
      json: Buffer.from(JSON.stringify(document)),
      text: Buffer.from(llmsText(document, publicUrl, await site?.guides())),
    }
  })
  const send = (reply: FastifyReply, type: string, body: Buffer) =>
    reply.header('cache-control', FIVE_MINUTES).type(`${type}; charset=utf-8`).send(body)
  app.get('/openapi.json', async (_, reply) => send(reply, 'application/json', (await made()).json))
  app.get('/llms.txt', async (_, reply) => send(reply, 'text/plain', (await made()).text))
  if (!site) return
  const whole = memo(async () => {
    const plain = Buffer.from(`Base URL: ${publicUrl}\n\n${await site.whole()}`)
    return { plain, packed: await pack(plain) }
  })
  app.get('/llms-full.txt', async ({ headers }, reply) => {
    const { plain, packed } = await whole()
    reply.header('vary', 'Accept-Encoding')
    if (!/\bbr\b/.test(headers['accept-encoding'] ?? '')) return send(reply, 'text/plain', plain)
    return send(reply.header('content-encoding', 'br'), 'text/plain', packed)
  })
  mountSite(app, site)
}

const compress = promisify(brotliCompress)
/** 156 kB in 25 ms; the last level takes 1.2 s for 137 kB. */
const pack = (text: Buffer): Promise<Buffer> =>
  compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })

/** Made on first use and then kept, so that a server without readers never makes it. What failed is made anew for the next one. */
function memo<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= make().catch((error: unknown) => {
      value = undefined
      throw error
    })
    return value
  }
}
