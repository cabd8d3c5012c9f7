import { ProtocolRefusal } from '../refusal.ts'
import { PROBLEMS, type ProblemType } from './problem.ts'

/** Every cause of a refusal, with MPP's problem type for it. A code is part of the API: add, never rename. */
const CODES = {
  credential_too_large: 'malformed-credential',
  credential_malformed: 'malformed-credential',
  credential_ambiguous: 'bad-request',
  credential_misplaced: 'malformed-credential',
  challenge_malformed: 'invalid-challenge',
  challenge_unknown: 'invalid-challenge',
  challenge_scope_mismatch: 'invalid-challenge',
  challenge_terms_mismatch: 'invalid-challenge',
  challenge_expired: 'payment-expired',
  body_digest_mismatch: 'verification-failed',
  method_unsupported: 'method-unsupported',
  payload_invalid: 'invalid-payload',
  authorization_recipient_mismatch: 'verification-failed',
  authorization_amount_mismatch: 'verification-failed',
  authorization_nonce_mismatch: 'verification-failed',
  authorization_source_mismatch: 'verification-failed',
  authorization_expired: 'payment-expired',
  authorization_not_yet_valid: 'verification-failed',
  authorization_signature_invalid: 'verification-failed',
  card_token_invalid: 'verification-failed',
  card_token_mismatch: 'verification-failed',
} as const satisfies Record<string, ProblemType>

export type MppCode = keyof typeof CODES

/** The only error that the MPP codec throws. Its message says what is wrong and quotes none of the peer's text. */
export class MppRefusal extends ProtocolRefusal<MppCode> {
  override readonly name = 'MppRefusal'
  readonly problem: ProblemType
  /** The HTTP status of the problem. With 402 a fresh challenge must be sent. */
  readonly status: number

  constructor(code: MppCode, detail: string) {
    super(code, detail)
    this.problem = CODES[code]
    this.status = PROBLEMS[this.problem].status
  }
}
