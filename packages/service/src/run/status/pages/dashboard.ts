import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DIST } from '../../../api/http/assets.ts'
import { escapeHtml } from '../../../api/http/html.ts'
import { unknownHostPage, wantsPage } from '../../../api/http/server/missing-page.ts'
import { isKnownHost, type Site, unknownHostSentence } from '../../../api/http/server/own-origin.ts'
import { noOperation } from '../../../base/kernel/problem.ts'

/** The places of the dashboard besides `/`. Its program reads the address, and shows the page. */
export const DASHBOARD_PATHS = [
  '/sign-in',
  '/cards',
  '/cards/{id}',
  '/payments',
  '/payments/{id}',
  '/links',
  '/links/{id}',
  '/inbox',
  '/recurring',
  '/market',
  '/market/{id}',
  '/credentials/{id}',
  '/tokens',
  '/tokens/{id}',
  '/money',
  '/developers',
  '/developers/{id}',
  '/operator',
  '/operator/{id}',
] as const

/** Its own programs, styles and calls alone. Nobody may put it into a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Its tabs share one stream of events, which a worker reads.
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page that starts the dashboard, with the path under which this service is reached. Undefined without a build. */
export function readDashboard(publicUrl: string): string | undefined {
  const path = `${DIST}dashboard/index.html`
  if (!existsSync(path)) return undefined
  const at = escapeHtml(new URL(publicUrl).pathname.replace(/\/+$/, ''))
  return readFileSync(path, 'utf8')
    .replaceAll('"./', `"${at}/assets/dashboard/`)
    .replace('<title>', `<base href="${at}/"><link rel="icon" href="${at}/favicon.svg"><title>`)
}

/** A page of the build, and the service that it is of. */
export type Dashboard = { page: string; site: Site }

/** The page; at a name that is not known, why nobody can sign in there. */
export function sendDashboard(reply: FastifyReply, { page, site }: Dashboard): FastifyReply {
  const { host } = reply.request.headers
  if (!isKnownHost(host, site)) {
    const { headers, html } = unknownHostPage(unknownHostSentence(host, site), site.publicUrl)
    return reply.code(403).headers(headers).send(html)
  }
  return reply
    .headers({
      vary: 'Accept',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      // With none at all, some browsers leave the origin out of what the page sends to us.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}

/** Adds the dashboard's places for a person. For a program they do not exist. */
export function mountDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  for (const path of DASHBOARD_PATHS)
    app.get(path.replace('{id}', ':id'), async ({ headers, url }, reply) => {
      if (!wantsPage(headers.accept)) throw noOperation('GET', url)
      return sendDashboard(reply, dashboard)
    })
}
