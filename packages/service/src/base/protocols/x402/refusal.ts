import { ProtocolRefusal } from '../refusal.ts'

/** The reasons for refusing a payment, by the reference facilitator's names, so that its clients understand us. */
export type RefusalReason =
  | 'invalid_payload'
  | 'invalid_x402_version'
  | 'unsupported_scheme'
  | 'invalid_network'
  | 'invalid_siwx_domain_mismatch'
  | 'invalid_siwx_uri_mismatch'
  | 'invalid_siwx_issued_at_too_old'
  | 'invalid_siwx_issued_at_in_future'
  | 'invalid_siwx_expired'
  | 'invalid_siwx_not_yet_valid'
  | 'invalid_siwx_nonce'
  | 'invalid_siwx_signature'
  | 'siwx_not_paid'
  | 'invalid_transaction_state'
  | 'invalid_payment_requirements'
  | 'invalid_exact_evm_network_mismatch'
  | 'invalid_exact_evm_recipient_mismatch'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_token_name_mismatch'
  | 'invalid_exact_evm_token_version_mismatch'
  | 'invalid_exact_evm_signature'
  | 'eip6492_factory_not_allowed'
  | 'invalid_exact_evm_insufficient_balance'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'invalid_permit2_spender'
  | 'invalid_permit2_recipient_mismatch'
  | 'invalid_permit2_signature'
  | 'permit2_amount_mismatch'
  | 'permit2_token_mismatch'
  | 'permit2_deadline_expired'
  | 'permit2_not_yet_valid'
  | 'permit2_allowance_required'
  | 'permit2_insufficient_balance'
  | 'permit2_invalid_nonce'
  | 'permit2_proxy_not_deployed'
  | 'permit2_simulation_failed'
  | 'invalid_eip2612_extension_format'
  | 'eip2612_from_mismatch'
  | 'eip2612_asset_mismatch'
  | 'eip2612_spender_not_permit2'
  | 'eip2612_deadline_expired'
  | 'permit2_2612_amount_mismatch'
  | 'upto_facilitator_mismatch'
  | 'invalid_upto_evm_payload_settlement_exceeds_amount'
  | 'duplicate_settlement'
  | 'funds_in_flight'
  | 'authorization_in_flight'
  | 'payer_waits'
  | 'token_waits'
  | 'seller_waits'
  | 'gas_budget_spent'
  | 'amount_below_minimum'
  | 'unexpected_verify_error'
  | 'unexpected_settle_error'

/** A judged payment's refusal is returned, not thrown: it is the facilitator's response to `verify`. */
export class X402Refusal extends ProtocolRefusal<RefusalReason> {
  override readonly name = 'X402Refusal'
  readonly ok = false
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, detail: string) {
    super(reason, detail)
    this.reason = reason
  }
}
export type Refused = X402Refusal

export const refused = (reason: RefusalReason, detail: string): Refused =>
  new X402Refusal(reason, detail)

/** Whether a payment is refused because it was made or cancelled before. */
export const isUsedBefore = ({ reason }: Refused): boolean =>
  reason === 'invalid_exact_evm_nonce_already_used' || reason === 'permit2_invalid_nonce'

// USDC's own messages; the first match wins.
const REVERTS: readonly [RegExp, RefusalReason][] = [
  [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/used or canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/invalid signature/i, 'invalid_exact_evm_signature'],
]

/** The protocol's name for the token's error, with the token's own words for the person. */
export function refusedByToken(revert: string): Refused {
  const [, reason] = REVERTS.find(([pattern]) => pattern.test(revert)) ?? []
  return refused(
    reason ?? 'invalid_exact_evm_transaction_simulation_failed',
    `The token refuses the transfer: ${revert}.`,
  )
}
