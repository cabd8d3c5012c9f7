import type { SkipReason as MppSkipReason } from '../../../base/protocols/mpp/methods/match.ts'
import type { SkipReason as X402SkipReason } from '../../../base/protocols/x402/challenge.ts'

export type OfferRefusal =
  | X402SkipReason
  | MppSkipReason
  | 'unsupported_header'
  | 'realm_mismatch'
  | 'authorization_in_use'
  | 'challenge_used'
  | 'protocol_not_wanted'
  | 'other_network'
  | 'other_asset'
  | 'not_a_payee'
  | 'too_large'
  | 'signed_otherwise'
  | 'above_max_amount'

/** The reason why each offer cannot be paid, and what would make it payable: one sentence each, shown to the caller. */
export const REASONS: Readonly<Record<OfferRefusal, string>> = {
  malformed: 'The offer is not well formed. Only the seller can fix it.',
  inexact_number:
    'The offer has a number that JSON readers round differently. The seller must write it as a string.',
  too_large: 'The offer is longer than 16 KiB. The seller must shorten it.',
  unsupported_scheme:
    'Cards pay the x402 schemes exact and upto only. Ask the seller for one of them.',
  unsupported_network:
    'The offer is on a network that this service is not on. Ask the seller for an offer on the network that GET /api/config names.',
  unsupported_transfer_method:
    'Cards pay by EIP-3009 or Permit2 only. Ask the seller for an offer with assetTransferMethod eip3009 or permit2.',
  no_facilitator:
    'The upto offer does not name the facilitatorAddress that may settle it. The seller must add it.',
  unsupported_payment_flow:
    'The offer asks for a payment flow that is not known here. Ask the seller for authorization or upfront.',
  invalid_amount:
    'The amount is not a whole number of base units above zero. The seller must fix it.',
  invalid_asset: 'The token is not named by an address. The seller must fix it.',
  invalid_pay_to: 'The payee is not an address. The seller must fix it.',
  invalid_timeout: 'maxTimeoutSeconds is not a whole number above zero. The seller must fix it.',
  invalid_recipient: 'The recipient is not well formed. The seller must fix it.',
  unsupported_credential_type:
    'Cards pay by the credential type authorization only. Ask the seller to accept it.',
  unsupported_splits: 'A payment cannot be split here. Ask the seller for one recipient.',
  unsupported_method: 'Cards pay the MPP methods evm and agentcard with the intent charge only.',
  unsupported_asset: 'Cards hold USDC only. Ask the seller for an offer in it.',
  unsupported_issuer:
    'The offer is for cards of another service. Ask the seller to accept cards of this one, or another way to pay.',
  unsupported_header:
    'The challenge wants its credential in a header that is not known here. The seller must name Authorization or Payment-Authorization.',
  decimals_mismatch:
    'The seller counts in other decimals than the token has. The seller must fix its price.',
  expired: 'The challenge has expired, or expires within seconds. Ask again for a new one.',
  digest_mismatch:
    'The challenge is for another request body. Send the body that the seller made it for, or ask again.',
  realm_mismatch:
    'The challenge names a realm that is not the host you asked. Pay the host itself, or have the seller fix its realm.',
  authorization_in_use:
    'Your request has an Authorization header, and the payment would replace it. Leave it out, or have the seller ask for Payment-Authorization.',
  challenge_used: 'A payment for this challenge exists already. Ask again for a new challenge.',
  protocol_not_wanted: 'You asked for the other protocol. Leave protocol out, or name this one.',
  other_network:
    'The offer is on another network than your card. Use a service on that network, or ask the seller for an offer on yours.',
  other_asset:
    'The offer is in another token than your card holds. Ask the seller for an offer in USDC.',
  not_a_payee:
    'The offer pays the treasury of this service or the token itself. Only the seller can fix it.',
  signed_otherwise:
    'The seller signed other terms than its demand asks for. Somebody between you and the seller may have changed them; ask the seller itself.',
  above_max_amount:
    'The price with the platform fee is above your max_amount. Raise max_amount, or leave it out.',
}
