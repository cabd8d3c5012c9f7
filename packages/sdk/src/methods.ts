// Made from openapi.json by `npm run gen`. Do not edit: change the routes and run it again.

import type { Answer, Body, CallOptions, Pages, Query, RowOf } from './resources.ts'

/** A method for each operation. Arguments stand as in its path, then what it takes, then how it is called. */
export type Resources = {
  auth: {
    /** Ask for a message to sign in with (`POST /api/auth/challenge`) */
    challenge(
      body: Body<'postAuthChallenge'>,
      options?: CallOptions,
    ): Promise<Answer<'postAuthChallenge'>>
    /** Sign in with the signed message (`POST /api/auth/verify`) */
    verify(body: Body<'postAuthVerify'>, options?: CallOptions): Promise<Answer<'postAuthVerify'>>
    /** End the session (`POST /api/auth/logout`) */
    logout(options?: CallOptions): Promise<Answer<'postAuthLogout'>>
  }
  keys: {
    /** Make an API key (`POST /api/keys/generate`) */
    generate(options?: CallOptions): Promise<Answer<'postKeysGenerate'>>
    /** Make an API key that may do less (`POST /api/keys/restricted`) */
    restrict(
      body: Body<'postKeysRestricted'>,
      options?: CallOptions,
    ): Promise<Answer<'postKeysRestricted'>>
    /** List the API keys of the wallet (`GET /api/keys`) */
    list(
      query?: Query<'getKeys'>,
      options?: CallOptions,
    ): Pages<RowOf<'getKeys', 'keys'>, Answer<'getKeys'>>
    /** Revoke an API key (`DELETE /api/keys/{hash}`) */
    revoke(
      hash: string,
      query?: Query<'deleteKeysByHash'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteKeysByHash'>>
    /** Say whose the credential is (`POST /api/keys/validate`) */
    validate(options?: CallOptions): Promise<Answer<'postKeysValidate'>>
  }
  sessions: {
    /** List the sessions of the wallet (`GET /api/sessions`) */
    list(options?: CallOptions): Promise<Answer<'getSessions'>>
    /** End a session of the wallet (`DELETE /api/sessions/{id}`) */
    end(
      id: string,
      query?: Query<'deleteSessionsById'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteSessionsById'>>
  }
  agents: {
    /** The keys that sign this service's requests to sellers (`GET /.well-known/http-message-signatures-directory`) */
    keys(options?: CallOptions): Promise<Answer<'getWellKnownHttpMessageSignaturesDirectory'>>
    /** Verify who signed a request that you were sent (`POST /api/agents/verify`) */
    verify(
      body: Body<'postAgentsVerify'>,
      options?: CallOptions,
    ): Promise<Answer<'postAgentsVerify'>>
  }
  events: {
    /** List the events of your wallet, oldest first (`GET /api/events`) */
    list(
      query?: Query<'getEvents'>,
      options?: CallOptions,
    ): Pages<RowOf<'getEvents', 'events'>, Answer<'getEvents'>>
  }
  webhooks: {
    /** Register an endpoint for your events (`POST /api/webhooks`) */
    create(body: Body<'postWebhooks'>, options?: CallOptions): Promise<Answer<'postWebhooks'>>
    /** Your webhooks, newest first (`GET /api/webhooks`) */
    list(options?: CallOptions): Promise<Answer<'getWebhooks'>>
    /** Change, disable or enable a webhook (`PATCH /api/webhooks/{id}`) */
    update(
      id: string,
      body?: Body<'patchWebhooksById'>,
      options?: CallOptions,
    ): Promise<Answer<'patchWebhooksById'>>
    /** Delete a webhook (`DELETE /api/webhooks/{id}`) */
    remove(id: string, options?: CallOptions): Promise<Answer<'deleteWebhooksById'>>
    /** Give a webhook a new secret (`POST /api/webhooks/{id}/rotate-secret`) */
    rotateSecret(id: string, options?: CallOptions): Promise<Answer<'postWebhooksByIdRotateSecret'>>
    /** Send a test event to a webhook (`POST /api/webhooks/{id}/test`) */
    test(id: string, options?: CallOptions): Promise<Answer<'postWebhooksByIdTest'>>
    /** Send again what failed since a time (`POST /api/webhooks/{id}/recover`) */
    recover(
      id: string,
      body: Body<'postWebhooksByIdRecover'>,
      options?: CallOptions,
    ): Promise<Answer<'postWebhooksByIdRecover'>>
    /** Send events that a webhook has no delivery of (`POST /api/webhooks/{id}/replay-missing`) */
    replayMissing(
      id: string,
      body: Body<'postWebhooksByIdReplayMissing'>,
      options?: CallOptions,
    ): Promise<Answer<'postWebhooksByIdReplayMissing'>>
    /** The log of deliveries, newest first (`GET /api/webhooks/deliveries`) */
    deliveries(
      query?: Query<'getWebhooksDeliveries'>,
      options?: CallOptions,
    ): Promise<Answer<'getWebhooksDeliveries'>>
    /** Send one delivery again (`POST /api/webhooks/deliveries/{id}/replay`) */
    replay(id: string, options?: CallOptions): Promise<Answer<'postWebhooksDeliveriesByIdReplay'>>
  }
  treasury: {
    /** Where to send deposits, and what the service charges (`GET /api/config`) */
    config(options?: CallOptions): Promise<Answer<'getConfig'>>
    /** The tokens that a treasury balance can be funded with (`GET /api/funding/tokens`) */
    tokens(options?: CallOptions): Promise<Answer<'getFundingTokens'>>
    /** Show the balance of an address on chain, read live (`GET /api/wallet/balance`) */
    wallet(
      query?: Query<'getWalletBalance'>,
      options?: CallOptions,
    ): Promise<Answer<'getWalletBalance'>>
    /** Credit a deposit by its transaction (`POST /api/fund/verify`) */
    deposit(body: Body<'postFundVerify'>, options?: CallOptions): Promise<Answer<'postFundVerify'>>
    /** Deposit without gas, by a signed EIP-3009 authorization (`POST /api/fund/authorization`) */
    authorize(
      body: Body<'postFundAuthorization'>,
      options?: CallOptions,
    ): Promise<Answer<'postFundAuthorization'>>
    /** Your treasury balance (`GET /api/balance`) */
    balance(options?: CallOptions): Promise<Answer<'getBalance'>>
    /** Take money out of the treasury balance, to an address on chain (`POST /api/withdraw`) */
    withdraw(body: Body<'postWithdraw'>, options?: CallOptions): Promise<Answer<'postWithdraw'>>
    /** Your newest withdrawals, at most 50 (`GET /api/withdrawals`) */
    withdrawals(
      query?: Query<'getWithdrawals'>,
      options?: CallOptions,
    ): Promise<Answer<'getWithdrawals'>>
    /** Everything that you hold, here and on chain (`GET /api/holdings`) */
    holdings(
      query?: Query<'getHoldings'>,
      options?: CallOptions,
    ): Pages<RowOf<'getHoldings', 'holdings'>, Answer<'getHoldings'>>
  }
  cards: {
    /** Issue a virtual payment card (`POST /api/issue`) */
    issue(body: Body<'postIssue'>, options?: CallOptions): Promise<Answer<'postIssue'>>
    /** Issue up to 1000 cards, all or none (`POST /api/issue/bulk`) */
    issueMany(body: Body<'postIssueBulk'>, options?: CallOptions): Promise<Answer<'postIssueBulk'>>
    /** Your cards, newest first (`GET /api/cards`) */
    list(
      query?: Query<'getCards'>,
      options?: CallOptions,
    ): Pages<RowOf<'getCards', 'cards'>, Answer<'getCards'>>
    /** One card (`GET /api/cards/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getCardsById'>>
    /** Top up an ACTIVE card from your treasury balance (`POST /api/cards/{id}/fund`) */
    fund(
      id: string,
      body: Body<'postCardsByIdFund'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdFund'>>
    /** Stop every debit of a card (`POST /api/cards/{id}/freeze`) */
    freeze(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdFreeze'>>
    /** Let a frozen card spend again (`POST /api/cards/{id}/unfreeze`) */
    unfreeze(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdUnfreeze'>>
    /** Change what a card may spend on (`PATCH /api/cards/{id}/controls`) */
    setControls(
      id: string,
      body?: Body<'patchCardsByIdControls'>,
      options?: CallOptions,
    ): Promise<Answer<'patchCardsByIdControls'>>
    /** Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance (`POST /api/cards/{id}/claim`) */
    claim(
      id: string,
      body: Body<'postCardsByIdClaim'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdClaim'>>
    /** Close a card for good; what it does not hold returns to your treasury balance (`POST /api/cards/{id}/cancel`) */
    cancel(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdCancel'>>
    /** Give a card a new token; the old one stops at once (`POST /api/cards/{id}/rotate-token`) */
    rotateToken(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdRotateToken'>>
    /** The rules of a card that run in shadow, and what they would have said (`GET /api/cards/{id}/controls/draft`) */
    draft(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdControlsDraft'>>
    /** Try rules of a card in shadow, beside the active ones (`PUT /api/cards/{id}/controls/draft`) */
    setDraft(
      id: string,
      body?: Body<'putCardsByIdControlsDraft'>,
      options?: CallOptions,
    ): Promise<Answer<'putCardsByIdControlsDraft'>>
    /** Take the draft of a card away (`DELETE /api/cards/{id}/controls/draft`) */
    dropDraft(id: string, options?: CallOptions): Promise<Answer<'deleteCardsByIdControlsDraft'>>
    /** Make the draft of a card its active rules (`POST /api/cards/{id}/controls/draft/apply`) */
    applyDraft(
      id: string,
      body?: Body<'postCardsByIdControlsDraftApply'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdControlsDraftApply'>>
    /** Decide the past of a card anew under other rules (`POST /api/cards/{id}/controls/backtest`) */
    backtest(
      id: string,
      body?: Body<'postCardsByIdControlsBacktest'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdControlsBacktest'>>
    /** List the transactions of a card, newest first (`GET /api/cards/{id}/transactions`) */
    transactions(
      id: string,
      query?: Query<'getCardsByIdTransactions'>,
      options?: CallOptions,
    ): Pages<RowOf<'getCardsByIdTransactions', 'transactions'>, Answer<'getCardsByIdTransactions'>>
    /** Every allow and deny of a card, with the rule and what it was decided on (`GET /api/cards/{id}/decisions`) */
    decisions(
      id: string,
      query?: Query<'getCardsByIdDecisions'>,
      options?: CallOptions,
    ): Pages<RowOf<'getCardsByIdDecisions', 'decisions'>, Answer<'getCardsByIdDecisions'>>
    /** Hand a slice of a card to another agent, as a card of its own (`POST /api/cards/{id}/children`) */
    issueChild(
      id: string,
      body: Body<'postCardsByIdChildren'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdChildren'>>
    /** The child cards of a card, newest first (`GET /api/cards/{id}/children`) */
    children(
      id: string,
      query?: Query<'getCardsByIdChildren'>,
      options?: CallOptions,
    ): Pages<RowOf<'getCardsByIdChildren', 'cards'>, Answer<'getCardsByIdChildren'>>
    /** Give a card to another wallet (`POST /api/cards/{id}/transfer`) */
    transfer(
      id: string,
      body: Body<'postCardsByIdTransfer'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdTransfer'>>
  }
  approvals: {
    /** Payments that wait for you, and what you said, newest first (`GET /api/approvals`) */
    list(
      query?: Query<'getApprovals'>,
      options?: CallOptions,
    ): Pages<RowOf<'getApprovals', 'approvals'>, Answer<'getApprovals'>>
    /** One approval (`GET /api/approvals/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getApprovalsById'>>
    /** Let exactly this payment pass, once (`POST /api/approvals/{id}/approve`) */
    approve(id: string, options?: CallOptions): Promise<Answer<'postApprovalsByIdApprove'>>
    /** Refuse a payment, or take an unused approval back (`POST /api/approvals/{id}/deny`) */
    deny(id: string, options?: CallOptions): Promise<Answer<'postApprovalsByIdDeny'>>
    /** Turn a decline into a rule: allow it once, allow its payee, or raise its limit (`POST /api/decisions/{id}/allow`) */
    allow(
      id: string,
      body?: Body<'postDecisionsByIdAllow'>,
      options?: CallOptions,
    ): Promise<Answer<'postDecisionsByIdAllow'>>
  }
  payments: {
    /** Fetch a URL, and pay for it with a card if it asks for money (`POST /api/pay`) */
    pay(body: Body<'postPay'>, options?: CallOptions): Promise<Answer<'postPay'>>
    /** Name a purchase by what is bought, so that its repetition pays nothing (`POST /api/pay/purchases`) */
    namePurchase(
      body: Body<'postPayPurchases'>,
      options?: CallOptions,
    ): Promise<Answer<'postPayPurchases'>>
    /** Sign one payment for a demand that did not come over HTTP (`POST /api/pay/authorize`) */
    authorize(
      body: Body<'postPayAuthorize'>,
      options?: CallOptions,
    ): Promise<Answer<'postPayAuthorize'>>
    /** Simulate a payment: its cost, and whether the card would pay it (`POST /api/pay/simulate`) */
    simulate(
      body: Body<'postPaySimulate'>,
      options?: CallOptions,
    ): Promise<Answer<'postPaySimulate'>>
    /** Whether a payment has settled (`GET /api/settlement/status/{txn_id}`) */
    status(txnId: string, options?: CallOptions): Promise<Answer<'getSettlementStatusByTxnId'>>
    /** List the transactions of your cards, newest first (`GET /api/payments`) */
    list(
      query?: Query<'getPayments'>,
      options?: CallOptions,
    ): Pages<RowOf<'getPayments', 'payments'>, Answer<'getPayments'>>
    /** One payment with its timeline: decision, authorization, chain, events (`GET /api/payments/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getPaymentsById'>>
    /** The evidence of a payment, signed, in one file (`GET /api/payments/{id}/evidence`) */
    evidence(id: string, options?: CallOptions): Promise<Answer<'getPaymentsByIdEvidence'>>
    /** Give a received payment back to the card that paid it, or a part of it (`POST /api/payments/{id}/refund`) */
    refund(
      id: string,
      body: Body<'postPaymentsByIdRefund'>,
      options?: CallOptions,
    ): Promise<Answer<'postPaymentsByIdRefund'>>
    /** Gone: use POST /api/pay (`POST /api/x402/pay`) */
    payX402(body?: Body<'postX402Pay'>, options?: CallOptions): Promise<Answer<'postX402Pay'>>
    /** Gone: use POST /api/pay (`POST /api/mpp/pay`) */
    payMpp(body?: Body<'postMppPay'>, options?: CallOptions): Promise<Answer<'postMppPay'>>
    /** Whether a URL asks for an x402 payment, and what for (`GET /api/x402/discover`) */
    discoverX402(
      query: Query<'getX402Discover'>,
      options?: CallOptions,
    ): Promise<Answer<'getX402Discover'>>
    /** Whether a URL asks for an MPP payment, by which methods, and what for (`GET /api/mpp/discover`) */
    discoverMpp(
      query: Query<'getMppDiscover'>,
      options?: CallOptions,
    ): Promise<Answer<'getMppDiscover'>>
  }
  streams: {
    /** Label the merchant that a card will pay by streams (`POST /api/mpp/session`) */
    session(body: Body<'postMppSession'>, options?: CallOptions): Promise<Answer<'postMppSession'>>
    /** Set a budget aside on a card, to be spent tick by tick (`POST /api/mpp/stream/open`) */
    open(
      body: Body<'postMppStreamOpen'>,
      options?: CallOptions,
    ): Promise<Answer<'postMppStreamOpen'>>
    /** Spend one tick of a stream (`POST /api/mpp/stream/tick`) */
    tick(
      body: Body<'postMppStreamTick'>,
      options?: CallOptions,
    ): Promise<Answer<'postMppStreamTick'>>
    /** End a stream: what was ticked is paid, the rest is free again (`POST /api/mpp/stream/close`) */
    close(
      body: Body<'postMppStreamClose'>,
      options?: CallOptions,
    ): Promise<Answer<'postMppStreamClose'>>
    /** One stream, for the wallet that pays it and the one that earns it (`GET /api/mpp/stream/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getMppStreamById'>>
    /** The streams that your cards pay, newest first (`GET /api/mpp/streams`) */
    list(
      query?: Query<'getMppStreams'>,
      options?: CallOptions,
    ): Pages<RowOf<'getMppStreams', 'streams'>, Answer<'getMppStreams'>>
  }
  payLinks: {
    /** Open a pay link on a card (`POST /api/paylinks`) */
    create(body: Body<'postPaylinks'>, options?: CallOptions): Promise<Answer<'postPaylinks'>>
    /** Your pay links, newest first (`GET /api/paylinks`) */
    list(
      query?: Query<'getPaylinks'>,
      options?: CallOptions,
    ): Pages<RowOf<'getPaylinks', 'links'>, Answer<'getPaylinks'>>
    /** Public details of a pay link (`GET /api/paylinks/{code}`) */
    get(code: string, options?: CallOptions): Promise<Answer<'getPaylinksByCode'>>
    /** Cancel a pay link (`DELETE /api/paylinks/{code}`) */
    cancel(code: string, options?: CallOptions): Promise<Answer<'deletePaylinksByCode'>>
    /** Whether a pay link has been paid (`GET /api/paylinks/{code}/status`) */
    status(code: string, options?: CallOptions): Promise<Answer<'getPaylinksByCodeStatus'>>
    /** Resolve a pay link for payment processing (`GET /api/pay/{code}/resolve`) */
    resolve(code: string, options?: CallOptions): Promise<Answer<'getPayByCodeResolve'>>
    /** Everything needed to pay a link, by each way it takes (`GET /api/pay/{code}/prepare`) */
    prepare(code: string, options?: CallOptions): Promise<Answer<'getPayByCodePrepare'>>
    /** Settle a pay link, by a card of this service or by a transaction on chain (`POST /api/pay/{code}/settle`) */
    settle(
      code: string,
      body?: Body<'postPayByCodeSettle'>,
      options?: CallOptions,
    ): Promise<Answer<'postPayByCodeSettle'>>
    /** Have a card pay an MPP challenge of a pay link: the credential to present (`POST /api/mpp/agentcard`) */
    payByToken(
      body: Body<'postMppAgentcard'>,
      options?: CallOptions,
    ): Promise<Answer<'postMppAgentcard'>>
  }
  exceptions: {
    /** Payments that reached your links and do not settle them, newest first (`GET /api/exceptions`) */
    list(
      query?: Query<'getExceptions'>,
      options?: CallOptions,
    ): Pages<RowOf<'getExceptions', 'exceptions'>, Answer<'getExceptions'>>
    /** One exception (`GET /api/exceptions/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getExceptionsById'>>
    /** Keep the money of an exception; it can no longer be refunded (`POST /api/exceptions/{id}/keep`) */
    keep(id: string, options?: CallOptions): Promise<Answer<'postExceptionsByIdKeep'>>
    /** Send the money of an exception back to the address that paid it (`POST /api/exceptions/{id}/refund`) */
    refund(id: string, options?: CallOptions): Promise<Answer<'postExceptionsByIdRefund'>>
  }
  ap2: {
    /** Settle a pay link with a closed AP2 Payment Mandate (`POST /api/ap2/settle`) */
    settle(body: Body<'postAp2Settle'>, options?: CallOptions): Promise<Answer<'postAp2Settle'>>
    /** The signed AP2 receipt of a settlement, for its payer and its seller (`GET /api/ap2/receipts/{settlement_id}`) */
    receipt(
      settlementId: string,
      options?: CallOptions,
    ): Promise<Answer<'getAp2ReceiptsBySettlementId'>>
    /** Keep a merchant's receipt with the mandate that it is for (`POST /api/ap2/receipt`) */
    attachReceipt(
      body: Body<'postAp2Receipt'>,
      options?: CallOptions,
    ): Promise<Answer<'postAp2Receipt'>>
    /** Try a mandate on a link: each check and its result; nothing moves (`POST /api/ap2/verify`) */
    verify(body: Body<'postAp2Verify'>, options?: CallOptions): Promise<Answer<'postAp2Verify'>>
    /** Have the service sign an open mandate: what an agent may pay with a card (`POST /api/ap2/open-mandate`) */
    openMandate(
      body: Body<'postAp2OpenMandate'>,
      options?: CallOptions,
    ): Promise<Answer<'postAp2OpenMandate'>>
    /** Have the service sign the payment of a link by a card (`POST /api/ap2/mandate`) */
    mandate(body: Body<'postAp2Mandate'>, options?: CallOptions): Promise<Answer<'postAp2Mandate'>>
    /** A card's mandates, newest first (`GET /api/ap2/mandates/{card_id}`) */
    mandates(
      cardId: string,
      query?: Query<'getAp2MandatesByCardId'>,
      options?: CallOptions,
    ): Pages<RowOf<'getAp2MandatesByCardId', 'mandates'>, Answer<'getAp2MandatesByCardId'>>
    /** Revoke an open mandate for good (`POST /api/ap2/mandates/{mandate_id}/revoke`) */
    revokeMandate(
      mandateId: string,
      body: Body<'postAp2MandatesByMandateIdRevoke'>,
      options?: CallOptions,
    ): Promise<Answer<'postAp2MandatesByMandateIdRevoke'>>
    /** Register a P-256 public key on a card (`POST /api/ap2/keys`) */
    addKey(body: Body<'postAp2Keys'>, options?: CallOptions): Promise<Answer<'postAp2Keys'>>
    /** The keys that you registered on a card, newest first, revoked ones too (`GET /api/ap2/keys`) */
    keys(
      query: Query<'getAp2Keys'>,
      options?: CallOptions,
    ): Pages<RowOf<'getAp2Keys', 'keys'>, Answer<'getAp2Keys'>>
    /** Revoke a key of a card at once (`DELETE /api/ap2/keys/{kid}`) */
    removeKey(
      kid: string,
      query?: Query<'deleteAp2KeysByKid'>,
      options?: CallOptions,
    ): Promise<Answer<'deleteAp2KeysByKid'>>
    /** How a card is named in a mandate (`GET /api/ap2/instruments`) */
    instruments(
      query: Query<'getAp2Instruments'>,
      options?: CallOptions,
    ): Promise<Answer<'getAp2Instruments'>>
    /** The service's public signing keys (`GET /api/ap2/.well-known/jwks.json`) */
    jwks(options?: CallOptions): Promise<Answer<'getAp2WellKnownJwksJson'>>
    /** Show the AP2 support of this service, as an agent card of A2A 1.0 (`GET /api/ap2/agent-card`) */
    agentCard(options?: CallOptions): Promise<Answer<'getAp2AgentCard'>>
    /** Ask this service as an A2A 1.0 agent, by JSON-RPC (`POST /a2a`) */
    a2a(body: Body<'postA2a'>, options?: CallOptions): Promise<Answer<'postA2a'>>
    /** Your cards as payment methods, newest first (`POST /api/ap2/payment-methods`) */
    paymentMethods(
      body: Body<'postAp2PaymentMethods'>,
      options?: CallOptions,
    ): Promise<Answer<'postAp2PaymentMethods'>>
    /** Gone: use POST /api/ap2/settle (`POST /api/ap2/execute`) */
    execute(body?: Body<'postAp2Execute'>, options?: CallOptions): Promise<Answer<'postAp2Execute'>>
  }
  agreements: {
    /** The wallet's agreements, newest first (`GET /api/billing/agreements`) */
    list(
      query?: Query<'getBillingAgreements'>,
      options?: CallOptions,
    ): Pages<RowOf<'getBillingAgreements', 'agreements'>, Answer<'getBillingAgreements'>>
    /** Make an agreement, funded by an open mandate, and charge its first period (`POST /api/billing/agreements`) */
    create(
      body: Body<'postBillingAgreements'>,
      options?: CallOptions,
    ): Promise<Answer<'postBillingAgreements'>>
    /** An agreement and its newest charges (`GET /api/billing/agreements/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getBillingAgreementsById'>>
    /** Have a key made for an agreement, and the open mandate proposed that funds it (`POST /api/billing/agreements/prepare`) */
    prepare(
      body: Body<'postBillingAgreementsPrepare'>,
      options?: CallOptions,
    ): Promise<Answer<'postBillingAgreementsPrepare'>>
    /** Stop the charges of an agreement for a time (`POST /api/billing/agreements/{id}/pause`) */
    pause(
      id: string,
      body: Body<'postBillingAgreementsByIdPause'>,
      options?: CallOptions,
    ): Promise<Answer<'postBillingAgreementsByIdPause'>>
    /** Go on with a paused agreement, from the next period (`POST /api/billing/agreements/{id}/resume`) */
    resume(
      id: string,
      body: Body<'postBillingAgreementsByIdResume'>,
      options?: CallOptions,
    ): Promise<Answer<'postBillingAgreementsByIdResume'>>
    /** End an agreement, now or with its current period (`POST /api/billing/agreements/{id}/cancel`) */
    cancel(
      id: string,
      body: Body<'postBillingAgreementsByIdCancel'>,
      options?: CallOptions,
    ): Promise<Answer<'postBillingAgreementsByIdCancel'>>
  }
  membership: {
    /** The tiers of the membership, and what they cost (`GET /api/membership/plans`) */
    plans(options?: CallOptions): Promise<Answer<'getMembershipPlans'>>
    /** Your membership and its auto-renew (`GET /api/membership`) */
    get(options?: CallOptions): Promise<Answer<'getMembership'>>
    /** Pay for a membership out of your treasury balance (`POST /api/membership/subscribe`) */
    subscribe(
      body: Body<'postMembershipSubscribe'>,
      options?: CallOptions,
    ): Promise<Answer<'postMembershipSubscribe'>>
    /** End your membership with its current period (`POST /api/membership/cancel`) */
    cancel(options?: CallOptions): Promise<Answer<'postMembershipCancel'>>
    /** Undo a scheduled cancel while still in the period (`POST /api/membership/resume`) */
    resume(options?: CallOptions): Promise<Answer<'postMembershipResume'>>
    /** Enroll in membership auto-renew (`POST /api/membership/auto-renew`) */
    autoRenew(
      body: Body<'postMembershipAutoRenew'>,
      options?: CallOptions,
    ): Promise<Answer<'postMembershipAutoRenew'>>
    /** End auto-renew; its reserve returns to your treasury balance (`DELETE /api/membership/auto-renew`) */
    endAutoRenew(options?: CallOptions): Promise<Answer<'deleteMembershipAutoRenew'>>
  }
  tokens: {
    /** Register a token that you want to be paid in (`POST /api/tokens`) */
    register(body: Body<'postTokens'>, options?: CallOptions): Promise<Answer<'postTokens'>>
    /** Tokens that you have registered, newest first (`GET /api/tokens`) */
    list(
      query?: Query<'getTokens'>,
      options?: CallOptions,
    ): Pages<RowOf<'getTokens', 'tokens'>, Answer<'getTokens'>>
    /** One token that you have registered, or had (`GET /api/tokens/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getTokensById'>>
    /** Take no more payments in a token (`DELETE /api/tokens/{id}`) */
    remove(id: string, options?: CallOptions): Promise<Answer<'deleteTokensById'>>
  }
  fees: {
    /** Your fee meter, the quota of the month, and your fees (`GET /api/fees`) */
    get(options?: CallOptions): Promise<Answer<'getFees'>>
    /** Top the fee meter up from your treasury balance (`POST /api/fees/topup`) */
    topUp(body: Body<'postFeesTopup'>, options?: CallOptions): Promise<Answer<'postFeesTopup'>>
    /** Fees and top-ups of the meter, newest first (`GET /api/fees/entries`) */
    entries(
      query?: Query<'getFeesEntries'>,
      options?: CallOptions,
    ): Pages<RowOf<'getFeesEntries', 'entries'>, Answer<'getFeesEntries'>>
  }
  facilitator: {
    /** x402 facilitator: its addresses (`GET /api/x402`) */
    get(options?: CallOptions): Promise<Answer<'getX402'>>
    /** x402 facilitator: what is settled here (`GET /api/x402/supported`) */
    supported(options?: CallOptions): Promise<Answer<'getX402Supported'>>
    /** x402 facilitator: would this payment be settled now? (`POST /api/x402/verify`) */
    verify(body: Body<'postX402Verify'>, options?: CallOptions): Promise<Answer<'postX402Verify'>>
    /** x402 facilitator: settle a payment on chain (`POST /api/x402/settle`) */
    settle(body: Body<'postX402Settle'>, options?: CallOptions): Promise<Answer<'postX402Settle'>>
    /** How a payment that your key settled stands (`GET /api/x402/settlements/{id}`) */
    settlement(id: string, options?: CallOptions): Promise<Answer<'getX402SettlementsById'>>
    /** Payments that your keys settled, newest first (`GET /api/x402/settlements`) */
    settlements(
      query?: Query<'getX402Settlements'>,
      options?: CallOptions,
    ): Pages<RowOf<'getX402Settlements', 'settlements'>, Answer<'getX402Settlements'>>
    /** x402 bazaar: what can be bought through this facilitator (`GET /api/x402/discovery/resources`) */
    resources(
      query?: Query<'getX402DiscoveryResources'>,
      options?: CallOptions,
    ): Promise<Answer<'getX402DiscoveryResources'>>
    /** x402 bazaar: what is sold here that a text asks for (`GET /api/x402/discovery/search`) */
    search(
      query: Query<'getX402DiscoverySearch'>,
      options?: CallOptions,
    ): Promise<Answer<'getX402DiscoverySearch'>>
    /** Has this x402 payment settled for what I sell, and is this its first use? (`POST /api/x402/receive`) */
    receiveX402(
      body: Body<'postX402Receive'>,
      options?: CallOptions,
    ): Promise<Answer<'postX402Receive'>>
    /** Has this MPP credential paid a link of mine, and is this its first use? (`POST /api/mpp/receive`) */
    receiveMpp(
      body: Body<'postMppReceive'>,
      options?: CallOptions,
    ): Promise<Answer<'postMppReceive'>>
    /** x402 facilitator: has this wallet paid for the resource before? (`POST /api/x402/sign-in`) */
    signIn(body: Body<'postX402SignIn'>, options?: CallOptions): Promise<Answer<'postX402SignIn'>>
  }
  paywall: {
    /** What a paywall needs to ask for payments in the name of your wallet (`POST /api/paywall`) */
    terms(body?: Body<'postPaywall'>, options?: CallOptions): Promise<Answer<'postPaywall'>>
    /** Claim a payment for one attempt to serve the request that it came with (`POST /api/paywall/payments`) */
    claim(
      body: Body<'postPaywallPayments'>,
      options?: CallOptions,
    ): Promise<Answer<'postPaywallPayments'>>
    /** Take the money of a payment that you claimed (`POST /api/paywall/payments/{id}/settle`) */
    settle(
      id: string,
      body: Body<'postPaywallPaymentsByIdSettle'>,
      options?: CallOptions,
    ): Promise<Answer<'postPaywallPaymentsByIdSettle'>>
    /** Give a claimed payment back: its handler failed, or its client is gone (`POST /api/paywall/payments/{id}/release`) */
    release(
      id: string,
      body: Body<'postPaywallPaymentsByIdRelease'>,
      options?: CallOptions,
    ): Promise<Answer<'postPaywallPaymentsByIdRelease'>>
  }
  credentials: {
    /** The card's identity token on chain (`GET /api/cards/{id}/identity`) */
    identity(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdIdentity'>>
    /** Mint the identity token of a card (`POST /api/cards/{id}/identity`) */
    mint(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdIdentity'>>
    /** Send the identity token to your wallet (`POST /api/cards/{id}/identity/withdraw`) */
    withdraw(id: string, options?: CallOptions): Promise<Answer<'postCardsByIdIdentityWithdraw'>>
    /** The credential API: what it has, and what it asks for (`GET /api/v1`) */
    about(options?: CallOptions): Promise<Answer<'getV1'>>
    /** A card as a business: its performance, and its anchor on chain (`GET /api/v1/credentials/{ref}`) */
    get(ref: string, options?: CallOptions): Promise<Answer<'getV1CredentialsByRef'>>
    /** The document that the identity token of a credential points to (`GET /api/v1/credentials/{ref}/registration`) */
    registration(
      ref: string,
      options?: CallOptions,
    ): Promise<Answer<'getV1CredentialsByRefRegistration'>>
    /** The figures of a credential, signed, with the Merkle root of its payments (`GET /api/v1/credentials/{ref}/proof`) */
    proof(
      ref: string,
      query?: Query<'getV1CredentialsByRefProof'>,
      options?: CallOptions,
    ): Promise<Answer<'getV1CredentialsByRefProof'>>
  }
  crtMarkets: {
    /** All live markets of credential tokens, newest first (`GET /api/crt-markets`) */
    list(
      query?: Query<'getCrtMarkets'>,
      options?: CallOptions,
    ): Pages<RowOf<'getCrtMarkets', 'markets'>, Answer<'getCrtMarkets'>>
    /** Price, liquidity and history of a token (`GET /api/crt-markets/{token}`) */
    get(
      token: string,
      query?: Query<'getCrtMarketsByToken'>,
      options?: CallOptions,
    ): Promise<Answer<'getCrtMarketsByToken'>>
    /** The exact outcome of a swap, if it were made now (`GET /api/crt-markets/{token}/quote`) */
    quote(
      token: string,
      query: Query<'getCrtMarketsByTokenQuote'>,
      options?: CallOptions,
    ): Promise<Answer<'getCrtMarketsByTokenQuote'>>
    /** Prepare the credential token of a card and its market (`POST /api/cards/{id}/crt-market/prepare`) */
    prepare(
      id: string,
      body: Body<'postCardsByIdCrtMarketPrepare'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdCrtMarketPrepare'>>
    /** Show that the token is made and listed (`POST /api/cards/{id}/crt-market/confirm`) */
    confirm(
      id: string,
      body: Body<'postCardsByIdCrtMarketConfirm'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdCrtMarketConfirm'>>
    /** The card's market, also before it is live (`GET /api/cards/{id}/crt-market`) */
    ofCard(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdCrtMarket'>>
    /** Show that the kept part of the token is locked (`POST /api/cards/{id}/crt-market/vesting-confirm`) */
    confirmVesting(
      id: string,
      body: Body<'postCardsByIdCrtMarketVestingConfirm'>,
      options?: CallOptions,
    ): Promise<Answer<'postCardsByIdCrtMarketVestingConfirm'>>
  }
  listings: {
    /** Browse the cards that are for sale (`GET /api/listings`) */
    list(
      query?: Query<'getListings'>,
      options?: CallOptions,
    ): Pages<RowOf<'getListings', 'listings'>, Answer<'getListings'>>
    /** Offer a card for sale (`POST /api/listings`) */
    create(body: Body<'postListings'>, options?: CallOptions): Promise<Answer<'postListings'>>
    /** One listing (`GET /api/listings/{id}`) */
    get(id: string, options?: CallOptions): Promise<Answer<'getListingsById'>>
    /** Take a card off the market (`DELETE /api/listings/{id}`) */
    cancel(id: string, options?: CallOptions): Promise<Answer<'deleteListingsById'>>
    /** The most recent listing of a card (`GET /api/cards/{id}/listing`) */
    ofCard(id: string, options?: CallOptions): Promise<Answer<'getCardsByIdListing'>>
    /** Buy a card that is for sale (`POST /api/listings/{id}/buy`) */
    buy(
      id: string,
      body: Body<'postListingsByIdBuy'>,
      options?: CallOptions,
    ): Promise<Answer<'postListingsByIdBuy'>>
    /** Get what to sign to sell a card on chain (`POST /api/listings/prepare`) */
    prepare(
      body: Body<'postListingsPrepare'>,
      options?: CallOptions,
    ): Promise<Answer<'postListingsPrepare'>>
    /** Get what to sign to buy a card on chain (`GET /api/listings/{id}/buy/prepare`) */
    prepareBuy(id: string, options?: CallOptions): Promise<Answer<'getListingsByIdBuyPrepare'>>
  }
  status: {
    /** Show the capabilities and the state of this service (`GET /api/status`) */
    get(options?: CallOptions): Promise<Answer<'getStatus'>>
  }
  dev: {
    /** Get test USDC, or another test token, and gas on the embedded chain (`POST /api/dev/faucet`) */
    faucet(body: Body<'postDevFaucet'>, options?: CallOptions): Promise<Answer<'postDevFaucet'>>
    /** Mine blocks on the embedded chain at once (`POST /api/dev/mine`) */
    mine(body: Body<'postDevMine'>, options?: CallOptions): Promise<Answer<'postDevMine'>>
    /** Move the service's clock forward (`POST /api/dev/clock`) */
    clock(body?: Body<'postDevClock'>, options?: CallOptions): Promise<Answer<'postDevClock'>>
  }
}

/** The operation of each method. With a list: its rows, and the member of a row that `after` takes. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auth: {
    challenge: 'POST /api/auth/challenge',
    verify: 'POST /api/auth/verify',
    logout: 'POST /api/auth/logout',
  },
  keys: {
    generate: 'POST /api/keys/generate',
    restrict: 'POST /api/keys/restricted',
    list: 'GET /api/keys keys key_hash',
    revoke: 'DELETE /api/keys/{hash}',
    validate: 'POST /api/keys/validate',
  },
  sessions: {
    list: 'GET /api/sessions',
    end: 'DELETE /api/sessions/{id}',
  },
  agents: {
    keys: 'GET /.well-known/http-message-signatures-directory',
    verify: 'POST /api/agents/verify',
  },
  events: {
    list: 'GET /api/events events id',
  },
  webhooks: {
    create: 'POST /api/webhooks',
    list: 'GET /api/webhooks',
    update: 'PATCH /api/webhooks/{id}',
    remove: 'DELETE /api/webhooks/{id}',
    rotateSecret: 'POST /api/webhooks/{id}/rotate-secret',
    test: 'POST /api/webhooks/{id}/test',
    recover: 'POST /api/webhooks/{id}/recover',
    replayMissing: 'POST /api/webhooks/{id}/replay-missing',
    deliveries: 'GET /api/webhooks/deliveries',
    replay: 'POST /api/webhooks/deliveries/{id}/replay',
  },
  treasury: {
    config: 'GET /api/config',
    tokens: 'GET /api/funding/tokens',
    wallet: 'GET /api/wallet/balance',
    deposit: 'POST /api/fund/verify',
    authorize: 'POST /api/fund/authorization',
    balance: 'GET /api/balance',
    withdraw: 'POST /api/withdraw',
    withdrawals: 'GET /api/withdrawals',
    holdings: 'GET /api/holdings holdings ',
  },
  cards: {
    issue: 'POST /api/issue',
    issueMany: 'POST /api/issue/bulk',
    list: 'GET /api/cards cards id',
    get: 'GET /api/cards/{id}',
    fund: 'POST /api/cards/{id}/fund',
    freeze: 'POST /api/cards/{id}/freeze',
    unfreeze: 'POST /api/cards/{id}/unfreeze',
    setControls: 'PATCH /api/cards/{id}/controls',
    claim: 'POST /api/cards/{id}/claim',
    cancel: 'POST /api/cards/{id}/cancel',
    rotateToken: 'POST /api/cards/{id}/rotate-token',
    draft: 'GET /api/cards/{id}/controls/draft',
    setDraft: 'PUT /api/cards/{id}/controls/draft',
    dropDraft: 'DELETE /api/cards/{id}/controls/draft',
    applyDraft: 'POST /api/cards/{id}/controls/draft/apply',
    backtest: 'POST /api/cards/{id}/controls/backtest',
    transactions: 'GET /api/cards/{id}/transactions transactions id',
    decisions: 'GET /api/cards/{id}/decisions decisions id',
    issueChild: 'POST /api/cards/{id}/children',
    children: 'GET /api/cards/{id}/children cards id',
    transfer: 'POST /api/cards/{id}/transfer',
  },
  approvals: {
    list: 'GET /api/approvals approvals id',
    get: 'GET /api/approvals/{id}',
    approve: 'POST /api/approvals/{id}/approve',
    deny: 'POST /api/approvals/{id}/deny',
    allow: 'POST /api/decisions/{id}/allow',
  },
  payments: {
    pay: 'POST /api/pay',
    namePurchase: 'POST /api/pay/purchases',
    authorize: 'POST /api/pay/authorize',
    simulate: 'POST /api/pay/simulate',
    status: 'GET /api/settlement/status/{txn_id}',
    list: 'GET /api/payments payments id',
    get: 'GET /api/payments/{id}',
    evidence: 'GET /api/payments/{id}/evidence',
    refund: 'POST /api/payments/{id}/refund',
    payX402: 'POST /api/x402/pay',
    payMpp: 'POST /api/mpp/pay',
    discoverX402: 'GET /api/x402/discover',
    discoverMpp: 'GET /api/mpp/discover',
  },
  streams: {
    session: 'POST /api/mpp/session',
    open: 'POST /api/mpp/stream/open',
    tick: 'POST /api/mpp/stream/tick',
    close: 'POST /api/mpp/stream/close',
    get: 'GET /api/mpp/stream/{id}',
    list: 'GET /api/mpp/streams streams id',
  },
  payLinks: {
    create: 'POST /api/paylinks',
    list: 'GET /api/paylinks links id',
    get: 'GET /api/paylinks/{code}',
    cancel: 'DELETE /api/paylinks/{code}',
    status: 'GET /api/paylinks/{code}/status',
    resolve: 'GET /api/pay/{code}/resolve',
    prepare: 'GET /api/pay/{code}/prepare',
    settle: 'POST /api/pay/{code}/settle',
    payByToken: 'POST /api/mpp/agentcard',
  },
  exceptions: {
    list: 'GET /api/exceptions exceptions id',
    get: 'GET /api/exceptions/{id}',
    keep: 'POST /api/exceptions/{id}/keep',
    refund: 'POST /api/exceptions/{id}/refund',
  },
  ap2: {
    settle: 'POST /api/ap2/settle',
    receipt: 'GET /api/ap2/receipts/{settlement_id}',
    attachReceipt: 'POST /api/ap2/receipt',
    verify: 'POST /api/ap2/verify',
    openMandate: 'POST /api/ap2/open-mandate',
    mandate: 'POST /api/ap2/mandate',
    mandates: 'GET /api/ap2/mandates/{card_id} mandates mandate_id',
    revokeMandate: 'POST /api/ap2/mandates/{mandate_id}/revoke',
    addKey: 'POST /api/ap2/keys',
    keys: 'GET /api/ap2/keys keys kid',
    removeKey: 'DELETE /api/ap2/keys/{kid}',
    instruments: 'GET /api/ap2/instruments',
    jwks: 'GET /api/ap2/.well-known/jwks.json',
    agentCard: 'GET /api/ap2/agent-card',
    a2a: 'POST /a2a',
    paymentMethods: 'POST /api/ap2/payment-methods',
    execute: 'POST /api/ap2/execute',
  },
  agreements: {
    list: 'GET /api/billing/agreements agreements id',
    create: 'POST /api/billing/agreements',
    get: 'GET /api/billing/agreements/{id}',
    prepare: 'POST /api/billing/agreements/prepare',
    pause: 'POST /api/billing/agreements/{id}/pause',
    resume: 'POST /api/billing/agreements/{id}/resume',
    cancel: 'POST /api/billing/agreements/{id}/cancel',
  },
  membership: {
    plans: 'GET /api/membership/plans',
    get: 'GET /api/membership',
    subscribe: 'POST /api/membership/subscribe',
    cancel: 'POST /api/membership/cancel',
    resume: 'POST /api/membership/resume',
    autoRenew: 'POST /api/membership/auto-renew',
    endAutoRenew: 'DELETE /api/membership/auto-renew',
  },
  tokens: {
    register: 'POST /api/tokens',
    list: 'GET /api/tokens tokens id',
    get: 'GET /api/tokens/{id}',
    remove: 'DELETE /api/tokens/{id}',
  },
  fees: {
    get: 'GET /api/fees',
    topUp: 'POST /api/fees/topup',
    entries: 'GET /api/fees/entries entries id',
  },
  facilitator: {
    get: 'GET /api/x402',
    supported: 'GET /api/x402/supported',
    verify: 'POST /api/x402/verify',
    settle: 'POST /api/x402/settle',
    settlement: 'GET /api/x402/settlements/{id}',
    settlements: 'GET /api/x402/settlements settlements id',
    resources: 'GET /api/x402/discovery/resources',
    search: 'GET /api/x402/discovery/search',
    receiveX402: 'POST /api/x402/receive',
    receiveMpp: 'POST /api/mpp/receive',
    signIn: 'POST /api/x402/sign-in',
  },
  paywall: {
    terms: 'POST /api/paywall',
    claim: 'POST /api/paywall/payments',
    settle: 'POST /api/paywall/payments/{id}/settle',
    release: 'POST /api/paywall/payments/{id}/release',
  },
  credentials: {
    identity: 'GET /api/cards/{id}/identity',
    mint: 'POST /api/cards/{id}/identity',
    withdraw: 'POST /api/cards/{id}/identity/withdraw',
    about: 'GET /api/v1',
    get: 'GET /api/v1/credentials/{ref}',
    registration: 'GET /api/v1/credentials/{ref}/registration',
    proof: 'GET /api/v1/credentials/{ref}/proof',
  },
  crtMarkets: {
    list: 'GET /api/crt-markets markets token',
    get: 'GET /api/crt-markets/{token}',
    quote: 'GET /api/crt-markets/{token}/quote',
    prepare: 'POST /api/cards/{id}/crt-market/prepare',
    confirm: 'POST /api/cards/{id}/crt-market/confirm',
    ofCard: 'GET /api/cards/{id}/crt-market',
    confirmVesting: 'POST /api/cards/{id}/crt-market/vesting-confirm',
  },
  listings: {
    list: 'GET /api/listings listings id',
    create: 'POST /api/listings',
    get: 'GET /api/listings/{id}',
    cancel: 'DELETE /api/listings/{id}',
    ofCard: 'GET /api/cards/{id}/listing',
    buy: 'POST /api/listings/{id}/buy',
    prepare: 'POST /api/listings/prepare',
    prepareBuy: 'GET /api/listings/{id}/buy/prepare',
  },
  status: {
    get: 'GET /api/status',
  },
  dev: {
    faucet: 'POST /api/dev/faucet',
    mine: 'POST /api/dev/mine',
    clock: 'POST /api/dev/clock',
  },
}
