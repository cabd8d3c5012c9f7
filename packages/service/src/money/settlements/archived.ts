import type { Reader } from '../../base/db/sql.ts'
import { timeOf } from '../../base/kernel/ids.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { findArchived } from '../ledger/verify/store-archived.ts'

/**
 * The answer about a payment that is not here, or is not the caller's. Every name of a month that was put away gets the same, whoever
 * asks: nobody can see any more whose payment it was, or whether there was one.
 */
export async function noPayment(on: Reader, name: string, what = 'payment'): Promise<Problem> {
  const month = (timeOf('txn', name) ?? timeOf('stl', name))?.toISOString().slice(0, 7)
  if (!month || !(await findArchived(on, month))) return notFound(what)
  return new Problem(
    'payment_archived',
    `Payments of ${month} were put away in a file of the operator, and can be neither read nor refunded here. To give one back, pay its amount as a payment of its own.`,
  )
}
