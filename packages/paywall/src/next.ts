import { NextRequest } from 'next/server.js'
import { openGate } from './gate.ts'
import type { PaywallOptions, Service } from './options.ts'
import { guard, type Handler, type RequestClass } from './web.ts'

/**
 * Puts a price on a route handler of Next: `export const GET = paywall(purser, { price: '0.01' })(async (request) => …)`.
 * A request with a body reaches the handler as a `NextRequest` too.
 */
export function paywall(service: Service, options: PaywallOptions) {
  const gate = openGate(service, options)
  return <Rest extends unknown[]>(handler: Handler<NextRequest, Rest>) =>
    // The class of a request is Next's own, and in edge routes one that nobody else can make.
    guard(gate, handler, NextRequest as unknown as RequestClass)
}
