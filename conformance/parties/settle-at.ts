import type { PaymentRequirements } from '@x402/core/types'
import { expect } from 'vitest'
import type { Place } from '../stage.ts'
import type { Outcome } from './tills.ts'

/** Settles a payer's payment through the facilitator, as a seller with these requirements would. */
export async function settleAt(
  { baseUrl, seller }: Pick<Place, 'baseUrl' | 'seller'>,
  paymentRequirements: PaymentRequirements,
  { paymentPayload, requestName }: { paymentPayload: object; requestName: string | undefined },
): Promise<Outcome> {
  const response = await fetch(`${baseUrl}/api/x402/settle`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${seller.key}`,
      ...(requestName && { 'idempotency-key': requestName }),
    },
    body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
  })
  const body = (await response.json()) as Record<string, string> & { success: boolean }
  if (body.code === 'idempotency_in_progress') return { outcome: 'pending', reason: body.code }
  expect(response.status, JSON.stringify(body)).toBe(200)
  const receipt = body.transaction ?? ''
  if (body.success) return { outcome: 'settled', receipt }
  const reason = body.errorReason ?? ''
  return { outcome: reason === 'settlement_pending' ? 'pending' : 'refused', reason, receipt }
}
