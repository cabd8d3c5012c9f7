import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastifyPath, type Route } from '../route.ts'

/** Chromium's longest cache time of a preflight. Other browsers would cache it longer. */
const PREFLIGHT_SECONDS = '7200'
// `*` allows headers that a page's tools add, such as trace ids. It excludes Authorization, and old browsers ignore it.
const REQUEST_HEADERS =
  'Authorization, Payment-Authorization, PAYMENT-SIGNATURE, X-PAYMENT, Accept, Accept-Payment, Content-Type, Idempotency-Key, X-Purser-Lane, Access-Control-Expose-Headers, *'
/**
 * Allows any site, without credentials: a page cannot read an answer to a request with a cookie. Set on refusals and
 * limits too, so that a page can tell them from a network failure.
 */
const ANSWER_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, WWW-Authenticate, Payment-Receipt, Retry-After, Idempotency-Hit, X-Request-Id',
}

/** For a route open to other sites: runs before any step that may refuse the request. */
export function allowAnyOrigin(_: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(ANSWER_HEADERS)
  done()
}

/** Answers the preflight that a browser sends before a page of another site may send these routes a payment. */
export function answerPreflights(app: FastifyInstance, routes: readonly Route[]): void {
  const byPath = Map.groupBy(
    routes.filter((route) => route.isOpenToSites),
    (route) => route.path,
  )
  for (const [path, open] of byPath) {
    const methods = open.map(({ method }) => method).join(', ')
    app.route({
      method: 'OPTIONS',
      url: fastifyPath(path),
      handler: (_, reply) =>
        reply
          .code(204)
          .headers({
            'access-control-allow-origin': '*',
            'access-control-allow-methods': methods,
            'access-control-allow-headers': REQUEST_HEADERS,
            'access-control-max-age': PREFLIGHT_SECONDS,
          })
          .send(),
    })
  }
}
