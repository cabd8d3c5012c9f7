import type { RequestHandler } from 'express'
import type { Bytes } from './bytes.ts'
import { openGate } from './gate.ts'
import { hold, send } from './hold.ts'
import { peekBody, visitorIn } from './node.ts'
import { PaywallError, type PaywallOptions, type Service } from './options.ts'

/**
 * Puts a price on a route of Express: `app.get('/report', paywall(purser, { price: '0.01' }), handler)`. Put it before parsers of
 * the body, which read it afterwards. The payment is in `response.locals.payment`.
 */
export function paywall(service: Service, options: PaywallOptions): RequestHandler {
  const gate = openGate(service, options)
  return async (request, response, next) => {
    const { body: parsed } = request as { body?: unknown }
    const admission = await gate.admit(
      visitorIn(request, {
        url: `${request.protocol}://${request.headers.host ?? 'localhost'}${request.originalUrl}`,
        response,
        read: (most) =>
          parsed === undefined ? peekBody(request, most) : Promise.resolve(alreadyRead(parsed)),
      }),
    )
    if (admission.kind === 'denied') return send(response, admission.answer)
    response.locals.payment = admission.paid
    hold(response, admission)
    next()
  }
}

function alreadyRead(parsed: unknown): Bytes {
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
  if (typeof parsed === 'string') return new TextEncoder().encode(parsed)
  throw new PaywallError(
    'body_was_parsed',
    'The body was parsed before the paywall, so what is paid for is not known to the byte. Put the paywall before the parser.',
  )
}
