import type { MiddlewareHandler } from 'hono'
import { responseOf } from './answer.ts'
import { openGate, type Paid } from './gate.ts'
import type { PaywallOptions, Service } from './options.ts'
import { deliver, visitorOf } from './web.ts'

/** Puts a price on a route of Hono: `app.get('/report', paywall(purser, { price: '0.01' }), handler)`. */
export function paywall(
  service: Service,
  options: PaywallOptions,
): MiddlewareHandler<{ Variables: { payment: Paid | undefined } }> {
  const gate = openGate(service, options)
  return async (context, next) => {
    const admission = await gate.admit(visitorOf(context.req.raw))
    if (admission.kind === 'denied') return responseOf(admission.answer)
    context.req.raw = admission.request
    context.set('payment', admission.paid)
    try {
      await next()
    } catch (error) {
      await admission.abandon()
      throw error
    }
    const made = await deliver(admission, context.res)
    // Hono merges the headers of the answer before into a new one, unless it is gone.
    context.res = undefined
    context.res = made
    return undefined
  }
}
