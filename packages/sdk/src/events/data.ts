// Made from the catalogue of events by `npm run gen`. Do not edit.

/** The data of each type of event. Amounts are in whole units; `…_atomic` is there for assets with more than 6 decimals. */
export type EventData = {
  /** Money came late, short, over, or to a closed link. */
  'payment.exception': {
    exception_id: string
    pay_link_code: string
    reason: 'late' | 'short' | 'over' | 'closed' | 'unknown'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    payer: string
    asset: string
    network: string
    tx_hash: string
    amount: number
    amount_atomic?: string
  }
  /** The refund of that money could not be paid: it is back, to be kept or refunded. */
  'payment.exception_reopened': {
    exception_id: string
    pay_link_code: string
    reason: 'late' | 'short' | 'over' | 'closed' | 'unknown'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    payer: string
    asset: string
    network: string
    tx_hash: string
    amount: number
    amount_atomic?: string
    fee: number
    fee_atomic?: string
    withdrawal_id: string
  }
  /** The seller kept or refunded that money. */
  'payment.exception_resolved': {
    exception_id: string
    pay_link_code: string
    reason: 'late' | 'short' | 'over' | 'closed' | 'unknown'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    payer: string
    asset: string
    network: string
    tx_hash: string
    amount: number
    amount_atomic?: string
    status: 'KEPT' | 'REFUNDED'
    fee: number
    fee_atomic?: string
    withdrawal_id: string | null
  }
  /** A payment failed; also after `payment.sent`, if a reorganization undid it. */
  'payment.failed': {
    settlement_id: string
    transaction_id: string | null
    direction: 'sent' | 'received'
    card_id: string | null
    pay_link_code: string | null
    agreement_id: string | null
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    amount: number
    amount_atomic?: string
    fee: number
    fee_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    tx_hash: string | null
    merchant: string | null
    payer: string | null
    reason: 'token_refused' | 'not_settled_in_time' | 'reorganised' | 'expired' | 'link_closed' | 'refused' | 'seller_unreachable'
    detail: string
  }
  /** A payment was refunded, in full or in part, and the fee was kept; one event a refund. */
  'payment.refunded': {
    settlement_id: string
    transaction_id: string
    direction: 'sent' | 'received'
    card_id: string
    pay_link_code: string | null
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    refund_id: string
    refund_of: string
    amount: number
    amount_atomic?: string
    refunded: number
    refunded_atomic?: string
    fee_kept: number
    fee_kept_atomic?: string
    asset: string
    network: string
  }
  /** A card paid. */
  'payment.sent': {
    settlement_id: string
    transaction_id: string | null
    direction: 'sent' | 'received'
    card_id: string | null
    pay_link_code: string | null
    agreement_id: string | null
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    amount: number
    amount_atomic?: string
    fee: number
    fee_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    tx_hash: string | null
    merchant: string
    memo: string
  }
  /** Money reached a card or wallet. */
  'payment.settled': {
    settlement_id: string
    transaction_id: string | null
    direction: 'sent' | 'received'
    card_id: string | null
    pay_link_code: string | null
    agreement_id: string | null
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    settlement_mode: 'CUSTODIAL' | 'DIRECT'
    amount: number
    amount_atomic?: string
    fee: number
    fee_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    tx_hash: string | null
    receipt_id: string | null
    receiver_card_id: string | null
    memo: string
    token_contract: string | null
    pay_to: string | null
    metered_fee: number | null
  }
  /** The card's funding was confirmed. */
  'card.activated': {
    card_id: string
    tx_hash: string
  }
  /** Money was claimed back from the card. */
  'card.claimed': {
    card_id: string
    claimed: number
    claimed_atomic?: string
  }
  /** The card was cancelled. */
  'card.closed': {
    card_id: string
    returned: number
    returned_atomic?: string
  }
  /** The card's policy refused a payment. */
  'card.declined': {
    card_id: string
    code: string
    merchant: string
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    amount: number
    amount_atomic?: string
  }
  /** The card's time was up. */
  'card.expired': {
    card_id: string
    reason: string | null
  }
  /** The card was frozen. */
  'card.frozen': {
    card_id: string
    reason: string | null
  }
  /** A card was topped up. */
  'card.funded': {
    card_id: string
    added: number
    added_atomic?: string
    new_limit: number
    new_limit_atomic?: string
  }
  /** The card's funding failed. */
  'card.funding_failed': {
    card_id: string
    reason: string
  }
  /** A card was issued. */
  'card.issued': {
    card_id: string
    purpose: string
    status: string
    parent_card_id: string | null
    limit_amount: number
    limit_amount_atomic?: string
  }
  /** The card was unfrozen. */
  'card.unfrozen': {
    card_id: string
    reason: string | null
  }
  /** Controls or token of the card changed. */
  'card.updated': {
    card_id: string
    changed: Array<string>
  }
  /** The limits over all cards, or over those of a key, changed. */
  'limits.updated': {
    subject: string
    changed: Array<string>
  }
  /** The owner let one payment pass; the grant ends at `expires_at`. */
  'approval.approved': {
    approval_id: string
    card_id: string
    reason: string
    merchant: string
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    amount: number
    amount_atomic?: string
    expires_at: string
  }
  /** The owner refused a payment, or took a grant back. */
  'approval.denied': {
    approval_id: string
    card_id: string
    merchant: string
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    amount: number
    amount_atomic?: string
    expires_at: string
  }
  /** A request was not answered in time, or a grant not used. */
  'approval.expired': {
    approval_id: string
    card_id: string
    merchant: string
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    amount: number
    amount_atomic?: string
    expires_at: string
  }
  /** A payment waits for the approval of the card's owner. */
  'approval.requested': {
    approval_id: string
    card_id: string
    reason: string
    merchant: string
    rail: 'x402' | 'ap2' | 'mpp' | 'card' | 'onchain' | 'internal'
    protocol?: 'x402' | 'ap2' | 'mpp'
    amount: number
    amount_atomic?: string
    expires_at: string
  }
  /** The seller cancelled the link. */
  'paylink.cancelled': {
    pay_link_id: string
    pay_link_code: string
    card_id: string
    status: string
    memo: string
    amount: number | null
    amount_atomic?: string
    asset: string
  }
  /** The last use of the link was paid. */
  'paylink.completed': {
    pay_link_id: string
    pay_link_code: string
    card_id: string
    status: string
    memo: string
    amount: number | null
    amount_atomic?: string
    asset: string
  }
  /** A pay link was made. */
  'paylink.created': {
    pay_link_id: string
    pay_link_code: string
    card_id: string
    status: string
    memo: string
    amount: number | null
    amount_atomic?: string
    asset: string
  }
  /** The link's time was up. */
  'paylink.expired': {
    pay_link_id: string
    pay_link_code: string
    card_id: string
    status: string
    memo: string
    amount: number | null
    amount_atomic?: string
    asset: string
  }
  /** A deposit was credited. */
  'funding.confirmed': {
    deposit_id: string
    asset: string
    network: string
    tx_hash: string
    amount: number
    amount_atomic?: string
  }
  /** An address was added that withdrawals may go to; if it was not by you, remove it and revoke the key. */
  'withdrawal.address_added': {
    address_id: string
    address: string
    usable_at: string
  }
  /** Withdrawals go to the address no more. */
  'withdrawal.address_removed': {
    address_id: string
    address: string
    usable_at: string
  }
  /** Its payout is final. */
  'withdrawal.completed': {
    withdrawal_id: string
    status: string
    amount: number
    amount_atomic?: string
    fee_amount: number
    fee_amount_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    to_address: string
    tx_hash: string | null
    reason: string | null
  }
  /** It failed; the money is back. */
  'withdrawal.failed': {
    withdrawal_id: string
    status: string
    amount: number
    amount_atomic?: string
    fee_amount: number
    fee_amount_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    to_address: string
    tx_hash: string | null
    reason: string | null
  }
  /** A withdrawal began. */
  'withdrawal.processing': {
    withdrawal_id: string
    status: string
    amount: number
    amount_atomic?: string
    fee_amount: number
    fee_amount_atomic?: string
    net_amount: number
    net_amount_atomic?: string
    asset: string
    network: string
    to_address: string
    tx_hash: string | null
    reason: string | null
  }
  /** An API key was made. */
  'key.created': {
    key_hash: string
    key_hint: string
    name: string | null
    scopes: Array<string> | null
  }
  /** An API key was revoked. */
  'key.revoked': {
    key_hash: string
    key_hint: string
    name: string | null
    scopes: Array<string> | null
  }
  /** A token was registered. */
  'token.registered': {
    token_id: string
    network: string
    address: string
    symbol: string
    name: string
    type: string
    decimals: number
  }
  /** A registration was removed. */
  'token.removed': {
    token_id: string
    network: string
    address: string
    symbol: string
    name: string
    type: string
    decimals: number
  }
  /** The operator set a fee; `subject` is the wallet or the tier. */
  'fees.changed': {
    scope: 'default' | 'tier' | 'wallet'
    subject: string
    kind: 'settlement' | 'payment' | 'sale' | 'direct_overage'
    bps: number
    flat: number
    flat_atomic?: string
    effective_at: string
  }
  /** The fee meter fell below its mark; once, until it is above again. */
  'fees.low_balance': {
    wallet_address: string
    balance: number
    balance_atomic?: string
    mark: number
    mark_atomic?: string
    owed: number
    owed_atomic?: string
    asset: string
    network: string
  }
  /** The fee meter was topped up; fees that were owed are paid from it first. */
  'fees.topped_up': {
    wallet_address: string
    amount: number
    amount_atomic?: string
    balance: number
    balance_atomic?: string
    owed: number
    owed_atomic?: string
    source: 'manual' | 'agreement'
    agreement_id: string | null
    asset: string
    network: string
  }
  /** The service signed a mandate. */
  'mandate.issued': {
    mandate_id: string
    card_id: string
    kind: 'open' | 'closed'
    currency: string
    expires_at: string | null
    agent_kid: string | null
    payee: string | null
    minor_units: number | null
    open_id: string | null
    reference: string | null
    mandate_sd_hash: string | null
  }
  /** A seller's receipt was accepted. */
  'mandate.receipt': {
    mandate_id: string
    reference: string
    status: string
    iss: string | null
    signature: 'verified' | 'unverified'
    receipt: string
  }
  /** An open mandate was revoked. */
  'mandate.revoked': {
    mandate_id: string
    open_id: string
    card_id: string | null
  }
  /** Auto-renew ended; `reserve` went back to the balance. */
  'membership.auto_renew_disabled': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
    mode: 'funded' | 'wallet' | 'soft'
    agreement_id: string
    reserve: number
    reserve_atomic?: string
  }
  /** The wallet enrolled in auto-renew; `reserve` is on the autopay card. */
  'membership.auto_renew_enabled': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
    mode: 'funded' | 'wallet' | 'soft'
    agreement_id: string
    reserve: number
    reserve_atomic?: string
  }
  /** The first period was paid. */
  'membership.activated': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** The wallet asked to end it with the current period. */
  'membership.cancel_scheduled': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** The membership ended. */
  'membership.expired': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** A due payment failed. */
  'membership.past_due': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** The balance does not cover a renewal without a reserve. */
  'membership.payment_due': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
    amount: number
    amount_atomic?: string
    due_at: string
  }
  /** A further period was paid. */
  'membership.renewed': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** The scheduled end was undone. */
  'membership.resumed': {
    wallet_address: string
    plan: string
    tier: string
    billing_period: string
    status: string | null
    current_period_start: string | null
    current_period_end: string | null
    cancel_at_period_end: boolean
    auto_renew: boolean
    price: number
    price_atomic?: string
    payment_asset: string
    payment_id: string | null
  }
  /** A party asked to end it with the current period. */
  'agreement.cancel_scheduled': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    by: 'payer' | 'merchant'
  }
  /** The agreement ended. */
  'agreement.cancelled': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    reason: 'payer' | 'merchant' | 'payment_failed' | 'mandate_revoked' | 'mandate_expired' | 'key_revoked' | 'pay_link_closed' | 'card_closed' | 'card_sold' | 'replaced'
  }
  /** An attempt to charge failed. */
  'agreement.charge_failed': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    charge_id: string
    period_key: string
    error: string
    failure_count: number
    next_attempt_at: string | null
  }
  /** A charge succeeded. */
  'agreement.charged': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    charge_id: string
    period_key: string
    settlement_id: string
    charges_made: number
    total_charged: number
    total_charged_atomic?: string
  }
  /** The budget or the occurrences of the open mandate are used up. */
  'agreement.completed': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    reason: 'budget' | 'occurrences'
  }
  /** An agreement was made. */
  'agreement.created': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    description: string | null
  }
  /** The card of the paid link was sold. */
  'agreement.merchant_changed': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    previous_merchant_wallet: string
  }
  /** A party paused the agreement. */
  'agreement.paused': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    by: 'payer' | 'merchant'
  }
  /** The party that paused resumed it. */
  'agreement.resumed': {
    agreement_id: string
    merchant_wallet: string
    payer_wallet: string
    pay_link_code: string | null
    plan_ref: string | null
    payer_card_id: string | null
    amount: number
    amount_atomic?: string
    asset: string
    network: string
    status: 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED'
    trigger_type: 'interval' | 'threshold'
    period_days: number | null
    next_charge_at: string | null
    by: 'payer' | 'merchant'
  }
  /** The state of the card's identity token changed. */
  'credential.identity_updated': {
    card_id: string
    identity_status: string
    identity_token: string | null
    holder_address: string | null
    tx_hash: string | null
    attested: boolean
  }
  /** A credential token is for sale: its pool was confirmed. */
  'market.listed': {
    card_id: string
    token: string
    symbol: string
    pool_id: string
    deploy_tx: string
    list_tx: string
    supply: number
  }
  /** The creator's kept part of a credential token is locked. */
  'market.vested': {
    card_id: string
    token: string
    vesting_tx: string
    stream_id: string
    stream_url: string
    keep_bps: number
  }
  /** A card changed its owner, by a sale or a transfer. */
  'credential.transferred': {
    card_id: string
    from_wallet: string
    to_wallet: string
    listing_id: string | null
    price: number | null
    price_atomic?: string
  }
  /** A listing ended without a sale. */
  'listing.cancelled': {
    listing_id: string
    card_id: string
    seller: string
    price: number
    price_atomic?: string
    currency: string
    status: string
    reason: string | null
  }
  /** A card was listed for sale. */
  'listing.created': {
    listing_id: string
    card_id: string
    seller: string
    price: number
    price_atomic?: string
    currency: string
    status: string
    reason: string | null
  }
  /** A listed card was sold. */
  'listing.sold': {
    listing_id: string
    card_id: string
    seller: string
    price: number
    price_atomic?: string
    currency: string
    status: string
    buyer: string
    fee: number | null
    fee_atomic?: string
    net_amount: number | null
    net_amount_atomic?: string
    settled_tx: string | null
    changed: Array<string>
  }
  /** The service stopped sending to an endpoint: it answered 410, or failed for five days. */
  'webhook.disabled': {
    webhook_id: string
    url: string
    reason: 'gone' | 'failing'
    failing_since: string
    last_status_code: number | null
  }
  /** A test was asked for. */
  'webhook.test': {
    webhook_id: string
  }
  /** Reconciliation found a trouble. */
  'operator.alarm': {
    alarm_id: string
    kind: string
    about: string
    sentence: string
    first_seen: string
    details: Record<string, unknown>
  }
  /** The trouble is gone. */
  'operator.alarm_resolved': {
    alarm_id: string
    kind: string
    about: string
    sentence: string
    first_seen: string
    details: Record<string, unknown>
  }
}
