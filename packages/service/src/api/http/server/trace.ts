import type { FastifyInstance } from 'fastify'
import { type OpenSpan, theTracer } from '../../../base/kernel/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | undefined
  }
}

/** Puts each request into a span, if this process is traced. The caller's `traceparent` says which trace it belongs to. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = theTracer()
  if (!tracer) return
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _, done) => {
    const { method, routeOptions, headers } = request
    // The pattern of the route: what was asked may hold a code, and its query a secret.
    const route = routeOptions.config.path ?? routeOptions.url
    const name = route === undefined ? method : `${method} ${route}`
    const values = { 'http.request.method': method, ...(route && { 'http.route': route }) }
    const traceparent = String(headers.traceparent ?? '')
    request.span = tracer.begin({ name, kind: 'server', values }, traceparent)
    request.span.run(done)
  })
  // The body is read where the connection was made, outside of the span.
  app.addHook('preValidation', ({ span }, _, done) => {
    if (span) span.run(done)
    else done()
  })
  app.addHook('onResponse', ({ span, refusedAs }, { statusCode }, done) => {
    const values = {
      'http.response.status_code': statusCode,
      ...(refusedAs && { 'error.type': refusedAs }),
    }
    span?.end(values, statusCode >= 500)
    done()
  })
}
