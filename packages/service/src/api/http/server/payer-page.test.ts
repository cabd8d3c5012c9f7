import { expect, test } from 'vitest'
import { Problem } from '../../../base/kernel/problem.ts'
import { payerPage } from './missing-page.ts'

const wordsOf = (
  code: 'settlement_pending' | 'authorization_in_flight' | 'not_found',
  hasPaid: boolean,
) => payerPage({ problem: new Problem(code, 'Why.'), id: 'req_1', hasPaid, page: '/pay/PL_1' }).html

test('a payer whose payment may be on its way is never asked to pay anew', () => {
  for (const code of ['settlement_pending', 'authorization_in_flight'] as const) {
    expect(wordsOf(code, true)).toContain('It is not known yet whether the payment was made')
    expect(wordsOf(code, true)).not.toContain('Nothing was paid')
  }
  expect(wordsOf('not_found', true)).toContain('Nothing was paid by this request')
  // A person reads nothing that was written for programs.
  const ours = new Problem('overloaded', 'The same Idempotency-Key does nothing twice.')
  const page = payerPage({ problem: ours, id: 'req_1', hasPaid: true, page: '/pay/PL_1' }).html
  expect(page).not.toContain('Idempotency-Key')
  expect(page).toContain('a fault of the service')
  expect(wordsOf('settlement_pending', false)).toContain('Nothing was paid by this request')
})
