// Made from openapi.json by `npm run gen`. Do not edit: change the routes and run it again.

import type { Answer, Body, CallOptions, Pages, Query, RowOf } from './resources.ts'

/** A method for each operation. Arguments stand as in its path, then what it takes, then how it is called. */
export type Resources = {
  auth: {
    /** `POST /api/auth/challenge`: Ask for a message to sign in with */
    challenge(body: Body<'postAuthChallenge'>, options?: CallOptions): Promise<Answer<'postAuthChallenge'>>
    /** `POST /api/auth/verify`: Sign in with the signed message */
    verify(body: Body<'postAuthVerify'>, options?: CallOptions): Promise<Answer<'postAuthVerify'>>
    /** `POST /api/auth/logout`: End the session */
    logout(options?: CallOptions): Promise<Answer<'postAuthLogout'>>
  }
  keys: {
    /** `POST /api/keys/generate`: Make an API key */
    generate(options?: CallOptions): Promise<Answer<'postKeysGenerate'>>
    /** `POST /api/keys/restricted`: Make an API key that may do less */
    restrict(body: Body<'postKeysRestricted'>, options?: CallOptions): Promise<Answer<'postKeysRestricted'>>
    /** `GET /api/keys`: List the API keys of the wallet */
    list(query?: Query<'getKeys'>, options?: CallOptions): Pages<RowOf<'getKeys', 'keys'>, Answer<'getKeys'>>
    /** `DELETE /api/keys/{hash}`: Revoke an API key */
    revoke(hash: string, query?: Query<'deleteKeysByHash'>, options?: CallOptions): Promise<Answer<'deleteKeysByHash'>>
    /** `POST /api/keys/validate`: Say whose the credential is */
    validate(options?: CallOptions): Promise<Answer<'postKeysValidate'>>
    /** `GET /api/keys/{hash}/limits`: The limits over the cards of a key */
    limits(hash: string, options?: CallOptions): Promise<Answer<'getKeysByHashLimits'>>
    /** `PATCH /api/keys/{hash}/limits`: Limit what leaves the cards of a key */
    updateLimits(hash: string, body?: Body<'patchKeysByHashLimits'>, options?: CallOptions): Promise<Answer<'patchKeysByHashLimits'>>
  }
  sessions: {
    /** `GET /api/sessions`: List the sessions of the wallet */
    list(options?: CallOptions): Promise<Answer<'getSessions'>>
    /** `DELETE /api/sessions/{id}`: End a session of the wallet */
    end(id: string, query?: Query<'deleteSessionsById'>, options?: CallOptions): Promise<Answer<'deleteSessionsById'>>
  }
  requests: {
    /** `GET /api/requests`: List the requests that the wallet made in the last hour */
    list(query?: Query<'getRequests'>, options?: CallOptions): Pages<RowOf<'getRequests', 'requests'>, Answer<'getRequests'>>
    /** `GET /api/requests/{request_id}`: Show one request of the last hour */
    get(requestId: string, options?: CallOptions): Promise<Answer<'getRequestsByRequestId'>>
  }
  agents: {
    /** `GET /.well-known/http-message-signatures-directory`: The keys that sign this service's requests to sellers */
    keys(options?: CallOptions): Promise<Answer<'getWellKnownHttpMessageSignaturesDirectory'>>
    /** `POST /api/agents/verify`: Verify who signed a request that you were sent */
    verify(body: Body<'postAgentsVerify'>, options?: CallOptions): Promise<Answer<'postAgentsVerify'>>
  }
  events: {
    /** `GET /api/events`: List the events of your wallet, oldest first */
    list(query?: Query<'getEvents'>, options?: CallOptions): Pages<RowOf<'getEvents', 'events'>, Answer<'getEvents'>>
  }
  webhooks: {
    /** `POST /api/webhooks`: Register an endpoint for your events */
    create(body: Body<'postWebhooks'>, options?: CallOptions): Promise<Answer<'postWebhooks'>>
    /** `GET /api/webhooks`: Your webhooks, newest first */
    list(options?: CallOptions): Promise<Answer<'getWebhooks'>>
    /** `PATCH /api/webhooks/{id}`: Change, disable or enable a webhook */
    update(id: string, body?: Body<'patchWebhooksById'>, options?: CallOptions): Promise<Answer<'patchWebhooksById'>>
    /** `DELETE /api/webhooks/{id}`: Delete a webhook */
    remove(id: string, options?: CallOptions): Promise<Answer<'deleteWebhooksById'>>
    /** `POST /api/webhooks/{id}/rotate-secret`: Give a webhook a new secret */
    rotateSecret(id: string, options?: CallOptions): Promise<Answer<'postWebhooksByIdRotateSecret'>>
    /** `POST /api/webhooks/{id}/test`: Send a test event to a webhook */
    test(id: string, options?: CallOptions): Promise<Answer<'postWebhooksByIdTest'>>
    /** `POST /api/webhooks/{id}/recover`: Send again what failed since a time */
    recover(id: string, body: Body<'postWebhooksByIdRecover'>, options?: CallOptions): Promise<Answer<'postWebhooksByIdRecover'>>
    /** `POST /api/webhooks/{id}/replay-missing`: Send events that a webhook has no delivery of */
    replayMissing(id: string, body: Body<'postWebhooksByIdReplayMissing'>, options?: CallOptions): Promise<Answer<'postWebhooksByIdReplayMissing'>>
    /** `GET /api/webhooks/deliveries`: The log of deliveries, newest first */
    deliveries(query?: Query<'getWebhooksDeliveries'>, options?: CallOptions): Promise<Answer<'getWebhooksDeliveries'>>
    /** `GET /api/webhooks/deliveries/{id}/body`: One delivery, with the body that is sent */
    delivery(id: string, options?: CallOptions): Promise<Answer<'getWebhooksDeliveriesByIdBody'>>
    /** `POST /api/webhooks/deliveries/{id}/replay`: Send one delivery again */
    replay(id: string, options?: CallOptions): Promise<Answer<'postWebhooksDeliveriesByIdReplay'>>
  }
  treasury: {
    /** `GET /api/config`: Where to send deposits, and what the service charges */
    config(options?: CallOptions): Promise<Answer<'getConfig'>>
    /** `GET /api/funding/tokens`: The tokens that a treasury balance can be funded with */
    tokens(options?: CallOptions): Promise<Answer<'getFundingTokens'>>
    /** `GET /api/wallet/balance`: Show the balance of an address on chain, read live */
    wallet(query?: Query<'getWalletBalance'>, options?: CallOptions): Promise<Answer<'getWalletBalance'>>
    /** `POST /api/fund/verify`: Credit a deposit by its transaction */
    deposit(body: Body<'postFundVerify'>, options?: CallOptions): Promise<Answer<'postFundVerify'>>
    /** `POST /api/fund/authorization`: Deposit without gas, by a signed EIP-3009 authorization */
    authorize(body: Body<'postFundAuthorization'>, options?: CallOptions): Promise<Answer<'postFundAuthorization'>>
    /** `GET /api/balance`: Your treasury balance */
    balance(options?: CallOptions): Promise<Answer<'getBalance'>>
    /** `POST /api/withdraw`: Take money out of the treasury balance, to an address on chain */
    withdraw(body: Body<'postWithdraw'>, options?: CallOptions): Promise<Answer<'postWithdraw'>>
    /** `GET /api/withdrawals`: Your newest withdrawals, at most 50 */
    withdrawals(query?: Query<'getWithdrawals'>, options?: CallOptions): Promise<Answer<'getWithdrawals'>>
    /** `POST /api/withdrawals/addresses`: Let withdrawals go to an address besides your own wallet */
    addPayoutAddress(body: Body<'postWithdrawalsAddresses'>, options?: CallOptions): Promise<Answer<'postWithdrawalsAddresses'>>
    /** `GET /api/withdrawals/addresses`: Addresses that your withdrawals may go to, newest first */
    payoutAddresses(options?: CallOptions): Promise<Answer<'getWithdrawalsAddresses'>>
    /** `DELETE /api/withdrawals/addresses/{id}`: Let no more withdrawals go to an address */
    removePayoutAddress(id: string, options?: CallOptions): Promise<Answer<'deleteWithdrawalsAddressesById'>>
    /** `GET /api/holdings`: Everything that you hold, here and on chain */
    holdings(query?: Query<'getHoldings'>, options?: CallOptions): Pages<RowOf<'getHoldings', 'holdings'>, Answer<'getHoldings'>>
  }
  cards: {
    /** `POST /api/issue`: Issue a virtual payment card */
    issue(body: Body<'postIssue'>, options?: CallOptions): Promise<Answer<'postIssue'>>
    /** `POST /api/issue/bulk`: Issue up to 1000 cards, all or none */
    issueMany(body: Body<'postIssueBulk'>, options?: CallOptions): Promise<Answer<'postIssueBulk'>>
    /** `GET /api/cards`: Your cards */
    list(query?: Query<'getCards'>, options?: CallOptions): Pages<RowOf<'getCards', 'cards'>, Answer<'getCards'>>
    /** `GET /api/cards/{id}`: One card */
    get(id: string, options?: CallOptions): Promise<Answer<'getCardsById'>>
    /** `POST /api/cards/{id}/fund`: Top up an ACTIVE card from your treasury balance */
    fund(id: string, body: Body<'postCardsByIdFund'>, options?: CallOptions): Promise<Answer<'postCardsByIdFund'>>
    /** `POST /api/cards/{id}/freeze`: Stop every debit of a card */
    freeze(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdFreeze'>>
    /** `POST /api/cards/{id}/unfreeze`: Let a frozen card spend again */
    unfreeze(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdUnfreeze'>>
    /** `PATCH /api/cards/{id}/controls`: Change what a card may spend on */
    setControls(id: string, body?: Body<'patchCardsByIdControls'>, options?: CallOptions): Promise<Answer<'patchCardsByIdControls'>>
    /** `POST /api/cards/{id}/claim`: Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance */
    claim(id: string, body: Body<'postCardsByIdClaim'>, options?: CallOptions): Promise<Answer<'postCardsByIdClaim'>>
    /** `POST /api/cards/{id}/cancel`: Close a card for good; what it does not hold returns to your treasury balance */
    cancel(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdCancel'>>
    /** `POST /api/cards/{id}/rotate-token`: Give a card a new token; the old one stops at once */
    rotateToken(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdRotateToken'>>
    /** `GET /api/cards/{id}/controls/draft`: The rules of a card that run in shadow, and what they would have said */
    draft(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdControlsDraft'>>
    /** `PUT /api/cards/{id}/controls/draft`: Try rules of a card in shadow, beside the active ones */
    setDraft(id: string, body?: Body<'putCardsByIdControlsDraft'>, options?: CallOptions): Promise<Answer<'putCardsByIdControlsDraft'>>
    /** `DELETE /api/cards/{id}/controls/draft`: Take the draft of a card away */
    dropDraft(id: string, options?: CallOptions): Promise<Answer<'deleteCardsByIdControlsDraft'>>
    /** `POST /api/cards/{id}/controls/draft/apply`: Make the draft of a card its active rules */
    applyDraft(id: string, body?: Body<'postCardsByIdControlsDraftApply'>, options?: CallOptions): Promise<Answer<'postCardsByIdControlsDraftApply'>>
    /** `POST /api/cards/{id}/controls/backtest`: Decide the past of a card anew under other rules */
    backtest(id: string, body?: Body<'postCardsByIdControlsBacktest'>, options?: CallOptions): Promise<Answer<'postCardsByIdControlsBacktest'>>
    /** `GET /api/cards/{id}/transactions`: List the transactions of a card, newest first */
    transactions(id: string, query?: Query<'getCardsByIdTransactions'>, options?: CallOptions): Pages<RowOf<'getCardsByIdTransactions', 'transactions'>, Answer<'getCardsByIdTransactions'>>
    /** `GET /api/cards/{id}/decisions`: Every allow and deny of a card, with the rule and what it was decided on */
    decisions(id: string, query?: Query<'getCardsByIdDecisions'>, options?: CallOptions): Pages<RowOf<'getCardsByIdDecisions', 'decisions'>, Answer<'getCardsByIdDecisions'>>
    /** `POST /api/cards/{id}/children`: Hand a slice of a card to another agent, as a card of its own */
    issueChild(id: string, body: Body<'postCardsByIdChildren'>, options?: CallOptions): Promise<Answer<'postCardsByIdChildren'>>
    /** `GET /api/cards/{id}/children`: The child cards of a card, newest first */
    children(id: string, query?: Query<'getCardsByIdChildren'>, options?: CallOptions): Pages<RowOf<'getCardsByIdChildren', 'cards'>, Answer<'getCardsByIdChildren'>>
    /** `GET /api/spending`: What your cards spent, by day and by card */
    spending(query?: Query<'getSpending'>, options?: CallOptions): Promise<Answer<'getSpending'>>
    /** `POST /api/cards/{id}/transfer`: Give a card to another wallet */
    transfer(id: string, body: Body<'postCardsByIdTransfer'>, options?: CallOptions): Promise<Answer<'postCardsByIdTransfer'>>
  }
  approvals: {
    /** `GET /api/approvals`: Payments that wait for you, and what you said, newest first */
    list(query?: Query<'getApprovals'>, options?: CallOptions): Pages<RowOf<'getApprovals', 'approvals'>, Answer<'getApprovals'>>
    /** `GET /api/approvals/{id}`: One approval */
    get(id: string, options?: CallOptions): Promise<Answer<'getApprovalsById'>>
    /** `POST /api/approvals/{id}/approve`: Let exactly this payment pass, once */
    approve(id: string, options?: CallOptions): Promise<Answer<'postApprovalsByIdApprove'>>
    /** `POST /api/approvals/{id}/deny`: Refuse a payment, or take an unused approval back */
    deny(id: string, options?: CallOptions): Promise<Answer<'postApprovalsByIdDeny'>>
    /** `POST /api/decisions/{id}/allow`: Turn a decline into a rule: allow it once, allow its payee, or raise its limit */
    allow(id: string, body?: Body<'postDecisionsByIdAllow'>, options?: CallOptions): Promise<Answer<'postDecisionsByIdAllow'>>
  }
  limits: {
    /** `GET /api/limits`: The limits over all cards */
    get(options?: CallOptions): Promise<Answer<'getLimits'>>
    /** `PATCH /api/limits`: Limit what leaves all cards */
    update(body?: Body<'patchLimits'>, options?: CallOptions): Promise<Answer<'patchLimits'>>
  }
  payments: {
    /** `POST /api/pay`: Fetch a URL, and pay for it with a card if it asks for money */
    pay(body: Body<'postPay'>, options?: CallOptions): Promise<Answer<'postPay'>>
    /** `POST /api/pay/purchases`: Name a purchase by what is bought, so that its repetition pays nothing */
    namePurchase(body: Body<'postPayPurchases'>, options?: CallOptions): Promise<Answer<'postPayPurchases'>>
    /** `POST /api/pay/authorize`: Sign one payment for a demand that did not come over HTTP */
    authorize(body: Body<'postPayAuthorize'>, options?: CallOptions): Promise<Answer<'postPayAuthorize'>>
    /** `POST /api/pay/simulate`: Simulate a payment: its cost, and whether the card would pay it */
    simulate(body: Body<'postPaySimulate'>, options?: CallOptions): Promise<Answer<'postPaySimulate'>>
    /** `GET /api/settlement/status/{txn_id}`: Whether a payment has settled */
    status(txnId: string, options?: CallOptions): Promise<Answer<'getSettlementStatusByTxnId'>>
    /** `GET /api/payments`: List the transactions of your cards, newest first */
    list(query?: Query<'getPayments'>, options?: CallOptions): Pages<RowOf<'getPayments', 'payments'>, Answer<'getPayments'>>
    /** `GET /api/payments/{id}`: One payment with its timeline: decision, authorization, chain, events */
    get(id: string, options?: CallOptions): Promise<Answer<'getPaymentsById'>>
    /** `GET /api/payments/{id}/evidence`: The evidence of a payment, signed, in one file */
    evidence(id: string, options?: CallOptions): Promise<Answer<'getPaymentsByIdEvidence'>>
    /** `POST /api/payments/{id}/refund`: Give a received payment, or a part of it, back to the card that paid; its fee is kept */
    refund(id: string, body: Body<'postPaymentsByIdRefund'>, options?: CallOptions): Promise<Answer<'postPaymentsByIdRefund'>>
    /** `POST /api/x402/pay`: Gone: use POST /api/pay */
    payX402(body?: Body<'postX402Pay'>, options?: CallOptions): Promise<Answer<'postX402Pay'>>
    /** `POST /api/mpp/pay`: Gone: use POST /api/pay */
    payMpp(body?: Body<'postMppPay'>, options?: CallOptions): Promise<Answer<'postMppPay'>>
    /** `GET /api/x402/discover`: Whether a URL asks for an x402 payment, and what for */
    discoverX402(query: Query<'getX402Discover'>, options?: CallOptions): Promise<Answer<'getX402Discover'>>
    /** `GET /api/mpp/discover`: Whether a URL asks for an MPP payment, by which methods, and what for */
    discoverMpp(query: Query<'getMppDiscover'>, options?: CallOptions): Promise<Answer<'getMppDiscover'>>
  }
  streams: {
    /** `POST /api/mpp/session`: Label the merchant that a card will pay by streams */
    session(body: Body<'postMppSession'>, options?: CallOptions): Promise<Answer<'postMppSession'>>
    /** `POST /api/mpp/stream/open`: Set a budget aside on a card, to be spent tick by tick */
    open(body: Body<'postMppStreamOpen'>, options?: CallOptions): Promise<Answer<'postMppStreamOpen'>>
    /** `POST /api/mpp/stream/tick`: Spend one tick of a stream */
    tick(body: Body<'postMppStreamTick'>, options?: CallOptions): Promise<Answer<'postMppStreamTick'>>
    /** `POST /api/mpp/stream/close`: End a stream: what was ticked is paid, the rest is free again */
    close(body: Body<'postMppStreamClose'>, options?: CallOptions): Promise<Answer<'postMppStreamClose'>>
    /** `GET /api/mpp/stream/{id}`: One stream, for the wallet that pays it and the one that earns it */
    get(id: string, options?: CallOptions): Promise<Answer<'getMppStreamById'>>
    /** `GET /api/mpp/streams`: The streams that your cards pay, newest first */
    list(query?: Query<'getMppStreams'>, options?: CallOptions): Pages<RowOf<'getMppStreams', 'streams'>, Answer<'getMppStreams'>>
  }
  payLinks: {
    /** `POST /api/paylinks`: Open a pay link on a card */
    create(body: Body<'postPaylinks'>, options?: CallOptions): Promise<Answer<'postPaylinks'>>
    /** `GET /api/paylinks`: Your pay links, newest first */
    list(query?: Query<'getPaylinks'>, options?: CallOptions): Pages<RowOf<'getPaylinks', 'links'>, Answer<'getPaylinks'>>
    /** `DELETE /api/paylinks/{code}`: Cancel a pay link */
    cancel(code: string, options?: CallOptions): Promise<Answer<'deletePaylinksByCode'>>
    /** `GET /api/paylinks/{code}`: Public details of a pay link */
    get(code: string, options?: CallOptions): Promise<Answer<'getPaylinksByCode'>>
    /** `GET /api/paylinks/{code}/status`: Whether a pay link has been paid */
    status(code: string, options?: CallOptions): Promise<Answer<'getPaylinksByCodeStatus'>>
    /** `GET /api/pay/{code}/resolve`: Resolve a pay link for payment processing */
    resolve(code: string, options?: CallOptions): Promise<Answer<'getPayByCodeResolve'>>
    /** `GET /api/pay/{code}/prepare`: Everything needed to pay a link, by each way it takes */
    prepare(code: string, options?: CallOptions): Promise<Answer<'getPayByCodePrepare'>>
    /** `POST /api/pay/{code}/settle`: Settle a pay link, by a card of this service or by a transaction on chain */
    settle(code: string, body?: Body<'postPayByCodeSettle'>, options?: CallOptions): Promise<Answer<'postPayByCodeSettle'>>
    /** `POST /api/mpp/agentcard`: Have a card pay an MPP challenge of a pay link: the credential to present */
    payByToken(body: Body<'postMppAgentcard'>, options?: CallOptions): Promise<Answer<'postMppAgentcard'>>
    /** `GET /api/receipts/{id}`: The receipt of a payment of a pay link */
    receipt(id: string, options?: CallOptions): Promise<Answer<'getReceiptsById'>>
  }
  exceptions: {
    /** `GET /api/exceptions`: Payments that reached your links and do not settle them, newest first */
    list(query?: Query<'getExceptions'>, options?: CallOptions): Pages<RowOf<'getExceptions', 'exceptions'>, Answer<'getExceptions'>>
    /** `GET /api/exceptions/{id}`: One exception */
    get(id: string, options?: CallOptions): Promise<Answer<'getExceptionsById'>>
    /** `POST /api/exceptions/{id}/keep`: Keep the money of an exception; it can no longer be refunded */
    keep(id: string, options?: CallOptions): Promise<Answer<'postExceptionsByIdKeep'>>
    /** `POST /api/exceptions/{id}/refund`: Send the money of an exception back to the address that paid it */
    refund(id: string, options?: CallOptions): Promise<Answer<'postExceptionsByIdRefund'>>
  }
  profile: {
    /** `GET /api/profile`: How payers see you */
    get(options?: CallOptions): Promise<Answer<'getProfile'>>
    /** `PATCH /api/profile`: Change how payers see you */
    update(body?: Body<'patchProfile'>, options?: CallOptions): Promise<Answer<'patchProfile'>>
    /** `GET /api/payees`: The names of payees and payers */
    names(query: Query<'getPayees'>, options?: CallOptions): Promise<Answer<'getPayees'>>
  }
  ap2: {
    /** `POST /api/ap2/settle`: Settle a pay link with a closed AP2 Payment Mandate */
    settle(body: Body<'postAp2Settle'>, options?: CallOptions): Promise<Answer<'postAp2Settle'>>
    /** `GET /api/ap2/receipts/{settlement_id}`: The signed AP2 receipt of a settlement, for its payer and its seller */
    receipt(settlementId: string, options?: CallOptions): Promise<Answer<'getAp2ReceiptsBySettlementId'>>
    /** `POST /api/ap2/receipt`: Keep a merchant's receipt with the mandate that it is for */
    attachReceipt(body: Body<'postAp2Receipt'>, options?: CallOptions): Promise<Answer<'postAp2Receipt'>>
    /** `POST /api/ap2/verify`: Try a mandate on a link: each check and its result; nothing moves */
    verify(body: Body<'postAp2Verify'>, options?: CallOptions): Promise<Answer<'postAp2Verify'>>
    /** `POST /api/ap2/open-mandate`: Have the service sign an open mandate: what an agent may pay with a card */
    openMandate(body: Body<'postAp2OpenMandate'>, options?: CallOptions): Promise<Answer<'postAp2OpenMandate'>>
    /** `POST /api/ap2/mandate`: Have the service sign the payment of a link by a card */
    mandate(body: Body<'postAp2Mandate'>, options?: CallOptions): Promise<Answer<'postAp2Mandate'>>
    /** `GET /api/ap2/mandates/{card_id}`: A card's mandates, newest first */
    mandates(cardId: string, query?: Query<'getAp2MandatesByCardId'>, options?: CallOptions): Pages<RowOf<'getAp2MandatesByCardId', 'mandates'>, Answer<'getAp2MandatesByCardId'>>
    /** `POST /api/ap2/mandates/{mandate_id}/revoke`: Revoke an open mandate for good */
    revokeMandate(mandateId: string, body: Body<'postAp2MandatesByMandateIdRevoke'>, options?: CallOptions): Promise<Answer<'postAp2MandatesByMandateIdRevoke'>>
    /** `POST /api/ap2/keys`: Register a P-256 public key on a card */
    addKey(body: Body<'postAp2Keys'>, options?: CallOptions): Promise<Answer<'postAp2Keys'>>
    /** `GET /api/ap2/keys`: The keys that you registered on a card, newest first, revoked ones too */
    keys(query: Query<'getAp2Keys'>, options?: CallOptions): Pages<RowOf<'getAp2Keys', 'keys'>, Answer<'getAp2Keys'>>
    /** `DELETE /api/ap2/keys/{kid}`: Revoke a key of a card at once */
    removeKey(kid: string, query?: Query<'deleteAp2KeysByKid'>, options?: CallOptions): Promise<Answer<'deleteAp2KeysByKid'>>
    /** `GET /api/ap2/instruments`: How a card is named in a mandate */
    instruments(query: Query<'getAp2Instruments'>, options?: CallOptions): Promise<Answer<'getAp2Instruments'>>
    /** `GET /api/ap2/.well-known/jwks.json`: The service's public signing keys */
    jwks(options?: CallOptions): Promise<Answer<'getAp2WellKnownJwksJson'>>
    /** `GET /api/ap2/agent-card`: Show the AP2 support of this service, as an agent card of A2A 1.0 */
    agentCard(options?: CallOptions): Promise<Answer<'getAp2AgentCard'>>
    /** `POST /a2a`: Ask this service as an A2A 1.0 agent, by JSON-RPC */
    a2a(body: Body<'postA2a'>, options?: CallOptions): Promise<Answer<'postA2a'>>
    /** `POST /api/ap2/payment-methods`: Your cards as payment methods, newest first */
    paymentMethods(body: Body<'postAp2PaymentMethods'>, options?: CallOptions): Promise<Answer<'postAp2PaymentMethods'>>
    /** `POST /api/ap2/execute`: Gone: use POST /api/ap2/settle */
    execute(body?: Body<'postAp2Execute'>, options?: CallOptions): Promise<Answer<'postAp2Execute'>>
  }
  agreements: {
    /** `GET /api/billing/agreements`: The wallet's agreements, newest first */
    list(query?: Query<'getBillingAgreements'>, options?: CallOptions): Pages<RowOf<'getBillingAgreements', 'agreements'>, Answer<'getBillingAgreements'>>
    /** `POST /api/billing/agreements`: Make an agreement, funded by an open mandate, and charge its first period */
    create(body: Body<'postBillingAgreements'>, options?: CallOptions): Promise<Answer<'postBillingAgreements'>>
    /** `GET /api/billing/agreements/{id}`: An agreement and its newest charges */
    get(id: string, options?: CallOptions): Promise<Answer<'getBillingAgreementsById'>>
    /** `POST /api/billing/agreements/prepare`: Have a key made for an agreement, and the open mandate proposed that funds it */
    prepare(body: Body<'postBillingAgreementsPrepare'>, options?: CallOptions): Promise<Answer<'postBillingAgreementsPrepare'>>
    /** `POST /api/billing/agreements/{id}/pause`: Stop the charges of an agreement for a time */
    pause(id: string, body: Body<'postBillingAgreementsByIdPause'>, options?: CallOptions): Promise<Answer<'postBillingAgreementsByIdPause'>>
    /** `POST /api/billing/agreements/{id}/resume`: Go on with a paused agreement, from the next period */
    resume(id: string, body: Body<'postBillingAgreementsByIdResume'>, options?: CallOptions): Promise<Answer<'postBillingAgreementsByIdResume'>>
    /** `POST /api/billing/agreements/{id}/cancel`: End an agreement, now or with its current period */
    cancel(id: string, body: Body<'postBillingAgreementsByIdCancel'>, options?: CallOptions): Promise<Answer<'postBillingAgreementsByIdCancel'>>
  }
  membership: {
    /** `GET /api/membership/plans`: The tiers of the membership, and what they cost */
    plans(options?: CallOptions): Promise<Answer<'getMembershipPlans'>>
    /** `GET /api/membership`: Your membership and its auto-renew */
    get(options?: CallOptions): Promise<Answer<'getMembership'>>
    /** `POST /api/membership/subscribe`: Pay for a membership out of your treasury balance */
    subscribe(body: Body<'postMembershipSubscribe'>, options?: CallOptions): Promise<Answer<'postMembershipSubscribe'>>
    /** `POST /api/membership/cancel`: End your membership with its current period */
    cancel(options?: CallOptions): Promise<Answer<'postMembershipCancel'>>
    /** `POST /api/membership/resume`: Undo a scheduled cancel while still in the period */
    resume(options?: CallOptions): Promise<Answer<'postMembershipResume'>>
    /** `POST /api/membership/auto-renew`: Enroll in membership auto-renew */
    autoRenew(body: Body<'postMembershipAutoRenew'>, options?: CallOptions): Promise<Answer<'postMembershipAutoRenew'>>
    /** `DELETE /api/membership/auto-renew`: End auto-renew; its reserve returns to your treasury balance */
    endAutoRenew(options?: CallOptions): Promise<Answer<'deleteMembershipAutoRenew'>>
  }
  tokens: {
    /** `POST /api/tokens`: Register a token that you want to be paid in */
    register(body: Body<'postTokens'>, options?: CallOptions): Promise<Answer<'postTokens'>>
    /** `GET /api/tokens`: Tokens that you have registered, newest first */
    list(query?: Query<'getTokens'>, options?: CallOptions): Pages<RowOf<'getTokens', 'tokens'>, Answer<'getTokens'>>
    /** `GET /api/tokens/{id}`: One token that you have registered, or had */
    get(id: string, options?: CallOptions): Promise<Answer<'getTokensById'>>
    /** `DELETE /api/tokens/{id}`: Take no more payments in a token */
    remove(id: string, options?: CallOptions): Promise<Answer<'deleteTokensById'>>
  }
  fees: {
    /** `GET /api/fees`: Your fee meter, the quota of the month, and your fees */
    get(options?: CallOptions): Promise<Answer<'getFees'>>
    /** `POST /api/fees/topup`: Top the fee meter up from your treasury balance */
    topUp(body: Body<'postFeesTopup'>, options?: CallOptions): Promise<Answer<'postFeesTopup'>>
    /** `GET /api/fees/entries`: Fees and top-ups of the meter, newest first */
    entries(query?: Query<'getFeesEntries'>, options?: CallOptions): Pages<RowOf<'getFeesEntries', 'entries'>, Answer<'getFeesEntries'>>
  }
  facilitator: {
    /** `GET /api/x402`: x402 facilitator: its addresses */
    get(options?: CallOptions): Promise<Answer<'getX402'>>
    /** `GET /api/x402/supported`: x402 facilitator: what is settled here */
    supported(options?: CallOptions): Promise<Answer<'getX402Supported'>>
    /** `POST /api/x402/verify`: x402 facilitator: would this payment be settled now? */
    verify(body: Body<'postX402Verify'>, options?: CallOptions): Promise<Answer<'postX402Verify'>>
    /** `POST /api/x402/settle`: x402 facilitator: settle a payment on chain */
    settle(body: Body<'postX402Settle'>, options?: CallOptions): Promise<Answer<'postX402Settle'>>
    /** `GET /api/x402/settlements/{id}`: How a payment that your key settled stands */
    settlement(id: string, options?: CallOptions): Promise<Answer<'getX402SettlementsById'>>
    /** `GET /api/x402/settlements`: Payments that your keys settled, newest first */
    settlements(query?: Query<'getX402Settlements'>, options?: CallOptions): Pages<RowOf<'getX402Settlements', 'settlements'>, Answer<'getX402Settlements'>>
    /** `GET /api/x402/discovery/resources`: x402 bazaar: what can be bought through this facilitator */
    resources(query?: Query<'getX402DiscoveryResources'>, options?: CallOptions): Promise<Answer<'getX402DiscoveryResources'>>
    /** `GET /api/x402/discovery/search`: x402 bazaar: what is sold here that a text asks for */
    search(query: Query<'getX402DiscoverySearch'>, options?: CallOptions): Promise<Answer<'getX402DiscoverySearch'>>
    /** `POST /api/x402/receive`: Has this x402 payment settled for what I sell, and is this its first use? */
    receiveX402(body: Body<'postX402Receive'>, options?: CallOptions): Promise<Answer<'postX402Receive'>>
    /** `POST /api/mpp/receive`: Has this MPP credential paid a link of mine, and is this its first use? */
    receiveMpp(body: Body<'postMppReceive'>, options?: CallOptions): Promise<Answer<'postMppReceive'>>
    /** `POST /api/x402/sign-in`: x402 facilitator: has this wallet paid for the resource before? */
    signIn(body: Body<'postX402SignIn'>, options?: CallOptions): Promise<Answer<'postX402SignIn'>>
  }
  paywall: {
    /** `POST /api/paywall`: What a paywall needs to ask for payments in the name of your wallet */
    terms(body?: Body<'postPaywall'>, options?: CallOptions): Promise<Answer<'postPaywall'>>
    /** `POST /api/paywall/payments`: Claim a payment for one attempt to serve the request that it came with */
    claim(body: Body<'postPaywallPayments'>, options?: CallOptions): Promise<Answer<'postPaywallPayments'>>
    /** `POST /api/paywall/payments/{id}/settle`: Take the money of a payment that you claimed */
    settle(id: string, body: Body<'postPaywallPaymentsByIdSettle'>, options?: CallOptions): Promise<Answer<'postPaywallPaymentsByIdSettle'>>
    /** `POST /api/paywall/payments/{id}/release`: Give a claimed payment back: its handler failed, or its client is gone */
    release(id: string, body: Body<'postPaywallPaymentsByIdRelease'>, options?: CallOptions): Promise<Answer<'postPaywallPaymentsByIdRelease'>>
  }
  credentials: {
    /** `GET /api/cards/{id}/identity`: The card's identity token on chain */
    identity(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdIdentity'>>
    /** `POST /api/cards/{id}/identity`: Mint the identity token of a card */
    mint(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdIdentity'>>
    /** `POST /api/cards/{id}/identity/withdraw`: Send the identity token to your wallet */
    withdraw(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdIdentityWithdraw'>>
    /** `GET /api/v1`: The credential API: what it has, and what it asks for */
    about(options?: CallOptions): Promise<Answer<'getV1'>>
    /** `GET /api/v1/credentials/{ref}`: A card as a business: its performance, and its anchor on chain */
    get(ref: string, options?: CallOptions): Promise<Answer<'getV1CredentialsByRef'>>
    /** `GET /api/v1/credentials/{ref}/registration`: The document that the identity token of a credential points to */
    registration(ref: string, options?: CallOptions): Promise<Answer<'getV1CredentialsByRefRegistration'>>
    /** `GET /api/v1/credentials/{ref}/proof`: The figures of a credential, signed, with the Merkle root of its payments */
    proof(ref: string, query?: Query<'getV1CredentialsByRefProof'>, options?: CallOptions): Promise<Answer<'getV1CredentialsByRefProof'>>
  }
  crtMarkets: {
    /** `GET /api/crt-markets`: All live markets of credential tokens, newest first */
    list(query?: Query<'getCrtMarkets'>, options?: CallOptions): Pages<RowOf<'getCrtMarkets', 'markets'>, Answer<'getCrtMarkets'>>
    /** `GET /api/crt-markets/{token}`: Price, liquidity and history of a token */
    get(token: string, query?: Query<'getCrtMarketsByToken'>, options?: CallOptions): Promise<Answer<'getCrtMarketsByToken'>>
    /** `GET /api/crt-markets/{token}/quote`: The exact outcome of a swap, if it were made now */
    quote(token: string, query: Query<'getCrtMarketsByTokenQuote'>, options?: CallOptions): Promise<Answer<'getCrtMarketsByTokenQuote'>>
    /** `POST /api/cards/{id}/crt-market/prepare`: Prepare the credential token of a card and its market */
    prepare(id: string, body: Body<'postCardsByIdCrtMarketPrepare'>, options?: CallOptions): Promise<Answer<'postCardsByIdCrtMarketPrepare'>>
    /** `POST /api/cards/{id}/crt-market/confirm`: Show that the token is made and listed */
    confirm(id: string, body: Body<'postCardsByIdCrtMarketConfirm'>, options?: CallOptions): Promise<Answer<'postCardsByIdCrtMarketConfirm'>>
    /** `GET /api/cards/{id}/crt-market`: The card's market, also before it is live */
    ofCard(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdCrtMarket'>>
    /** `POST /api/cards/{id}/crt-market/vesting-confirm`: Show that the kept part of the token is locked */
    confirmVesting(id: string, body: Body<'postCardsByIdCrtMarketVestingConfirm'>, options?: CallOptions): Promise<Answer<'postCardsByIdCrtMarketVestingConfirm'>>
  }
  listings: {
    /** `GET /api/listings`: Browse the cards that are for sale */
    list(query?: Query<'getListings'>, options?: CallOptions): Pages<RowOf<'getListings', 'listings'>, Answer<'getListings'>>
    /** `POST /api/listings`: Offer a card for sale */
    create(body: Body<'postListings'>, options?: CallOptions): Promise<Answer<'postListings'>>
    /** `GET /api/listings/{id}`: One listing */
    get(id: string, options?: CallOptions): Promise<Answer<'getListingsById'>>
    /** `DELETE /api/listings/{id}`: Take a card off the market */
    cancel(id: string, options?: CallOptions): Promise<Answer<'deleteListingsById'>>
    /** `GET /api/cards/{id}/listing`: The most recent listing of a card */
    ofCard(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdListing'>>
    /** `POST /api/listings/{id}/buy`: Buy a card that is for sale */
    buy(id: string, body: Body<'postListingsByIdBuy'>, options?: CallOptions): Promise<Answer<'postListingsByIdBuy'>>
    /** `GET /api/listings/{id}/revenue`: What a listed card received, by day */
    revenue(id: string, query?: Query<'getListingsByIdRevenue'>, options?: CallOptions): Promise<Answer<'getListingsByIdRevenue'>>
    /** `POST /api/listings/prepare`: Get what to sign to sell a card on chain */
    prepare(body: Body<'postListingsPrepare'>, options?: CallOptions): Promise<Answer<'postListingsPrepare'>>
    /** `GET /api/listings/{id}/buy/prepare`: Get what to sign to buy a card on chain */
    prepareBuy(id: string, options?: CallOptions): Promise<Answer<'getListingsByIdBuyPrepare'>>
  }
  status: {
    /** `GET /api/status`: Show the capabilities and the state of this service */
    get(options?: CallOptions): Promise<Answer<'getStatus'>>
  }
  operator: {
    /** `GET /api/operator/overview`: Show the state of the service to its operators */
    overview(options?: CallOptions): Promise<Answer<'getOperatorOverview'>>
    /** `GET /api/operator/queues`: Show what waits to be done */
    queues(options?: CallOptions): Promise<Answer<'getOperatorQueues'>>
    /** `GET /api/operator/relayers`: Show the accounts that pay gas */
    relayers(options?: CallOptions): Promise<Answer<'getOperatorRelayers'>>
    /** `GET /api/operator/machines`: List the machines that run the service */
    machines(options?: CallOptions): Promise<Answer<'getOperatorMachines'>>
    /** `GET /api/operator/signing-keys`: List the keys by which the service signs */
    signingKeys(options?: CallOptions): Promise<Answer<'getOperatorSigningKeys'>>
    /** `GET /api/operator/audit`: List what operators did, and what wallets did with their keys */
    audit(query?: Query<'getOperatorAudit'>, options?: CallOptions): Pages<RowOf<'getOperatorAudit', 'acts'>, Answer<'getOperatorAudit'>>
  }
  dev: {
    /** `POST /api/dev/faucet`: Get test USDC, or another test token, and gas on the embedded chain */
    faucet(body: Body<'postDevFaucet'>, options?: CallOptions): Promise<Answer<'postDevFaucet'>>
    /** `POST /api/dev/session`: Sign in to the dashboard as the demo wallet */
    signIn(options?: CallOptions): Promise<Answer<'postDevSession'>>
    /** `POST /api/dev/mine`: Mine blocks on the embedded chain at once */
    mine(body: Body<'postDevMine'>, options?: CallOptions): Promise<Answer<'postDevMine'>>
    /** `POST /api/dev/clock`: Move the service's clock forward */
    clock(body?: Body<'postDevClock'>, options?: CallOptions): Promise<Answer<'postDevClock'>>
  }
}

/** The operation of each method, and what it takes. Of a list also its rows, and the member of a row that `after` takes. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auth: {
    challenge: 'POST /api/auth/challenge body',
    verify: 'POST /api/auth/verify body',
    logout: 'POST /api/auth/logout nothing',
  },
  keys: {
    generate: 'POST /api/keys/generate nothing',
    restrict: 'POST /api/keys/restricted body',
    list: 'GET /api/keys query keys key_hash',
    revoke: 'DELETE /api/keys/{hash} query',
    validate: 'POST /api/keys/validate nothing',
    limits: 'GET /api/keys/{hash}/limits nothing',
    updateLimits: 'PATCH /api/keys/{hash}/limits body',
  },
  sessions: {
    list: 'GET /api/sessions nothing',
    end: 'DELETE /api/sessions/{id} query',
  },
  requests: {
    list: 'GET /api/requests query requests id',
    get: 'GET /api/requests/{request_id} nothing',
  },
  agents: {
    keys: 'GET /.well-known/http-message-signatures-directory nothing',
    verify: 'POST /api/agents/verify body',
  },
  events: {
    list: 'GET /api/events query events id',
  },
  webhooks: {
    create: 'POST /api/webhooks body',
    list: 'GET /api/webhooks nothing',
    update: 'PATCH /api/webhooks/{id} body',
    remove: 'DELETE /api/webhooks/{id} nothing',
    rotateSecret: 'POST /api/webhooks/{id}/rotate-secret nothing',
    test: 'POST /api/webhooks/{id}/test nothing',
    recover: 'POST /api/webhooks/{id}/recover body',
    replayMissing: 'POST /api/webhooks/{id}/replay-missing body',
    deliveries: 'GET /api/webhooks/deliveries query',
    delivery: 'GET /api/webhooks/deliveries/{id}/body nothing',
    replay: 'POST /api/webhooks/deliveries/{id}/replay nothing',
  },
  treasury: {
    config: 'GET /api/config nothing',
    tokens: 'GET /api/funding/tokens nothing',
    wallet: 'GET /api/wallet/balance query',
    deposit: 'POST /api/fund/verify body',
    authorize: 'POST /api/fund/authorization body',
    balance: 'GET /api/balance nothing',
    withdraw: 'POST /api/withdraw body',
    withdrawals: 'GET /api/withdrawals query',
    addPayoutAddress: 'POST /api/withdrawals/addresses body',
    payoutAddresses: 'GET /api/withdrawals/addresses nothing',
    removePayoutAddress: 'DELETE /api/withdrawals/addresses/{id} nothing',
    holdings: 'GET /api/holdings query holdings ',
  },
  cards: {
    issue: 'POST /api/issue body',
    issueMany: 'POST /api/issue/bulk body',
    list: 'GET /api/cards query cards id',
    get: 'GET /api/cards/{id} nothing',
    fund: 'POST /api/cards/{id}/fund body',
    freeze: 'POST /api/cards/{id}/freeze nothing',
    unfreeze: 'POST /api/cards/{id}/unfreeze nothing',
    setControls: 'PATCH /api/cards/{id}/controls body',
    claim: 'POST /api/cards/{id}/claim body',
    cancel: 'POST /api/cards/{id}/cancel nothing',
    rotateToken: 'POST /api/cards/{id}/rotate-token nothing',
    draft: 'GET /api/cards/{id}/controls/draft nothing',
    setDraft: 'PUT /api/cards/{id}/controls/draft body',
    dropDraft: 'DELETE /api/cards/{id}/controls/draft nothing',
    applyDraft: 'POST /api/cards/{id}/controls/draft/apply body',
    backtest: 'POST /api/cards/{id}/controls/backtest body',
    transactions: 'GET /api/cards/{id}/transactions query transactions id',
    decisions: 'GET /api/cards/{id}/decisions query decisions id',
    issueChild: 'POST /api/cards/{id}/children body',
    children: 'GET /api/cards/{id}/children query cards id',
    spending: 'GET /api/spending query',
    transfer: 'POST /api/cards/{id}/transfer body',
  },
  approvals: {
    list: 'GET /api/approvals query approvals id',
    get: 'GET /api/approvals/{id} nothing',
    approve: 'POST /api/approvals/{id}/approve nothing',
    deny: 'POST /api/approvals/{id}/deny nothing',
    allow: 'POST /api/decisions/{id}/allow body',
  },
  limits: {
    get: 'GET /api/limits nothing',
    update: 'PATCH /api/limits body',
  },
  payments: {
    pay: 'POST /api/pay body',
    namePurchase: 'POST /api/pay/purchases body',
    authorize: 'POST /api/pay/authorize body',
    simulate: 'POST /api/pay/simulate body',
    status: 'GET /api/settlement/status/{txn_id} nothing',
    list: 'GET /api/payments query payments id',
    get: 'GET /api/payments/{id} nothing',
    evidence: 'GET /api/payments/{id}/evidence nothing',
    refund: 'POST /api/payments/{id}/refund body',
    payX402: 'POST /api/x402/pay body',
    payMpp: 'POST /api/mpp/pay body',
    discoverX402: 'GET /api/x402/discover query',
    discoverMpp: 'GET /api/mpp/discover query',
  },
  streams: {
    session: 'POST /api/mpp/session body',
    open: 'POST /api/mpp/stream/open body',
    tick: 'POST /api/mpp/stream/tick body',
    close: 'POST /api/mpp/stream/close body',
    get: 'GET /api/mpp/stream/{id} nothing',
    list: 'GET /api/mpp/streams query streams id',
  },
  payLinks: {
    create: 'POST /api/paylinks body',
    list: 'GET /api/paylinks query links id',
    cancel: 'DELETE /api/paylinks/{code} nothing',
    get: 'GET /api/paylinks/{code} nothing',
    status: 'GET /api/paylinks/{code}/status nothing',
    resolve: 'GET /api/pay/{code}/resolve nothing',
    prepare: 'GET /api/pay/{code}/prepare nothing',
    settle: 'POST /api/pay/{code}/settle body',
    payByToken: 'POST /api/mpp/agentcard body',
    receipt: 'GET /api/receipts/{id} nothing',
  },
  exceptions: {
    list: 'GET /api/exceptions query exceptions id',
    get: 'GET /api/exceptions/{id} nothing',
    keep: 'POST /api/exceptions/{id}/keep nothing',
    refund: 'POST /api/exceptions/{id}/refund nothing',
  },
  profile: {
    get: 'GET /api/profile nothing',
    update: 'PATCH /api/profile body',
    names: 'GET /api/payees query',
  },
  ap2: {
    settle: 'POST /api/ap2/settle body',
    receipt: 'GET /api/ap2/receipts/{settlement_id} nothing',
    attachReceipt: 'POST /api/ap2/receipt body',
    verify: 'POST /api/ap2/verify body',
    openMandate: 'POST /api/ap2/open-mandate body',
    mandate: 'POST /api/ap2/mandate body',
    mandates: 'GET /api/ap2/mandates/{card_id} query mandates mandate_id',
    revokeMandate: 'POST /api/ap2/mandates/{mandate_id}/revoke body',
    addKey: 'POST /api/ap2/keys body',
    keys: 'GET /api/ap2/keys query keys kid',
    removeKey: 'DELETE /api/ap2/keys/{kid} query',
    instruments: 'GET /api/ap2/instruments query',
    jwks: 'GET /api/ap2/.well-known/jwks.json nothing',
    agentCard: 'GET /api/ap2/agent-card nothing',
    a2a: 'POST /a2a body',
    paymentMethods: 'POST /api/ap2/payment-methods body',
    execute: 'POST /api/ap2/execute body',
  },
  agreements: {
    list: 'GET /api/billing/agreements query agreements id',
    create: 'POST /api/billing/agreements body',
    get: 'GET /api/billing/agreements/{id} nothing',
    prepare: 'POST /api/billing/agreements/prepare body',
    pause: 'POST /api/billing/agreements/{id}/pause body',
    resume: 'POST /api/billing/agreements/{id}/resume body',
    cancel: 'POST /api/billing/agreements/{id}/cancel body',
  },
  membership: {
    plans: 'GET /api/membership/plans nothing',
    get: 'GET /api/membership nothing',
    subscribe: 'POST /api/membership/subscribe body',
    cancel: 'POST /api/membership/cancel nothing',
    resume: 'POST /api/membership/resume nothing',
    autoRenew: 'POST /api/membership/auto-renew body',
    endAutoRenew: 'DELETE /api/membership/auto-renew nothing',
  },
  tokens: {
    register: 'POST /api/tokens body',
    list: 'GET /api/tokens query tokens id',
    get: 'GET /api/tokens/{id} nothing',
    remove: 'DELETE /api/tokens/{id} nothing',
  },
  fees: {
    get: 'GET /api/fees nothing',
    topUp: 'POST /api/fees/topup body',
    entries: 'GET /api/fees/entries query entries id',
  },
  facilitator: {
    get: 'GET /api/x402 nothing',
    supported: 'GET /api/x402/supported nothing',
    verify: 'POST /api/x402/verify body',
    settle: 'POST /api/x402/settle body',
    settlement: 'GET /api/x402/settlements/{id} nothing',
    settlements: 'GET /api/x402/settlements query settlements id',
    resources: 'GET /api/x402/discovery/resources query',
    search: 'GET /api/x402/discovery/search query',
    receiveX402: 'POST /api/x402/receive body',
    receiveMpp: 'POST /api/mpp/receive body',
    signIn: 'POST /api/x402/sign-in body',
  },
  paywall: {
    terms: 'POST /api/paywall body',
    claim: 'POST /api/paywall/payments body',
    settle: 'POST /api/paywall/payments/{id}/settle body',
    release: 'POST /api/paywall/payments/{id}/release body',
  },
  credentials: {
    identity: 'GET /api/cards/{id}/identity nothing',
    mint: 'POST /api/cards/{id}/identity nothing',
    withdraw: 'POST /api/cards/{id}/identity/withdraw nothing',
    about: 'GET /api/v1 nothing',
    get: 'GET /api/v1/credentials/{ref} nothing',
    registration: 'GET /api/v1/credentials/{ref}/registration nothing',
    proof: 'GET /api/v1/credentials/{ref}/proof query',
  },
  crtMarkets: {
    list: 'GET /api/crt-markets query markets token',
    get: 'GET /api/crt-markets/{token} query',
    quote: 'GET /api/crt-markets/{token}/quote query',
    prepare: 'POST /api/cards/{id}/crt-market/prepare body',
    confirm: 'POST /api/cards/{id}/crt-market/confirm body',
    ofCard: 'GET /api/cards/{id}/crt-market nothing',
    confirmVesting: 'POST /api/cards/{id}/crt-market/vesting-confirm body',
  },
  listings: {
    list: 'GET /api/listings query listings id',
    create: 'POST /api/listings body',
    get: 'GET /api/listings/{id} nothing',
    cancel: 'DELETE /api/listings/{id} nothing',
    ofCard: 'GET /api/cards/{id}/listing nothing',
    buy: 'POST /api/listings/{id}/buy body',
    revenue: 'GET /api/listings/{id}/revenue query',
    prepare: 'POST /api/listings/prepare body',
    prepareBuy: 'GET /api/listings/{id}/buy/prepare nothing',
  },
  status: {
    get: 'GET /api/status nothing',
  },
  operator: {
    overview: 'GET /api/operator/overview nothing',
    queues: 'GET /api/operator/queues nothing',
    relayers: 'GET /api/operator/relayers nothing',
    machines: 'GET /api/operator/machines nothing',
    signingKeys: 'GET /api/operator/signing-keys nothing',
    audit: 'GET /api/operator/audit query acts id',
  },
  dev: {
    faucet: 'POST /api/dev/faucet body',
    signIn: 'POST /api/dev/session nothing',
    mine: 'POST /api/dev/mine body',
    clock: 'POST /api/dev/clock body',
  },
}
