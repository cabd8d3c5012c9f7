import { openGate, type Paid } from './gate.ts'
import {
  type AnswerHead,
  type Discovery,
  PaywallError,
  type PaywallOptions,
  type Price,
  type Service,
} from './options.ts'
import { guard, type Handler, paymentOf } from './web.ts'

export type { AnswerHead, Discovery, Handler, Paid, PaywallOptions, Price, Service }
export { PaywallError, paymentOf }

/**
 * Puts a price on a handler of web standards: an unpaid request is answered 402 with every way to pay, a paid one runs the
 * handler, and its answer is given once the money is taken. A handler that fails is not charged.
 */
export function paywall(service: Service, options: PaywallOptions) {
  const gate = openGate(service, options)
  return <Rest extends unknown[]>(handler: Handler<Request, Rest>) => guard(gate, handler)
}
