import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fastifyPath, type Route } from '../route.ts'

/** As long as Chromium remembers a preflight; other browsers would remember it longer. */
const PREFLIGHT_SECONDS = '7200'
// `*` is for what a page's own tools add, such as trace ids. It covers no Authorization, and old browsers do not know it.
const REQUEST_HEADERS =
  'Authorization, Payment-Authorization, PAYMENT-SIGNATURE, X-PAYMENT, Accept, Accept-Payment, Content-Type, Idempotency-Key, Access-Control-Expose-Headers, *'
/**
 * Any site, and none with credentials: a browser then sends no cookie whose answer the page could read. Also on refusals
 * and limits, so that a page can tell them from a network that is down.
 */
const ANSWER_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, WWW-Authenticate, Payment-Receipt, Retry-After, Idempotency-Hit, X-Request-Id',
}

/** On a route that is open to other sites, before anything that may refuse the request. */
export function allowAnyOrigin(_: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(ANSWER_HEADERS)
  done()
}

/** Answers the question that a browser asks before it lets a page of another site send these routes a payment. */
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
