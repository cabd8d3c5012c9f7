import { ProtocolRefusal } from '../refusal.ts'

/**
 * AP2's codes for an error receipt (agent_authorization.md): the credential does not verify; a constraint is unknown or
 * cannot be evaluated; or the mandate verifies but does not approve this payment.
 */
export type Ap2Error = 'invalid_credential' | 'unresolved_constraint' | 'invalid_mandate'

/** Every cause of a refusal, with AP2's code for it. The causes are part of the API: add, never rename. */
const CODES = {
  mandate_required: 'invalid_credential',
  mandate_too_large: 'invalid_credential',
  mandate_malformed: 'invalid_credential',
  mandate_algorithm_unsupported: 'invalid_credential',
  mandate_type_unsupported: 'invalid_credential',
  mandate_disclosure_invalid: 'invalid_credential',
  mandate_disclosure_withheld: 'invalid_credential',
  mandate_field_invalid: 'invalid_credential',
  mandate_open_missing: 'invalid_credential',
  mandate_not_bound: 'invalid_credential',
  mandate_delegation_unsupported: 'invalid_credential',
  mandate_id_conflict: 'invalid_credential',
  agent_missing_key: 'invalid_credential',
  mandate_key_invalid: 'invalid_credential',
  mandate_key_untrusted: 'invalid_credential',
  mandate_invalid_signature: 'invalid_credential',
  mandate_expired: 'invalid_credential',
  mandate_expiry_missing: 'invalid_credential',
  mandate_not_yet_valid: 'invalid_credential',
  mandate_audience_mismatch: 'invalid_credential',
  mandate_nonce_mismatch: 'invalid_credential',
  mandate_scope_mismatch: 'invalid_mandate',
  mandate_currency_mismatch: 'invalid_mandate',
  mandate_amount_mismatch: 'invalid_mandate',
  mandate_checkout_mismatch: 'invalid_mandate',
  mandate_preset_changed: 'invalid_mandate',
  mandate_constraint_violated: 'invalid_mandate',
  mandate_limits_missing: 'invalid_mandate',
  mandate_already_used: 'invalid_mandate',
  mandate_budget_exceeded: 'invalid_mandate',
  mandate_occurrences_exceeded: 'invalid_mandate',
  mandate_too_early: 'invalid_mandate',
  mandate_id_reused: 'invalid_mandate',
  mandate_revoked: 'invalid_mandate',
  mandate_constraint_unresolved: 'unresolved_constraint',
  receipt_invalid: 'invalid_credential',
  checkout_invalid: 'invalid_credential',
} as const satisfies Record<string, Ap2Error>

export type Ap2Code = keyof typeof CODES
export const AP2_CODES = Object.keys(CODES) as Ap2Code[]

/** The only error that the AP2 codec throws. Its message says what is wrong and quotes none of the peer's text. */
export class Ap2Refusal extends ProtocolRefusal<Ap2Code> {
  override readonly name = 'Ap2Refusal'
  readonly ap2Error: Ap2Error
  /** Every failed check, if several failed, as `check: what is wrong`. */
  readonly violations: readonly string[]

  constructor(code: Ap2Code, detail: string, violations: readonly string[] = []) {
    super(code, detail)
    this.ap2Error = CODES[code]
    this.violations = violations
  }
}

/** Returns what `work` returns. A refusal is thrown again under `code`, with its own detail. */
export function refusedAs<T>(code: Ap2Code, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Ap2Refusal) throw new Ap2Refusal(code, error.detail)
    throw error
  }
}
