import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DIST } from '../../../api/http/assets.ts'
import { escapeHtml } from '../../../api/http/html.ts'
import { wantsPage } from '../../../api/http/server/missing-page.ts'
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

export const sendDashboard = (reply: FastifyReply, page: string): FastifyReply =>
  reply
    .headers({
      vary: 'Accept',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page)

/** Adds the dashboard's places for a person. For a program they do not exist. */
export function mountDashboard(app: FastifyInstance, page: string): void {
  for (const path of DASHBOARD_PATHS)
    app.get(path.replace('{id}', ':id'), async ({ headers, url }, reply) => {
      if (!wantsPage(headers.accept)) throw noOperation('GET', url)
      return sendDashboard(reply, page)
    })
}
