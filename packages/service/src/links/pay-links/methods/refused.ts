import type { ProblemType } from '../../../base/protocols/mpp/problem.ts'

/** MPP's problem type for a refusal of the token or of an authorization, by x402's name for it. */
export const problemOf = (reason: string): ProblemType =>
  reason.endsWith('_insufficient_balance')
    ? 'payment-insufficient'
    : reason.endsWith('_valid_before')
      ? 'payment-expired'
      : 'verification-failed'
