import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { PACKAGE } from '../../places.ts'

export const DIST = fileURLToPath(new URL('../web/dist/', PACKAGE))
/** The bundler's names of files whose content never changes, e.g. `dashboard-C3xk_91a.js`. */
const HASHED = /-[\w-]{8}\.\w+(?:\.(?:br|gz))?$/

const WORKER = /\/shared-[\w-]{8}\.js/
const WORKER_POLICY = "default-src 'none';connect-src 'self';frame-ancestors 'none'"

/** Serves the build of `packages/web` at `/assets/`. Without a build the pages still work, plain and without script. */
export async function mountAssets(app: FastifyInstance): Promise<void> {
  if (!existsSync(DIST))
    app.log.warn(
      'packages/web/dist is missing: run "npm run build -w @purser/web" for styled pages',
    )
  await app.register(fastifyStatic, {
    root: DIST,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
    setHeaders: (reply, path) => {
      // A worker obeys the policy of its own program, and asks the service.
      if (WORKER.test(path)) reply.header('content-security-policy', WORKER_POLICY)
      reply.header(
        'cache-control',
        HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      )
    },
  })
}
