import type { Amount } from '../../../base/kernel/money.ts'
import { closedProblem, leastOf, statusAt } from '../link.ts'
import type { PayLink } from '../store.ts'
import type { PaymentException } from './store-exceptions.ts'

/** The link without the mark that its time is up: it may have been paid before it was. */
export const beforeItsEnd = (link: PayLink): PayLink =>
  link.status === 'EXPIRED' ? { ...link, status: 'ACTIVE' } : link

/** Why money that came to the link at `paidAt` does not settle it; undefined if it does. */
export function mismatch(
  link: PayLink,
  paidAt: Date,
  value: Amount,
): Exclude<PaymentException['reason'], 'over'> | undefined {
  const then = beforeItsEnd(link)
  const status = statusAt(then, paidAt)
  if (status === 'EXPIRED') return 'late'
  if (status === 'CANCELLED') return 'cancelled'
  if (status === 'COMPLETED' || closedProblem(then, paidAt)) return 'completed'
  if (value < (leastOf(link) ?? 0n)) return 'short'
  return undefined
}
