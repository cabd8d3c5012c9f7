import type { RequestHandler } from 'express'
import type { Bytes } from './bytes.ts'
import { openGate, tooLarge } from './gate.ts'
import { hold, send } from './hold.ts'
import { hangUp, peekBody, webRequest } from './node.ts'
import { BODY_MAX, PaywallError, type PaywallOptions, type Service } from './options.ts'

/**
 * Puts a price on a route of Express: `app.get('/report', paywall(purser, { price: '0.01' }), handler)`. Put it before parsers of
 * the body, which read it afterwards. The payment is in `response.locals.payment`.
 */
export function paywall(service: Service, options: PaywallOptions): RequestHandler {
  const gate = openGate(service, options)
  return async (request, response, next) => {
    const signal = hangUp(response)
    const most = options.maxBodyBytes ?? BODY_MAX
    const { body: parsed } = request as { body?: unknown }
    const body = parsed === undefined ? await peekBody(request, most) : alreadyRead(parsed)
    if (!body) return send(response, tooLarge(most))
    const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`
    const web = webRequest(request, { origin, url: request.originalUrl, body, signal })
    const admission = await gate.admit(web, body)
    if (admission.kind === 'denied') return send(response, admission.response)
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
