// Made from openapi.json by `npm run gen`. Do not edit: change the routes and run it again.

export interface paths {
  "/api/auth/challenge": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask for a message to sign in with
     * @description The message is good for five minutes, and once. Sign it as it is (EIP-191) and send both to `POST /api/auth/verify`.
     */
    post: operations["postAuthChallenge"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with the signed message
     * @description The token is a Bearer credential for 12 hours; it is also set as an HttpOnly cookie. Wallets with a key, and contract wallets (EIP-1271, EIP-6492).
     */
    post: operations["postAuthVerify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/logout": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End the session
     * @description The token of this sign-in is refused from the next request on. Keys that it made stay.
     */
    post: operations["postAuthLogout"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/keys/generate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make an API key
     * @description The key is shown this once. It may do all that the wallet may. A wallet has 50 active keys at most.
     */
    post: operations["postKeysGenerate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/keys/restricted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make an API key that may do less
     * @description Only the scopes named; if given, only the cards named, no debit above max_amount, and only until it expires. This holds too where the token of a card pays without a key and a key is sent along. A key cannot make a stronger one.
     */
    post: operations["postKeysRestricted"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API keys of the wallet
     * @description Revoked ones too. A key itself is shown only when it is made.
     */
    get: operations["getKeys"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/keys/{hash}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description It is refused at once; revoking it again is no fault. A key revokes itself and those that may do no more. With `descendants=true` the keys that it made go too, and those that they made: all or none.
     */
    delete: operations["deleteKeysByHash"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/keys/validate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Say whose the credential is
     * @description Moves nothing, and answers 401 where the credential is not good.
     */
    post: operations["postKeysValidate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the sessions of the wallet
     * @description Sign-ins that are good, newest first; a wallet has 20 at most, and the oldest ends.
     */
    get: operations["getSessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session of the wallet
     * @description It is refused at once. With `descendants=true` the keys that it made go too, and those that they made, also when the session is over already.
     */
    delete: operations["deleteSessionsById"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the requests that the wallet made in the last hour
     * @description Newest first, about a second after the answer: method, path, status and time, never a body, a query or a header. Of a wallet that makes more than a hundred a second the refused ones come first; the newest thousand stay. For looking into a fault, not for keeping accounts: a crash loses what was not written. A restricted key sees its own.
     */
    get: operations["getRequests"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/requests/{request_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show one request of the last hour
     * @description As in the list. It is there about a second after its answer.
     */
    get: operations["getRequestsByRequestId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/.well-known/http-message-signatures-directory": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The keys that sign this service's requests to sellers
     * @description A directory of HTTP Message Signatures, as Web Bot Auth has it. Where a seller answers with `Accept-Signature` and the tag `web-bot-auth`, payments of cards are signed with the first key. The answer is signed too, by each key that it lists.
     */
    get: operations["getWellKnownHttpMessageSignaturesDirectory"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/agents/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify who signed a request that you were sent
     * @description For a seller: pass on the method, URL and headers of a request, and the agents that you know. Web Bot Auth and Visa TAP are read (RFC 9421). Answers 200 whatever the outcome. The nonce of a verified signature is used: the same request is verified once.
     */
    post: operations["postAgentsVerify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the events of your wallet, oldest first
     * @description Without `after` it begins with the oldest event that is kept. Continue with the id of the last event that you were given: a reader that does so misses none. With `order=newest` it begins with the last event, for people who look back. A key restricted to cards sees the events of its cards.
     */
    get: operations["getEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/events/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow the events of your wallet as they happen
     * @description The feed as Server-Sent Events: `id` is the id of an event, `event` its type, `data` what `GET /api/events` shows of it. Begins after the event that `Last-Event-ID` or `after` names, in that order, or now; a reader that continues with the last id misses none. A comment comes every 15 seconds. It ends with the key or session that opened it, and once the key has lost a card. The keys of a wallet may have five open at once, its sessions twenty.
     */
    get: operations["getEventsStream"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your webhooks, newest first
     * @description All of them, disabled ones too. Secrets are not shown.
     */
    get: operations["getWebhooks"];
    put?: never;
    /**
     * Register an endpoint for your events
     * @description It is ACTIVE at once and receives the events that are recorded from now on, signed with the secret of this answer. Five webhooks of a wallet are ACTIVE at most.
     */
    post: operations["postWebhooks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Nothing more is sent to it. Its deliveries stay in the log.
     */
    delete: operations["deleteWebhooksById"];
    options?: never;
    head?: never;
    /**
     * Change, disable or enable a webhook
     * @description Deliveries that wait for a webhook that you disable are not sent: they become EXHAUSTED. Enabled again, it receives the events that are recorded from then on.
     */
    patch: operations["patchWebhooksById"];
    trace?: never;
  };
  "/api/webhooks/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook a new secret
     * @description For 24 hours deliveries are signed with both. A second rotation within that time ends the oldest at once.
     */
    post: operations["postWebhooksByIdRotateSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event to a webhook
     * @description Records `webhook.test` and sends it to this webhook alone, a disabled one too. The answer is as that of a replay.
     */
    post: operations["postWebhooksByIdTest"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{id}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send again what failed since a time
     * @description Makes FAILED and EXHAUSTED deliveries of the period due now, 10,000 at most. Their retries begin anew.
     */
    post: operations["postWebhooksByIdRecover"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{id}/replay-missing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send events that a webhook has no delivery of
     * @description Of the events of the period that match the filter of today: those from before the webhook, or from while it was disabled. 10,000 at most.
     */
    post: operations["postWebhooksByIdReplayMissing"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The log of deliveries, newest first
     * @description Every event that was sent to your webhooks, or waits to be. Without the bodies.
     */
    get: operations["getWebhooksDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/{id}/body": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One delivery, with the body that is sent
     * @description The body is null once it is not kept any more; the event itself is in GET /api/events.
     */
    get: operations["getWebhooksDeliveriesByIdBody"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/{id}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send one delivery again
     * @description The same bytes and event id, signed anew, to the URL that the webhook has now. Any answer of the endpoint is 200 here, with `ok` for 2xx; 502 if it did not answer. It counts as an attempt.
     */
    post: operations["postWebhooksDeliveriesByIdReplay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/config": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where to send deposits, and what the service charges
     * @description Where money is deposited, in which token, on which chain, and what payments and withdrawals cost.
     */
    get: operations["getConfig"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/funding/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The tokens that a treasury balance can be funded with
     * @description The tokens in which balances are kept: USDC, and the service token where there is one.
     */
    get: operations["getFundingTokens"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/wallet/balance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the balance of an address on chain, read live
     * @description Reads from the chain the balance of the wallet itself, not its treasury balance.
     */
    get: operations["getWalletBalance"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/fund/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Credit a deposit by its transaction
     * @description Credits every transfer of the asset from your wallet to the treasury in that transaction, each once, when its block is safe. Until then the answer is `pending`, and the credit follows by itself. Money that you send is credited without this call, too.
     */
    post: operations["postFundVerify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/fund/authorization": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Deposit without gas, by a signed EIP-3009 authorization
     * @description Sign an EIP-3009 authorization to the treasury; the service submits it to the chain and pays the gas.
     */
    post: operations["postFundAuthorization"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/balance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your treasury balance
     * @description The money that can be put on cards or withdrawn, by asset. Money on cards is not included. The service token, where there is one, pays memberships only.
     */
    get: operations["getBalance"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/issue": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a virtual payment card
     * @description Without `tx_hash` the limit is allocated from your treasury balance and the card is ACTIVE. With it the card is PENDING_FUNDING until that transaction, a USDC transfer from your wallet to the treasury, is safe on chain.
     */
    post: operations["postIssue"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/issue/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue up to 1000 cards, all or none
     * @description Needs an Idempotency-Key. Where the balance does not cover all, nothing is issued.
     */
    post: operations["postIssueBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your cards
     * @description Tokens are masked. A key that is restricted to cards is shown those alone.
     */
    get: operations["getCards"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One card
     * @description The token is masked.
     */
    get: operations["getCardsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/fund": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Top up an ACTIVE card from your treasury balance
     * @description Raises limit and balance of the card by the amount.
     */
    post: operations["postCardsByIdFund"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/freeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop every debit of a card
     * @description At once, on every protocol. Money still arrives on it.
     */
    post: operations["postCardsByIdFreeze"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/unfreeze": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a frozen card spend again
     * @description Needs `controls:write`: whoever may stop a card must not undo that its wallet has.
     */
    post: operations["postCardsByIdUnfreeze"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/controls": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change what a card may spend on
     * @description A restricted key needs the scope `controls:write`: whoever may spend with a card must not loosen its controls.
     */
    patch: operations["patchCardsByIdControls"];
    trace?: never;
  };
  "/api/cards/{id}/claim": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance
     * @description The earnings of an open card beyond its limit, or everything left on an ended card.
     */
    post: operations["postCardsByIdClaim"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close a card for good; what it does not hold returns to your treasury balance
     * @description For good. What was on the card is on the treasury balance again.
     */
    post: operations["postCardsByIdCancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/rotate-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a card a new token; the old one stops at once
     * @description The old token is refused at once. The new one is shown this once.
     */
    post: operations["postCardsByIdRotateToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/controls/draft": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The rules of a card that run in shadow, and what they would have said
     * @description The sums are those of the verdicts that decisions have recorded, the first 10,000 since the draft was made.
     */
    get: operations["getCardsByIdControlsDraft"];
    /**
     * Try rules of a card in shadow, beside the active ones
     * @description Each decision of the card records from now on what these rules would have said. They decide nothing. Rules that are left out are the active ones. Takes the place of an earlier draft.
     */
    put: operations["putCardsByIdControlsDraft"];
    post?: never;
    /**
     * Take the draft of a card away
     * @description The verdicts that decisions have recorded stay.
     */
    delete: operations["deleteCardsByIdControlsDraft"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/controls/draft/apply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make the draft of a card its active rules
     * @description At once and whole; the draft is gone then. 409 `draft_outdated` if an active rule was changed since the draft was made: its `changed` names those rules, and `over` lets the draft replace them, or stand beside them.
     */
    post: operations["postCardsByIdControlsDraftApply"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/controls/backtest": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decide the past of a card anew under other rules
     * @description Reads the decisions of the span, the oldest 10,000, and says what these rules would have allowed and declined, by limit and window. Changes nothing.
     */
    post: operations["postCardsByIdControlsBacktest"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/transactions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the transactions of a card, newest first
     * @description One side of each payment, as this card sees it.
     */
    get: operations["getCardsByIdTransactions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/decisions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Every allow and deny of a card, with the rule and what it was decided on
     * @description Newest first, each with what it was decided on.
     */
    get: operations["getCardsByIdDecisions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/approvals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Payments that wait for you, and what you said, newest first
     * @description Those of the cards that you have now and had at the time.
     */
    get: operations["getApprovals"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/approvals/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One approval
     * @description An agent may ask here whether its payment has been approved.
     */
    get: operations["getApprovalsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/approvals/{id}/approve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let exactly this payment pass, once
     * @description For ten minutes, and for this card, payee, protocol, request and no larger amount. Nothing is paid until the agent repeats its request. A restricted key needs `approvals:write`.
     */
    post: operations["postApprovalsByIdApprove"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/approvals/{id}/deny": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Refuse a payment, or take an unused approval back
     * @description The same payment is refused with `approval_denied` until the request ends.
     */
    post: operations["postApprovalsByIdDeny"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/decisions/{id}/allow": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn a decline into a rule: allow it once, allow its payee, or raise its limit
     * @description As the `remedies` of the decision say. `once` lets exactly this payment pass once within 24 hours, past every control of the card, and of the cards above that the key may use. `payee` and `limit` change the controls of the card for good, so a restricted key needs `controls:write` too. Allowing a decline once again gives the same approval.
     */
    post: operations["postDecisionsByIdAllow"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/children": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The child cards of a card, newest first
     * @description Those that were issued from this card itself. Tokens are masked.
     */
    get: operations["getCardsByIdChildren"];
    put?: never;
    /**
     * Hand a slice of a card to another agent, as a card of its own
     * @description The money comes off this card. What the child spends counts against the limits of this card and of all above it, and each of them decides too: frozen, cancelled or with a lowered limit, it stops the child at once. A restricted key needs the scope `children:write`, and the `card_token` of this card unless it has `cards:write` too.
     */
    post: operations["postCardsByIdChildren"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/limits": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The limits over all cards
     * @description They count what leaves all cards of the wallet in USDC, whichever key or token pays, beside the limits of each card.
     */
    get: operations["getLimits"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Limit what leaves all cards
     * @description They count what leaves all cards of the wallet in USDC, whichever key or token pays, beside the limits of each card. A missing field changes nothing; null removes a limit. A limit that is set again finds what was used. Needs a full key or a session.
     */
    patch: operations["patchLimits"];
    trace?: never;
  };
  "/api/keys/{hash}/limits": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The limits over the cards of a key
     * @description They count what leaves the cards that the key names, and those below them, whoever pays with them. They stay when the key is revoked: remove them with null.
     */
    get: operations["getKeysByHashLimits"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Limit what leaves the cards of a key
     * @description They count what leaves the cards that the key names, and those below them, whoever pays with them. They stay when the key is revoked: remove them with null. A missing field changes nothing; null removes a limit. A limit that is set again finds what was used. Needs a full key or a session.
     */
    patch: operations["patchKeysByHashLimits"];
    trace?: never;
  };
  "/api/spending": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What your cards spent, by day and by card
     * @description The settled payments of all cards that were yours then, by UTC day. It follows the books within seconds. A key that is restricted to cards counts those alone.
     */
    get: operations["getSpending"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Fetch a URL, and pay for it with a card if it asks for money
     * @description The URL is fetched; if it answers 402, the demand is read as x402 and as MPP, the offer in USDC on this network that takes least from the card is paid, and the request made once more with the payment. Between equal offers a card payment of this service comes first, then x402, then MPP on chain. A URL that needs no payment returns its answer, with amount_debited 0. The result is read from the chain, or for a link of this service from its books; never from the seller. Send an Idempotency-Key: a retry with it never pays twice, and shows the first 64 KiB of the answer with the size and digest of the whole, and the outcome as it is known by then.
     */
    post: operations["postPay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/purchases": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Name a purchase by what is bought, so that its repetition pays nothing
     * @description For agents that repeat a call without a name of their own for it. Send `purchase_id` as the Idempotency-Key of `POST /api/pay`: within the window the same digest gives the same id, unless its payment was refused.
     */
    post: operations["postPayPurchases"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/authorize": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign one payment for a demand that did not come over HTTP
     * @description For transports that the agent speaks and this service does not, such as MCP and A2A: hand in the x402 demand, get the signed payment back, and present it yourself. The money is held on the card; the chain decides whether it is spent or comes back after expires_at. A list of allowed merchants is held against the address that is paid, as nothing else is signed. Send an Idempotency-Key: a retry with it is given the same payment.
     */
    post: operations["postPayAuthorize"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/simulate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Simulate a payment: its cost, and whether the card would pay it
     * @description The request is made, without a payment, to read the price: at a URL that asks for none it has its effect. No money moves.
     */
    post: operations["postPaySimulate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/settlement/status/{txn_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether a payment has settled
     * @description PENDING until the end is known. By any name that an answer gave it. The wallet that paid a link from the chain may ask too, once its transfer is in a block.
     */
    get: operations["getSettlementStatusByTxnId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the transactions of your cards, newest first
     * @description For all cards, or for one by `card_id`. `search` looks for words of the links of others among the newest 5,000 each way.
     */
    get: operations["getPayments"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/payments/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One payment with its timeline: decision, authorization, chain, events
     * @description With the request to the seller and its answer, if this service paid. One of a link from the chain is here once it has settled; before, ask `GET /api/settlement/status/{txn_id}`.
     */
    get: operations["getPaymentsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/payments/{id}/evidence": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The evidence of a payment, signed, in one file
     * @description Offer, decisions with their rules, mandate, settlement, digest of what was served, and receipt. `statement` is a JWS by the service’s signing key over the SHA-256 of each part. Save the answer as it is: `npx purser verify-evidence` and `verifyEvidence` of the SDK check it without a network. It has no secrets: no card token, no signed authorization, and not what was served.
     */
    get: operations["getPaymentsByIdEvidence"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/payments/{id}/refund": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a received payment, or a part of it, back to the card that paid; its fee is kept
     * @description By the receiver: all that is left, or `amount` of it. The money goes back to the card that paid. The fee of the payment is not given back, so at most what the receiver got after the fee. Each refund is an entry of its own in the lists of both sides.
     */
    post: operations["postPaymentsByIdRefund"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/pay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gone: use POST /api/pay
     * @description Always 410. `POST /api/pay` speaks every protocol.
     */
    post: operations["postX402Pay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/pay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gone: use POST /api/pay
     * @description Always 410. `POST /api/pay` speaks every protocol.
     */
    post: operations["postMppPay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/discover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether a URL asks for an x402 payment, and what for
     * @description Asks the URL and reads its 402. Nothing is paid.
     */
    get: operations["getX402Discover"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/discover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether a URL asks for an MPP payment, by which methods, and what for
     * @description Asks the URL and reads its 402. Nothing is paid.
     */
    get: operations["getMppDiscover"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Label the merchant that a card will pay by streams
     * @description The label is shown with the streams of the session and in the memo of their payments. It decides nothing: `allowed_merchants` and `mcc_locks` are held against the receiver card of a stream and its wallet.
     */
    post: operations["postMppSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/stream/open": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set a budget aside on a card, to be spent tick by tick
     * @description The policy of the card decides on the whole budget. Ticks cost nothing more; closing the stream pays what was ticked to the receiver card and frees the rest. A stream that nobody closes does so by itself when its time is over.
     */
    post: operations["postMppStreamOpen"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/stream/tick": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Spend one tick of a stream
     * @description Send an Idempotency-Key if a tick must not count twice after a lost answer. Concurrent ticks succeed only while the budget has room.
     */
    post: operations["postMppStreamTick"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/stream/close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a stream: what was ticked is paid, the rest is free again
     * @description The wallet of the card that pays may close it, and that of the receiver card. Closing again answers the same.
     */
    post: operations["postMppStreamClose"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/stream/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One stream, for the wallet that pays it and the one that earns it
     * @description For the wallet of the card that pays, and of the card that is paid.
     */
    get: operations["getMppStreamById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/streams": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The streams that your cards pay, newest first
     * @description Those that your cards are paid by are found by their ids.
     */
    get: operations["getMppStreams"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paylinks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your pay links, newest first
     * @description With their addresses and QR codes, closed ones too. All, or those of a card, in a state, or of one code.
     */
    get: operations["getPaylinks"];
    put?: never;
    /**
     * Open a pay link on a card
     * @description Payments at its page or its address go to the card. Leave `amount` out to let the payer choose. Payers of a DIRECT card pay your own wallet on chain, by x402, MPP or a transfer.
     */
    post: operations["postPaylinks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paylinks/{code}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Public details of a pay link
     * @description The public facts of the link.
     */
    get: operations["getPaylinksByCode"];
    put?: never;
    post?: never;
    /**
     * Cancel a pay link
     * @description It takes no more payments. Money that still arrives becomes an exception.
     */
    delete: operations["deletePaylinksByCode"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paylinks/{code}/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether a pay link has been paid
     * @description For pages that wait for a payment. A link that is used up answers 410 with the same fields.
     */
    get: operations["getPaylinksByCodeStatus"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/{code}/resolve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Resolve a pay link for payment processing
     * @description The amount to pay, and the ways to pay it. An expired link answers 410. A DIRECT link whose seller has no plan for another payment answers 402.
     */
    get: operations["getPayByCodeResolve"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/{code}/prepare": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Everything needed to pay a link, by each way it takes
     * @description Every way to pay with all that it needs: address and token, x402, MPP and AP2.
     */
    get: operations["getPayByCodePrepare"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/pay/{code}/settle": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle a pay link, by a card of this service or by a transaction on chain
     * @description By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the status of the link tells it. A transaction that was credited is 410 `already_settled`: do not pay again. For a DIRECT link also `amount` and `signature`: the sender signs for the link and the transaction, and the same report again returns its settlement. By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it.
     */
    post: operations["postPayByCodeSettle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/pay/{code}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Pay a link: a page for people, x402 and MPP for programs
     * @description With `Accept: text/html` the checkout page. Otherwise 402 with the x402 v2 header PAYMENT-REQUIRED, MPP challenges in `WWW-Authenticate: Payment` and a problem document that lists every way to pay. With PAYMENT-SIGNATURE (or X-PAYMENT of x402 v1) the payment is settled on chain and PAYMENT-RESPONSE returned; with `Authorization: Payment` on chain (method `evm`) or by a card of this service (`agentcard`), and Payment-Receipt returned. The same payment again gets the same receipt.
     */
    get: operations["getPayByCode"];
    put?: never;
    /**
     * Pay a link: a page for people, x402 and MPP for programs
     * @description With `Accept: text/html` the checkout page. Otherwise 402 with the x402 v2 header PAYMENT-REQUIRED, MPP challenges in `WWW-Authenticate: Payment` and a problem document that lists every way to pay. With PAYMENT-SIGNATURE (or X-PAYMENT of x402 v1) the payment is settled on chain and PAYMENT-RESPONSE returned; with `Authorization: Payment` on chain (method `evm`) or by a card of this service (`agentcard`), and Payment-Receipt returned. The same payment again gets the same receipt.
     */
    post: operations["postPayByCode"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/agentcard": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have a card pay an MPP challenge of a pay link: the credential to present
     * @description The card's policy decides, the amount goes on hold, and the answer is the credential for the link's URL, good until the challenge expires: then the money is free again by itself. The same challenge with the same card gets the same credential, and never a second hold.
     */
    post: operations["postMppAgentcard"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/receipts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The receipt of a payment of a pay link
     * @description By the id of the payment, which its payer and its seller know: `{PAYMENT_ID}` of a `success_url` is it. A payment that has not settled has no receipt.
     */
    get: operations["getReceiptsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/exceptions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Payments that reached your links and do not settle them, newest first
     * @description Money that came late, short, over or to a closed link. It is on your treasury balance; keep it or refund it.
     */
    get: operations["getExceptions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/exceptions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One exception
     * @description Money that reached a link and does not settle it.
     */
    get: operations["getExceptionsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/exceptions/{id}/keep": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Keep the money of an exception; it can no longer be refunded
     * @description The money is on your treasury balance already, less its fee. To keep it again changes nothing.
     */
    post: operations["postExceptionsByIdKeep"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/exceptions/{id}/refund": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send the money of an exception back to the address that paid it
     * @description The payer is paid all that came in, by a withdrawal whose fee is yours; the platform fee of the exception comes back. `GET /api/withdrawals?id` shows its outcome. If it fails, the exception is OPEN again.
     */
    post: operations["postExceptionsByIdRefund"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/profile": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How payers see you
     * @description Payers see it on every checkout page and receipt of this wallet.
     */
    get: operations["getProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change how payers see you
     * @description Payers see it on every checkout page and receipt of this wallet. A missing field changes nothing; null removes. The logo is written anew: metadata are left out, and an SVG with scripts, styles, text or anything from outside is refused. The color must have a contrast of 3 with the page by day and by night.
     */
    patch: operations["patchProfile"];
    trace?: never;
  };
  "/api/payees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The names of payees and payers
     * @description Wallets choose their names: show the address too.
     */
    get: operations["getPayees"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/settle": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle a pay link with a closed AP2 Payment Mandate
     * @description The mandate is an SD-JWT `mandate.payment.1` that a user key of the card signed, or that an agent closed under an open mandate: then `open_mandate` is given, or `closed_mandate` is the chain of both. `card_token` authorizes the debit; the card may be of any wallet. The same mandate again, with the current token of the card, is always answered 200 `ALREADY_SETTLED` and moves nothing, whatever has become of key, link, card or time since. A 422 carries `ap2_error`, all `violations` of the mandate, and a signed error `receipt`.
     */
    post: operations["postAp2Settle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/receipts/{settlement_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The signed AP2 receipt of a settlement, for its payer and its seller
     * @description Signed when it is first asked for, and the same ever after.
     */
    get: operations["getAp2ReceiptsBySettlementId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/receipt": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Keep a merchant's receipt with the mandate that it is for
     * @description For mandates that paid here or that the service signed for you. The receipt must refer to the mandate; its signature is verified if this service made it.
     */
    post: operations["postAp2Receipt"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try a mandate on a link: each check and its result; nothing moves
     * @description Makes every check of `POST /api/ap2/settle` but that of the card token, against the state of this moment. `ok` says whether settle would accept it now, or has accepted it. The wallet of the payer card is shown why not; for others a limit, a balance or a budget in the way is `payment_rejected`.
     */
    post: operations["postAp2Verify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/open-mandate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have the service sign an open mandate: what an agent may pay with a card
     * @description Either terms (`max_amount`, `currency`, `payees`, …) or a prepared `content`, as a billing agreement proposes one, which is signed as it is. Amounts are whole units of the currency. The mandate always names this card alone and always ends. Without `agent_key` the service keeps the key and closes mandates for you with `POST /api/ap2/mandate`.
     */
    post: operations["postAp2OpenMandate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/mandate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have the service sign the payment of a link by a card
     * @description Without `open_mandate` the service signs for the card with its own key. With one it signs with the agent key that it keeps for the card, within what the open mandate allows; the answer is then both, joined. It moves no money: send it to `POST /api/ap2/settle`.
     */
    post: operations["postAp2Mandate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/mandates/{card_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A card's mandates, newest first
     * @description Payments that were made by mandate; with `kind=open` the open mandates that were issued here, used or revoked, with what is used of them.
     */
    get: operations["getAp2MandatesByCardId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/mandates/{mandate_id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke an open mandate for good
     * @description By the `mandate_id` it was issued under, or by its `open_id`. An open mandate is one grant: revoked, it ends on every card that it allows. One that none of your cards has used is revoked by its token: send `open_mandate`, and the `card_id` of a card of yours whose user key has signed it.
     */
    post: operations["postAp2MandatesByMandateIdRevoke"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The keys that you registered on a card, newest first, revoked ones too
     * @description A revoked key stays in the list: what it signed before stays paid.
     */
    get: operations["getAp2Keys"];
    put?: never;
    /**
     * Register a P-256 public key on a card
     * @description With a `user` key you sign mandates for the card yourself; an `agent` key may stand in the `cnf` of open mandates only. A card has at most 10 active user keys.
     */
    post: operations["postAp2Keys"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/keys/{kid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke a key of a card at once
     * @description Nothing that it signed is accepted any more; what it paid stays paid. Without `card_id` it is revoked on every card of yours that has it.
     */
    delete: operations["deleteAp2KeysByKid"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/instruments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How a card is named in a mandate
     * @description The card, as mandates name it.
     */
    get: operations["getAp2Instruments"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/.well-known/jwks.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The service's public signing keys
     * @description RFC 7517. With these it signs mandates, checkouts and receipts; a key that was rotated out stays, so that what it signed can still be verified.
     */
    get: operations["getAp2WellKnownJwksJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/.well-known/did.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The service's public signing keys, as a DID document
     * @description The DID method `web`. Signed offers and receipts of x402 (extension `offer-receipt`) name their key by this document. The keys are those of `/.well-known/jwks.json`.
     */
    get: operations["getWellKnownDidJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/agent-card": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the AP2 support of this service, as an agent card of A2A 1.0
     * @description Its `aud` names, where its keys are, which mandates and constraints it takes, and where to send them: `capabilities.extensions[0].params`.
     */
    get: operations["getAp2AgentCard"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/.well-known/agent-card.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The same agent card, bare, where A2A clients look for it
     * @description The same as `GET /api/ap2/agent-card`, without the wrapping.
     */
    get: operations["getWellKnownAgentCardJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/a2a": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask this service as an A2A 1.0 agent, by JSON-RPC
     * @description One skill: name a pay link in the message, by its code or its URL, and the answer says what it costs, by which protocols it is paid, and where. Nothing is paid here. Errors are those of JSON-RPC, with status 200.
     */
    post: operations["postA2a"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/payment-methods": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Your cards as payment methods, newest first
     * @description Name a card for that card alone. `GET /api/ap2/instruments` says how it stands in a mandate.
     */
    post: operations["postAp2PaymentMethods"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/ap2/execute": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gone: use POST /api/ap2/settle
     * @description Always 410: call `POST /api/ap2/settle`.
     */
    post: operations["postAp2Execute"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The wallet's agreements, newest first
     * @description Those that it pays and those that pay it; `role` names one side.
     */
    get: operations["getBillingAgreements"];
    put?: never;
    /**
     * Make an agreement, funded by an open mandate, and charge its first period
     * @description By the payer: `card_token` authorizes it. The open mandate is stored encrypted and never shown. If the first charge is refused nothing is made, and the refusal is the answer.
     */
    post: operations["postBillingAgreements"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * An agreement and its newest charges
     * @description For its payer and its merchant, at most 100 charges, newest first. The open mandate that funds it is never shown.
     */
    get: operations["getBillingAgreementsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements/prepare": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have a key made for an agreement, and the open mandate proposed that funds it
     * @description Sign `content` with a user key of the card, or have the service sign it (`POST /api/ap2/open-mandate` with `content`), then make the agreement. The key is kept for 24 hours; 20 may wait at once.
     */
    post: operations["postBillingAgreementsPrepare"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements/{id}/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Stop the charges of an agreement for a time
     * @description Either party may pause; only the one who paused resumes.
     */
    post: operations["postBillingAgreementsByIdPause"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements/{id}/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Go on with a paused agreement, from the next period
     * @description Either party may pause; only the one who paused resumes.
     */
    post: operations["postBillingAgreementsByIdResume"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/billing/agreements/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End an agreement, now or with its current period
     * @description Either party may. Once this answers nothing is charged; with `at_period_end` nothing after the current period.
     */
    post: operations["postBillingAgreementsByIdCancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/withdraw": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take money out of the treasury balance, to an address on chain
     * @description The fee is taken from `amount`; the address is paid `net_amount`. Answers at once: the payout is PROCESSING until its block is beyond reorganization. If it cannot be made within 24 hours, it is FAILED and the whole amount is back on the balance, the fee too.
     */
    post: operations["postWithdraw"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/withdrawals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your newest withdrawals, at most 50
     * @description PROCESSING until the payout is beyond reorganization; FAILED ones are back on the balance.
     */
    get: operations["getWithdrawals"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/withdrawals/addresses": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Addresses that your withdrawals may go to, newest first
     * @description Besides your own wallet, which needs no entry.
     */
    get: operations["getWithdrawalsAddresses"];
    put?: never;
    /**
     * Let withdrawals go to an address besides your own wallet
     * @description Where the operator has set a delay, withdrawals may go there from `usable_at` on. An address that you have already added keeps its time; one that you removed begins anew. Where none is set, withdrawals go to any address.
     */
    post: operations["postWithdrawalsAddresses"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/withdrawals/addresses/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Let no more withdrawals go to an address
     * @description Those on their way are paid. If you add it again, its time begins anew.
     */
    delete: operations["deleteWithdrawalsAddressesById"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership/plans": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The tiers of the membership, and what they cost
     * @description One entry for each tier, billing period and asset that it is paid in.
     */
    get: operations["getMembershipPlans"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your membership and its auto-renew
     * @description Null for each that you do not have.
     */
    get: operations["getMembership"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership/subscribe": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pay for a membership out of your treasury balance
     * @description Pays the first period, or the due one of a membership that is past due. No fee is taken. An ACTIVE membership is refused: auto-renew pays for further periods.
     */
    post: operations["postMembershipSubscribe"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End your membership with its current period
     * @description It stays ACTIVE until then, and nothing is charged any more.
     */
    post: operations["postMembershipCancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undo a scheduled cancel while still in the period
     * @description Refused with 409 if nothing is scheduled, or the period is over.
     */
    post: operations["postMembershipResume"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/membership/auto-renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enroll in membership auto-renew
     * @description Without mode, money for `periods` is set aside on an autopay card; where your balance covers none, an intent is recorded, and the balance pays at the end of the period. With mode wallet, your allowance to `operator` (GET /api/config) pays; 403 `approval_required` where it is too low. Another tier counts from the next period on.
     */
    post: operations["postMembershipAutoRenew"];
    /**
     * End auto-renew; its reserve returns to your treasury balance
     * @description The membership lasts to the end of its period; one that is past due ends at once. Refused with 409 while a charge is on its way on chain.
     */
    delete: operations["deleteMembershipAutoRenew"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tokens that you have registered, newest first
     * @description The facilitator settles in these for you, beside USDC.
     */
    get: operations["getTokens"];
    put?: never;
    /**
     * Register a token that you want to be paid in
     * @description Reads it from the chain and simulates a transfer of it; one that fails, or takes a fee, is refused. The x402 facilitator then settles payments in it by Permit2. To register it again reads it again.
     */
    post: operations["postTokens"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tokens/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One token that you have registered, or had
     * @description With what the chain tells of it and what is known against it.
     */
    get: operations["getTokensById"];
    put?: never;
    post?: never;
    /**
     * Take no more payments in a token
     * @description Payments that are on their way are brought to their end.
     */
    delete: operations["deleteTokensById"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/fees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your fee meter, the quota of the month, and your fees
     * @description DIRECT settlements within the quota of your plan are free; each one above costs `overage_fee`, which the prepaid meter pays. With the quota used up and an empty meter the gate closes: your DIRECT links cannot be paid.
     */
    get: operations["getFees"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/fees/topup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Top the fee meter up from your treasury balance
     * @description Costs no fee. Fees that are owed are paid from it first, the oldest before others.
     */
    post: operations["postFeesTopup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/fees/entries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Fees and top-ups of the meter, newest first
     * @description A fee is FREE, PAID, OWED, or REVERSED if a reorganization of the chain took its settlement.
     */
    get: operations["getFeesEntries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * x402 facilitator: its addresses
     * @description Configure the URL of this operation as the facilitator of an x402 server.
     */
    get: operations["getX402"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/supported": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * x402 facilitator: what is settled here
     * @description Point the official server packages at `<public URL>/api/x402`. While the relayers are about to run out of gas, nothing is offered.
     */
    get: operations["getX402Supported"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * x402 facilitator: would this payment be settled now?
     * @description Answers 200 whatever the outcome. Nothing is reserved: the payer may still move its money, or present the payment elsewhere. Give nothing away before it is settled.
     */
    post: operations["postX402Verify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/settle": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * x402 facilitator: settle a payment on chain
     * @description Carries the payment to the chain, by EIP-3009 in USDC and by Permit2 in a token that your wallet has registered; the service pays the gas. By the scheme upto, in either, `amount` of the requirements is what was used of the most that the client accepted; for zero nothing is sent, and `payTo` must be the wallet of the key. Answers 200 whatever the outcome. Each payment is a success for one caller, once: another caller that presents it gets `duplicate_settlement`, unless the same key repeats the same request by its payment identifier or Idempotency-Key, or comes back after `settlement_pending`. A payment that someone else submits to the chain meanwhile is settled too. 429, with `Retry-After`, if nothing was sent because gas is rationed: `errorReason` says who has to wait.
     */
    post: operations["postX402Settle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/settlements/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How a payment that your key settled stands
     * @description Only for the wallet whose key settled it.
     */
    get: operations["getX402SettlementsById"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/settlements": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Payments that your keys settled, newest first
     * @description With their transactions and how final each is.
     */
    get: operations["getX402Settlements"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/discovery/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * x402 bazaar: what can be bought through this facilitator
     * @description Resources that a payment was settled for, as each one's own 402 describes it by the `bazaar` extension. The service asks the resource soon after the payment and then daily, and takes down what no longer asks for payment to the same address.
     */
    get: operations["getX402DiscoveryResources"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/discovery/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * x402 bazaar: what is sold here that a text asks for
     * @description Listings with a word of the query in their address, name, tags or description, in English whatever its ending; those that say most of it come first. There is one page of them.
     */
    get: operations["getX402DiscoverySearch"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/receive": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Has this x402 payment settled for what I sell, and is this its first use?
     * @description For a pay link of yours by its URL, or for a URL of your own whose payment went to your wallet on the terms that the client accepts (v2). Only the wallet that was paid may ask, and its call uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.
     */
    post: operations["postX402Receive"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/mpp/receive": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Has this MPP credential paid a link of mine, and is this its first use?
     * @description Its challenge must have been made here for that link. Only the owner of the link may ask, and the call uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.
     */
    post: operations["postMppReceive"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/x402/sign-in": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * x402 facilitator: has this wallet paid for the resource before?
     * @description For a seller that offers `sign-in-with-x`: pass on the header SIGN-IN-WITH-X and the URL of the resource. Answers 200 whatever the outcome. `verified`: the wallet signed the message, for your host and lately; a message is verified once. `paid`: this facilitator has settled a payment of the wallet for exactly that URL, by a key of yours.
     */
    post: operations["postX402SignIn"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paywall": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * What a paywall needs to ask for payments in the name of your wallet
     * @description For `@purser/paywall`, and for sellers in any language, who write each 402 by themselves as the guide at `/docs/paywall-api` says: offers of x402 and challenges of MPP are made of these terms. Cards of this service pay by a link on one of your cards, which the first call opens; later calls find it. Ask again each minute.
     */
    post: operations["postPaywall"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paywall/payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Claim a payment for one attempt to serve the request that it came with
     * @description Answers 200 whatever the outcome. Nothing is taken yet. Of all who present a payment at once, on any machine, one is to serve; a claim ends with its lease if its process dies. The payment is good for one request: the one whose name came with its first claim.
     */
    post: operations["postPaywallPayments"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paywall/payments/{id}/settle": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take the money of a payment that you claimed
     * @description Answers 200 whatever the outcome, but 429 if gas is rationed: then nothing was sent, and you keep the claim: call again, or release it. `is_first` is true for one attempt of all, however often it calls. A refused payment is free to be presented again. By the scheme upto, `used` is what was used. With `serve_after` the money is taken first: call again without it once the goods are given.
     */
    post: operations["postPaywallPaymentsByIdSettle"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/paywall/payments/{id}/release": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a claimed payment back: its handler failed, or its client is gone
     * @description Nothing is taken, and the same payment may be presented again. A card of this service has its money back at once, and pays anew. If the money is taken, first or by a call whose answer was lost, the same payment may ask for its goods again.
     */
    post: operations["postPaywallPaymentsByIdRelease"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/identity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The card's identity token on chain
     * @description An ERC-721 token in an ERC-8004 registry. Its own account (ERC-6551) is the holder address, which is null until the mint is final.
     */
    get: operations["getCardsByIdIdentity"];
    put?: never;
    /**
     * Mint the identity token of a card
     * @description Once for each card, and only for one that was paid by another wallet. The service mints the token into its vault, for the wallet that owns the card, and pays the gas: ten a UTC day for each wallet. Asked again it answers the present state. `credential.identity_updated` tells each new state.
     */
    post: operations["postCardsByIdIdentity"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/identity/withdraw": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send the identity token to your wallet
     * @description To the wallet that owns the card, once the token is FINAL. A listing of the card ends. From then on the card is sold on chain only. A token that you send back to the vault is kept for you again.
     */
    post: operations["postCardsByIdIdentityWithdraw"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/crt-markets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All live markets of credential tokens, newest first
     * @description A card's owner may sell a token of the card, its credential token, on Uniswap v4. The token is no claim on the card's income. `after` is the token of the last market that you were shown.
     */
    get: operations["getCrtMarkets"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/crt-markets/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Price, liquidity and history of a token
     * @description The spot price is of the newest block, and one swap can move it; the average is weighted by time, and is what holdings are valued at. Also tells who may take the liquidity away.
     */
    get: operations["getCrtMarketsByToken"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/crt-markets/{token}/quote": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The exact outcome of a swap, if it were made now
     * @description By Uniswap's own quoter, with the fee taken: a swap in the same state of the pool gives this to the base unit. It is no offer: others may swap before you.
     */
    get: operations["getCrtMarketsByTokenQuote"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/crt-market/prepare": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Prepare the credential token of a card and its market
     * @description Answers unsigned transactions for the card's wallet, to be sent in their order and one after another: make the token, lock the part that you keep, let the pool take the rest, and list it. Each was tried on the chain. They are valid from the nonce that is named, since the token's address comes from it: if another transaction uses that nonce, prepare again. A wallet that is a contract makes them as calls of its own, in one transaction or several; its token comes from a salt, and no nonce moves it. Nothing is listed before `confirm`. Whoever buys the token gets no claim on the card's income.
     */
    post: operations["postCardsByIdCrtMarketPrepare"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/crt-market/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Show that the token is made and listed
     * @description Reads both transactions once their blocks are safe, and compares them with what was prepared, to the byte. Then the market is live and public. The same transactions again are answered alike.
     */
    post: operations["postCardsByIdCrtMarketConfirm"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/crt-market": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The card's market, also before it is live
     * @description PREPARED: prepared and not confirmed, seen by you alone.
     */
    get: operations["getCardsByIdCrtMarket"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/crt-market/vesting-confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Show that the kept part of the token is locked
     * @description Reads the transaction that made the vesting stream, once its block is safe. The stream must be in a lockup that counts, of this token, by and for the creator, linear for the promised time, and not cancelable. The same transaction again is answered alike.
     */
    post: operations["postCardsByIdCrtMarketVestingConfirm"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Browse the cards that are for sale
     * @description Open listings of the network of this deployment. Ties are ordered by id, descending. A walk with `after` misses nothing and repeats nothing while listings are made.
     */
    get: operations["getListings"];
    put?: never;
    /**
     * Offer a card for sale
     * @description The card with all that belongs to it: its balance, its links, the agreements that pay them, its history. The price never changes; a card has one open listing.
     */
    post: operations["postListings"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One listing
     * @description Open, sold or cancelled.
     */
    get: operations["getListingsById"];
    put?: never;
    post?: never;
    /**
     * Take a card off the market
     * @description Cancelling twice changes nothing. A listing that was bought cannot be cancelled.
     */
    delete: operations["deleteListingsById"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/listing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The most recent listing of a card
     * @description Open, sold or cancelled. 404 for a card that was never listed.
     */
    get: operations["getCardsByIdListing"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings/{id}/buy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buy a card that is for sale
     * @description You pay the price from your treasury balance. The card comes with its balance, links, paying agreements and history, and a token that is shown this once. Its old token and keys stop at once. Send the `version` that you saw: then nothing is bought that has changed since. A card that is sold on chain is paid by `authorization`: 202 until a safe block holds the sale; then make a token with rotate-token.
     */
    post: operations["postListingsByIdBuy"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/cards/{id}/transfer": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a card to another wallet
     * @description The card with all that belongs to it, as in a sale, without a price. The wallet must have signed in here. It makes a token by rotating it; yours stops at once.
     */
    post: operations["postCardsByIdTransfer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings/{id}/revenue": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a listed card received, by day
     * @description Settled payments of other wallets, before fees and less refunds, as docs/credentials.md counts them. A refund lowers the day of its payment.
     */
    get: operations["getListingsByIdRevenue"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings/prepare": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get what to sign to sell a card on chain
     * @description For a card whose identity token is in your wallet. Send `transactions` first, from your wallet: they let the market move the token, once it is paid. What you sign makes the account of the token pay its USDC to the buyer (`holder`). Then list the card at this price with mode onchain and your signature of `typed_data`. Preparing again replaces it.
     */
    post: operations["postListingsPrepare"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/listings/{id}/buy/prepare": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what to sign to buy a card on chain
     * @description An authorization of USDC in your wallet that pays this listing and nothing else. Send it with its signature to `buy`. `holder` says what the account of the token pays you in the same transaction, and what of it nobody promises.
     */
    get: operations["getListingsByIdBuyPrepare"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/holdings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Everything that you hold, here and on chain
     * @description Balances that this service keeps, held money included, and what the chain shows at your address, at the accounts of your identity tokens and in vesting streams. If the chain does not answer, the answer has `chain: "unavailable"` and only the balances kept here. Empty places on chain are left out. `limit` counts cards: ask again with `next_after` until it is null.
     */
    get: operations["getHoldings"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The credential API: what it has, and what it asks for
     * @description Where everything is, how to authenticate, and how many lookups a key has in a day. It needs no key and is not metered.
     */
    get: operations["getV1"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/credentials/{ref}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A card as a business: its performance, and its anchor on chain
     * @description A card is a credential once another wallet has paid it, or it was listed, or it has an identity; its owner sees it before. Payments of the card’s own wallet are in no figure. Each call is a lookup, and is metered.
     */
    get: operations["getV1CredentialsByRef"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/credentials/{ref}/registration": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The document that the identity token of a credential points to
     * @description As ERC-8004 writes it. Only of cards that are credentials for everybody.
     */
    get: operations["getV1CredentialsByRefRegistration"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/credentials/{ref}/proof": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The figures of a credential, signed, with the Merkle root of its payments
     * @description `statement` is a JWS by the service’s signing key over figures, number of leaves and Merkle root (RFC 6962). A leaf is canonical JSON: amount, id, payer (a tag of this credential alone), protocol, refunded, time; leaves are ordered by id. The root chooses the samples. With `leaves=all` the answer is every leaf, a line each, and the statement as the last line: `npx purser verify-proof` adds the figures up from it without a network. A lookup, and metered.
     */
    get: operations["getV1CredentialsByRefProof"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the capabilities and the state of this service
     * @description `chain.head` is null where the chain does not answer; custodial operations go on without it. `health` is degraded while a part is, and says which.
     */
    get: operations["getStatus"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/overview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the state of the service to its operators
     * @description Alarms with what to do, the chain, and books against chain. For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorOverview"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/queues": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show what waits to be done
     * @description For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorQueues"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/relayers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the accounts that pay gas
     * @description For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorRelayers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/machines": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the machines that run the service
     * @description Those that were seen within a day, the newest start first. For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorMachines"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/signing-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the keys by which the service signs
     * @description Public parts alone. For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorSigningKeys"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/operator/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what operators did, and what wallets did with their keys
     * @description Newest first. Commands on a machine of the service, API keys made and revoked, sessions ended, and the sign-ins of operators. For wallets in `PURSER_OPERATORS`.
     */
    get: operations["getOperatorAudit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/dev/faucet": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get test USDC, or another test token, and gas on the embedded chain
     * @description Mints it to the address, in a block of its own: the balance is there when this answers. An address with less than 0.1 ETH is given 1 ETH too, so that it can send transactions. DEV is a plain ERC-20 and DB20 a stand-in for a B20 token; neither has EIP-3009.
     */
    post: operations["postDevFaucet"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/dev/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in to the dashboard as the demo wallet
     * @description On the embedded chain alone. The session is a cookie for the page that asks; a program has the demo wallet’s key in `dev.json`.
     */
    post: operations["postDevSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/dev/mine": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mine blocks on the embedded chain at once
     * @description On the embedded chain alone. What waits for blocks goes on.
     */
    post: operations["postDevMine"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/dev/clock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move the service's clock forward
     * @description Send `advance_seconds` or `now`. Waiting jobs and the embedded chain move along, so that a month of retries and expiries happens at once. It does not go back, and a restart keeps it.
     */
    post: operations["postDevClock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AP2Key: {
      /** @description RFC 7638 thumbprint */
      kid: string;
      /**
       * @description A user key signs mandates for the card; an agent key only closes them, within an open one
       * @enum {string}
       */
      role: "user" | "agent";
      /** @description A name of your choosing */
      label: string;
      /** @description The service keeps the private half */
      is_held: boolean;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it was revoked; null where it is good
       */
      revoked_at: string | null;
    };
    AP2Key3: {
      /** @description Type of the key: EC */
      kty: string;
      /** @description Curve of the key: P-256 */
      crv: string;
      /** @description First coordinate of the key, base64url */
      x: string;
      /** @description Second coordinate of the key, base64url */
      y: string;
      /** @description Id of the key: its RFC 7638 thumbprint */
      kid: string;
      /** @description The use of the key: sig */
      use: string;
      /** @description Signature algorithm (RFC 7518) */
      alg: string;
    };
    AP2Mandate: {
      /** @description Id of the mandate */
      mandate_id: string;
      /**
       * @description open, or closed: one that has paid
       * @enum {string}
       */
      kind: "open" | "closed";
      /** @description The payee; of an open mandate all of them */
      merchant: string;
      /** @description Whole units of the currency; of an open mandate the most that one payment may be */
      amount: number;
      /** @description Currency of the amount, or the contract of its token */
      currency: string;
      /** @description SETTLED; of an open mandate ACTIVE, USED, EXPIRED, REVOKED */
      status: string;
      /** @description Hash under which the use of the open mandate is counted */
      open_id: string | null;
      /** @description Id of the settlement */
      settlement_id: string | null;
      /** @description The sum spent so far */
      spent: number | null;
      /** @description The most that may be spent in all */
      budget: number | null;
      /** @description How often the link was paid */
      uses: number | null;
      /** @description How often the link may be paid; 0 for any number */
      max_uses: number | null;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description When it was revoked; null where it is good
       */
      revoked_at: string | null;
      created_at: components["schemas"]["Timestamp"];
    };
    Act: {
      /** @description Id of the act */
      id: string;
      at: components["schemas"]["Timestamp"];
      /** @description What was done, such as key.revoked */
      act: string;
      /**
       * @description By a sign-in or a key of a wallet, or by a command on a machine
       * @enum {string}
       */
      way: "session" | "key" | "command";
      /** @description The wallet; of a command the account and machine */
      actor: string;
      /** @description The key that it was done with; null without one */
      key_hash: string | null;
      /** @description The object that it was done to */
      subject: string;
      /** @description Why, in the operator’s words */
      note: string | null;
      /** @description The request; null of a command */
      request_id: string | null;
    };
    /** @description EVM address */
    Address: string;
    AddressAnswer: {
      address: components["schemas"]["TreasuryAddress"];
    };
    AgentCard: {
      /** @description Name of the agent */
      name: string;
      /** @description A description, in words */
      description: string;
      /** @description The A2A interfaces of this service, the preferred one first */
      supportedInterfaces: {
        /** @description Where the agent is spoken to */
        url: string;
        /** @description How A2A is spoken at the address: `JSONRPC`, `GRPC` or `HTTP+JSON` */
        protocolBinding: string;
        /** @description Version of A2A that the interface speaks */
        protocolVersion: string;
      }[];
      /** @description Version of the agent */
      version: string;
      /** @description Where the operations are described */
      documentationUrl: string;
      /** @description The parts of the protocol that this release supports */
      capabilities: {
        /** @description Whether A2A answers may stream */
        streaming: boolean;
        /** @description Whether A2A pushes notifications */
        pushNotifications: boolean;
        /** @description Whether callers who sign in see more of the card (A2A) */
        extendedAgentCard: boolean;
        /** @description Extensions of the protocol, as its specification writes them */
        extensions: unknown[];
      };
      /** @description Media types that the agent reads (A2A) */
      defaultInputModes: string[];
      /** @description Media types that the agent writes (A2A) */
      defaultOutputModes: string[];
      /** @description The skills of the agent (A2A) */
      skills: unknown[];
    };
    AgentCardAnswer: {
      agent_card: components["schemas"]["AgentCard"];
    };
    AgentKey: {
      /** @description Type of the key: OKP */
      kty: string;
      /** @description Curve of the key: Ed25519 */
      crv: string;
      /** @description The public key, base64url */
      x: string;
      /** @description Id of the key: its RFC 7638 thumbprint */
      kid: string;
      /** @description The use of the key: sig */
      use: string;
      /** @description Signature algorithm: EdDSA */
      alg: string;
    };
    /** @description Agents by the origin of their key directory, as `https://agent.example`; or the URL of a JWKS, for signatures of Visa TAP that name no origin */
    Agents: string[];
    Agreement: {
      /** @description Id of the agreement */
      id: string;
      /** @description Wallet that is paid */
      merchant_wallet: string;
      /** @description Wallet that pays */
      payer_wallet: string;
      /** @description For the merchant only its last four characters are shown */
      payer_card_id: string | null;
      /** @description Code of the pay link */
      pay_link_code: string | null;
      /** @description Your own label for the plan; null without one */
      plan_ref: string | null;
      /** @description Description of the agreement, in words */
      description: string | null;
      amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      asset: components["schemas"]["Asset"];
      network: components["schemas"]["Network"];
      /**
       * @description What makes a charge due: interval or threshold
       * @enum {string}
       */
      trigger_type: "interval" | "threshold";
      /** @description Of months 30 for each, of twelve 365; null for a threshold */
      period_days: number | null;
      /** @description Months between charges; null where days count or nothing does */
      period_months: number | null;
      /** @description The balance that is watched: svc_fee_balance, the fee meter */
      threshold_metric: string | null;
      /** @description A balance below it is topped up */
      threshold_floor: number | null;
      /**
       * @description Whose money pays: of the card, or of the wallet
       * @enum {string}
       */
      funding_source: "CARD" | "WALLET";
      /** @description The contract that may take the money out of the wallet; null where none does */
      funding_spender: string | null;
      /**
       * @description State of the agreement
       * @enum {string}
       */
      status: "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "COMPLETED";
      /** @description Why it is in this state; null where there is nothing to say */
      status_reason: string | null;
      /** @description The party that paused it, and alone can resume it; null where it is not paused */
      paused_by: string | null;
      /**
       * Format: date-time
       * @description Start of the next period to be charged; null where none is
       */
      next_charge_at: string | null;
      /**
       * Format: date-time
       * @description While PAST_DUE the time of the next retry
       */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When it was charged last; null before the first charge
       */
      last_charge_at: string | null;
      /** @description How many charges were paid */
      charges_made: number;
      total_charged: components["schemas"]["Amount"];
      total_charged_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Failures since the last success */
      failure_count: number;
      /** @description Whether it ends with its current period */
      cancel_at_period_end: boolean;
      created_at: components["schemas"]["Timestamp"];
      updated_at: components["schemas"]["Timestamp"];
    };
    AgreementAnswer: {
      agreement: components["schemas"]["Agreement"];
    };
    /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
    AllowedMerchants: components["schemas"]["Text"][];
    /** @description Whole units of the asset */
    Amount: number;
    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
    AmountIn: number | string;
    /** @description What this release does of AP2 */
    Ap2: {
      /**
       * @description Whether this release does it at all
       * @enum {string}
       */
      status: "available" | "unavailable";
      /** @description Which way money goes */
      direction: string;
      /** @description Versions that are spoken */
      versions: string[];
      /** @description Where a card pays by it */
      spend: string;
      /** @description Where it is paid to */
      receive: string;
      /** @description Where a mandate settles */
      settle: string;
      /** @description Where the agent card of A2A is */
      agent_card: string;
    };
    Ap2Block: {
      /** @description The payee */
      payee: {
        /** @description Id of the pay link */
        id: string;
        /** @description Name of the payee */
        name: string;
        /** @description Website of the payee */
        website: string;
      };
      /** @description The amount to pay, in minor units of the currency */
      payment_amount: {
        /** @description Minor units of the currency; null: the payer chooses */
        amount: number | null;
        /** @description `USD` in cents; `USDC` in millionths, where cents are too coarse */
        currency: string;
      };
      /** @description The `aud` of a mandate that an agent closes */
      audience: string;
      /** @description SHA-256 of `checkout_jwt`, base64url */
      transaction_id: string;
      /** @description Signed by a key of our JWKS */
      checkout_jwt: string;
    };
    ApiKeyAnswer: {
      /** @description The key. It is shown this once */
      api_key: string;
    };
    Approval: {
      /** @description Id of the approval */
      id: string;
      /** @description Id of the card that pays */
      card_id: string;
      /**
       * @description asked: a payment waited; allowed_once: a decline was allowed
       * @enum {string}
       */
      kind: "asked" | "allowed_once";
      /** @description `above_amount`, `first_merchant`, or the rule of the decline that was allowed */
      reason: string;
      /**
       * @description State of the approval
       * @enum {string}
       */
      status: "PENDING" | "APPROVED" | "DENIED" | "USED" | "EXPIRED";
      /** @description The most that the payment may take from the card */
      amount: number;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      asset: components["schemas"]["Asset"];
      /** @description The host, wallet or address that is paid */
      payee: string;
      /** @description Every name of the payee */
      merchants: string[];
      /** @description Merchant category code, four digits; null for none */
      mcc: string | null;
      /**
       * @description Protocol by which it is paid
       * @enum {string}
       */
      protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
      /** @description The page of the approval */
      approve_url: string;
      created_at: components["schemas"]["Timestamp"];
      /** @description Until when it can be answered; of an approved one: until when it can be used */
      expires_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When the owner answered; null until then
       */
      decided_at: string | null;
      /**
       * Format: date-time
       * @description When the payment was made; null until then
       */
      used_at: string | null;
      /** @description Id of the payment that it let pass; null until then */
      used_by: string | null;
    };
    ApprovalAnswer: {
      approval: components["schemas"]["Approval"];
    };
    ApprovalRequiredDetails: {
      /** @description The allowance that is needed */
      required?: number;
      /** @description The allowance that there is */
      allowance?: number;
      /** @description Address of the contract to approve */
      operator?: string;
      /** @description Id of the approval that the payment waits for */
      approval_id?: string;
      /** @description The page of that approval, for the owner of the card */
      approve_url?: string;
      /**
       * Format: date-time
       * @description Until when the owner can approve it
       */
      expires_at?: string;
      /** @description false: nothing was paid */
      success?: boolean;
    };
    /** @description Symbol of the asset, e.g. USDC */
    Asset: string;
    /** @description The exact base units, of an asset with more than 6 decimals */
    AtomicAmount: string;
    AutoRenew: {
      /**
       * @description How it is paid or renewed
       * @enum {string}
       */
      mode: "funded" | "wallet" | "soft";
      /** @description Id of the agreement; null where none is concerned */
      agreement_id: string;
      /** @description Id of the card */
      card_id: string | null;
      /** @description Money on the autopay card */
      reserve: number;
      reserve_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Periods that the reserve still pays */
      periods_funded: number;
      /**
       * Format: date-time
       * @description Start of the next period to be charged; null where none is
       */
      next_charge_at: string | null;
    };
    Balance: {
      total_funded: components["schemas"]["Amount"];
      total_allocated: components["schemas"]["Amount"];
      total_returned: components["schemas"]["Amount"];
      total_spent: components["schemas"]["Amount"];
      total_withdrawn: components["schemas"]["Amount"];
      available: components["schemas"]["Amount"];
      total_funded_atomic?: components["schemas"]["AtomicAmount"];
      total_allocated_atomic?: components["schemas"]["AtomicAmount"];
      total_returned_atomic?: components["schemas"]["AtomicAmount"];
      total_spent_atomic?: components["schemas"]["AtomicAmount"];
      total_withdrawn_atomic?: components["schemas"]["AtomicAmount"];
      available_atomic?: components["schemas"]["AtomicAmount"];
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
    };
    BalancesAnswer: {
      /** @description One entry for each asset */
      balances: components["schemas"]["Balance"][];
    };
    BlockNumberAnswer: {
      /** @description Number of the newest block */
      block_number: number;
    };
    Candle: {
      /**
       * Format: date-time
       * @description Its beginning
       */
      at: string;
      /** @description USDC a token before its first swap */
      open: number;
      /** @description The highest price in it */
      high: number;
      /** @description The lowest price in it */
      low: number;
      /** @description The price after its last swap */
      close: number;
      /** @description USDC that changed hands */
      volume: number;
      /** @description Tokens that changed hands */
      token_volume: number;
      /** @description How many swaps there were */
      swaps: number;
    };
    Card: {
      /** @description Id of the card */
      id: string;
      /** @description Shown when the card is issued or its token rotated; masked elsewhere */
      token: string;
      /**
       * @description autopay: it holds the reserve of your membership, and has no token
       * @enum {string}
       */
      kind: "spending" | "autopay";
      /** @description The purpose of the card, in words */
      purpose: string;
      limit_amount: components["schemas"]["Amount"];
      /**
       * @description State of the card
       * @enum {string}
       */
      status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
      /** @description Why it is in this state; null where there is nothing to say */
      status_reason: string | null;
      /** @description Merchant categories that the card may pay, parted by commas; empty for all */
      mcc_locks: string;
      /** @description 1 or 0 */
      single_use: number;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      funding_network: components["schemas"]["Network"];
      /** @description Asset of the card */
      funding_asset: string;
      /** @description Address of the wallet */
      wallet_address: string;
      /** @description The card that this one is a slice of; null for none */
      parent_card_id: string | null;
      /** @description Money on the card now: allocated and received, less spent and held */
      balance: number;
      /** @description The amount that can still be spent: the balance, or the rest of the limit if that is less */
      remaining: number;
      spent: components["schemas"]["Amount"];
      held: components["schemas"]["Amount"];
      received: components["schemas"]["Amount"];
      /** @description The sum that its child cards have spent or hold */
      delegated: number;
      /** @description The most that may leave the card in an hour (from the full hour); null for no limit */
      hourly_limit: number | null;
      /** @description The most that may leave the card in a day (UTC); null for no limit */
      daily_limit: number | null;
      /** @description The most that may leave the card in a week (from Monday, UTC); null for no limit */
      weekly_limit: number | null;
      /** @description The most that may leave the card in a calendar month (UTC); null for no limit */
      monthly_limit: number | null;
      /** @description What left the card in this hour, holds included; given by reads */
      hour_used?: number;
      /** @description What left the card in this day, holds included; given by reads */
      day_used?: number;
      /** @description What left the card in this week, holds included; given by reads */
      week_used?: number;
      /** @description What left the card in this month, holds included; given by reads */
      month_used?: number;
      /** @description The most that one payment may be; null for no limit */
      max_transaction: number | null;
      /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
      rolling_30d_limit: number | null;
      /** @description The most payments in one minute, from the full minute; null for no limit */
      max_payments_per_minute: number | null;
      /** @description The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never */
      max_like_payments: number | null;
      /** @description A payment above this amount waits for the approval of the owner; null for none */
      approval_above: number | null;
      /** @description Whether the first payment to each payee waits for the approval of the owner */
      approval_first_merchant: boolean;
      limit_amount_atomic?: components["schemas"]["AtomicAmount"];
      balance_atomic?: components["schemas"]["AtomicAmount"];
      remaining_atomic?: components["schemas"]["AtomicAmount"];
      spent_atomic?: components["schemas"]["AtomicAmount"];
      held_atomic?: components["schemas"]["AtomicAmount"];
      received_atomic?: components["schemas"]["AtomicAmount"];
      delegated_atomic?: components["schemas"]["AtomicAmount"];
      hourly_limit_atomic?: components["schemas"]["AtomicAmount"];
      hour_used_atomic?: components["schemas"]["AtomicAmount"];
      daily_limit_atomic?: components["schemas"]["AtomicAmount"];
      day_used_atomic?: components["schemas"]["AtomicAmount"];
      weekly_limit_atomic?: components["schemas"]["AtomicAmount"];
      week_used_atomic?: components["schemas"]["AtomicAmount"];
      monthly_limit_atomic?: components["schemas"]["AtomicAmount"];
      month_used_atomic?: components["schemas"]["AtomicAmount"];
      max_transaction_atomic?: components["schemas"]["AtomicAmount"];
      rolling_30d_limit_atomic?: components["schemas"]["AtomicAmount"];
      approval_above_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Merchants that the card may pay; empty for any */
      allowed_merchants: string[];
      /** @description Where payments settle: CUSTODIAL, in the books */
      settlement_mode: string;
      /** @description The custody model: CUSTODIAL */
      custody_mode: string;
      /** @description Address that holds the card on chain; null for none */
      holder_address: string | null;
      /** @description How the card stands on chain; NONE where it has no part there */
      chain_status: string;
      /** @description The source of the balance: ledger */
      balance_source: string;
      metadata: components["schemas"]["Metadata"];
      created_at: components["schemas"]["Timestamp"];
    };
    CardAnswer: {
      success: components["schemas"]["Success"];
      card: components["schemas"]["Card"];
    };
    CardControls: {
      /** @description Merchant categories that the card may pay, parted by commas; empty for all */
      mcc_locks: boolean;
      /** @description Whether a card can end with its first payment */
      single_use: boolean;
      /** @description Whether cards can be frozen */
      freeze_unfreeze: boolean;
      /** @description Whether cards have limits */
      spending_limits: boolean;
      /** @description Merchants that the card may pay; empty for any */
      allowed_merchants: boolean;
      /** @description Whether cards may end by themselves */
      expiry: boolean;
    };
    /** @description Id of a card */
    CardId: string;
    /** @description Token of the card: whoever has it may pay with the card */
    CardToken: string;
    Charge: {
      /** @description Id of the agreement */
      id: string;
      /** @description `p` and the number of the period */
      period_key: string;
      amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /**
       * @description State of the agreement
       * @enum {string}
       */
      status: "PENDING" | "SUCCEEDED" | "FAILED";
      /** @description Id of the settlement */
      settlement_id: string | null;
      /** @description The code of the refusal; the merchant sees payment_failed in its place */
      error: string | null;
      created_at: components["schemas"]["Timestamp"];
    };
    Compared: {
      at: components["schemas"]["Timestamp"];
      /** @description The block at which they were compared */
      block: number;
      /** @description Held by the custody addresses */
      on_chain: string;
      /** @description What the books say is in custody */
      owed: string;
      /** @description Arrived from wallets that nobody knows */
      unclaimed: string;
      /** @description Arrived, and not credited yet */
      awaited: string;
      /** @description Credited, and arrived after that block */
      early: string;
      /** @description Left, and not booked yet */
      departed: string;
      /** @description Booked, and left after that block */
      ahead: string;
      /** @description There before the books began, and owed to nobody */
      opening: string;
      /** @description What the chain holds beyond all of these; below zero if money is missing */
      difference: string;
    };
    Component: {
      /** @description Which part of the service */
      component: string;
      /**
       * @description degraded: something waits or fails
       * @enum {string}
       */
      status: "operational" | "degraded";
      /** @description How it is, and what waits for it */
      sentence: string;
    };
    Controls: {
      /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
      mcc_locks?: string;
      /** @description The most that may leave the card in an hour (from the full hour); null for no limit */
      hourly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave the card in a day (UTC); null for no limit */
      daily_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave the card in a week (from Monday, UTC); null for no limit */
      weekly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave the card in a calendar month (UTC); null for no limit */
      monthly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that one payment may be; null for no limit */
      max_transaction?: components["schemas"]["AmountIn"] | null;
      /** @description A payment above this amount waits for the approval of the owner; null for none */
      approval_above?: components["schemas"]["AmountIn"] | null;
      /** @description Whether the first payment to each payee waits for the approval of the owner */
      approval_first_merchant?: boolean;
      allowed_merchants?: components["schemas"]["AllowedMerchants"];
    };
    Counters: {
      limit_amount: components["schemas"]["Amount"];
      spent: components["schemas"]["Amount"];
      held: components["schemas"]["Amount"];
      balance: components["schemas"]["Amount"];
      /** @description The most that may leave the card in an hour (from the full hour); null for no limit */
      hourly_limit: number | null;
      /** @description The most that may leave the card in a day (UTC); null for no limit */
      daily_limit: number | null;
      /** @description The most that may leave the card in a week (from Monday, UTC); null for no limit */
      weekly_limit: number | null;
      /** @description The most that may leave the card in a calendar month (UTC); null for no limit */
      monthly_limit: number | null;
      hour_used: components["schemas"]["Amount"];
      day_used: components["schemas"]["Amount"];
      week_used: components["schemas"]["Amount"];
      month_used: components["schemas"]["Amount"];
      /** @description The most that one payment may be; null for no limit */
      max_transaction: number | null;
    };
    Credential: {
      /** @description Id of the credential: of its card */
      id: string;
      /** @description State of the card */
      status: string;
      asset: components["schemas"]["Asset"];
      created_at: components["schemas"]["Timestamp"];
      onchain: components["schemas"]["Onchain"];
      performance: components["schemas"]["Performance"];
      /** @description Where to go on */
      links: {
        /** @description Where this credential is */
        self: string;
        /** @description Its newest listing; null if it was never listed */
        market: string | null;
      };
      trust: components["schemas"]["Trust"];
    };
    CredentialAnswer: {
      credential: components["schemas"]["Credential"];
    };
    Decision: {
      /** @description Id of the card */
      id: string;
      /** @description Whether the card may pay this */
      allowed: boolean;
      /** @description The rule that decided */
      rule: string;
      amount: components["schemas"]["Amount"];
      /** @description The payee: a host, pay link, wallet, address or card */
      merchant: string;
      /** @description Merchant category code, four digits; null for none */
      mcc: string | null;
      /**
       * @description Protocol by which it is paid
       * @enum {string}
       */
      protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
      /** @description Id of what it belongs to */
      ref: string;
      /** @description The card as it stood; amounts in base units */
      inputs: {
        [key: string]: unknown;
      };
      /** @description What the draft of the card would have said; null if it had none */
      draft: {
        /** @description Id of the draft */
        id: string;
        /** @description `allowed`, the code of a refusal, or `not_judged` of a draft that did not read */
        verdict: string;
      } | null;
      /** @description What you can do so that the payment passes; empty for an allowed one */
      remedies: components["schemas"]["Remedy"][];
      /** @description The approval that lets a decline pass once */
      allowed_by: string | null;
      created_at: components["schemas"]["Timestamp"];
    };
    /** @description Every decision since the draft was made */
    Decisions: {
      /** @description How many */
      payments: number;
      amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
    };
    DeleteMembershipAutoRenewAnswer: {
      success: components["schemas"]["Success"];
      /** @description The membership; null where there is none */
      membership: components["schemas"]["Membership"] | null;
      returned: components["schemas"]["Amount"];
      returned_atomic?: components["schemas"]["AtomicAmount"];
    };
    Delivery: {
      /** @description <webhook_id>:<event_id> */
      id: string;
      /** @description Id of the webhook */
      webhook_id: string;
      /** @description Id of the event */
      event_id: string;
      /**
       * @description FAILED: a retry is scheduled. EXHAUSTED: no retry is scheduled
       * @enum {string}
       */
      status: "PENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
      /** @description The status of the last answer; null while the endpoint has not answered */
      status_code: number | null;
      /** @description How often it was sent */
      attempts: number;
      created_at: components["schemas"]["Timestamp"];
      updated_at: components["schemas"]["Timestamp"];
      /** @description Where the last attempt went */
      url: string;
      /** @description Whether it can be replayed */
      has_payload: boolean;
      /**
       * Format: date-time
       * @description When it is sent again; null if it is not
       */
      next_attempt_at: string | null;
      /** @description Why the last attempt got no answer */
      error: string | null;
      /** @description The first KiB of the endpoint's last answer */
      response_head: string | null;
    };
    DeliveryAnswer: {
      delivery: components["schemas"]["WebhookDelivery"];
    };
    Differing: {
      /** @description Id of the decision */
      id: string;
      created_at: components["schemas"]["Timestamp"];
      /** @description Id of what it belongs to */
      ref: string;
      amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The payee */
      merchant: string;
      /**
       * @description Protocol by which it is paid
       * @enum {string}
       */
      protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
      /** @description The rule that decided it */
      rule: string;
      /** @description `allowed`, or the code of the refusal */
      would_be: string;
      /** @description The window of the limit that refuses it; null for another rule */
      window: string | null;
    };
    Draft: {
      /** @description Id of the draft */
      id: string;
      made_at: components["schemas"]["Timestamp"];
      rules: components["schemas"]["Rules"];
      /** @description Active rules that were changed since; `apply` asks for them by name */
      changed: string[];
    };
    DraftAnswer: {
      success: components["schemas"]["Success"];
      /** @description The draft; null for none */
      draft: components["schemas"]["Draft"] | null;
    };
    Entry: {
      /** @description Id of the entry */
      id: string;
      /**
       * @description fee: taken for a payment; topup: paid in
       * @enum {string}
       */
      kind: "fee" | "topup";
      amount: components["schemas"]["Amount"];
      /**
       * @description ADDED is a top-up
       * @enum {string}
       */
      status: "FREE" | "PAID" | "OWED" | "REVERSED" | "ADDED";
      /** @description Id of the settlement */
      settlement_id: string | null;
      /** @description Id of the agreement; null where none is concerned */
      agreement_id: string | null;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When the meter paid it; null until then
       */
      paid_at: string | null;
    };
    /** @description Why the request was refused. Some codes add members of their own. */
    Error: {
      /** @description A sentence that says what was wrong and what to do */
      error: string;
      /** @description Stable: branch on this */
      code: string;
      /** @description As in X-Request-Id */
      request_id: string;
      /** @description The request field at fault */
      param?: string;
    };
    Event: {
      /** @description Id of the event */
      id: string;
      /** @description A type of docs/events.md, which lists the data of each */
      type: string;
      /** @description Unix seconds */
      created: number;
      /** @description Version of this interface */
      api_version: string;
      /** @description Orders the events of one object; it has gaps */
      seq: number;
      /** @description The facts of the event */
      data: {
        [key: string]: unknown;
      };
    };
    /** @description Types of docs/events.md; null or absent for every type, later ones too */
    Events: string[] | null;
    Exception: {
      /** @description Id of the exception */
      id: string;
      /** @description Code of the pay link */
      pay_link_code: string;
      /**
       * @description late: after the link had expired; short or over: not the amount of the link; closed: the link had been cancelled or paid
       * @enum {string}
       */
      reason: "late" | "short" | "over" | "closed" | "unknown";
      /** @description The amount that arrived, in whole units of the asset */
      amount: number;
      /** @description The platform fee of it, paid when it was credited; a refund gives it back */
      fee: number;
      net_amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      net_amount_atomic?: components["schemas"]["AtomicAmount"];
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      /**
       * @description Where payments settle: CUSTODIAL, in the books
       * @enum {string}
       */
      settlement_mode: "CUSTODIAL" | "DIRECT";
      network: components["schemas"]["Network"];
      /** @description The address that paid, and that a refund pays */
      payer: string;
      /** @description Hash of the transaction on chain */
      tx_hash: string;
      /**
       * @description OPEN until the seller keeps or refunds the money
       * @enum {string}
       */
      status: "OPEN" | "KEPT" | "REFUNDED";
      /** @description Id of the withdrawal */
      withdrawal_id: string | null;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it was settled; null while it is open
       */
      resolved_at: string | null;
    };
    ExceptionAnswer: {
      exception: components["schemas"]["Exception"];
    };
    FeeOnTransfer: {
      /**
       * @description not_found: nothing that is known for it, which does not exclude it
       * @enum {string}
       */
      finding: "yes" | "no" | "not_found";
      /** @description How it was found out */
      found_by: string;
    };
    /** @description The fees of the service */
    Fees: {
      /** @description Ten-thousandths of the amount */
      bps: number;
      flat: components["schemas"]["Amount"];
    };
    GetAp2KeysAnswer: {
      /** @description The keys */
      keys: components["schemas"]["AP2Key"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetAp2MandatesByCardIdAnswer: {
      /** @description The mandates, newest first */
      mandates: components["schemas"]["AP2Mandate"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetAp2ReceiptsBySettlementIdAnswer: {
      /** @description Id of the settlement */
      settlement_id: string;
      /** @description A JWT that a key of our JWKS signed */
      receipt: string;
    };
    GetApprovalsAnswer: {
      /** @description The approvals, newest first */
      approvals: components["schemas"]["Approval"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetBillingAgreementsAnswer: {
      /** @description The agreements, newest first */
      agreements: components["schemas"]["Agreement"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetBillingAgreementsByIdAnswer: {
      agreement: components["schemas"]["Agreement"];
      /** @description The newest hundred charges */
      charges: components["schemas"]["Charge"][];
    };
    GetCardsAnswer: {
      /** @description The cards, in the order of `sort` */
      cards: components["schemas"]["Card"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetCardsByIdAnswer: {
      card: components["schemas"]["Card"];
    };
    GetCardsByIdChildrenAnswer: {
      /** @description The children, newest first */
      cards: components["schemas"]["Card"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetCardsByIdControlsDraftAnswer: {
      asset: components["schemas"]["Asset"];
      /** @description The draft; null for none */
      draft: components["schemas"]["Draft"] | null;
      /** @description Null without a draft */
      summary: components["schemas"]["Summary"] | null;
    };
    GetCardsByIdCrtMarketAnswer: {
      market: components["schemas"]["TokenMarketMarket"];
      /** @description The locked part; null before it is confirmed */
      vesting: components["schemas"]["Vesting"] | null;
    };
    GetCardsByIdDecisionsAnswer: {
      /** @description The decisions, newest first */
      decisions: components["schemas"]["Decision"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetCardsByIdTransactionsAnswer: {
      /** @description The transactions, newest first */
      transactions: components["schemas"]["Transaction"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetConfigAnswer: {
      /** @description Address that keeps the money */
      treasury: {
        evm: components["schemas"]["Address"];
      };
      /** @description By network, then by symbol */
      tokens: {
        [key: string]: {
          [key: string]: {
            contract: components["schemas"]["Address"];
            /** @description Decimals of the token */
            decimals: number;
            /** @description ERC20 */
            type: string;
            /** @description Whether a balance in it can be withdrawn; if not, it can only pay memberships. Null while the chain does not answer */
            withdrawable: boolean | null;
            /** @description The domain under which its authorizations are signed (EIP-712) */
            eip712: {
              /** @description Name of the domain */
              name: string;
              /** @description Version of the domain */
              version: string;
            };
            withdrawal_fee: components["schemas"]["Amount"];
            minimum_withdrawal: components["schemas"]["Amount"];
            withdrawal_fee_atomic?: components["schemas"]["AtomicAmount"];
            minimum_withdrawal_atomic?: components["schemas"]["AtomicAmount"];
          };
        };
      };
      /** @description CAIP-2 ids of chains */
      networks: components["schemas"]["Network"][];
      /** @description Where the service answers */
      base_url: string;
      fees: components["schemas"]["Fees"];
      /** @description The contract that a wallet approves for auto-renew; null where none is deployed */
      operator: string | null;
    };
    GetCrtMarketsAnswer: {
      /** @description Id of the chain */
      chainId: number;
      /** @description The markets, newest first */
      markets: components["schemas"]["Market"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetCrtMarketsByTokenAnswer: {
      /** @description Id of the chain */
      chainId: number;
      market: components["schemas"]["Market"];
      /** @description The price of this moment */
      spot: {
        /** @description USDC a token in the newest block. One swap can move it */
        value: number;
        /**
         * @description How the price was found
         * @enum {string}
         */
        source: "spot";
        /**
         * Format: date-time
         * @description When it was read
         */
        at: string;
      };
      /** @description The price that holdings are valued at */
      average: {
        /** @description USDC a token, as the mean over the time that prices stood at the end of blocks */
        value: number;
        /**
         * @description How the price was found
         * @enum {string}
         */
        source: "time_weighted";
        /**
         * Format: date-time
         * @description The end of that time: a block that is safe from reorganization
         */
        at: string;
        /** @description The length of that time */
        window_seconds: number;
      };
      /** @description Who may take the market's liquidity away, and how much of it */
      liquidity: {
        /** @description Liquidity at this price, in units of the pool */
        active: string;
        /** @description Tokens in the creator's position; null once it is out */
        tokens: number | null;
        /** @description USDC in the creator's position; null once it is out */
        usdc: number | null;
        /** @description The account that may take the creator's position out; null once it is out */
        held_by: string | null;
        /** @description Whether that is still the creator */
        held_by_creator: boolean;
      };
      /** @description The stream that locks the creator's kept part; null for none */
      vesting: components["schemas"]["Vesting"] | null;
      /** @description Intervals in which somebody swapped, newest first */
      candles: components["schemas"]["Candle"][];
      /** @description What a buyer should know, in words */
      warnings: string[];
    };
    GetCrtMarketsByTokenQuoteAnswer: {
      token: components["schemas"]["Address"];
      /**
       * @description As asked
       * @enum {string}
       */
      side: "buy" | "sell";
      /** @description What goes in, in whole units */
      amount_in: number;
      /** @description The same in base units, exact */
      amount_in_atomic: string;
      /** @description What comes out, in whole units */
      amount_out: number;
      /** @description The same in base units, exact */
      amount_out_atomic: string;
      /** @description USDC a token, all in all */
      price: number;
    };
    GetEventsAnswer: {
      /** @description In the order that was asked for */
      events: components["schemas"]["Event"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetExceptionsAnswer: {
      /** @description The exceptions, newest first */
      exceptions: components["schemas"]["Exception"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetFeesAnswer: {
      meter: components["schemas"]["Meter"];
      /** @description The DIRECT settlements that the plan has free */
      quota: {
        /** @description DIRECT settlements of a month without a fee */
        included: number;
        /** @description Settlements of the month so far */
        used: number;
        resets_at: components["schemas"]["Timestamp"];
      };
      /** @description The fee of a DIRECT settlement above the quota */
      overage_fee: number;
      /**
       * @description Whether your DIRECT links can be paid
       * @enum {string}
       */
      gate: "open" | "closed";
      /** @description The fees of your other payments: that you receive, that your cards make to a URL, and sales */
      schedule: {
        settlement: components["schemas"]["Fees"];
        payment: components["schemas"]["Fees"];
        sale: components["schemas"]["Fees"];
      };
    };
    GetFeesEntriesAnswer: {
      /** @description Fees and top-ups, newest first */
      entries: components["schemas"]["Entry"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetHoldingsAnswer: {
      /** @description One entry for each token at each place */
      holdings: components["schemas"]["Holding"][];
      /** @description Sum of the values in this answer, in USDC; what has no price is not in it */
      total_value_usdc: number;
      has_more: components["schemas"]["HasMore"];
      /** @description The `after` of the next page; null if there is none */
      next_after: string | null;
      /**
       * @description Present if the chain did not answer: what is held on chain is missing
       * @enum {string}
       */
      chain?: "unavailable";
    };
    GetKeysAnswer: {
      /** @description The keys */
      keys: components["schemas"]["Key"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetListingsAnswer: {
      /** @description The listings of this page */
      listings: components["schemas"]["Listing"][];
      /** @description Base URL of the block explorer; empty if none */
      explorerBase: string;
      /** @description How many listings are open */
      total: number;
      /** @description The number of this page, from 1 */
      page: number;
      /** @description How many pages there are */
      pages: number;
      /** @description The most that a page holds */
      limit: number;
      /**
       * @description The order of the listings
       * @enum {string}
       */
      sort: "newest" | "price_asc" | "price_desc" | "revenue_desc";
    };
    GetListingsByIdAnswer: {
      listing: components["schemas"]["Listing"];
    };
    GetListingsByIdBuyPrepareAnswer: {
      typed_data: components["schemas"]["TypedData"];
      holder: components["schemas"]["Holder"];
    };
    GetListingsByIdRevenueAnswer: {
      asset: components["schemas"]["Asset"];
      /** @description Each day from the first to today, the oldest first */
      days: {
        /** @description The day, YYYY-MM-DD in UTC */
        day: string;
        /** @description Counted payments */
        payments: number;
        revenue: components["schemas"]["Amount"];
      }[];
      /**
       * Format: date-time
       * @description All payments until then are counted; null: none yet
       */
      as_of: string | null;
    };
    GetMembershipAnswer: {
      /** @description The membership; null where there is none */
      membership: components["schemas"]["Membership"] | null;
      /** @description How the membership is renewed */
      auto_renew: components["schemas"]["AutoRenew"] | null;
    };
    GetMppDiscoverAnswer: {
      /** @description Whether the URL asks for payment by MPP */
      supports_mpp: boolean;
      /** @description By method: `evm`, `agentcard` of this service, or another */
      capabilities: {
        [key: string]: {
          /** @description Each once, e.g. `charge` */
          intents: string[];
          /** @description Whether a card of this service could pay one of the offers */
          payable: boolean;
          /** @description In the order of the seller */
          offers: components["schemas"]["Offer"][];
        };
      };
    };
    GetMppStreamsAnswer: {
      /** @description The streams, newest first */
      streams: components["schemas"]["Stream"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetOperatorAuditAnswer: {
      /** @description The acts */
      acts: components["schemas"]["Act"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetOperatorOverviewAnswer: {
      at: components["schemas"]["Timestamp"];
      /** @description The release that answers */
      version: string;
      /**
       * @description live on a public mainnet
       * @enum {string}
       */
      mode: "live" | "test";
      /** @description The parts of the service, and how each is */
      components: components["schemas"]["Component"][];
      /** @description Differences that a person must look at */
      alarms: {
        /** @description Alarms that are open */
        open: number;
        /** @description Open ones first, then newest first; 50 */
        newest: components["schemas"]["Newest"][];
      };
      /** @description The chain, and how far it was read */
      chain: {
        network: components["schemas"]["Network"];
        /** @description The newest block; null where no node answers */
        head: number | null;
        /** @description How old that block is */
        lag_seconds: number | null;
        /** @description The last block that was searched for transfers */
        watched_block: number | null;
        /** @description Safe blocks that are still to be searched */
        blocks_behind: number | null;
      };
      /** @description Books and chain, compared by asset */
      books: {
        network: components["schemas"]["Network"];
        asset: components["schemas"]["Asset"];
        /** @description Payouts in this asset */
        payouts: {
          /** @description Whether no money leaves */
          are_held: boolean;
          /** @description Why; null where they go */
          why: string | null;
        };
        /** @description The newest comparison, in whole units of the asset; null before the first */
        compared: components["schemas"]["Compared"] | null;
      }[];
    };
    GetOperatorQueuesAnswer: {
      jobs: components["schemas"]["Queues"];
      /** @description Tasks with jobs that are due, run or fail; those that fail first */
      tasks: components["schemas"]["Task"][];
      /** @description Deliveries of webhooks */
      webhooks: {
        /** @description Webhooks that a delivery waits for now */
        endpoints_due: number;
        /**
         * Format: date-time
         * @description Since when the first of them waits; null for none
         */
        oldest_due_at: string | null;
        /** @description All deliveries, by state */
        deliveries: {
          /** @description State of deliveries */
          status: string;
          /** @description How many are in it */
          count: number;
        }[];
      };
    };
    GetOperatorSigningKeysAnswer: {
      /** @description Keys that the service made and keeps sealed; of each kind the newest first */
      keys: components["schemas"]["OperatorKey"][];
      /** @description Accounts on chain that the service signs for */
      accounts: {
        /**
         * @description treasury: it signs money away
         * @enum {string}
         */
        role: "treasury" | "relayer";
        /** @description Address of the account */
        address: string;
        /**
         * @description Where this machine has the key from; made: by the first start, in the data folder
         * @enum {string}
         */
        source: "made" | "environment" | "file" | "keystore" | "kms";
      }[];
    };
    GetPayByCodePrepareAnswer: {
      /**
       * @description State of the pay link
       * @enum {string}
       */
      status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      /**
       * @description payment
       * @constant
       */
      intent: "payment";
      payment: components["schemas"]["PayLinkPayment"];
      /** @description Ways in which the link may be paid */
      accepted_protocols: string[];
      /** @description Where to send a payment on chain: this link's own address, swept to the treasury; for a DIRECT link the seller's wallet */
      treasury_address: string;
      /** @description Contract of the token */
      token_contract: string;
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description In whole units of the asset */
      amount: number | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description For a DIRECT link: how a transfer says which link it pays; null for others */
      direct: {
        /** @description The seller's own wallet */
        pay_to: string;
        /** @description Contract of the token */
        token_contract: string;
        /** @description A transfer of a B20 token with this memo names the link by itself (`transferWithMemo`) */
        memo: string | null;
        /** @description After a plain transfer, its sender signs this text with the hash in place of {tx_hash}, and reports both to settle */
        message: string;
      } | null;
      /** @description What a payer by x402 needs; null where the link does not take it */
      x402: {
        /** @description URL of the pay link */
        url: string;
        /** @description Offers of x402, as its specification writes them */
        accepts: unknown[];
      } | null;
      /** @description What a payer by MPP needs; null where the link does not take it */
      mpp: {
        /** @description Where the 402 with fresh challenges comes from */
        url: string;
        /** @description The host that asks for the payment (MPP) */
        realm: string;
        /** @description The terms of the coming challenges; empty until the payer has chosen an amount */
        charges: {
          /** @description Method of MPP: evm, or agentcard */
          method: string;
          /** @description Intent of MPP: charge */
          intent: string;
          /** @description The payment request of the challenge, decoded */
          request: unknown;
        }[];
      } | null;
      /** @description The payment as a URI that wallets read (EIP-681) */
      eip681: string | null;
      /** @description The required content of a mandate for this link; null if it takes no AP2 */
      ap2: components["schemas"]["Ap2Block"] | null;
    };
    GetPayByCodeResolveAnswer: {
      /**
       * @description receive
       * @constant
       */
      type: "receive";
      /**
       * @description SINGLE for one payment, RECURRING for several
       * @enum {string}
       */
      link_type: "SINGLE" | "RECURRING";
      /** @description Code of the pay link */
      code: string;
      /** @description In whole units of the asset */
      amount: number | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The least that the payer may choose; only where the link names it */
      min_amount?: string;
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description The purpose of the payment, in words */
      memo: string;
      /**
       * @description State of the pay link
       * @enum {string}
       */
      status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      /** @description How often the link was paid */
      uses: number;
      /** @description How often the link may be paid; 0 for any number */
      max_uses: number;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /** @description Ways in which the link may be paid */
      accepted_protocols: string[];
    };
    GetPaylinksAnswer: {
      /** @description The pay links, newest first */
      links: components["schemas"]["PayLink"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetPaylinksByCodeAnswer: {
      /** @description Id of the pay link */
      id: string;
      /** @description Code of the pay link */
      code: string;
      /** @description URL of the pay link */
      url: string;
      /** @description Whole units in decimal; null: the payer chooses */
      amount: string | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The least that the payer may choose; only where the link names it */
      min_amount?: string;
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description Only these agents may pay, by signed requests; only where the link names them */
      allowed_agents?: string[];
      /** @description Only where it is so: a wallet that has paid gets its receipt again */
      returning_payers?: boolean;
      /** @description The purpose of the payment, in words */
      memo: string;
      /**
       * @description State of the pay link
       * @enum {string}
       */
      status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      /**
       * @description SINGLE for one payment, RECURRING for several
       * @enum {string}
       */
      link_type: "SINGLE" | "RECURRING";
      /** @description How often the link was paid */
      uses: number;
      /** @description 0: no end */
      max_uses: number;
      /** @description Ways in which the link may be paid */
      accepted_protocols: string[];
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /** @description QR code of the page, as SVG */
      qr_svg: string;
      created_at: components["schemas"]["Timestamp"];
      /** @description The required content of a mandate for this link; null if it takes no AP2 */
      ap2: components["schemas"]["Ap2Block"] | null;
    };
    GetPaylinksByCodeStatusAnswer: {
      /**
       * @description State of the pay link
       * @enum {string}
       */
      status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      /**
       * Format: date-time
       * @description When the payment was confirmed
       */
      confirmed_at: string | null;
      /** @description A transfer to the link that is in a block and not credited yet; never a promise that it will be */
      seen: {
        /** @description Hash of the transaction on chain */
        tx_hash: string;
        amount: components["schemas"]["Amount"];
        /** @description Blocks from that of the transfer to the newest */
        confirmations: number;
        /** @description About how many it has when it counts */
        needed: number;
      } | null;
      /** @description Until an ACTIVE link ends, by the clock of the service; only where it has an end */
      seconds_left?: number;
    };
    GetPaymentsAnswer: {
      /** @description The payments, newest first */
      payments: components["schemas"]["Payment"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetPaymentsByIdEvidenceAnswer: {
      /** @description purser-evidence/1 */
      format: string;
      parts: components["schemas"]["Parts"];
      /** @description The signed digests of the parts, as a compact JWS */
      statement: string;
      key: components["schemas"]["PaymentKey"];
    };
    GetRequestsAnswer: {
      /** @description The requests */
      requests: components["schemas"]["KeyRequest"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetSettlementStatusByTxnIdAnswer: {
      /** @description Id of the transaction */
      transaction_id: string;
      /**
       * @description State of the payment
       * @enum {string}
       */
      status: "PENDING" | "SETTLED" | "FAILED";
      tx_hash: components["schemas"]["TransactionHash"];
      /**
       * Format: date-time
       * @description When it was settled; null until then
       */
      settled_at: string | null;
      fee_amount: components["schemas"]["Amount"];
      fee_amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The same as one object */
      settlement: {
        /**
         * @description State of the payment
         * @enum {string}
         */
        status: "PENDING" | "SETTLED" | "FAILED";
        tx_hash: components["schemas"]["TransactionHash"];
        /**
         * Format: date-time
         * @description When it was settled; null until then
         */
        settled_at: string | null;
        fee_amount: components["schemas"]["Amount"];
        fee_amount_atomic?: components["schemas"]["AtomicAmount"];
      };
    };
    GetStatusAnswer: {
      /** @description purser */
      platform: string;
      /** @description The version of the running release */
      version: string;
      /** @description Version of this interface */
      api_version: string;
      /** @description bidirectional: agents pay, and sellers are paid */
      model: string;
      /** @description The parts of each protocol that this release supports */
      protocols: {
        x402: components["schemas"]["X402"];
        ap2: components["schemas"]["Ap2"];
        mpp: components["schemas"]["Mpp"];
        /** @description What this release does of MCP */
        mcp: {
          /**
           * @description Whether this release does it at all
           * @enum {string}
           */
          status: "available" | "unavailable";
          /** @description Where agents find the tools of a wallet */
          endpoint: string;
          /** @description The transport of MCP that it speaks */
          transport: string;
          /** @description Revisions that are spoken */
          revisions: string[];
        };
        settlement: components["schemas"]["StatusSettlement"];
      };
      card_controls: components["schemas"]["CardControls"];
      /** @description How the service is */
      health: {
        /**
         * @description degraded: something waits or fails
         * @enum {string}
         */
        status: "operational" | "degraded";
        /** @description The parts of the service, and how each is */
        components: components["schemas"]["Component"][];
      };
      /** @description The chain that the service is on */
      chain: {
        network: components["schemas"]["Network"];
        /** @description Number of the newest block that was seen */
        head: number | null;
        /** @description How old the newest block is */
        lag_seconds: number | null;
        /** @description The last block that was searched for deposits */
        watched_block: number | null;
      };
      queues: components["schemas"]["Queues"];
    };
    GetTokensAnswer: {
      /** @description The tokens, newest first */
      tokens: components["schemas"]["Token"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetV1Answer: {
      /** @description Name of this API */
      name: string;
      /** @description Version of this API */
      version: string;
      /** @description How to authenticate */
      auth: string;
      /** @description The operations, as URLs with `{ref}` for the credential */
      endpoints: {
        /** @description A credential, with its figures */
        credential: string;
        /** @description Its figures, signed */
        proof: string;
        /** @description The document of its identity token */
        registration: string;
      };
      /** @description How lookups are counted */
      metering: string;
    };
    GetV1CredentialsByRefProofAnswer: {
      /** @description The signed figures, as a compact JWS */
      statement: string;
      /** @description The keys of this service. Compare them with those that you know it by */
      jwks: components["schemas"]["Jwks"];
      /** @description At most 20 leaves with their proofs of inclusion */
      samples: {
        /** @description The place of the leaf */
        index: number;
        /** @description The leaf, as it was hashed */
        leaf: string;
        /** @description The hashes beside its way to the root, the lowest first, base64url */
        path: string[];
      }[];
    };
    GetV1CredentialsByRefRegistrationAnswer: {
      /** @description The kind of this document, by ERC-8004 */
      type: string;
      /** @description Name of the credential */
      name: string;
      /** @description What it is */
      description: string;
      /** @description Where to read more of it */
      services: {
        /** @description Name of the service */
        name: string;
        /** @description Where it answers */
        endpoint: string;
      }[];
      /** @description Whether it takes payments by x402 */
      x402Support: boolean;
      /** @description Whether its card is ACTIVE */
      active: boolean;
      /** @description The identity tokens of this credential */
      registrations: {
        /** @description Number of the identity token */
        agentId: number;
        /** @description The registry that holds it, as CAIP-10 */
        agentRegistry: string;
      }[];
      /** @description How it can be trusted */
      supportedTrust: string[];
    };
    GetWalletBalanceAnswer: {
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
      address: components["schemas"]["Address"];
      balance: components["schemas"]["Amount"];
      /** @description The balance in base units, exact */
      balance_atomic: string;
    };
    GetWebhooksDeliveriesAnswer: {
      /** @description The deliveries, newest first */
      deliveries: components["schemas"]["Delivery"][];
      /** @description How many match, on all pages */
      total: number;
      /** @description The number of this page, from 1 */
      page: number;
      /** @description How many pages there are */
      pages: number;
      /** @description The most that a page holds */
      limit: number;
    };
    GetWellKnownDidJsonAnswer: {
      /** @description The vocabularies of the document */
      "@context": string[];
      /** @description The DID of this service */
      id: string;
      /** @description The keys, that which signs now first */
      verificationMethod: {
        /** @description The key, as the `kid` of a signature names it */
        id: string;
        /** @description JsonWebKey */
        type: string;
        /** @description The DID of this service */
        controller: string;
        /** @description The key as a JWK (RFC 7517) */
        publicKeyJwk: {
          [key: string]: string;
        };
      }[];
      /** @description The keys that sign statements */
      assertionMethod: string[];
    };
    GetWithdrawalsAddressesAnswer: {
      /** @description The addresses, newest first */
      addresses: components["schemas"]["TreasuryAddress"][];
      /** @description How long an added address waits; null where withdrawals go to any address, added or not */
      delay_seconds: number | null;
    };
    GetX402Answer: {
      /** @description purser */
      name: string;
      /** @description GET: schemes, networks and signers */
      supported: string;
      /** @description POST: would this payment be settled now? */
      verify: string;
      /** @description POST: settle a payment; with an API key */
      settle: string;
      /** @description GET: your settlements; with an API key */
      settlements: string;
      /** @description GET: resources that may be bought */
      discovery: string;
      /** @description The reference */
      docs: string;
    };
    GetX402DiscoverAnswer: {
      /** @description Whether the URL asks for payment by x402 */
      supports_x402: boolean;
      /** @description Address that is paid */
      payment_address: string | null;
      /** @description In whole units of the asset */
      amount: number | null;
      /** @description Symbol of the asset, e.g. USDC */
      asset: string | null;
      /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
      network: string | null;
      /** @description Every offer, as the seller wrote it */
      accepts: unknown[];
    };
    GetX402DiscoveryResourcesAnswer: {
      /** @description Version of x402 */
      x402Version: number;
      /** @description The resources, newest first */
      items: components["schemas"]["Item"][];
      /** @description Which part of the whole this is */
      pagination: {
        /** @description The most that a page holds */
        limit: number;
        /** @description How many to leave out from the beginning */
        offset: number;
        /** @description How many there are in all */
        total: number;
      };
    };
    GetX402DiscoverySearchAnswer: {
      /** @description Version of x402 */
      x402Version: number;
      /** @description The matches, best first */
      resources: components["schemas"]["Item"][];
      /** @description More were found than are shown */
      partialResults: boolean;
      /** @description Which part of the whole this is */
      pagination: {
        /** @description The most that a page holds */
        limit: number;
        /** @description Where the next page begins; there is none */
        cursor: null;
      };
    };
    GetX402SettlementsAnswer: {
      /** @description The settlements, newest first */
      settlements: components["schemas"]["Settlement"][];
      has_more: components["schemas"]["HasMore"];
    };
    GetX402SupportedAnswer: {
      /** @description Schemes and networks that are settled */
      kinds: {
        /** @description Version of x402 */
        x402Version: number;
        /** @description Scheme of x402, e.g. exact */
        scheme: string;
        /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
        network: string;
        /** @description Additions of the x402 scheme, such as name and version of the token */
        extra?: {
          /** @description eip3009 for USDC; permit2 for tokens that the seller has registered */
          assetTransferMethods?: string[];
          /** @description For upto: the account that payers let settle; for auth-capture: the captureAuthorizer */
          facilitatorAddress?: string;
          /** @description For auth-capture: the escrow that holds the payments */
          authCaptureEscrow?: string;
          /** @description For auth-capture: the contract that takes a refund from the receiver; left out where it is not deployed */
          refundCollector?: string;
        };
      }[];
      /** @description Extensions of the protocol, as its specification writes them */
      extensions: string[];
      /** @description Addresses that carry payments to the chain, by network */
      signers: {
        [key: string]: string[];
      };
    };
    /** @description Whether there are more after these */
    HasMore: boolean;
    /** @description Transaction hash */
    Hash: string;
    /** @description The account of the identity token, and what it pays the buyer in the sale */
    Holder: {
      address: components["schemas"]["Address"];
      pays_buyer: components["schemas"]["Amount"];
      /** @description What a sale does not promise, in words */
      not_promised: string;
    };
    Holding: {
      network: components["schemas"]["Network"];
      /** @description Symbol of an asset that balances are kept in; of any other token its address */
      asset: string;
      /** @description The token's own word: anybody can name a token anything */
      symbol: string;
      /** @description Decimals of the token */
      decimals: number;
      /** @description Address of the token */
      contract: string;
      /**
       * @description treasury, card and fee_meter: kept by this service, held money included; wallet: on chain at your address; holder: on chain at the account of a card’s identity token; vesting: in a vesting stream
       * @enum {string}
       */
      where: "treasury" | "card" | "fee_meter" | "wallet" | "holder" | "vesting";
      /** @description Names the place: your wallet, the card, the holder account, or the stream */
      ref: string;
      /** @description Whole tokens; null if the token does not answer */
      amount: number | null;
      /** @description The exact base units; null if the token does not answer */
      amount_atomic: string | null;
      /** @description Value in USDC; null if no price is known */
      value_usdc: number | null;
      /**
       * @description par: a dollar each; pool_twap: the average price of its pool; null: no price
       * @enum {string|null}
       */
      price_source: "par" | "pool_twap" | null;
      /**
       * Format: date-time
       * @description When the price was read; null for par, or without a price
       */
      price_at: string | null;
    };
    Identity: {
      /** @description Id of the card */
      card_id: string;
      /**
       * @description PENDING: the mint is queued; MINTED: a block holds it; FINAL: no reorganization takes it; TRANSFERRING: it follows a sale or goes to your wallet; DETACHED: its holder moved it; FAILED: ask again
       * @enum {string}
       */
      identity_status: "NONE" | "PENDING" | "MINTED" | "FINAL" | "TRANSFERRING" | "DETACHED" | "FAILED";
      /** @description CAIP-19 id of the identity token; null before its mint is final */
      identity_token: string | null;
      /** @description Address that holds the card on chain; null for none */
      holder_address: string | null;
      /**
       * @description Of the holder account: RESERVED is an address without code yet
       * @enum {string}
       */
      chain_status: "NONE" | "RESERVED" | "DEPLOYED";
      /** @description Whether a live attestation of the holder account by this service is on chain; read within the last minute */
      attested: boolean;
      /**
       * @description CUSTODIAL: the vault of this service holds the token for you; WITHDRAWN: it is in a wallet
       * @enum {string}
       */
      custody: "CUSTODIAL" | "WITHDRAWN";
      /** @description The holder account at an explorer; null without one */
      holder_explorer_url: string | null;
    };
    IdentityAnswer: {
      identity: components["schemas"]["Identity"];
    };
    Instrument: {
      /** @description The `payment_instrument.id` */
      id: string;
      /** @description Kind of instrument */
      type: string;
      /** @description Description of the instrument, in words */
      description: string;
      /** @description State of the instrument */
      status: string;
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
      /** @description Currencies that may be named */
      currencies: string[];
    };
    InstrumentsAnswer: {
      /** @description The payment instruments that a mandate may name */
      instruments: components["schemas"]["Instrument"][];
    };
    InsufficientBalanceDetails: {
      /** @description The available amount, in whole units of the asset */
      available?: number;
      /** @description The requested amount, in whole units of the asset */
      requested?: number;
      /** @description CAIP-2 id of the chain */
      network?: string;
      /** @description Symbol of the asset */
      asset?: string;
      /** @description The fee of the withdrawal */
      withdrawal_fee?: number;
    };
    InvalidAmountDetails: {
      /** @description The fee of the withdrawal */
      withdrawal_fee?: number;
      /** @description The least that can be withdrawn */
      minimum_withdrawal?: number;
      /** @description CAIP-2 id of the chain */
      network?: string;
      /** @description The amount that can still be refunded */
      refundable?: number;
    };
    Item: {
      /** @description Address of what is sold */
      resource: string;
      /** @description http */
      type: string;
      /** @description Version of x402 */
      x402Version: number;
      /** @description Offers of x402, as its specification writes them */
      accepts: unknown[];
      lastUpdated: components["schemas"]["Timestamp"];
      /** @description Description of the resource, in words */
      description?: string;
      /** @description Media type of what is sold */
      mimeType?: string;
      /** @description Name of the seller, as it gave it */
      serviceName?: string;
      /** @description Words that the seller gave it */
      tags?: string[];
      /** @description Address of an icon, as the seller gave it */
      iconUrl?: string;
      /** @description Extensions of the protocol, as its specification writes them */
      extensions?: unknown;
    };
    Jwks: {
      /** @description The keys */
      keys: components["schemas"]["AP2Key3"][];
    };
    Key: {
      /** @description SHA-256 of the key, hex: its name in this API */
      key_hash: string;
      /** @description Prefix and last four characters */
      key_hint: string;
      /**
       * @description Whether it was revoked. A key past its expires_at is refused too
       * @enum {string}
       */
      status: "active" | "revoked";
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it was revoked; null where it is good
       */
      revoked_at: string | null;
      /**
       * Format: date-time
       * @description When it was last used; null for never
       */
      last_used_at: string | null;
      /** @description The name that you gave it; null without one */
      name: string | null;
      /** @description The scopes of the key; null for all */
      scopes: string[] | null;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /** @description Cards that the key may use; null for all of the wallet */
      card_ids: string[] | null;
      /** @description The most that one payment may be; null for no limit */
      max_amount: number | null;
      /** @description The key_hash of the key, or the id of the session, that made it; null if nobody noted it */
      made_by: string | null;
    };
    KeyAnswer: {
      key: components["schemas"]["AP2Key"];
    };
    KeyRequest: {
      /** @description Its id, as in `X-Request-Id` and in a refusal */
      request_id: string;
      at: components["schemas"]["Timestamp"];
      /** @description Its method */
      method: string;
      /** @description The operation’s path, with {name} for a value */
      route: string;
      /** @description Its path; … where a secret stood. Without the query */
      path: string;
      /** @description The status of the answer */
      status: number;
      /** @description The code of a refusal; null otherwise */
      code: string | null;
      /** @description How long the answer took */
      ms: number;
      /**
       * @description Whether a sign-in or an API key made it
       * @enum {string}
       */
      way: "session" | "key";
      /** @description The key; null for a sign-in */
      key_hash: string | null;
      /** @description The name of the key; null without one */
      key_name: string | null;
    };
    KeysAnswer: {
      /** @description The keys */
      keys: components["schemas"]["AgentKey"][];
    };
    Limits: {
      /** @description The most that may leave all its cards in an hour (from the full hour); null for no limit */
      hourly_limit: number | null;
      /** @description The most that may leave all its cards in a day (UTC); null for no limit */
      daily_limit: number | null;
      /** @description The most that may leave all its cards in a week (from Monday, UTC); null for no limit */
      weekly_limit: number | null;
      /** @description The most that may leave all its cards in a calendar month (UTC); null for no limit */
      monthly_limit: number | null;
      /** @description What was used of it; null before the first limit is set */
      hour_used: number | null;
      /** @description What was used of it; null before the first limit is set */
      day_used: number | null;
      /** @description What was used of it; null before the first limit is set */
      week_used: number | null;
      /** @description What was used of it; null before the first limit is set */
      month_used: number | null;
      /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
      rolling_30d_limit: number | null;
      /** @description What was used of it; null before the first limit is set */
      rolling_30d_used: number | null;
      /** @description The most payments in one minute, from the full minute; null for no limit */
      max_payments_per_minute: number | null;
      /** @description The payments of this minute; null before the first limit is set */
      minute_payments: number | null;
      hourly_limit_atomic?: components["schemas"]["AtomicAmount"];
      hour_used_atomic?: components["schemas"]["AtomicAmount"];
      daily_limit_atomic?: components["schemas"]["AtomicAmount"];
      day_used_atomic?: components["schemas"]["AtomicAmount"];
      weekly_limit_atomic?: components["schemas"]["AtomicAmount"];
      week_used_atomic?: components["schemas"]["AtomicAmount"];
      monthly_limit_atomic?: components["schemas"]["AtomicAmount"];
      month_used_atomic?: components["schemas"]["AtomicAmount"];
      rolling_30d_limit_atomic?: components["schemas"]["AtomicAmount"];
      rolling_30d_used_atomic?: components["schemas"]["AtomicAmount"];
    };
    LimitsAnswer: {
      success: components["schemas"]["Success"];
      limits: components["schemas"]["Limits"];
    };
    LimitsIn: {
      /** @description The most that may leave all its cards in an hour (from the full hour); null for no limit */
      hourly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave all its cards in a day (UTC); null for no limit */
      daily_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave all its cards in a week (from Monday, UTC); null for no limit */
      weekly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave all its cards in a calendar month (UTC); null for no limit */
      monthly_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
      rolling_30d_limit?: components["schemas"]["AmountIn"] | null;
      /** @description The most payments in one minute, from the full minute; null for no limit */
      max_payments_per_minute?: number | null;
    };
    Listing: {
      /** @description Id of the listing, `lst_` and 26 characters */
      id: string;
      /** @description Id of the card */
      card_id: string;
      /** @description Wallet that sells the card */
      seller: string;
      /** @description What the buyer pays; it never changes */
      price: number;
      /** @description USDC */
      currency: string;
      /**
       * @description State of the listing
       * @enum {string}
       */
      status: "LISTED" | "SETTLING" | "SOLD" | "CANCELLED";
      created_at: components["schemas"]["Timestamp"];
      /** @description Wallet that bought the card */
      buyer: string | null;
      /** @description Transaction that moved the identity token; null until it is known */
      settled_tx: string | null;
      /**
       * Format: date-time
       * @description When it was settled; null until then
       */
      settled_at: string | null;
      /** @description Whether it can be bought now: open, the card ACTIVE and without a hold */
      sellable: boolean;
      /**
       * @description Where the price is paid: in the books of the service, or on chain
       * @enum {string}
       */
      mode: "custodial" | "onchain";
      network: components["schemas"]["Network"];
      /** @description Why it was cancelled: seller (here), cancelled_on_chain, listing_expired, operator_changed (sign it again), or what became of the card */
      reason: string | null;
      /**
       * Format: date-time
       * @description When it ended; null while it is open
       */
      ended_at: string | null;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /** @description Digest of what a buyer relies on. Send it with the purchase, and nothing is sold that has changed */
      version?: string | null;
      stats: components["schemas"]["Stats"];
    };
    ListingAnswer: {
      success: components["schemas"]["Success"];
      listing: components["schemas"]["Listing"];
    };
    ListingChangedDetails: {
      /** @description What has changed meanwhile */
      changed?: string[];
      /** @description The version of the card now */
      version?: string;
    };
    Machine: {
      /** @description Id of this start of the service */
      id: string;
      /** @description Name of the machine */
      host: string;
      /** @description Its process */
      pid: number;
      /** @description The release that it runs */
      version: string;
      /** @description What it does: api, worker */
      roles: string[];
      /** @description How many processes share the port of its API */
      processes: number;
      started_at: components["schemas"]["Timestamp"];
      seen_at: components["schemas"]["Timestamp"];
      /** @description By how much its clock is ahead of the database’s; null if it does not compare them */
      clock_ahead_seconds: number | null;
      /** @description Whether it ended without a word, or is out of reach */
      is_lost: boolean;
    };
    MachinesAnswer: {
      /** @description The machines */
      machines: components["schemas"]["Machine"][];
    };
    Mandate: {
      /** @description direct or autonomous */
      kind: string;
      /** @description Id of the mandate */
      mandate_id: string;
      /** @description Hash under which the use of the open mandate is counted */
      open_id: string | null;
      /** @description The payee */
      payee: string;
      /** @description The amount to pay, in minor units of the currency */
      payment_amount: {
        /** @description In whole units of the asset */
        amount: number;
        /** @description Currency of the amount, or the contract of its token */
        currency: string;
      };
      /** @description Id of the card */
      card_id: string;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
    };
    MandateDetails: {
      /** @description The word of AP2 for it */
      ap2_error?: string;
      /** @description Each limit of the mandate that it breaks */
      violations?: unknown[];
      /** @description A signed receipt that says that the mandate was refused */
      receipt?: string;
    };
    Market: {
      cardId: components["schemas"]["CardId"];
      token: components["schemas"]["Address"];
      /** @description Symbol of the token */
      symbol: string;
      /** @description Name of the token */
      name: string;
      /** @description How many whole tokens there are, for ever */
      supply: number;
      /** @description Decimals of the token */
      decimals: number;
      /** @description Id of the pool on Uniswap v4 */
      poolId: string;
      deployTx: components["schemas"]["Hash"];
      listTx: components["schemas"]["Hash"];
      /** @description The wallet that deployed and listed the token */
      creator: string;
      listedAt: components["schemas"]["Timestamp"];
      /** @description CAIP-2 chain id, e.g. eip155:8453 */
      network: string;
      /**
       * @description VESTED once the creator's kept part is locked; LIVE before, or if none was kept
       * @enum {string}
       */
      status: "LIVE" | "VESTED";
    };
    MarketAnswer: {
      success: components["schemas"]["Success"];
      market: components["schemas"]["Market"];
    };
    Membership: {
      /** @description Address of the wallet */
      wallet_address: string;
      /** @description native_token_rails */
      plan: string;
      /**
       * @description Tier of the plan
       * @enum {string}
       */
      tier: "starter" | "growth";
      /**
       * @description How long one payment lasts
       * @enum {string}
       */
      billing_period: "month" | "year";
      /**
       * @description State of the membership
       * @enum {string}
       */
      status: "ACTIVE" | "PAST_DUE" | "EXPIRED";
      current_period_start: components["schemas"]["Timestamp"];
      current_period_end: components["schemas"]["Timestamp"];
      /** @description Whether it ends with its current period */
      cancel_at_period_end: boolean;
      /** @description Paid for the current period */
      price: number;
      price_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Symbol of the token that pays it */
      payment_asset: string;
      /** @description Id of the settlement that paid the current period */
      last_payment_id: string;
      /** @description Whether the membership is renewed */
      auto_renew: boolean;
      created_at: components["schemas"]["Timestamp"];
      updated_at: components["schemas"]["Timestamp"];
    };
    MembershipAnswer: {
      success: components["schemas"]["Success"];
      membership: components["schemas"]["Membership"];
    };
    /** @description Your own labels, given back as they are */
    Metadata: {
      [key: string]: string;
    };
    /** @description Your own labels, given back as they are */
    MetadataIn: {
      [key: string]: string;
    };
    Meter: {
      balance: components["schemas"]["Amount"];
      /** @description Fees that the next top-up pays first */
      owed: number;
      asset: components["schemas"]["Asset"];
      network: components["schemas"]["Network"];
    };
    Method: {
      /** @description card */
      type: string;
      /** @description Id of the card */
      card_id: string;
      /** @description The amount that the card may spend now, in whole units of its asset; 0 if it may not spend */
      available: number;
      /** @description State of the card */
      status: string;
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
    };
    MethodsAnswer: {
      /** @description Methods of MPP that are spoken */
      methods: components["schemas"]["Method"][];
    };
    /** @description What this release does of MPP */
    Mpp: {
      /**
       * @description Whether this release does it at all
       * @enum {string}
       */
      status: "available" | "unavailable";
      /** @description Which way money goes */
      direction: string;
      /** @description The parts of MPP that this release supports: each intent, and streams */
      capabilities: string[];
      /** @description Methods of MPP that are spoken */
      methods: string[];
      /** @description Intents of MPP that are spoken */
      intents: string[];
      /** @description CAIP-2 ids of chains */
      networks: components["schemas"]["Network"][];
      /** @description Where a card pays by it */
      spend: string;
      /** @description Where it is paid to */
      receive: string;
      /** @description Where a card agrees to pay a challenge */
      cards: string;
      /** @description Where a stream is opened */
      streams: string;
      /** @description Where to ask what a URL costs */
      discovery: string;
    };
    /** @description CAIP-2 chain id, e.g. eip155:8453 */
    Network: string;
    Newest: {
      /** @description Id of the alarm */
      id: string;
      /**
       * @description What was found
       * @enum {string}
       */
      kind: "custody" | "not_compared" | "moved_transfer" | "missing_settlement" | "missing_pull" | "undone_payout" | "no_depositor" | "relayer_gas_low" | "relayer_gas_out" | "books" | "checkpoint" | "outside_months" | "clock" | "database";
      /** @description The object that it is about */
      about: string;
      /** @description What is wrong */
      sentence: string;
      /** @description The figures of it */
      details: {
        [key: string]: string;
      };
      /** @description The first step */
      what_to_do: string;
      /** @description Where the documentation has the others */
      runbook: string;
      first_seen: components["schemas"]["Timestamp"];
      last_seen: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When an operator said that it is known; null before
       */
      acknowledged_at: string | null;
      /** @description What the operator said of it */
      note: string | null;
      /**
       * Format: date-time
       * @description When its cause was gone; null while it is open
       */
      resolved_at: string | null;
    };
    NoPayableOptionDetails: {
      /** @description The offers of the seller, each with the reason why it was not taken */
      challenge?: unknown;
      /** @description The problem document of the seller (RFC 9457) */
      problem?: unknown;
      /** @description Why, as a stable word */
      reason?: string;
    };
    NowAnswer: {
      now: components["schemas"]["Timestamp"];
    };
    Offer: {
      /** @description Intent of MPP, e.g. charge */
      intent: string;
      /** @description In whole units, where the seller says how many decimals there are */
      amount: number | null;
      /** @description In base units of the asset, exact */
      amount_atomic: string | null;
      /** @description Currency of the amount, or the contract of its token */
      currency: string | null;
      /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
      network: string | null;
      /** @description Address that is paid */
      recipient: string | null;
      /** @description Description of the payment, in words */
      description: string | null;
      /** @description When it ends; null for never */
      expires_at: string | null;
      /** @description Whether a card of this service could pay it */
      payable: boolean;
      /** @description Why it is not payable; `advertised_only` where only an OpenAPI document names it */
      reason: string | null;
    };
    /** @description The anchor of the credential on chain */
    Onchain: {
      network: components["schemas"]["Network"];
      /** @description Whether a live attestation of the account exists */
      attested: boolean;
      /** @description ERC-6551 account of the identity token; null before its mint is final */
      holder_address: string | null;
      /**
       * @description How that account stands: NONE, RESERVED (no code yet), DEPLOYED
       * @enum {string}
       */
      chain_status: "NONE" | "RESERVED" | "DEPLOYED";
      /** @description The account on the block explorer */
      holder_explorer_url: string | null;
      /** @description The credential token with a market, if there is one */
      crt: {
        /** @description Contract of the credential token */
        address: string;
        /** @description Its symbol */
        symbol: string;
        /** @description LIVE or VESTED */
        status: string;
        /** @description The token on the block explorer; empty if none */
        explorer_url: string;
      } | null;
    };
    OperatorKey: {
      /** @description Thumbprint of the key */
      kid: string;
      /**
       * @description documents: mandates, receipts and offers; requests: what it asks of sellers
       * @enum {string}
       */
      signs: "documents" | "requests";
      /**
       * @description retired: it signs no more, and what it signed stays good
       * @enum {string}
       */
      state: "signs" | "retired" | "revoked";
      /** @description As a JWK */
      public_key: {
        [key: string]: string;
      };
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description Since when it signs no more; null while it does
       */
      retired_at: string | null;
      /**
       * Format: date-time
       * @description Since when nothing that it signed is believed
       */
      revoked_at: string | null;
    };
    /** @description The parts, each as the JSON text whose digest is signed */
    Parts: {
      /** @description Who paid whom, how much, by which card */
      payment: string;
      /** @description The request, and the offer as the seller wrote it; `signed` is what the seller signed of it, checked. Or null */
      offer: string;
      /** @description The decisions of the card, each with its rule */
      decisions: string;
      /** @description The AP2 mandate that backed it, by its hashes; null without one, and for whoever was paid */
      mandate: string;
      /** @description How the money moved, in the books and on the chain */
      settlement: string;
      /** @description Status, size and SHA-256 of what was served; or null */
      served: string;
      /** @description The receipt of the seller, which is a claim; `signed` is what the seller signed of it, checked. Or null */
      receipt: string;
    };
    PatchProfileAnswer: {
      success: components["schemas"]["Success"];
      profile: components["schemas"]["Profile"];
    };
    PayLink: {
      /** @description Id of the pay link */
      id: string;
      /** @description Code of the pay link */
      code: string;
      /** @description URL of the pay link */
      url: string;
      /** @description Whole units in decimal; null: the payer chooses */
      amount: string | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The least that the payer may choose; only where the link names it */
      min_amount?: string;
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description Only these agents may pay, by signed requests; only where the link names them */
      allowed_agents?: string[];
      /** @description Only where it is so: a wallet that has paid gets its receipt again */
      returning_payers?: boolean;
      /** @description The purpose of the payment, in words */
      memo: string;
      /**
       * @description State of the pay link
       * @enum {string}
       */
      status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      /**
       * @description SINGLE for one payment, RECURRING for several
       * @enum {string}
       */
      link_type: "SINGLE" | "RECURRING";
      /** @description How often the link was paid */
      uses: number;
      /** @description 0: no end */
      max_uses: number;
      /** @description Ways in which the link may be paid */
      accepted_protocols: string[];
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
      /** @description QR code of the page, as SVG */
      qr_svg: string;
      created_at: components["schemas"]["Timestamp"];
      /** @description Id of the card */
      card_id: string;
      /** @description Merchant category code, four digits; null for none */
      mcc: string | null;
      /** @description Null for a DIRECT card */
      deposit_address: string | null;
      /**
       * @description Where payments settle: CUSTODIAL, in the books
       * @enum {string}
       */
      settlement_mode: "CUSTODIAL" | "DIRECT";
      metadata: components["schemas"]["Metadata"];
      /** @description Where payers are led after the payment; only where the link says so */
      success_url?: string;
      /** @description Where payers go back to; only where the link says so */
      cancel_url?: string;
    };
    PayLinkCompletedDetails: {
      /** @description State of the pay link, or of the listing */
      status?: string;
      /** @description When the link was paid */
      confirmed_at?: string | null;
      /** @description The transfer as seen before its confirmation; null if none is seen */
      seen?: unknown;
    };
    PayLinkExpiredDetails: {
      /** @description State of the pay link, or of the listing */
      status?: string;
      /**
       * @description Kind of link
       * @enum {string}
       */
      type?: "receive";
    };
    /** @description The terms of the link */
    PayLinkPayment: {
      /**
       * @description payment
       * @constant
       */
      type: "payment";
      /** @description Code of the pay link */
      pay_link_code: string;
      /** @description In whole units of the asset */
      amount: number | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The least that the payer may choose; only where the link names it */
      min_amount?: string;
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description The purpose of the payment, in words */
      memo: string;
      /**
       * Format: date-time
       * @description When it ends; null for never
       */
      expires_at: string | null;
    };
    PayLinkReceipt: {
      /** @description Id of the payment: the settlement_id of its events */
      id: string;
      /** @description The receipt as a page, to be read and printed */
      url: string;
      /** @description Code of the pay link */
      pay_link_code: string;
      /** @description The purpose of the payment, in words */
      memo: string;
      amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      /** @description What came beyond the amount, in whole units; null for nothing */
      over: number | null;
      over_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Protocol by which it was paid */
      protocol: string;
      /** @description The end of the card, or both ends of the address */
      payer: string;
      /** @description The seller, as it shows itself now */
      seller: {
        /** @description Wallet of the seller */
        wallet_address: string;
        /** @description The name that the seller chose; nobody has checked it */
        name: string | null;
        /** @description The logo that the seller chose */
        logo_url: string | null;
        /** @description Where payers reach the seller */
        support_url: string | null;
      };
      tx_hash: components["schemas"]["TransactionHash"];
      /**
       * Format: date-time
       * @description When it counted
       */
      settled_at: string | null;
    };
    PayOrder: {
      /** @description Id of the card */
      card_id: string;
      card_token: components["schemas"]["CardToken"];
      /** @description The URL to pay for */
      url: string;
      /**
       * @description POST without it
       * @enum {string}
       */
      method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
      /** @description A string is sent as it is, everything else as JSON. Without a header Content-Type a string that is JSON goes out as application/json, any other as text/plain */
      body?: unknown;
      /** @description HTTP headers, by their names */
      headers?: {
        [key: string]: string;
      };
      /** @description The most that may leave the card, the platform fee included */
      max_amount?: components["schemas"]["AmountIn"];
      /**
       * @description The only protocol to pay by; without it, whichever takes least from the card
       * @enum {string}
       */
      protocol?: "x402" | "mpp";
      /** @description The `approval_id` that an earlier try of this payment was given: only that approval is used */
      approval_id?: string;
    };
    /** @description A pay link's code, a merchant's wallet address, or `{id, name, website?}` */
    Payee: string | {
      /** @description Id of the mandate */
      id: components["schemas"]["Text"];
      /** @description Name of the payee */
      name: components["schemas"]["Text"];
      /** @description Website of the payee */
      website?: components["schemas"]["Text"];
    };
    PayeesAnswer: {
      /** @description The named */
      payees: {
        /** @description As asked for */
        of: string;
        /** @description The name of the wallet; null without one */
        name: string | null;
        /** @description The purpose of the link or card */
        title: string | null;
      }[];
    };
    Payment: components["schemas"]["Transaction"] & {
      /** @description Id of the settlement */
      settlement_id: string;
    };
    PaymentAnswer: {
      payment: components["schemas"]["PaymentDetail"];
    };
    PaymentDemand: {
      /** @description The problem type (RFC 9457) */
      type: string;
      /** @description 402 */
      status: number;
      /** @description The problem type in words */
      title: string;
      /** @description The next step, or the reason for a refusal */
      detail: string;
      /** @description `payment_required` */
      code: string;
      /** @description Why a payment is due, as x402 v1 says it */
      error: string;
      /** @description 1: the body is the demand of x402 v1 */
      x402Version: number;
      /** @description The ways to pay by x402 v1 */
      accepts: {
        [key: string]: unknown;
      }[];
      /** @description The protocols of the link */
      accepted_protocols: string[];
      /** @description The challenges of WWW-Authenticate, parsed */
      mpp: {
        [key: string]: unknown;
      }[];
    } & {
      [key: string]: unknown;
    };
    /** @description The payment, with all that is known of it */
    PaymentDetail: components["schemas"]["Payment"] & {
      /** @description What the seller was asked, and what came back */
      request: components["schemas"]["PaymentRequest"] | null;
      /** @description The events, oldest first */
      timeline: {
        at: components["schemas"]["Timestamp"];
        /** @description Type of the event */
        type: string;
        /** @description The facts of the event */
        data: unknown;
      }[];
    };
    PaymentExceptionDetails: {
      /** @description Id of the exception */
      exception_id?: string;
      /** @description Why, as a stable word */
      reason?: string;
    };
    /** @description The key that signed. Compare it with those that you know the service by */
    PaymentKey: {
      /** @description Type of the key: EC */
      kty: string;
      /** @description Curve of the key: P-256 */
      crv: string;
      /** @description First coordinate of the key, base64url */
      x: string;
      /** @description Second coordinate of the key, base64url */
      y: string;
    };
    PaymentRejectedDetails: {
      /**
       * @description Nothing was paid
       * @enum {string}
       */
      outcome?: "not_charged";
      /** @description Id of the payment */
      transaction_id?: string;
      /** @description The answer of the seller; null where none came */
      response?: unknown;
      /** @description The problem document of the seller (RFC 9457) */
      problem?: unknown;
    };
    PaymentRequest: {
      /** @description HTTP method of the request */
      method: string;
      /** @description URL that was paid for */
      url: string;
      /** @description Address that is paid */
      pay_to: string;
      merchant_amount: components["schemas"]["Amount"];
      /** @description HTTP status of the seller; null where none came */
      response_status: number | null;
      /** @description The offer, as the seller wrote it */
      offer: unknown;
      /** @description The receipt that came back */
      receipt: unknown;
      /** @description The problem document of the seller (RFC 9457) */
      problem: unknown;
    };
    PaymentResponse: {
      /** @description HTTP status of the seller */
      status: number;
      /** @description HTTP headers, by their names */
      headers: {
        [key: string]: string;
      };
      /** @description Body of the request or answer, as text */
      body: unknown;
      /** @description `json`, `text` or `base64`; with a header `content-encoding` the body is as it came, because it could not be decoded */
      body_encoding: string;
      /** @description Whether `body` is only the beginning: 5 MiB, or 64 KiB where the answer is repeated for its Idempotency-Key */
      truncated: boolean;
      /** @description Digest of all bytes read of the body, hex */
      sha256: string;
      /** @description How many bytes those were */
      size: number;
    };
    /** @description A payment by MPP, for a challenge of your paywall */
    PaywallMpp: {
      /** @description The value of the header: Payment and the credential */
      credential: string;
      /** @description The price, in base units */
      amount: string;
      /** @description The Content-Digest of the request's body */
      digest?: string;
    };
    PaywallReceipt: {
      /** @description Id of the settlement */
      settlement_id: string | null;
      /** @description Hash of the transaction; null for a payment by card */
      transaction: string | null;
      /** @description Address, or id of the card */
      payer: string;
      /** @description What was taken, in base units */
      amount: string;
      /**
       * Format: date-time
       * @description When it was settled
       */
      settled_at: string | null;
    };
    /** @description A payment by x402 */
    PaywallX402: {
      /** @description 2, or 1 */
      x402Version?: number;
      /** @description The signed payment, as x402 writes it */
      paymentPayload: Record<string, never>;
      /** @description The offer of your 402 that it accepts, as x402 writes it */
      paymentRequirements: Record<string, never>;
    };
    /** @description Computed from settled payments of other wallets */
    Performance: {
      /** @description All counted payments before fees, less refunds, in USDC */
      revenue_lifetime: number;
      /** @description The same, today and the 29 UTC days before */
      revenue_30d: number;
      /** @description Counted payments, those that were refunded in full included */
      payments_lifetime: number;
      /** @description Counted payments in those 30 days */
      payments_30d: number;
      /** @description How many protocols they were made with */
      distinct_protocols: number;
      /** @description Money on the card now */
      balance: number;
      /** @description Whole days since the card was issued */
      age_days: number;
      /**
       * Format: date-time
       * @description The first counted payment
       */
      first_active: string | null;
      /**
       * Format: date-time
       * @description The newest counted payment
       */
      last_active: string | null;
    };
    Plan: {
      /** @description native_token_rails */
      plan: string;
      /**
       * @description Tier of the plan
       * @enum {string}
       */
      tier: "starter" | "growth";
      /**
       * @description How long one payment lasts
       * @enum {string}
       */
      billing_period: "month" | "year";
      price: components["schemas"]["Amount"];
      price_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Symbol of the token that pays it */
      payment_asset: string;
      /** @description Free DIRECT settlements a month */
      direct_quota: number;
      /** @description USDC for each DIRECT settlement above the quota */
      overage_fee: number;
    };
    PlansAnswer: {
      /** @description Every way to buy a membership */
      plans: components["schemas"]["Plan"][];
    };
    PostA2aAnswer: {
      /** @description 2.0 */
      jsonrpc: string;
      /** @description The id of the request */
      id: string | number | null;
      /** @description What the method returns */
      result?: unknown;
      /** @description Why the method returned nothing */
      error?: {
        /** @description The code of the error, as A2A and JSON-RPC have it */
        code: number;
        /** @description What was wrong, and what to do */
        message: string;
        /** @description Its reason, as google.rpc.ErrorInfo */
        data: unknown[];
      };
    };
    PostAgentsVerifyAnswer: {
      /** @description Whether an agent of your list signed this request */
      verified: boolean;
      /** @description Which of your agents it is */
      agent?: string;
      /** @description What was signed for: web-bot-auth, agent-browser-auth, agent-payer-auth */
      tag?: string;
      /** @description The key that signed */
      key_id?: string;
      /** @description What the signature covers, and nothing else */
      covers?: string[];
      /** @description When the signature ends */
      expires_at?: string;
      /** @description Why it is not verified, as a code */
      reason?: string;
      /** @description Why it is not verified, in words */
      message?: string;
    };
    PostAp2MandateAnswer: {
      /** @description The SD-JWT, to be settled as `closed_mandate` */
      mandate: string;
      /** @description Its `jti` */
      mandate_id: string;
      amount: components["schemas"]["Amount"];
      /**
       * @description USD counts cents; USDC, our extension, millionths
       * @enum {string}
       */
      currency: "USD" | "USDC";
      expires_at: components["schemas"]["Timestamp"];
    };
    PostAp2MandatesByMandateIdRevokeAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the mandate */
      mandate_id: string;
      /** @description Hash under which the use of the open mandate is counted */
      open_id: string;
      revoked_at: components["schemas"]["Timestamp"];
    };
    PostAp2OpenMandateAnswer: {
      /** @description The SD-JWT: give it to the agent */
      mandate: string;
      /** @description Revoke it by this id */
      mandate_id: string;
      /** @description The hash under which its use is counted */
      open_id: string;
      /** @description Thumbprint of the only key that may close under it */
      agent_kid: string;
      expires_at: components["schemas"]["Timestamp"];
    };
    PostAp2ReceiptAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the mandate */
      mandate_id: string;
      /** @description Success or Error, as the receipt says */
      status: string;
      /** @description verified or unverified */
      signature: string;
    };
    PostAp2SettleAnswer: {
      /**
       * @description State of the settlement
       * @constant
       */
      status: "ALREADY_SETTLED";
      /**
       * @description Protocol by which it is paid
       * @constant
       */
      protocol: "ap2";
      /** @description Id of the settlement */
      settlement_id: string;
      /** @description The `jti`; a hash of the mandate where it has none */
      mandate_id: string;
      /** @description Code of the pay link */
      pay_link_code: string;
      /** @description Whole units of the asset of the link */
      amount: number;
      /** @description Whole units of the asset of the link */
      fee: number;
      /** @description Whole units of the asset of the link */
      net_amount: number;
      tx_hash: components["schemas"]["TransactionHash"];
      /** @description The `payee.id` of the mandate */
      payee: string;
      /** @description Where the signed AP2 receipt of this payment is */
      receipt_url: string;
    };
    PostAp2VerifyAnswer: {
      /** @description Whether it passed */
      ok: boolean;
      /** @description Whether this mandate has paid the link before */
      already_settled: boolean;
      /** @description Each check of the mandate in order, and its result */
      checks: {
        /** @description Name of the check */
        check: string;
        /** @description Whether it passed */
        ok: boolean;
        /** @description Why it did not pass, in words */
        detail: string;
        /** @description Code of the pay link */
        code: string | null;
      }[];
      /** @description The mandate */
      mandate: components["schemas"]["Mandate"] | null;
    };
    PostApprovalsByIdApproveAnswer: {
      success: components["schemas"]["Success"];
      approval: components["schemas"]["Approval"];
    };
    PostAuthChallengeAnswer: {
      /** @description EIP-4361; the wallet signs it as it is */
      message: string;
      /** @description Stands in the message; works once */
      nonce: string;
      expires_at: components["schemas"]["Timestamp"];
    };
    PostAuthVerifyAnswer: {
      /** @description The token. Keep it secret */
      token: string;
      /** @description Address of the wallet */
      wallet_address: string;
      expires_at: components["schemas"]["Timestamp"];
    };
    PostBillingAgreementsByIdPauseAnswer: {
      success: components["schemas"]["Success"];
      agreement: components["schemas"]["Agreement"];
    };
    PostBillingAgreementsPrepareAnswer: {
      /** @description The public key that the open mandate names in `cnf` */
      billing_key: components["schemas"]["PaymentKey"];
      /** @description RFC 7638 thumbprint of the key */
      kid: string;
      /** @description The content of a `mandate.payment.open.1` */
      content: {
        [key: string]: unknown;
      };
      /** @description The `aud` of each charge */
      audience: string;
      expires_at: components["schemas"]["Timestamp"];
    };
    PostCardsByIdClaimAnswer: components["schemas"]["Card"] & {
      success: components["schemas"]["Success"];
      card: components["schemas"]["Card"];
      claimed: components["schemas"]["Amount"];
    };
    PostCardsByIdControlsBacktestAnswer: {
      asset: components["schemas"]["Asset"];
      rules: components["schemas"]["Rules"];
      since: components["schemas"]["Timestamp"];
      until: components["schemas"]["Timestamp"];
      /** @description How many decisions were judged anew */
      decisions: number;
      /** @description Whether there are more than the 10,000 that count */
      truncated: boolean;
      /**
       * Format: date-time
       * @description When the last of them was made; null for none
       */
      read_until: string | null;
      /** @description Allowed then */
      was_allowed: components["schemas"]["Decisions"];
      /** @description Declined then */
      was_declined: components["schemas"]["Decisions"];
      /** @description Allowed by these rules */
      would_allow: components["schemas"]["Decisions"];
      /** @description Declined by these rules */
      would_decline: components["schemas"]["Decisions"];
      /** @description Declined, and these rules allow it */
      newly_allowed: components["schemas"]["Decisions"];
      /** @description Allowed, and these rules decline it */
      newly_declined: components["schemas"]["Decisions"];
      /** @description Decisions that could not be judged */
      not_judged: components["schemas"]["Decisions"];
      /** @description Why these rules decline, by limit and window; the first 100 */
      reasons: {
        /** @description The code of the refusal */
        rule: string;
        /** @description The window of the limit; null for another rule */
        window: string | null;
        /** @description How many */
        payments: number;
        amount: components["schemas"]["Amount"];
        amount_atomic?: components["schemas"]["AtomicAmount"];
      }[];
      /** @description The first 100 that these rules would have decided otherwise */
      differing: components["schemas"]["Differing"][];
    };
    PostCardsByIdCrtMarketPrepareAnswer: {
      /** @description The account's nonce of the first transaction; null if the wallet is a contract, whose token's address comes from a salt */
      nonce: number | null;
      token: components["schemas"]["Address"];
      /** @description Id of the pool on Uniswap v4 */
      pool_id: string;
      /** @description What a swap costs, in hundredths of a basis point */
      fee: number;
      /** @description Steps of the pool's prices */
      tick_spacing: number;
      /** @description USDC a token at the start: the first step that is not below the price asked for */
      start_price: number;
      /**
       * Format: date-time
       * @description The chain refuses the listing after this
       */
      expires_at: string;
      /** @description What is unusual about the market; null for nothing */
      note: string | null;
      /** @description The transactions, in the order in which to send them */
      transactions: components["schemas"]["TokenMarketTransaction"][];
    };
    PostCardsByIdFreezeAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the card */
      card_id: string;
      /**
       * @description State of the card
       * @enum {string}
       */
      status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
    };
    PostCardsByIdFundAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the card */
      card_id: string;
      added: components["schemas"]["Amount"];
      new_limit: components["schemas"]["Amount"];
    };
    PostCardsByIdTransferAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the card */
      card_id: string;
      /** @description The new owner */
      to_wallet: string;
    };
    PostDecisionsByIdAllowAnswer: {
      success: components["schemas"]["Success"];
      card: components["schemas"]["Card"];
      /** @description The grant of `once`; null otherwise */
      approval: components["schemas"]["Approval"] | null;
      /** @description The limit that was raised; null if none was */
      raised: {
        /**
         * @description The limit that was raised
         * @enum {string}
         */
        limit: "max_transaction" | "approval_above" | "hourly_limit" | "daily_limit" | "weekly_limit" | "monthly_limit";
        /** @description The limit now */
        to: number | null;
      } | null;
    };
    PostDevFaucetAnswer: {
      tx_hash: components["schemas"]["Hash"];
      contract: components["schemas"]["Address"];
      /** @description ETH of the address afterwards, in wei */
      gas_balance: string;
    };
    PostDevSessionAnswer: {
      /** @description Address of the wallet */
      wallet_address: string;
      expires_at: components["schemas"]["Timestamp"];
    };
    PostExceptionsByIdKeepAnswer: {
      success: components["schemas"]["Success"];
      exception: components["schemas"]["Exception"];
    };
    PostExceptionsByIdRefundAnswer: {
      success: components["schemas"]["Success"];
      exception: components["schemas"]["Exception"];
      /** @description Id of the withdrawal */
      withdrawal_id: string;
      withdrawal_fee: components["schemas"]["Amount"];
      /** @description The status of the withdrawal: PROCESSING */
      status: string;
      balance: components["schemas"]["Balance"];
    };
    PostFeesTopupAnswer: {
      success: components["schemas"]["Success"];
      added: components["schemas"]["Amount"];
      meter: components["schemas"]["Meter"];
    };
    PostFundVerifyAnswer: {
      success: components["schemas"]["Success"];
      /** @description State of the deposit */
      status: "confirmed" | "pending";
      funded: components["schemas"]["Amount"];
      funded_atomic?: components["schemas"]["AtomicAmount"];
      balance: components["schemas"]["Balance"];
    };
    PostIssueBulkAnswer: {
      success: components["schemas"]["Success"];
      /** @description The cards, in the order of their orders */
      cards: components["schemas"]["Card"][];
      total_allocated: components["schemas"]["Amount"];
    };
    PostKeysRestrictedAnswer: {
      /** @description The key. It is shown this once */
      api_key: string;
      key: components["schemas"]["Key"];
    };
    PostKeysValidateAnswer: {
      /** @description true: the key is good */
      valid: boolean;
      /** @description Address of the wallet */
      wallet_address: string;
      authenticated_at: components["schemas"]["Timestamp"];
      /** @description Whether the wallet may read the operator’s pages; a restricted key needs `operator:read` for that */
      is_operator: boolean;
    };
    PostListingsByIdBuyAnswer: {
      success: components["schemas"]["Success"];
      listing: components["schemas"]["Listing"];
      card: components["schemas"]["Card"];
    };
    PostListingsPrepareAnswer: {
      typed_data: components["schemas"]["TypedData"];
      /** @description Transactions that your wallet has to send first; none if they are made */
      transactions: {
        to: components["schemas"]["Address"];
        /** @description Data of the transaction */
        data: string;
        /** @description Wei to send with it: 0 */
        value: string;
        /** @description What it does, in words */
        description: string;
      }[];
      holder: components["schemas"]["Holder"];
    };
    PostMembershipAutoRenewAnswer: {
      success: components["schemas"]["Success"];
      /** @description Whether the membership will be renewed */
      enrolled: boolean;
      /** @description true: an intent without money set aside; the balance pays at the end of the period */
      soft?: boolean;
      /**
       * @description How it is paid or renewed
       * @enum {string}
       */
      mode?: "funded" | "wallet";
      /** @description true: there was an enrolment before, and this is it */
      already_enrolled?: boolean;
      agreement?: components["schemas"]["Agreement"];
      /** @description Id of the card */
      card_id?: string;
      reserve?: components["schemas"]["Amount"];
      reserve_atomic?: components["schemas"]["AtomicAmount"];
      /** @description Periods for which money is set aside */
      periods_funded?: number;
      price?: components["schemas"]["Amount"];
      price_atomic?: components["schemas"]["AtomicAmount"];
      /**
       * Format: date-time
       * @description Start of the next period to be charged; null where none is
       */
      next_charge_at?: string | null;
      /** @description Reported up to 1,000,000,000 */
      allowance?: number;
    };
    PostMppAgentcardAnswer: {
      success: components["schemas"]["Success"];
      /** @description The transaction of the card, PENDING until it is redeemed */
      transaction_id: string;
      /** @description Id of the card */
      card_id: string;
      amount: components["schemas"]["Amount"];
      expires_at: components["schemas"]["Timestamp"];
      /** @description The request header that the credential goes into */
      header: string;
      /** @description The value of that header. It is money: never log it */
      credential: string;
      /** @description The payload alone, for a client that writes the credential itself */
      payload: {
        /**
         * @description cardToken
         * @constant
         */
        type: "cardToken";
        /** @description The token. Keep it secret */
        token: string;
      };
    };
    PostMppReceiveAnswer: {
      /** @description The payment has a good signature of its own and settled for this resource */
      verified: boolean;
      /** @description Of a verified one: whether an earlier call verified it. Serve a payment that was used only to whom you know */
      already_used?: boolean;
      /** @description Of a verified one */
      settlement_id?: string;
      /** @description Why it is not verified, by the protocol's own name; `not_settled` for a good payment that was not carried to the chain */
      reason?: string;
    };
    PostMppStreamCloseAnswer: {
      /** @description The amount that left the card: the sum of the ticks, or 0 without a receiver card */
      final_amount: number;
      /** @description `CLOSED`, or `EXPIRED` where its time was over first */
      status: string;
    };
    PostMppStreamTickAnswer: {
      total_ticked: components["schemas"]["Amount"];
      remaining: components["schemas"]["Amount"];
    };
    PostPayAnswer: {
      /** @description Whether the request was made, and paid for where it asked for that. What came of it: `outcome` */
      success: boolean;
      /**
       * @description `paid`: the money was taken and the seller served. `free`: it served and asked for nothing. `not_charged`: it did not serve, and nothing was taken. `seller_failed`: the money was taken and the seller did not serve; a retry with the same Idempotency-Key shows it the same payment again, and takes nothing more. `unknown`: the money is held and not taken yet; `response` tells whether the seller served; the same, and never a new key
       * @enum {string}
       */
      outcome: "paid" | "free" | "not_charged" | "seller_failed" | "unknown";
      /** @description Id of the transaction */
      transaction_id: string | null;
      /** @description All that left the card: merchant amount and fee */
      amount_debited: number;
      merchant_amount: components["schemas"]["Amount"];
      platform_fee: components["schemas"]["Amount"];
      token: components["schemas"]["Asset"];
      network: components["schemas"]["Network"];
      /** @description Protocol by which it is paid */
      protocol: string | null;
      /** @description How it was settled */
      settlement: {
        /** @description `SETTLED` or `PENDING`, as the chain has it */
        status: string;
        /** @description While PENDING: what the seller says, if it says anything */
        tx_hash: string | null;
      } | null;
      /** @description The seller's answer; null where it was lost, or the request is a retry */
      response: components["schemas"]["PaymentResponse"] | null;
      /** @description The receipt that came back */
      receipt: components["schemas"]["Receipt"] | null;
      /** @description The problem document of the seller (RFC 9457) */
      problem: {
        /** @description The problem type (RFC 9457) */
        type: string;
        /** @description Kind of problem, in words */
        title: string | null;
        /** @description State of the payment */
        status: number | null;
        /** @description The problem, in words */
        detail: string | null;
        /** @description Id of the MPP challenge */
        challenge_id: string | null;
      } | null;
    };
    PostPayAuthorizeAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the transaction */
      transaction_id: string;
      /** @description The amount that leaves the card once the payment is used */
      amount_held: number;
      merchant_amount: components["schemas"]["Amount"];
      platform_fee: components["schemas"]["Amount"];
      token: components["schemas"]["Asset"];
      network: components["schemas"]["Network"];
      pay_to: components["schemas"]["Address"];
      /** @description Unused by then, the money is free again */
      expires_at: components["schemas"]["Timestamp"];
      /** @description How it was settled */
      settlement: {
        /** @description `SETTLED` or `PENDING`, as the chain has it */
        status: string;
        tx_hash: components["schemas"]["TransactionHash"];
      };
      /** @description The signed x402 `PaymentPayload`: for `_meta["x402/payment"]` of an MCP call or `x402.payment.payload` of an A2A message. Null once it has been used */
      payment: {
        [key: string]: unknown;
      } | null;
    };
    PostPayByCodeSettleAnswer: {
      success: components["schemas"]["Success"];
      /**
       * @description PENDING: the block of the transaction is not safe yet; do not pay again
       * @enum {string}
       */
      status: "SETTLED" | "PENDING";
      /** @description The card transaction of a card payment; otherwise the settlement, or while PENDING the hash of the transaction */
      transaction_id: string;
      /** @description Id of the settlement */
      settlement_id: string | null;
      /** @description Code of the pay link */
      pay_link_code: string;
      /** @description Protocol by which it is paid */
      protocol: string;
      /** @description In whole units of the asset */
      amount: number | null;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The part of the payment that the service keeps */
      fee: number | null;
      /** @description The amount that the receiver gets, after the fee */
      net_amount: number | null;
      /** @description DIRECT only: the seller's fee for it, in the service's asset; null: it is not metered */
      metered_fee?: number | null;
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      network: components["schemas"]["Network"];
      tx_hash: components["schemas"]["TransactionHash"];
    };
    PostPayPurchasesAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the purchase */
      purchase_id: string;
      /** @description Whether it begins with this request */
      is_new: boolean;
      created_at: components["schemas"]["Timestamp"];
    };
    PostPaySimulateAnswer: {
      /** @description Whether the card may pay this */
      allowed: boolean;
      /** @description The rule that decides: `within_limits`, or a refusal code */
      rule: string;
      /** @description The message to sign (EIP-4361) */
      message: string;
      /**
       * Format: date-time
       * @description From when on the card may pay this; null where waiting does not help
       */
      passes_at: string | null;
      /** @description All that would leave the card, fee included */
      amount: number;
      merchant_amount: components["schemas"]["Amount"];
      platform_fee: components["schemas"]["Amount"];
      counters: components["schemas"]["Counters"];
      /** @description `x402` or `mpp`; null where the URL needs no payment */
      protocol: string | null;
      /** @description The offer that would be paid, as the seller wrote it */
      offer: unknown;
    };
    PostPaylinksAnswer: components["schemas"]["PayLink"] & {
      success: components["schemas"]["Success"];
      pay_link: components["schemas"]["PayLink"];
    };
    PostPaymentsByIdRefundAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the transaction */
      transaction_id: string;
      amount: components["schemas"]["Amount"];
      /** @description All that was refunded of the payment so far */
      refunded: number;
      /** @description Id of the refund's own entry */
      refund_id: string;
      /** @description The fee of the payment, which the service keeps */
      fee_kept: number;
      /** @description `REFUNDED` once all of it was, else `SETTLED` */
      status: string;
    };
    PostPaywallAnswer: {
      wallet_address: components["schemas"]["Address"];
      /** @description URL of this service, whose cards can pay */
      issuer: string;
      network: components["schemas"]["Network"];
      /** @description Its name in x402 v1 */
      network_v1: string | null;
      /** @description Id of the chain */
      chain_id: number;
      /** @description The token that prices are in */
      asset: {
        /** @description Symbol of the token */
        symbol: string;
        /** @description Contract of the token */
        contract: string;
        /** @description Digits after the point */
        decimals: number;
        /** @description Name in its EIP-712 domain */
        name: string;
        /** @description Version in its EIP-712 domain */
        version: string;
      };
      /** @description Whether payments on chain are settled now */
      is_on_chain: boolean;
      /** @description The least payment on chain, in base units */
      min_on_chain: string;
      /** @description For prices by use (x402 `upto`): the account that payers let settle; null where it is not spoken */
      upto_facilitator: string | null;
      /** @description Code of the link that cards pay; null if none of your cards can receive */
      card_link: string | null;
      /** @description The key that binds the challenges of your paywall, base64url: the id of a challenge is HMAC-SHA-256 with it over realm, method, intent, request, expires, digest and opaque, joined by |. Keep it secret */
      challenge_key: string;
    };
    PostPaywallPaymentsAnswer: {
      /**
       * @description claimed: serve, then settle; paid: serve, the money was taken before; settling: do not serve, settle again; busy: another attempt serves; used: its goods are given; refused
       * @enum {string}
       */
      status: "claimed" | "paid" | "settling" | "busy" | "used" | "refused";
      /** @description Id of the payment here; null if refused */
      id: string | null;
      /** @description Address, or id of the card; null if refused */
      payer: string | null;
      /** @description Why it is refused, by its protocol's own name */
      reason: string | null;
      /** @description The same in words */
      detail: string | null;
      /** @description Of a busy one: when to ask again */
      retry_seconds: number | null;
      /** @description What was taken; null if nothing was yet */
      receipt: components["schemas"]["PaywallReceipt"] | null;
      /** @description Of a settling one: whether its settlement will answer with what was kept */
      is_answer_kept: boolean;
      /** @description The answer that was kept, as your paywall sealed it, base64 */
      answer: string | null;
    };
    PostPaywallPaymentsByIdSettleAnswer: {
      /**
       * @description pending: the chain does not show it yet; ask again with the same payment, never for another
       * @enum {string}
       */
      status: "settled" | "pending" | "refused";
      /** @description Only then give the goods */
      is_first: boolean;
      /** @description Why it is refused, by its protocol's own name */
      reason: string | null;
      /** @description The same in words */
      detail: string | null;
      /** @description Of a pending one: the transaction, if it is sent */
      transaction: string | null;
      /** @description What was taken; null if nothing was yet */
      receipt: components["schemas"]["PaywallReceipt"] | null;
      /** @description The answer that was kept, as your paywall sealed it, base64 */
      answer: string | null;
    };
    PostWebhooksAnswer: {
      /** @description Id of the webhook */
      id: string;
      /** @description URL of the webhook */
      url: string;
      /** @description Description of the webhook, in words */
      description: string;
      /**
       * @description State of the webhook
       * @enum {string}
       */
      status: "ACTIVE" | "DISABLED";
      /** @description whsec_ and 32 bytes in base64; shown once */
      secret: string;
      /** @description What to know about the secret */
      note: string;
      created_at: components["schemas"]["Timestamp"];
    };
    PostWebhooksByIdRecoverAnswer: {
      /** @description How many, 10,000 at most */
      count: number;
      /** @description Whether nothing was done but counted */
      dry_run: boolean;
      /** @description Whether to call again for the rest */
      has_more: boolean;
    };
    PostWebhooksByIdRotateSecretAnswer: {
      success: components["schemas"]["Success"];
      /** @description The new one; shown once */
      secret: string;
      previous_secret_expires_at: components["schemas"]["Timestamp"];
      /** @description What to know about the secret */
      note: string;
    };
    PostWebhooksByIdTestAnswer: {
      /** @description Whether the endpoint answered 2xx */
      ok: boolean;
      /** @description What the endpoint answered */
      status_code: number;
      /** @description How often it was sent */
      attempts: number;
      /** @description Id of the event */
      event_id: string;
    };
    PostWithdrawAnswer: {
      success: components["schemas"]["Success"];
      /** @description Id of the withdrawal */
      withdrawal_id: string;
      amount: components["schemas"]["Amount"];
      withdrawal_fee: components["schemas"]["Amount"];
      net_amount: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      withdrawal_fee_atomic?: components["schemas"]["AtomicAmount"];
      net_amount_atomic?: components["schemas"]["AtomicAmount"];
      /**
       * @description State of the withdrawal
       * @enum {string}
       */
      status: "PROCESSING" | "COMPLETED" | "FAILED";
      balance: components["schemas"]["Balance"];
    };
    PostX402PayAnswer: Record<string, never>;
    PostX402ReceiveAnswer: {
      /** @description The payment has a good signature of its own and settled for this resource */
      verified: boolean;
      /** @description Of a verified one: whether an earlier call verified it. Serve a payment that was used only to whom you know */
      already_used?: boolean;
      /** @description Of a verified one */
      settlement_id?: string;
      /** @description Why it is not verified, by the protocol's own name; `not_settled` for a good payment that was not carried to the chain */
      reason?: string;
      /** @description The URL that it paid for; null where it is not verified */
      resource: string | null;
    };
    PostX402SettleAnswer: {
      /** @description Only then may anything be given for the payment */
      success: boolean;
      /** @description The transaction that holds the transfer, or will if it is pending; else empty, as for an upto payment of which nothing was used */
      transaction: string;
      /** @description CAIP-2 chain id; by its v1 name in an answer to v1 */
      network: string;
      /** @description Address that pays */
      payer?: string;
      /** @description Base units */
      amount?: string;
      /** @description settlement_pending is no failure: ask again with the same request, never for another payment */
      errorReason?: string;
      /** @description Why it was not settled, in words */
      errorMessage?: string;
      /** @description Additions of the x402 scheme, such as name and version of the token */
      extra?: {
        /** @description Id of the settlement */
        settlement_id: string;
        /** @description With the same key: how it stands */
        status_url: string;
      };
    };
    PostX402SignInAnswer: {
      /** @description Whether the wallet signed the message for this resource */
      verified: boolean;
      /** @description Whether the wallet has paid for the resource through you */
      paid: boolean;
      /** @description The wallet; only if verified */
      address?: string;
      /** @description Its newest settlement; only if paid */
      settlement_id?: string;
      /** @description Why it is not verified, as a word of x402 */
      reason?: string;
      /** @description Why it is not verified, in words */
      message?: string;
    };
    PostX402VerifyAnswer: {
      /** @description Whether the payment would settle now */
      isValid: boolean;
      /** @description Why the payment is not valid, as a word of x402 */
      invalidReason?: string;
      /** @description Why the payment is not valid, in words */
      invalidMessage?: string;
      /** @description Address that pays */
      payer?: string;
    };
    Profile: {
      /** @description The name that payers see; null for none */
      name: string | null;
      /** @description Where the logo is served. Another logo has another address; null for none */
      logo_url: string | null;
      /** @description Where payers reach you: an https page or a mailto; null for none */
      support_url: string | null;
      /** @description Color of the button that pays, as #rrggbb; null for that of the page */
      accent: string | null;
      /**
       * Format: date-time
       * @description When it was changed last; null for never
       */
      updated_at: string | null;
    };
    ProfileAnswer: {
      profile: components["schemas"]["Profile"];
    };
    /** @description Jobs of the service */
    Queues: {
      /** @description Jobs that are due */
      ready: number;
      /** @description Jobs whose time has not come */
      waiting: number;
      /** @description Jobs that run now */
      running: number;
      /** @description Jobs that have used up their attempts */
      failed: number;
    };
    /** @description The seller's own word on the settlement (PAYMENT-RESPONSE, Payment-Receipt). A claim, no proof */
    Receipt: {
      /** @description Whether the seller says that it was paid */
      success: boolean;
      /** @description Hash of the transaction */
      transaction: string | null;
      /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
      network: string | null;
      /** @description Address that pays */
      payer: string | null;
      /** @description Why it failed; null where it did not */
      error_reason: string | null;
      /** @description Method of MPP */
      method: string | null;
      /** @description Id of the MPP challenge */
      challenge_id: string | null;
      /** @description Id that the other side gave */
      external_id: string | null;
    };
    ReceiptAnswer: {
      receipt: components["schemas"]["PayLinkReceipt"];
    };
    RegistryAnswer: {
      /** @description The registry that lists the token */
      registry: {
        [key: string]: {
          /** @description Symbol of the token */
          symbol: string;
          /** @description ERC20 */
          type: string;
          /** @description Decimals of the token */
          decimals: number;
          contract: components["schemas"]["Address"];
        }[];
      };
    };
    Relayer: {
      /** @description Address of the relayer */
      address: string;
      /** @description Its gas money as last measured, in wei; null before */
      wei: string | null;
      /**
       * Format: date-time
       * @description When it was measured
       */
      measured_at: string | null;
      /** @description Whether it is out of gas and sends nothing */
      is_resting: boolean;
      /** @description The nonce of its next transaction */
      next_nonce: number;
      /** @description Its transactions that no block holds yet */
      unmined: number;
    };
    RelayersAnswer: {
      /** @description Those of the machine that answers */
      relayers: components["schemas"]["Relayer"][];
    };
    Remedy: {
      /**
       * @description What would let the payment pass
       * @enum {string}
       */
      action: "allow_once" | "allow_payee" | "raise_limit" | "fund" | "unfreeze";
      /** @description The same in words */
      text: string;
      /** @description The payee that would be allowed */
      payee?: string;
      /** @description The limit that would be raised */
      limit?: string;
      /** @description The limit with which it would have passed */
      to?: number;
      /** @description The amount that was missing on the card */
      amount?: number;
      /** @description HTTP method of the operation that does it */
      method: string;
      /** @description Path of that operation */
      path: string;
      /** @description Body of that operation */
      body?: {
        [key: string]: unknown;
      };
    };
    RevokedKeysAnswer: {
      success: components["schemas"]["Success"];
      /** @description Keys that were good until now */
      revoked_keys: number;
    };
    /** @description The rules; those that are left out are the active ones */
    Rules: {
      /** @description Merchant categories; empty for all */
      mcc_locks?: string;
      /** @description Payees; empty for any */
      allowed_merchants?: string[];
      /** @description The most that one payment may be */
      max_transaction?: number | null;
      /** @description A payment above this waits for the owner */
      approval_above?: number | null;
      /** @description Whether the first payment to each payee waits for the owner */
      approval_first_merchant?: boolean;
      /** @description The most that may leave the card in an hour (from the full hour); null for no limit */
      hourly_limit?: number | null;
      /** @description The most that may leave the card in a day (UTC); null for no limit */
      daily_limit?: number | null;
      /** @description The most that may leave the card in a week (from Monday, UTC); null for no limit */
      weekly_limit?: number | null;
      /** @description The most that may leave the card in a calendar month (UTC); null for no limit */
      monthly_limit?: number | null;
    };
    /** @description The risks of the token for its holders, and the features that it supports. A token that takes a fee on transfers is not registered */
    Safety: {
      fee_on_transfer: components["schemas"]["FeeOnTransfer"];
      pausable: components["schemas"]["FeeOnTransfer"];
      blocklist: components["schemas"]["FeeOnTransfer"];
      rebasing: components["schemas"]["FeeOnTransfer"];
      upgradeable: components["schemas"]["FeeOnTransfer"];
      eip3009: components["schemas"]["FeeOnTransfer"];
      eip2612: components["schemas"]["FeeOnTransfer"];
      permit2: components["schemas"]["FeeOnTransfer"];
    };
    SessionIdAnswer: {
      /** @description Id of the session */
      session_id: string;
    };
    SessionsAnswer: {
      /** @description The sessions */
      sessions: {
        /** @description Id of the session */
        id: string;
        created_at: components["schemas"]["Timestamp"];
        expires_at: components["schemas"]["Timestamp"];
        /** @description Its User-Agent */
        device: string | null;
        /** @description Whether this request was made with it */
        is_current: boolean;
      }[];
    };
    Settlement: {
      /** @description Id of the settlement */
      id: string;
      /**
       * @description State of the settlement
       * @enum {string}
       */
      status: "pending" | "completed" | "failed";
      /**
       * @description Of a completed one: whether its block is beyond reorganization; missing: it was undone, and the payer has not paid
       * @enum {string|null}
       */
      finality: "waiting" | "final" | "missing" | null;
      /** @description Hash of the transaction */
      transaction: string | null;
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Address"];
      /**
       * @description upto: the amount is what was used of the signed most
       * @enum {string}
       */
      scheme: "exact" | "upto";
      /**
       * @description How x402 moves the token: eip3009 or permit2
       * @enum {string}
       */
      asset_transfer_method: "eip3009" | "permit2";
      payer: components["schemas"]["Address"];
      pay_to: components["schemas"]["Address"];
      /** @description Base units */
      amount: string;
      /** @description Id that the client gave the payment (x402) */
      payment_identifier: string | null;
      /** @description Address of what is sold */
      resource: string | null;
      /** @description Why, as a stable word */
      reason: string | null;
      /** @description The same in words */
      detail: string | null;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it ended; null while it is open
       */
      ended_at: string | null;
    };
    SettlementAnswer: {
      settlement: components["schemas"]["Settlement"];
    };
    SettlementPendingDetails: {
      /** @description Id of the settlement */
      settlement_id?: string;
      /** @description Where to ask how the payment stands */
      status_url?: string;
      /** @description Id of the payment */
      transaction_id?: string;
    };
    Spending: {
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
      /** @description The first day, YYYY-MM-DD in UTC */
      from: string;
      /** @description The last day, today, YYYY-MM-DD in UTC */
      to: string;
      /** @description Of all cards and days */
      total: {
        /** @description How many payments */
        payments: number;
        /** @description What left cards for payments, fees included */
        spent: components["schemas"]["Amount"];
        /** @description What came back to cards, on the day it came */
        returned: components["schemas"]["Amount"];
      };
      /** @description Each day from the first to the last, the oldest first */
      days: {
        /** @description The day, YYYY-MM-DD in UTC */
        day: string;
        /** @description How many payments */
        payments: number;
        /** @description What left cards for payments, fees included */
        spent: components["schemas"]["Amount"];
        /** @description What came back to cards, on the day it came */
        returned: components["schemas"]["Amount"];
      }[];
      /** @description The 10 cards that spent most */
      cards: {
        card_id: components["schemas"]["CardId"];
        /** @description What the card is for */
        purpose: string;
        /** @description How many payments */
        payments: number;
        /** @description What left cards for payments, fees included */
        spent: components["schemas"]["Amount"];
        /** @description What came back to cards, on the day it came */
        returned: components["schemas"]["Amount"];
      }[];
      /** @description All other cards together */
      others: {
        /** @description How many more cards spent something */
        cards: number;
        /** @description How many payments */
        payments: number;
        /** @description What left cards for payments, fees included */
        spent: components["schemas"]["Amount"];
        /** @description What came back to cards, on the day it came */
        returned: components["schemas"]["Amount"];
      };
      /**
       * Format: date-time
       * @description All payments until then are counted; null: none yet
       */
      as_of: string | null;
    };
    Stats: {
      /** @description Payments received, since the card was issued */
      rxCount: number;
      /** @description USDC received in them before fees, less refunds */
      rxLifetime: number;
      /** @description The same, today and the 29 UTC days before */
      rx30d: number;
      /** @description Payments received in that time */
      rx30dCount: number;
      /**
       * Format: date-time
       * @description The newest of the payments
       */
      lastActive: string | null;
      /**
       * Format: date-time
       * @description The first of the payments
       */
      firstActive: string | null;
      /** @description How many protocols they were made with */
      protocols: number;
      /** @description Money on the card now; it changes hands with the card */
      balance: number;
      /** @description Whole days since the card was issued */
      ageDays: number;
      /** @description Whether the card has a credential token with a market */
      hasCrt: boolean;
      /** @description NONE, LIVE or VESTED */
      crtStatus: string;
      /** @description Contract of the credential token */
      crtAddress: string | null;
      /** @description Symbol of the credential token */
      crtSymbol: string | null;
      /** @description ERC-6551 account of the identity token; null before its mint is final */
      holderAddress: string | null;
      /** @description How that account stands: NONE, RESERVED, DEPLOYED */
      chainStatus: string;
      /** @description The identity token, as CAIP-19 names it */
      identityToken: string | null;
      /** @description How the identity token stands; NONE without one */
      identityStatus: string;
    };
    /** @description How it was settled */
    StatusSettlement: {
      /**
       * @description Whether this release does it at all
       * @enum {string}
       */
      status: "available" | "unavailable";
      /** @description Ways in which payments are settled */
      modes: string[];
      asset: components["schemas"]["Asset"];
      /** @description CAIP-2 ids of chains */
      supported_networks: components["schemas"]["Network"][];
      /** @description Where a payment is settled: in the books, on chain */
      engine: string;
      /** @description The fee that a seller pays for each payment, in words */
      fee_model: string;
      /** @description The same in numbers */
      fee: components["schemas"]["Fees"];
    };
    Stream: {
      /** @description Id of the stream */
      id: string;
      /** @description The card that pays. The wallet that is paid sees its last four characters only */
      card_id: string;
      budget: components["schemas"]["Amount"];
      tick_amount: components["schemas"]["Amount"];
      /** @description All that was ticked so far; it only grows */
      total_ticked: number;
      /** @description The rest of the budget */
      remaining: number;
      /**
       * @description State of the stream
       * @enum {string}
       */
      status: "OPEN" | "CLOSED" | "EXPIRED";
      /** @description Id of the card that is paid */
      receiver_card_id: string | null;
      /** @description Null for the wallet that is paid */
      session_id: string | null;
      /** @description The label of the session, or the wallet of the receiver card. The wallet that is paid sees that of the payer */
      merchant: string;
      /** @description The amount that left the card at the end, with the fee of the receiver; null while OPEN */
      final_amount: number | null;
      created_at: components["schemas"]["Timestamp"];
      expires_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it ended; null while it is open
       */
      ended_at: string | null;
    };
    StreamBudgetExceededDetails: {
      /** @description The sum of the ticks so far */
      total_ticked?: number;
      /** @description The rest of the budget */
      remaining?: number;
    };
    /** @description true: it was done */
    Success: boolean;
    SuccessAnswer: {
      success: components["schemas"]["Success"];
    };
    /** @description What the draft would have said since it was made */
    Summary: {
      decisions: components["schemas"]["Decisions"];
      /** @description Allowed by both */
      both_allowed: components["schemas"]["Decisions"];
      /** @description Declined by both */
      both_declined: components["schemas"]["Decisions"];
      /** @description Declined, and these rules allow it */
      newly_allowed: components["schemas"]["Decisions"];
      /** @description Allowed, and these rules decline it */
      newly_declined: components["schemas"]["Decisions"];
      /** @description Decisions that could not be judged */
      not_judged: components["schemas"]["Decisions"];
      /** @description Whether there are more than the 10,000 that count */
      truncated: boolean;
      /** @description The first ten that differ */
      differing: components["schemas"]["Differing"][];
    };
    Task: {
      /** @description Name of the task */
      task: string;
      /** @description Its jobs that are due */
      ready: number;
      /** @description Its jobs that run now */
      running: number;
      /** @description Its jobs that failed and are tried again */
      retrying: number;
      /** @description Its jobs that have used up their attempts */
      failed: number;
      /** @description How long the first of the due jobs has waited */
      oldest_seconds: number | null;
    };
    /** @description Without control and invisible characters */
    Text: string;
    /**
     * Format: date-time
     * @description ISO 8601 UTC
     */
    Timestamp: string;
    Token: {
      /** @description Id of the token */
      id: string;
      network: components["schemas"]["Network"];
      address: components["schemas"]["Address"];
      /** @description The token's own word: anybody can name a token anything */
      symbol: string;
      /** @description The token's own words */
      name: string;
      /** @description Decimals of the token */
      decimals: number;
      /**
       * @description Kind of token
       * @enum {string}
       */
      type: "ERC20" | "B20";
      /**
       * @description State of the token
       * @enum {string}
       */
      status: "ACTIVE" | "REMOVED";
      safety: components["schemas"]["Safety"];
      created_at: components["schemas"]["Timestamp"];
      checked_at: components["schemas"]["Timestamp"];
    };
    TokenAnswer: {
      token: components["schemas"]["Token"];
    };
    /** @description DIRECT only: the contract of the token that is paid */
    TokenContract: string;
    /** @description DIRECT only: the decimals of the token */
    TokenDecimals: number;
    TokenMarketMarket: {
      cardId: components["schemas"]["CardId"];
      token: components["schemas"]["Address"];
      /** @description Symbol of the token */
      symbol: string;
      /** @description Name of the token */
      name: string;
      /** @description How many whole tokens there are, for ever */
      supply: number;
      /** @description Decimals of the token */
      decimals: number;
      /** @description Id of the pool on Uniswap v4 */
      poolId: string;
      /** @description Null before it is live */
      deployTx: string | null;
      /** @description Null before it is live */
      listTx: string | null;
      /** @description The wallet that deployed and listed the token */
      creator: string;
      /**
       * Format: date-time
       * @description Null before it is live
       */
      listedAt: string | null;
      /** @description CAIP-2 chain id, e.g. eip155:8453 */
      network: string;
      /**
       * @description PREPARED before it is confirmed
       * @enum {string}
       */
      status: "PREPARED" | "LIVE" | "VESTED";
      /** @description Ten-thousandths of the supply that the creator keeps */
      keepBps: number;
      /** @description The creator's nonce of the deployment; null if the wallet is a contract, whose token's address comes from a salt */
      nonce: number | null;
      /** @description How long the kept part must be locked */
      vestingDays: number;
      preparedAt: components["schemas"]["Timestamp"];
    };
    TokenMarketTransaction: {
      /**
       * @description What the transaction does
       * @enum {string}
       */
      step: "deploy" | "vest" | "approve" | "list";
      /** @description Null for the deployment of a contract by a wallet with a key */
      to: string | null;
      /** @description Call data, in hexadecimal */
      data: string;
      /** @description Wei to send along */
      value: string;
      /** @description Gas limit, with some room */
      gas: number;
      /** @description What it does, for the person who signs it */
      description: string;
    };
    Transaction: {
      /** @description Id of the transaction */
      id: string;
      /** @description Id of the card */
      card_id: string;
      /**
       * @description Which way money goes
       * @enum {string}
       */
      direction: "sent" | "received";
      /** @description The amount that the card gave, fee included, or gained, fee deducted */
      amount: number;
      fee: components["schemas"]["Amount"];
      amount_atomic?: components["schemas"]["AtomicAmount"];
      fee_atomic?: components["schemas"]["AtomicAmount"];
      refunded_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The other side: a host, code of a link, wallet or address */
      merchant: string;
      /**
       * @description Protocol by which it is paid
       * @enum {string}
       */
      protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
      /**
       * @description State of the payment. REFUNDED once all of it was given back; its amount and time stay
       * @enum {string}
       */
      status: "PENDING" | "SETTLED" | "FAILED" | "REFUNDED" | "UNKNOWN";
      /** @description The purpose of the card */
      card_purpose: string;
      /**
       * @description CLOSED for a card that you spent with and have sold since
       * @enum {string}
       */
      card_status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
      tx_hash: components["schemas"]["TransactionHash"];
      network: components["schemas"]["Network"];
      asset: components["schemas"]["Asset"];
      token_contract?: components["schemas"]["TokenContract"];
      decimals?: components["schemas"]["TokenDecimals"];
      /** @description What was given back of it until now. Each refund is an entry of its own: a sum of the list has it there already */
      refunded: number;
      /** @description Of a refund: the transaction that it gives back, or a part of it */
      refund_of?: string;
      /** @description Of a refund: the fee of the payment, which the service keeps */
      fee_kept?: number;
      fee_kept_atomic?: components["schemas"]["AtomicAmount"];
      /** @description The purpose of the payment, in words */
      memo: string;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it was settled; null until then
       */
      settled_at: string | null;
    };
    /** @description Hash of the transaction on chain; null until there is one */
    TransactionHash: string | null;
    TreasuryAddress: {
      /** @description Id of the entry */
      id: string;
      address: components["schemas"]["Address"];
      added_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description From when on withdrawals may go there
       */
      usable_at: string;
      /**
       * @description `ALLOWED` once `usable_at` has come
       * @enum {string}
       */
      state: "WAITING" | "ALLOWED";
    };
    /** @description What the figures leave out, and how they can be made to look better than they are */
    Trust: {
      /** @description Wallets and addresses that paid */
      payers: number;
      /** @description The part of the revenue that the largest payer brought, 0 to 1 */
      top_payer_share: number | null;
      /** @description Payers that have had the card themselves, or that got money or a card here from a wallet that has had it */
      payers_funded_by_holder: number;
      /** @description Other payers, which got money or a card here from a wallet that got some from a holder */
      payers_funded_through_others: number;
      /** @description The part of the payers that paid twice or more, 0 to 1 */
      repeat_rate: number | null;
      /** @description Payments of the holder itself, which are in no figure */
      self_payments_excluded: number;
      /** @description What was refunded of counted payments, in USDC */
      refunded: number;
      /** @description Payments that came late, short, over, or to a closed link; in no figure */
      exceptions: number;
      /** @description Payments in other tokens; in no figure */
      other_assets: number;
      /** @description How far the figures go, and how they were computed */
      as_of: {
        /**
         * Format: date-time
         * @description When they were computed
         */
        at: string | null;
        /** @description The number of batches of the ledger that are in the figures */
        sequence: string;
        /** @description The newest block of the chain that had been read by then */
        block: number | null;
        /** @description The rules of counting: docs/credentials.md */
        method: string;
      };
    };
    /** @description Sign it with eth_signTypedData_v4 */
    TypedData: {
      /** @description The domain (EIP-712) */
      domain: {
        [key: string]: unknown;
      };
      /** @description The types (EIP-712) */
      types: {
        [key: string]: unknown;
      };
      /** @description The type of the message (EIP-712) */
      primaryType: string;
      /** @description The message; whole numbers are strings */
      message: {
        [key: string]: unknown;
      };
    };
    /** @description The stream that locks the kept part */
    Vesting: {
      /** @description Where the stream is shown to everybody */
      streamUrl: string;
      /** @description Number of the stream in its lockup */
      streamId: string;
      /** @description Ten-thousandths of the supply that the creator keeps */
      keepBps: number;
    };
    VestingAnswer: {
      success: components["schemas"]["Success"];
      vesting: components["schemas"]["Vesting"];
    };
    Webhook: {
      /** @description Id of the webhook */
      id: string;
      /** @description URL of the webhook */
      url: string;
      /** @description Description of the webhook, in words */
      description: string;
      /**
       * @description State of the webhook
       * @enum {string}
       */
      status: "ACTIVE" | "DISABLED";
      created_at: components["schemas"]["Timestamp"];
      /** @description The types that it receives; null for every type, later ones too */
      events: string[] | null;
      /** @description owner: you asked. gone: it answered 410. failing: it failed for five days */
      disabled_reason: "owner" | "gone" | "failing" | null;
      /**
       * Format: date-time
       * @description When it was disabled; null while it is active
       */
      disabled_at: string | null;
      /**
       * Format: date-time
       * @description The first failure since the last success
       */
      failing_since: string | null;
    };
    WebhookAnswer: {
      success: components["schemas"]["Success"];
      webhook: components["schemas"]["Webhook"];
    };
    /** @description The delivery */
    WebhookDelivery: components["schemas"]["Delivery"] & {
      /** @description The bytes that are signed and sent, as text */
      body: string | null;
    };
    WebhooksAnswer: {
      /** @description The webhooks, newest first */
      webhooks: components["schemas"]["Webhook"][];
    };
    Withdrawal: {
      /** @description Id of the withdrawal */
      id: string;
      wallet_address: components["schemas"]["Address"];
      /** @description CAIP-2 namespace of the network */
      chain: string;
      asset: components["schemas"]["Asset"];
      network: components["schemas"]["Network"];
      amount: components["schemas"]["Amount"];
      fee_amount: components["schemas"]["Amount"];
      /** @description The amount that the address receives: amount less fee_amount */
      net_amount: number;
      amount_atomic?: components["schemas"]["AtomicAmount"];
      fee_amount_atomic?: components["schemas"]["AtomicAmount"];
      net_amount_atomic?: components["schemas"]["AtomicAmount"];
      to_address: components["schemas"]["Address"];
      /**
       * @description State of the withdrawal
       * @enum {string}
       */
      status: "PROCESSING" | "COMPLETED" | "FAILED";
      /** @description The transaction that paid; null until it is beyond reorganization */
      tx_hash: string | null;
      /** @description Why it failed; while it is PROCESSING, what holds it up */
      reason: string | null;
      created_at: components["schemas"]["Timestamp"];
      /**
       * Format: date-time
       * @description When it was completed
       */
      completed_at: string | null;
    };
    WithdrawalsAnswer: {
      /** @description The withdrawals, newest first */
      withdrawals: components["schemas"]["Withdrawal"][];
    };
    /** @description What this release does of x402 */
    X402: {
      /**
       * @description Whether this release does it at all
       * @enum {string}
       */
      status: "available" | "unavailable";
      /** @description Which way money goes */
      direction: string;
      /** @description Versions that are spoken */
      versions: number[];
      /** @description Schemes of x402 that are spoken */
      schemes: string[];
      /** @description CAIP-2 ids of chains */
      networks: components["schemas"]["Network"][];
      /** @description Where a card pays by it */
      spend: string;
      /** @description Where it is paid to */
      receive: string;
      /** @description Where to ask what a URL costs */
      discovery: string;
      /** @description Where x402 servers find verify, settle and supported */
      facilitator: string;
    };
    /** @description As the x402 facilitator interface has it; other members are not looked at */
    X402Payment: {
      /** @description 2, or 1 */
      x402Version?: number;
      /** @description The signed payment, as x402 writes it */
      paymentPayload: Record<string, never>;
      /** @description The terms of the seller, as x402 writes them */
      paymentRequirements: Record<string, never>;
    };
  };
  responses: {
    /** @description Not now */
    AgentDirectoryUnavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "agent_directory_unavailable" | "overloaded" | "settlement_pending" | "signer_unavailable";
        } & components["schemas"]["SettlementPendingDetails"];
      };
    };
    /** @description No good credential */
    AgentSignatureRequired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_api_key" | "agent_signature_required" | "agent_signature_invalid" | "agent_nonce_used";
        };
      };
    };
    /** @description Understood, but not possible */
    AmountBelowMinimum: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "amount_below_minimum";
          /** @description The least amount that is carried to the chain */
          minimum?: string;
        };
      };
    };
    /** @description Not allowed */
    ApprovalDenied: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "forbidden_scope" | "origin_not_allowed" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded";
          /**
           * Format: date-time
           * @description From when on the card may pay this
           */
          passes_at?: string;
          /** @description The available amount, in whole units of the asset */
          available?: number;
        };
      };
    };
    /** @description Not allowed */
    ApprovalDeniedOrCardFrozen: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "forbidden_scope" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded" | "agent_not_allowed";
          /**
           * Format: date-time
           * @description From when on the card may pay this
           */
          passes_at?: string;
          /** @description The available amount, in whole units of the asset */
          available?: number;
        };
      };
    };
    /** @description Too much at once */
    ApprovalsWait: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "rate_limited" | "approvals_wait";
        };
      };
    };
    /** @description Another server failed */
    ChainUnavailable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "chain_unavailable";
        };
      };
    };
    /** @description It is over */
    CursorExpired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "cursor_expired";
        };
      };
    };
    /** @description Too much at once */
    FundsInFlight: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "rate_limited" | "funds_in_flight" | "authorization_in_flight" | "payer_waits" | "token_waits" | "seller_waits" | "gas_budget_spent";
        };
      };
    };
    /** @description Too much at once */
    GasBudgetSpent: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "rate_limited" | "gas_budget_spent";
        };
      };
    };
    /** @description It is over */
    Gone: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "gone";
          /** @description The operation to call instead */
          migrate_to?: string;
        };
      };
    };
    /** @description Not now */
    IdentityUnavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "overloaded" | "identity_unavailable";
        };
      };
    };
    /** @description Not allowed */
    InsufficientBalance: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "forbidden_scope" | "origin_not_allowed" | "insufficient_balance";
        } & components["schemas"]["InsufficientBalanceDetails"];
      };
    };
    /** @description Not allowed */
    InsufficientFunds: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "forbidden_scope" | "origin_not_allowed" | "insufficient_funds";
          /** @description The available amount, in whole units of the asset */
          available?: number;
        };
      };
    };
    /** @description Not a valid request */
    InvalidAddress: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "invalid_payment" | "protocol_not_accepted";
          /** @description Why, as a stable word */
          reason?: string;
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Not a valid request */
    InvalidAddress2: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_address" | "invalid_idempotency_key";
        };
      };
    };
    /** @description No good credential */
    InvalidCardToken: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
        };
      };
    };
    /** @description Not a valid request */
    InvalidPayment: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment" | "url_not_allowed";
          /** @description Why, as a stable word */
          reason?: string;
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Not in this state */
    InvalidState: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
        };
      };
    };
    /** @description Not in this state */
    InvalidStateOrAlreadyRefunded: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
          /** @description Id of the withdrawal that gives it back */
          withdrawal_id?: string;
        };
      };
    };
    /** @description Not in this state */
    InvalidStateOrChargeInFlight: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
        };
      };
    };
    /** @description Not in this state */
    InvalidStateOrLimitReached: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
        };
      };
    };
    /** @description Not in this state */
    InvalidStateOrPayLinkBusy: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "pay_link_busy";
        };
      };
    };
    /** @description Not a valid request */
    InvalidUrl: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_url" | "invalid_idempotency_key" | "url_not_allowed";
        };
      };
    };
    /** @description Not in this state */
    LimitReached: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
        };
      };
    };
    /** @description Not now */
    MarketsUnavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "overloaded" | "markets_unavailable";
          /** @description Id of the chain */
          chainId?: number;
        };
      };
    };
    /** @description A payment is due first */
    NoActivePlan: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "no_active_plan";
        };
      };
    };
    /** @description Payment required */
    NoActivePlan2: {
      headers: {
        "PAYMENT-REQUIRED": components["headers"]["PAYMENT-REQUIRED"];
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["PaymentDemand"] | (components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "no_active_plan";
        });
        "application/problem+json": components["schemas"]["PaymentDemand"];
      };
    };
    /** @description Understood, but not possible */
    NoPayableOption: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "no_payable_option" | "payment_rejected";
        } & components["schemas"]["NoPayableOptionDetails"] & components["schemas"]["PaymentRejectedDetails"];
      };
    };
    /** @description Understood, but not possible */
    NoPayableOption2: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "no_payable_option";
        } & components["schemas"]["NoPayableOptionDetails"];
      };
    };
    /** @description No such object of yours */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "not_found";
        };
      };
    };
    /** @description No such object of yours */
    NotFoundOrPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "not_found";
        };
        "text/html": string;
      };
    };
    /** @description No such object of yours */
    NotFoundOrTransactionNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "not_found" | "transaction_not_found";
        };
      };
    };
    /** @description Not in this state */
    PayLinkBusy: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "pay_link_busy";
        };
      };
    };
    /** @description It is over */
    PayLinkExpired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
          /** @description State of the pay link, or of the listing */
          status?: string;
        } & components["schemas"]["PayLinkExpiredDetails"] & components["schemas"]["PayLinkCompletedDetails"];
      };
    };
    /** @description The link takes no more payments */
    PayLinkExpiredOrPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
          /** @description State of the pay link, or of the listing */
          status?: string;
        } & components["schemas"]["PayLinkExpiredDetails"] & components["schemas"]["PayLinkCompletedDetails"];
        "text/html": string;
      };
    };
    /** @description It is over */
    PaymentArchived: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "payment_archived";
        };
      };
    };
    /** @description Understood, but not possible */
    PaymentException: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "payment_exception" | "amount_below_minimum";
          /** @description The least amount that is carried to the chain */
          minimum?: string;
        } & components["schemas"]["PaymentExceptionDetails"];
      };
    };
    /** @description Too much at once */
    PayoutCapReached: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "rate_limited" | "payout_cap_reached";
        };
      };
    };
    /** @description Not now */
    PayoutsHeld: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "overloaded" | "payouts_held";
        };
      };
    };
    /** @description Not a valid request */
    ProtocolNotAccepted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key" | "protocol_not_accepted";
        };
      };
    };
    /** @description Any other refusal */
    Refused: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Not allowed */
    Refused2: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "origin_not_allowed";
        };
      };
    };
    /** @description Any other refusal */
    Refused3: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_api_key" | "forbidden_scope" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Any other refusal */
    RefusedChangeWithKey: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "unauthorized" | "invalid_api_key" | "forbidden_scope" | "origin_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Any other refusal */
    RefusedWithKey: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
        "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
        "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "unauthorized" | "invalid_api_key" | "forbidden_scope" | "origin_not_allowed" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
        } & components["schemas"]["InvalidAmountDetails"];
      };
    };
    /** @description Not allowed */
    ScopeEscalation: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "forbidden_scope" | "scope_escalation" | "origin_not_allowed";
        };
      };
    };
    /** @description Not now */
    SignerUnavailable: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "overloaded" | "signer_unavailable" | "payouts_held";
        };
      };
    };
    /** @description Another server failed */
    UpstreamFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "upstream_failed";
        };
      };
    };
    /** @description Another server failed */
    UpstreamFailedOrChainUnavailable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "upstream_failed" | "chain_unavailable";
        };
      };
    };
    /** @description Not a valid request */
    UrlNotAllowed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"] & {
          /** @enum {unknown} */
          code?: "invalid_request" | "missing_field" | "unknown_field" | "invalid_field" | "url_not_allowed";
        };
      };
    };
  };
  parameters: {
    /** @description The id after which to go on */
    After: string;
    /** @description Id of the agreement */
    Agreement: string;
    /** @description For a link whose payer chooses the amount */
    Amount: string;
    /** @description Id of the approval */
    Approval: string;
    /** @description Id of the card */
    Card: string;
    /** @description Id of the card */
    CardId: string;
    /** @description Id of the card */
    CardId2: string;
    /** @description Code of the pay link, in any letter case */
    Code: string;
    /** @description Today and the days before it; 30 without it */
    Days: number;
    /** @description Id of the delivery */
    Delivery: string;
    /** @description Whether the keys that it made go too, and those that they made */
    Descendants: boolean;
    /** @description Id of the exception */
    Exception: string;
    /** @description The key of an extension that the listing shows */
    Extensions: string;
    /** @description key_hash */
    Hash: string;
    /** @description Id of the card */
    Id: string;
    /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
    IdempotencyKey: string;
    /** @description At most 100; 50 without it */
    Limit: number;
    /** @description At most 1,000; 1,000 without it */
    Limit2: number;
    /** @description At most 100; 20 without it */
    Limit3: number;
    /** @description Id of the listing */
    Listing: string;
    /** @description Its CAIP-2 id, or its name in x402 v1 */
    Network: string;
    /** @description 1 without it */
    Page: number;
    /** @description Address that is paid */
    PayTo: string;
    /** @description Id of the payment */
    Payment: string;
    /** @description Id of a credential, or the address of its holder account */
    Ref: string;
    /** @description Scheme of x402, e.g. exact */
    Scheme: string;
    /** @description Id of the token */
    Token: string;
    /** @description Contract of the credential token */
    Token2: string;
    /** @description A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain */
    TransactionId: string;
    /** @description Only events of these types, separated by commas */
    Type: ("payment.exception" | "payment.exception_reopened" | "payment.exception_resolved" | "payment.failed" | "payment.refunded" | "payment.sent" | "payment.settled" | "card.activated" | "card.claimed" | "card.closed" | "card.declined" | "card.expired" | "card.frozen" | "card.funded" | "card.funding_failed" | "card.issued" | "card.unfrozen" | "card.updated" | "limits.updated" | "approval.approved" | "approval.denied" | "approval.expired" | "approval.requested" | "paylink.cancelled" | "paylink.completed" | "paylink.created" | "paylink.expired" | "funding.confirmed" | "withdrawal.address_added" | "withdrawal.address_removed" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.processing" | "key.created" | "key.revoked" | "token.registered" | "token.removed" | "fees.changed" | "fees.low_balance" | "fees.topped_up" | "mandate.issued" | "mandate.receipt" | "mandate.revoked" | "membership.auto_renew_disabled" | "membership.auto_renew_enabled" | "membership.activated" | "membership.cancel_scheduled" | "membership.expired" | "membership.past_due" | "membership.payment_due" | "membership.renewed" | "membership.resumed" | "agreement.cancel_scheduled" | "agreement.cancelled" | "agreement.charge_failed" | "agreement.charged" | "agreement.completed" | "agreement.created" | "agreement.merchant_changed" | "agreement.paused" | "agreement.resumed" | "credential.identity_updated" | "market.listed" | "market.vested" | "credential.transferred" | "listing.cancelled" | "listing.created" | "listing.sold" | "webhook.disabled" | "webhook.test" | "operator.alarm" | "operator.alarm_resolved")[];
    /** @description How the resource is reached */
    Type2: "http" | "mcp";
    /** @description The URL to pay for */
    Url: string;
    /** @description Id of the webhook */
    Webhook: string;
  };
  requestBodies: never;
  headers: {
    /** @description Names this request; quote it when you ask for help */
    "X-Request-Id": string;
    /** @description Requests allowed in the window */
    "RateLimit-Limit": number;
    /** @description Requests left in the window */
    "RateLimit-Remaining": number;
    /** @description Seconds until the window ends */
    "RateLimit-Reset": number;
    /** @description Seconds after which to ask again */
    "Retry-After": number;
    /** @description The x402 v2 settlement, base64 JSON: after PAYMENT-SIGNATURE */
    "PAYMENT-RESPONSE": string;
    /** @description The x402 v1 settlement, base64 JSON: after X-PAYMENT */
    "X-PAYMENT-RESPONSE": string;
    /** @description The MPP receipt, base64url JSON: after `Authorization: Payment` */
    "Payment-Receipt": string;
    /** @description The x402 v2 demand, base64 JSON, if the link takes x402 */
    "PAYMENT-REQUIRED": string;
    /** @description MPP challenges of the scheme `Payment`, where the link takes MPP */
    "WWW-Authenticate": string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  postAuthChallenge: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          wallet_address: components["schemas"]["Address"];
          network?: components["schemas"]["Network"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAuthChallengeAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_address";
          };
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postAuthVerify: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The message to sign (EIP-4361) */
          message: string;
          /** @description The signature of the message, by the wallet */
          signature: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAuthVerifyAnswer"];
        };
      };
      /** @description No good credential */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_signature" | "invalid_nonce";
          };
        };
      };
      403: components["responses"]["Refused2"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  postAuthLogout: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postKeysGenerate: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiKeyAnswer"];
        };
      };
      403: components["responses"]["ScopeEscalation"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postKeysRestricted: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A label */
          name: components["schemas"]["Text"];
          /** @description The scopes of the key; null for all */
          scopes: ("cards:read" | "cards:write" | "payments:read" | "payments:write" | "paylinks:read" | "paylinks:write" | "treasury:read" | "treasury:write" | "keys:read" | "keys:write" | "facilitator:read" | "facilitator:write" | "controls:read" | "controls:write" | "approvals:read" | "approvals:write" | "webhooks:read" | "webhooks:write" | "billing:read" | "billing:write" | "membership:read" | "membership:write" | "fees:read" | "fees:write" | "market:read" | "market:write" | "events:read" | "operator:read" | "children:write")[];
          /** @description Cards that the key may use; null for all of the wallet */
          card_ids?: components["schemas"]["CardId"][];
          max_amount?: components["schemas"]["AmountIn"];
          /** @description Hours; 0 = never */
          expires_in?: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostKeysRestrictedAnswer"];
        };
      };
      403: components["responses"]["ScopeEscalation"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getKeys: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetKeysAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  deleteKeysByHash: {
    parameters: {
      query?: {
        /** @description Whether the keys that it made go too, and those that they made */
        descendants?: components["parameters"]["Descendants"];
      };
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description key_hash */
        hash: components["parameters"]["Hash"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RevokedKeysAnswer"];
        };
      };
      403: components["responses"]["ScopeEscalation"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postKeysValidate: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostKeysValidateAnswer"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  deleteSessionsById: {
    parameters: {
      query?: {
        /** @description Whether the keys that it made go too, and those that they made */
        descendants?: components["parameters"]["Descendants"];
      };
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the session */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RevokedKeysAnswer"];
        };
      };
      403: components["responses"]["ScopeEscalation"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getRequests: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description A class of statuses: 4xx are refusals */
        status?: "2xx" | "3xx" | "4xx" | "5xx";
        /** @description Those of sign-ins, or of API keys */
        way?: "session" | "key";
        /** @description The `request_id` of its answer */
        request_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetRequestsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getRequestsByRequestId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `request_id` of its answer */
        request_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyRequest"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getWellKnownHttpMessageSignaturesDirectory: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeysAnswer"];
          "application/http-message-signatures-directory+json": components["schemas"]["KeysAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postAgentsVerify: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Method of the request */
          method: string;
          /** @description The URL as your payers know it. Never take its host from the request */
          url: string;
          /** @description Headers of the request: those that the signature covers, and its own */
          headers: {
            [key: string]: string;
          };
          /** @description The body in base64, if there was one */
          body_base64?: string;
          agents: components["schemas"]["Agents"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAgentsVerifyAnswer"];
        };
      };
      400: components["responses"]["InvalidUrl"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getEvents: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Only events of these types, separated by commas */
        type?: components["parameters"]["Type"];
        /** @description oldest without it */
        order?: "oldest" | "newest";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetEventsAnswer"];
        };
      };
      410: components["responses"]["CursorExpired"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getEventsStream: {
    parameters: {
      query?: {
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Only events of these types, separated by commas */
        type?: components["parameters"]["Type"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
      410: components["responses"]["CursorExpired"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhooksAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postWebhooks: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description https, at a public address */
          url: string;
          description?: components["schemas"]["Text"];
          events?: components["schemas"]["Events"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksAnswer"];
        };
      };
      400: components["responses"]["InvalidUrl"];
      409: components["responses"]["LimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  deleteWebhooksById: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  patchWebhooksById: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description https, at a public address */
          url?: string;
          /** @description Description of the webhook, in words */
          description?: string | null;
          events?: components["schemas"]["Events"];
          /**
           * @description State of the webhook
           * @enum {string}
           */
          status?: "ACTIVE" | "DISABLED";
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "unknown_field" | "invalid_field" | "invalid_url" | "invalid_idempotency_key" | "url_not_allowed";
          };
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["LimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postWebhooksByIdRotateSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksByIdRotateSecretAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postWebhooksByIdTest: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksByIdTestAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      502: components["responses"]["UpstreamFailed"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postWebhooksByIdRecover: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description ISO 8601 */
          since: string;
          /** @description ISO 8601; else now */
          until?: string;
          /** @description Whether to count only */
          dry_run?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksByIdRecoverAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postWebhooksByIdReplayMissing: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the webhook */
        id: components["parameters"]["Webhook"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description ISO 8601 */
          since: string;
          /** @description ISO 8601; else now */
          until?: string;
          /** @description Whether to count only */
          dry_run?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksByIdRecoverAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getWebhooksDeliveries: {
    parameters: {
      query?: {
        /** @description Id of the webhook */
        webhook_id?: string;
        /** @description State of the delivery */
        status?: "PENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
        /** @description 1 without it */
        page?: components["parameters"]["Page"];
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetWebhooksDeliveriesAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getWebhooksDeliveriesByIdBody: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the delivery */
        id: components["parameters"]["Delivery"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliveryAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postWebhooksDeliveriesByIdReplay: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the delivery */
        id: components["parameters"]["Delivery"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWebhooksByIdTestAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "payload_not_stored";
          };
        };
      };
      502: components["responses"]["UpstreamFailed"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getConfig: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetConfigAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getFundingTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RegistryAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getWalletBalance: {
    parameters: {
      query?: {
        /** @description CAIP-2 chain id, e.g. eip155:8453 */
        network?: components["schemas"]["Network"];
        /** @description Symbol of the asset, e.g. USDC */
        asset?: components["schemas"]["Asset"];
        /** @description Your own wallet without it */
        address?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetWalletBalanceAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_address";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postFundVerify: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Hash of the transaction on chain */
          tx_hash: string;
          network?: components["schemas"]["Network"];
          asset?: components["schemas"]["Asset"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostFundVerifyAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_transaction" | "invalid_idempotency_key";
          };
        };
      };
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "already_credited";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postFundAuthorization: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          from: components["schemas"]["Address"];
          to: components["schemas"]["Address"];
          /** @description A whole number; in a string where it is large */
          value: string | number;
          /** @description A whole number; in a string where it is large */
          valid_after: string | number;
          /** @description A whole number; in a string where it is large */
          valid_before: string | number;
          nonce: components["schemas"]["Hash"];
          /** @description The signature of the authorization (EIP-712), by `from` */
          signature: string;
          network?: components["schemas"]["Network"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostFundVerifyAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_address" | "invalid_idempotency_key";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "authorization_rejected" | "amount_below_minimum";
            /** @description The least amount that is carried to the chain */
            minimum?: string;
          };
        };
      };
      429: components["responses"]["FundsInFlight"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getBalance: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BalancesAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postIssue: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Human-readable label */
          purpose: components["schemas"]["Text"];
          limit_amount: components["schemas"]["AmountIn"];
          /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
          mcc_locks?: string;
          /** @description Whether the card ends with its first payment */
          single_use?: boolean;
          /** @description Hours; 0 = never */
          expires_in?: number;
          hourly_limit?: components["schemas"]["AmountIn"];
          daily_limit?: components["schemas"]["AmountIn"];
          weekly_limit?: components["schemas"]["AmountIn"];
          monthly_limit?: components["schemas"]["AmountIn"];
          max_transaction?: components["schemas"]["AmountIn"];
          /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
          rolling_30d_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most payments in one minute, from the full minute; null for no limit */
          max_payments_per_minute?: number | null;
          /** @description The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never */
          max_like_payments?: number | null;
          approval_above?: components["schemas"]["AmountIn"];
          /** @description Whether the first payment to each payee waits for the approval of the owner */
          approval_first_merchant?: boolean;
          allowed_merchants?: components["schemas"]["AllowedMerchants"];
          /**
           * @description DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none
           * @enum {string}
           */
          settlement_mode?: "CUSTODIAL" | "DIRECT";
          metadata?: components["schemas"]["MetadataIn"];
          network?: components["schemas"]["Network"];
          asset?: components["schemas"]["Asset"];
          /** @description On-chain funding transaction */
          tx_hash?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_idempotency_key";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      403: components["responses"]["InsufficientBalance"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_credited" | "limit_reached";
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postIssueBulk: {
    parameters: {
      query?: never;
      header: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key": string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One order for each card to issue */
          cards: {
            /** @description Human-readable label */
            purpose: components["schemas"]["Text"];
            limit_amount: components["schemas"]["AmountIn"];
            /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
            mcc_locks?: string;
            /** @description Whether the card ends with its first payment */
            single_use?: boolean;
            /** @description Hours; 0 = never */
            expires_in?: number;
            hourly_limit?: components["schemas"]["AmountIn"];
            daily_limit?: components["schemas"]["AmountIn"];
            weekly_limit?: components["schemas"]["AmountIn"];
            monthly_limit?: components["schemas"]["AmountIn"];
            max_transaction?: components["schemas"]["AmountIn"];
            /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
            rolling_30d_limit?: components["schemas"]["AmountIn"] | null;
            /** @description The most payments in one minute, from the full minute; null for no limit */
            max_payments_per_minute?: number | null;
            /** @description The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never */
            max_like_payments?: number | null;
            approval_above?: components["schemas"]["AmountIn"];
            /** @description Whether the first payment to each payee waits for the approval of the owner */
            approval_first_merchant?: boolean;
            allowed_merchants?: components["schemas"]["AllowedMerchants"];
            /**
             * @description DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none
             * @enum {string}
             */
            settlement_mode?: "CUSTODIAL" | "DIRECT";
            metadata?: components["schemas"]["MetadataIn"];
          }[];
          network?: components["schemas"]["Network"];
          asset?: components["schemas"]["Asset"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostIssueBulkAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_idempotency_key";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      403: components["responses"]["InsufficientBalance"];
      409: components["responses"]["LimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCards: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description State of the card */
        status?: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
        /** @description A part of the purpose, in any case; or the id */
        search?: components["schemas"]["Text"];
        /** @description newest without it. By spent or balance the largest is first, by purpose A */
        sort?: "newest" | "spent" | "balance" | "purpose";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getCardsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postCardsByIdFund: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          amount: components["schemas"]["AmountIn"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdFundAnswer"];
        };
      };
      403: components["responses"]["InsufficientBalance"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdFreeze: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdFreezeAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdUnfreeze: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdFreezeAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  patchCardsByIdControls: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
          mcc_locks?: string;
          /** @description The most that may leave the card in an hour (from the full hour); null for no limit */
          hourly_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most that may leave the card in a day (UTC); null for no limit */
          daily_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most that may leave the card in a week (from Monday, UTC); null for no limit */
          weekly_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most that may leave the card in a calendar month (UTC); null for no limit */
          monthly_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most that one payment may be; null for no limit */
          max_transaction?: components["schemas"]["AmountIn"] | null;
          /** @description A payment above this amount waits for the approval of the owner; null for none */
          approval_above?: components["schemas"]["AmountIn"] | null;
          /** @description Whether the first payment to each payee waits for the approval of the owner */
          approval_first_merchant?: boolean;
          allowed_merchants?: components["schemas"]["AllowedMerchants"];
          /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
          rolling_30d_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most payments in one minute, from the full minute; null for no limit */
          max_payments_per_minute?: number | null;
          /** @description The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never */
          max_like_payments?: number | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdClaim: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The token of the card */
          token: string;
          amount?: components["schemas"]["AmountIn"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdClaimAnswer"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      403: components["responses"]["InsufficientFunds"];
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "nothing_to_claim";
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdCancel: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdRotateToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdControlsDraft: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdControlsDraftAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  putCardsByIdControlsDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["Controls"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DraftAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  deleteCardsByIdControlsDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdControlsDraftApply: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Active rules, by name, that may have changed since the draft was made */
          over?: string[];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "draft_outdated";
            /** @description What has changed meanwhile */
            changed?: string[];
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdControlsBacktest: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          controls?: components["schemas"]["Controls"];
          /** @description ISO 8601; else 30 days before `until` */
          since?: string;
          /** @description ISO 8601; else now */
          until?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdControlsBacktestAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdTransactions: {
    parameters: {
      query?: {
        /** @description At most 1,000; 1,000 without it */
        limit?: components["parameters"]["Limit2"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdTransactionsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getCardsByIdDecisions: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdDecisionsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getApprovals: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description State of the approval */
        status?: "PENDING" | "APPROVED" | "DENIED" | "USED" | "EXPIRED";
        /** @description Only of this card */
        card_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetApprovalsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getApprovalsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the approval */
        id: components["parameters"]["Approval"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApprovalAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postApprovalsByIdApprove: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the approval */
        id: components["parameters"]["Approval"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostApprovalsByIdApproveAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postApprovalsByIdDeny: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the approval */
        id: components["parameters"]["Approval"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostApprovalsByIdApproveAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postDecisionsByIdAllow: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the decision */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Let this payment pass once */
          once?: boolean;
          /** @description Let the card pay this payee */
          payee?: boolean;
          /** @description Raise the limit that refused it, so that it passes */
          limit?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostDecisionsByIdAllowAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrLimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdChildren: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdChildrenAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postCardsByIdChildren: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Human-readable label */
          purpose: components["schemas"]["Text"];
          limit_amount: components["schemas"]["AmountIn"];
          /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
          mcc_locks?: string;
          /** @description Whether the card ends with its first payment */
          single_use?: boolean;
          /** @description Hours; 0 = never */
          expires_in?: number;
          hourly_limit?: components["schemas"]["AmountIn"];
          daily_limit?: components["schemas"]["AmountIn"];
          weekly_limit?: components["schemas"]["AmountIn"];
          monthly_limit?: components["schemas"]["AmountIn"];
          max_transaction?: components["schemas"]["AmountIn"];
          /** @description The most that may leave within thirty days, today included (UTC); null for no limit */
          rolling_30d_limit?: components["schemas"]["AmountIn"] | null;
          /** @description The most payments in one minute, from the full minute; null for no limit */
          max_payments_per_minute?: number | null;
          /** @description The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never */
          max_like_payments?: number | null;
          approval_above?: components["schemas"]["AmountIn"];
          /** @description Whether the first payment to each payee waits for the approval of the owner */
          approval_first_merchant?: boolean;
          allowed_merchants?: components["schemas"]["AllowedMerchants"];
          /**
           * @description DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none
           * @enum {string}
           */
          settlement_mode?: "CUSTODIAL" | "DIRECT";
          metadata?: components["schemas"]["MetadataIn"];
          card_token?: components["schemas"]["CardToken"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CardAnswer"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      403: components["responses"]["InsufficientFunds"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrLimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getLimits: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LimitsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  patchLimits: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LimitsIn"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LimitsAnswer"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getKeysByHashLimits: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description key_hash */
        hash: components["parameters"]["Hash"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LimitsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  patchKeysByHashLimits: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description key_hash */
        hash: components["parameters"]["Hash"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LimitsIn"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LimitsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getSpending: {
    parameters: {
      query?: {
        /** @description Today and the days before it; 30 without it */
        days?: components["parameters"]["Days"];
        /** @description Id of a card */
        card_id?: components["schemas"]["CardId"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Spending"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postPay: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PayOrder"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPayAnswer"];
        };
      };
      /** @description outcome_unknown: the seller has the payment and its answer was lost or a refusal. The money stays held until the chain tells; transaction_id names the payment. A retry with the same Idempotency-Key shows the seller the same payment again, and answers what became of it. Or approval_required: nothing is held yet. Show `approve_url` to the owner of the card, then repeat the request: with the same Idempotency-Key, or with approval_id */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, never>;
        };
      };
      400: components["responses"]["InvalidPayment"];
      401: components["responses"]["InvalidCardToken"];
      403: components["responses"]["ApprovalDenied"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrPayLinkBusy"];
      410: components["responses"]["PayLinkExpired"];
      422: components["responses"]["NoPayableOption"];
      429: components["responses"]["ApprovalsWait"];
      502: components["responses"]["UpstreamFailed"];
      503: components["responses"]["PayoutsHeld"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPayPurchases: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description SHA-256 of what is bought, hex: of the card, the method, the URL and the body */
          digest: string;
          /** @description How long the same request is a repetition */
          window_seconds: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPayPurchasesAnswer"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPayAuthorize: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          card_token: components["schemas"]["CardToken"];
          /** @description URL of what is bought, e.g. `mcp://tool/forecast`. Shown; it decides nothing */
          resource: string;
          /** @description The x402 `PaymentRequired` as it was received: an MCP result’s `structuredContent`, an A2A message’s `x402.payment.required`, or the decoded PAYMENT-REQUIRED header */
          challenge: {
            [key: string]: unknown;
          };
          /** @description The most that may leave the card, the platform fee included */
          max_amount?: components["schemas"]["AmountIn"];
          /** @description The `approval_id` that an earlier try of this payment was given: only that approval is used */
          approval_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPayAuthorizeAnswer"];
        };
      };
      /** @description approval_required: nothing is held yet. Show `approve_url` to the owner of the card, then repeat the request: with the same Idempotency-Key, or with approval_id */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "approval_required";
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      403: components["responses"]["ApprovalDenied"];
      404: components["responses"]["NotFound"];
      422: components["responses"]["NoPayableOption"];
      429: components["responses"]["ApprovalsWait"];
      503: components["responses"]["PayoutsHeld"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPaySimulate: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PayOrder"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaySimulateAnswer"];
        };
      };
      400: components["responses"]["InvalidPayment"];
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrPayLinkBusy"];
      410: components["responses"]["PayLinkExpired"];
      422: components["responses"]["NoPayableOption2"];
      502: components["responses"]["UpstreamFailedOrChainUnavailable"];
      503: components["responses"]["PayoutsHeld"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getSettlementStatusByTxnId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain */
        txn_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetSettlementStatusByTxnIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      410: components["responses"]["PaymentArchived"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getPayments: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description An id, hash or code, an amount as shown, or words of payee and memo */
        search?: components["schemas"]["Text"];
        /** @description Only of this link */
        pay_link_code?: string;
        /** @description Id of the card */
        card_id?: components["parameters"]["CardId"];
        /** @description State of the payment */
        status?: "PENDING" | "SETTLED" | "FAILED" | "REFUNDED" | "UNKNOWN";
        /** @description Which way money goes */
        direction?: "sent" | "received";
        /** @description Protocol by which it is paid */
        protocol?: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
        /** @description ISO 8601: made then or later */
        since?: string;
        /** @description ISO 8601: made before this time */
        before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPaymentsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getPaymentsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain */
        id: components["parameters"]["TransactionId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PaymentAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      410: components["responses"]["PaymentArchived"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getPaymentsByIdEvidence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain */
        id: components["parameters"]["TransactionId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPaymentsByIdEvidenceAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      410: components["responses"]["PaymentArchived"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postPaymentsByIdRefund: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain */
        id: components["parameters"]["TransactionId"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          amount?: components["schemas"]["AmountIn"];
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaymentsByIdRefundAnswer"];
        };
      };
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "origin_not_allowed" | "card_frozen" | "insufficient_funds";
            /** @description The available amount, in whole units of the asset */
            available?: number;
          };
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrAlreadyRefunded"];
      410: components["responses"]["PaymentArchived"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "payment_rejected";
          } & components["schemas"]["PaymentRejectedDetails"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postX402Pay: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": unknown;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402PayAnswer"];
        };
      };
      410: components["responses"]["Gone"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMppPay: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": unknown;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402PayAnswer"];
        };
      };
      410: components["responses"]["Gone"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getX402Discover: {
    parameters: {
      query: {
        /** @description The URL to pay for */
        url: components["parameters"]["Url"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402DiscoverAnswer"];
        };
      };
      400: components["responses"]["UrlNotAllowed"];
      502: components["responses"]["UpstreamFailed"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getMppDiscover: {
    parameters: {
      query: {
        /** @description The URL to pay for */
        url: components["parameters"]["Url"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetMppDiscoverAnswer"];
        };
      };
      400: components["responses"]["UrlNotAllowed"];
      502: components["responses"]["UpstreamFailed"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postMppSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          card_token: components["schemas"]["CardToken"];
          /** @description A label for people */
          merchant: components["schemas"]["Text"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionIdAnswer"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMppStreamOpen: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          card_token: components["schemas"]["CardToken"];
          budget: components["schemas"]["AmountIn"];
          tick_amount: components["schemas"]["AmountIn"];
          /** @description The card that earns the ticks. Without one, closing gives all back */
          receiver_card_id?: string;
          /** @description Id of the session */
          session_id?: string;
          /** @description Hours; 24 without it */
          expires_in?: number;
          /** @description The `approval_id` that an earlier try of this payment was given: only that approval is used */
          approval_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Stream"];
        };
      };
      /** @description approval_required: nothing is held yet. Show `approve_url` to the owner of the card, then repeat the request: with the same Idempotency-Key, or with approval_id */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "approval_required";
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      403: components["responses"]["ApprovalDenied"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      429: components["responses"]["ApprovalsWait"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMppStreamTick: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the stream */
          stream_id: string;
          /** @description Id of the card */
          card_id: string;
          card_token: components["schemas"]["CardToken"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostMppStreamTickAnswer"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "origin_not_allowed" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "stream_budget_exceeded";
          } & components["schemas"]["StreamBudgetExceededDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description It is over */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "stream_closed" | "stream_expired";
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMppStreamClose: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the stream */
          stream_id: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostMppStreamCloseAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getMppStreamById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the stream */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Stream"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getMppStreams: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Id of the card */
        card_id?: components["parameters"]["CardId"];
        /** @description State of the stream */
        status?: "OPEN" | "CLOSED" | "EXPIRED";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetMppStreamsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getPaylinks: {
    parameters: {
      query?: {
        /** @description At most 1,000; 1,000 without it */
        limit?: components["parameters"]["Limit2"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Code of one pay link */
        code?: string;
        /** @description Id of the card */
        card_id?: components["parameters"]["CardId"];
        /** @description State of the pay link */
        status?: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPaylinksAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postPaylinks: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          /** @description In whole units of the asset */
          amount?: components["schemas"]["AmountIn"] | null;
          /** @description The least that the payer may choose, for a link without an amount */
          min_amount?: components["schemas"]["AmountIn"] | null;
          /** @description USDC; for a DIRECT card also the id or the address of a token that you registered */
          asset?: components["schemas"]["Text"];
          /** @description The purpose of the payment, in words */
          memo?: components["schemas"]["Text"];
          /** @description Ways in which the link may be paid */
          accepted_protocols?: ("x402" | "ap2" | "mpp" | "card" | "onchain")[];
          /**
           * @description SINGLE for one payment, RECURRING for several
           * @enum {string}
           */
          type?: "SINGLE" | "RECURRING";
          /**
           * @description SINGLE for one payment, RECURRING for several
           * @enum {string}
           */
          link_type?: "SINGLE" | "RECURRING";
          /** @description How often the link may be paid; 0 for any number */
          max_uses?: number;
          /** @description Hours; 0 = never */
          expires_in?: number;
          /** @description A label. For `mcc_locks` of cards only the category counts that the operator assigned to your wallet */
          mcc?: string;
          /** @description Take only AP2 mandates of the checkout that this service signs for the link */
          require_checkout?: boolean;
          /** @description Where the checkout page leads a payer who has paid: an https address. `{PAYMENT_ID}` in its path or query becomes the payment's id, the `settlement_id` of its events */
          success_url?: string;
          /** @description Where the checkout page lets a payer go back to: an https address */
          cancel_url?: string;
          metadata?: components["schemas"]["MetadataIn"];
          allowed_agents?: components["schemas"]["Agents"];
          /** @description A wallet that has paid on chain gets its receipt again, by `sign-in-with-x` of x402, instead of paying again. Not for a DIRECT card */
          returning_payers?: boolean;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaylinksAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_asset" | "invalid_url" | "invalid_idempotency_key" | "url_not_allowed";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getPaylinksByCode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPaylinksByCodeAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  deletePaylinksByCode: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getPaylinksByCodeStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPaylinksByCodeStatusAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description It is over */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "pay_link_completed";
          } & components["schemas"]["PayLinkCompletedDetails"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getPayByCodeResolve: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPayByCodeResolveAnswer"];
        };
      };
      402: components["responses"]["NoActivePlan"];
      404: components["responses"]["NotFound"];
      /** @description It is over */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "pay_link_expired";
          } & components["schemas"]["PayLinkExpiredDetails"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getPayByCodePrepare: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetPayByCodePrepareAnswer"];
        };
      };
      402: components["responses"]["NoActivePlan"];
      404: components["responses"]["NotFound"];
      410: components["responses"]["PayLinkExpired"];
      default: components["responses"]["Refused"];
    };
  };
  postPayByCodeSettle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Hash of the transaction on chain */
          tx_hash?: string;
          /** @description Address that sent the transfer */
          from_address?: string;
          amount?: components["schemas"]["AmountIn"];
          /** @description DIRECT only: of the sender over the message that `prepare` shows */
          signature?: string;
          /** @description By card: card, ap2, x402 or mpp, if the link accepts it; the record names it. Without it: card, or what the link accepts */
          protocol?: string;
          /** @description Id of the card that pays */
          payer_card_id?: string;
          /** @description Token of the card that pays */
          payer_card_token?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPayByCodeSettleAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_transaction" | "invalid_idempotency_key" | "invalid_payment" | "protocol_not_accepted";
            /** @description Why, as a stable word */
            reason?: string;
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      /** @description No good credential */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_api_key" | "invalid_card_token" | "invalid_signature";
          };
        };
      };
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "approval_required" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded";
            /**
             * Format: date-time
             * @description From when on the card may pay this
             */
            passes_at?: string;
            /** @description The available amount, in whole units of the asset */
            available?: number;
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "pay_link_busy";
          };
        };
      };
      /** @description It is over */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "already_settled";
            /** @description State of the pay link, or of the listing */
            status?: string;
          } & components["schemas"]["PayLinkExpiredDetails"] & components["schemas"]["PayLinkCompletedDetails"];
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "payment_exception" | "binding_required" | "mandate_required" | "amount_below_minimum";
            /** @description The text that the sender signs to say that its transaction paid this link */
            message?: string;
            /** @description The least amount that is carried to the chain */
            minimum?: string;
          } & components["schemas"]["PaymentExceptionDetails"] & components["schemas"]["MandateDetails"];
        };
      };
      429: components["responses"]["ApprovalsWait"];
      502: components["responses"]["ChainUnavailable"];
      /** @description Any other refusal */
      default: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
          "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
          "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_api_key" | "forbidden_scope" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
    };
  };
  getPayByCode: {
    parameters: {
      query?: {
        /** @description For a link whose payer chooses the amount */
        amount?: components["parameters"]["Amount"];
      };
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          "PAYMENT-RESPONSE": components["headers"]["PAYMENT-RESPONSE"];
          "X-PAYMENT-RESPONSE": components["headers"]["X-PAYMENT-RESPONSE"];
          "Payment-Receipt": components["headers"]["Payment-Receipt"];
          [name: string]: unknown;
        };
        content: {
          "application/json": unknown;
          "text/html": string;
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "unknown_field" | "invalid_field" | "invalid_payment" | "protocol_not_accepted";
            /** @description Why, as a stable word */
            reason?: string;
          };
        };
      };
      401: components["responses"]["AgentSignatureRequired"];
      402: components["responses"]["NoActivePlan2"];
      403: components["responses"]["ApprovalDeniedOrCardFrozen"];
      404: components["responses"]["NotFoundOrPage"];
      409: components["responses"]["PayLinkBusy"];
      410: components["responses"]["PayLinkExpiredOrPage"];
      422: components["responses"]["PaymentException"];
      429: components["responses"]["ApprovalsWait"];
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["AgentDirectoryUnavailable"];
      default: components["responses"]["Refused3"];
    };
  };
  postPayByCode: {
    parameters: {
      query?: {
        /** @description For a link whose payer chooses the amount */
        amount?: components["parameters"]["Amount"];
      };
      header?: never;
      path: {
        /** @description Code of the pay link, in any letter case */
        code: components["parameters"]["Code"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          [key: string]: unknown;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          "PAYMENT-RESPONSE": components["headers"]["PAYMENT-RESPONSE"];
          "X-PAYMENT-RESPONSE": components["headers"]["X-PAYMENT-RESPONSE"];
          "Payment-Receipt": components["headers"]["Payment-Receipt"];
          [name: string]: unknown;
        };
        content: {
          "application/json": unknown;
          "text/html": string;
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "unknown_field" | "invalid_field" | "invalid_payment" | "protocol_not_accepted";
            /** @description Why, as a stable word */
            reason?: string;
          };
        };
      };
      401: components["responses"]["AgentSignatureRequired"];
      402: components["responses"]["NoActivePlan2"];
      403: components["responses"]["ApprovalDeniedOrCardFrozen"];
      404: components["responses"]["NotFoundOrPage"];
      409: components["responses"]["PayLinkBusy"];
      410: components["responses"]["PayLinkExpiredOrPage"];
      422: components["responses"]["PaymentException"];
      429: components["responses"]["ApprovalsWait"];
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["AgentDirectoryUnavailable"];
      default: components["responses"]["Refused3"];
    };
  };
  postMppAgentcard: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          /** @description Token of the card: whoever has it may pay with the card */
          card_token: string;
          /** @description The value of WWW-Authenticate of a 402 of a pay link of this service, or its agentcard challenge as an MPP client has parsed it */
          challenge: string | {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostMppAgentcardAnswer"];
        };
      };
      /** @description approval_required: nothing is held yet. Show `approve_url` to the owner of the card, then repeat the request: with the same Idempotency-Key, or with approval_id */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "approval_required";
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_payment";
            /** @description Why, as a stable word */
            reason?: string;
          };
        };
      };
      /** @description No good credential */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_api_key" | "invalid_card_token";
          };
        };
      };
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded";
            /**
             * Format: date-time
             * @description From when on the card may pay this
             */
            passes_at?: string;
            /** @description The available amount, in whole units of the asset */
            available?: number;
          };
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "pay_link_busy";
          };
        };
      };
      410: components["responses"]["PayLinkExpired"];
      422: components["responses"]["NoPayableOption2"];
      429: components["responses"]["ApprovalsWait"];
      default: components["responses"]["Refused3"];
    };
  };
  getReceiptsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the payment */
        id: components["parameters"]["Payment"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReceiptAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      410: components["responses"]["PaymentArchived"];
      default: components["responses"]["Refused"];
    };
  };
  getExceptions: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description OPEN until the seller keeps or refunds the money */
        status?: "OPEN" | "KEPT" | "REFUNDED";
        /** @description late: after the link had expired; short or over: not the amount of the link; closed: the link had been cancelled or paid */
        reason?: "late" | "short" | "over" | "closed" | "unknown";
        /** @description Code of the pay link */
        pay_link_code?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetExceptionsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getExceptionsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the exception */
        id: components["parameters"]["Exception"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExceptionAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postExceptionsByIdKeep: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the exception */
        id: components["parameters"]["Exception"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostExceptionsByIdKeepAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
            /** @description Id of the withdrawal that gives it back */
            withdrawal_id?: string;
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postExceptionsByIdRefund: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the exception */
        id: components["parameters"]["Exception"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostExceptionsByIdRefundAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "invalid_field" | "invalid_address" | "invalid_idempotency_key";
          };
        };
      };
      403: components["responses"]["InsufficientBalance"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrAlreadyRefunded"];
      429: components["responses"]["PayoutCapReached"];
      502: components["responses"]["UpstreamFailedOrChainUnavailable"];
      503: components["responses"]["SignerUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProfileAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  patchProfile: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description The name that payers see, 80 characters at most; null removes it */
          name?: string | null;
          /** @description A PNG, 1,024 pixels a side at most, or an SVG of plain shapes, in base64, 64 KiB at most; null removes it */
          logo?: string | null;
          /** @description Where payers reach you: an https page, or mailto: and an address; null removes it */
          support_url?: string | null;
          /** @description Color of the button that pays, as #rrggbb; null removes it */
          accent?: string | null;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PatchProfileAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "unknown_field" | "invalid_field" | "invalid_idempotency_key" | "url_not_allowed";
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getPayees: {
    parameters: {
      query: {
        /** @description Codes of links, wallets and ids of your cards, parted by commas, 100 at most */
        of: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PayeesAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postAp2Settle: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Code of the pay link */
          pay_link_code: string;
          /** @description The closed payment mandate of AP2, as an SD-JWT */
          closed_mandate: string;
          /** @description The open payment mandate of AP2, as an SD-JWT */
          open_mandate?: string;
          /** @description Token of the card: whoever has it may pay with the card */
          card_token: string;
        };
      };
    };
    responses: {
      /** @description Success. The mandate had settled this link before: nothing is debited again */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2SettleAnswer"];
        };
      };
      /** @description Settled: the payer card is debited and the link credited */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /**
             * @description State of the settlement
             * @constant
             */
            status: "SETTLED";
            /**
             * @description Protocol by which it is paid
             * @constant
             */
            protocol: "ap2";
            /** @description Id of the settlement */
            settlement_id: string;
            /** @description The `jti`; a hash of the mandate where it has none */
            mandate_id: string;
            /** @description Code of the pay link */
            pay_link_code: string;
            /** @description Whole units of the asset of the link */
            amount: number;
            /** @description Whole units of the asset of the link */
            fee: number;
            /** @description Whole units of the asset of the link */
            net_amount: number;
            tx_hash: components["schemas"]["TransactionHash"];
            /** @description The `payee.id` of the mandate */
            payee: string;
            /** @description Where the signed AP2 receipt of this payment is */
            receipt_url: string;
          };
        };
      };
      400: components["responses"]["ProtocolNotAccepted"];
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_amount" | "invalid_payment" | "approval_required" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded" | "pay_link_busy" | "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "mandate_required" | "mandate_too_large" | "mandate_malformed" | "mandate_algorithm_unsupported" | "mandate_type_unsupported" | "mandate_disclosure_invalid" | "mandate_disclosure_withheld" | "mandate_field_invalid" | "mandate_open_missing" | "mandate_not_bound" | "mandate_delegation_unsupported" | "mandate_id_conflict" | "agent_missing_key" | "mandate_key_invalid" | "mandate_key_untrusted" | "mandate_invalid_signature" | "mandate_expired" | "mandate_expiry_missing" | "mandate_not_yet_valid" | "mandate_audience_mismatch" | "mandate_nonce_mismatch" | "mandate_scope_mismatch" | "mandate_currency_mismatch" | "mandate_amount_mismatch" | "mandate_checkout_mismatch" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_already_used" | "mandate_budget_exceeded" | "mandate_occurrences_exceeded" | "mandate_too_early" | "mandate_id_reused" | "mandate_revoked" | "mandate_constraint_unresolved" | "approvals_wait";
            /** @description Why, as a stable word */
            reason?: string;
            /**
             * Format: date-time
             * @description From when on the card may pay this
             */
            passes_at?: string;
            /** @description The available amount, in whole units of the asset */
            available?: number;
            /** @description State of the pay link, or of the listing */
            status?: string;
          } & components["schemas"]["InvalidAmountDetails"] & components["schemas"]["ApprovalRequiredDetails"] & components["schemas"]["PayLinkExpiredDetails"] & components["schemas"]["PayLinkCompletedDetails"] & components["schemas"]["MandateDetails"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getAp2ReceiptsBySettlementId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the settlement */
        settlement_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetAp2ReceiptsBySettlementIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      410: components["responses"]["PaymentArchived"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postAp2Receipt: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description JWT */
          payment_receipt: string;
          /** @description Id of the mandate */
          mandate_id: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2ReceiptAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postAp2Verify: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Code of the pay link */
          pay_link_code: string;
          /** @description The closed payment mandate of AP2, as an SD-JWT */
          closed_mandate: string;
          /** @description The open payment mandate of AP2, as an SD-JWT */
          open_mandate?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2VerifyAnswer"];
        };
      };
      400: components["responses"]["ProtocolNotAccepted"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postAp2OpenMandate: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          /** @description The token of the card: it authorizes what is signed for it */
          card_token: string;
          max_amount?: components["schemas"]["AmountIn"];
          /**
           * @description USD counts cents; USDC, our extension, millionths
           * @enum {string}
           */
          currency?: "USD" | "USDC";
          /** @description EC P-256 public key (RFC 7517); one with the private member `d` is refused */
          agent_key?: {
            [key: string]: unknown;
          };
          /** @description 60 without it; 366 days at most */
          ttl_minutes?: number;
          /** @description The allowed payees */
          payees?: components["schemas"]["Payee"][];
          /** @description Without it the mandate is good for one payment */
          recurrence?: {
            /**
             * @description How often the mandate may pay
             * @enum {string}
             */
            frequency: "ON_DEMAND" | "DAILY" | "WEEKLY" | "BIWEEKLY" | "MONTHLY" | "QUARTERLY" | "ANNUALLY";
            /** @description How often the mandate may pay in all */
            max_occurrences?: number;
          };
          budget?: components["schemas"]["AmountIn"];
          /** @description The content of a `mandate.payment.open.1`, instead of terms */
          content?: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2OpenMandateAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postAp2Mandate: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          /** @description The token of the card: it authorizes what is signed for it */
          card_token: string;
          /** @description Code of the pay link */
          pay_link_code?: string;
          payee?: components["schemas"]["Payee"];
          /** @description Another name for `pay_link_code`, or for `payee`; its currency is USD without one */
          merchant?: components["schemas"]["Payee"];
          amount?: components["schemas"]["AmountIn"];
          /** @description The most that the payment may be; where the payer chooses the amount, and sends none, the amount */
          max_amount?: components["schemas"]["AmountIn"];
          /**
           * @description USD counts cents; USDC, our extension, millionths
           * @enum {string}
           */
          currency?: "USD" | "USDC";
          /** @description SD-JWT */
          open_mandate?: string;
          /** @description With `payee`: the hash of the merchant's checkout. A link has its own */
          transaction_id?: string;
          /** @description 5 without it */
          ttl_minutes?: number;
          /** @description In place of `ttl_minutes`: at most a day ahead */
          expires_at?: components["schemas"]["Timestamp"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2MandateAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "protocol_not_accepted";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "mandate_expired" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_revoked" | "mandate_constraint_unresolved";
          } & components["schemas"]["MandateDetails"];
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getAp2MandatesByCardId: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description Id of the mandate */
        after?: string;
        /** @description Open mandates alone, or closed ones that have paid */
        kind?: "open" | "closed";
      };
      header?: never;
      path: {
        /** @description Id of the card */
        card_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetAp2MandatesByCardIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postAp2MandatesByMandateIdRevoke: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the mandate */
        mandate_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id?: string;
          /** @description SD-JWT */
          open_mandate?: string;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostAp2MandatesByMandateIdRevokeAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getAp2Keys: {
    parameters: {
      query: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Id of the card */
        card_id: components["parameters"]["CardId2"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetAp2KeysAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postAp2Keys: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id: string;
          /** @description The token of the card: it authorizes what is signed for it */
          card_token: string;
          /** @description EC P-256 public key (RFC 7517); one with the private member `d` is refused */
          jwk: {
            [key: string]: unknown;
          };
          /**
           * @description A user key signs mandates for the card; an agent key only closes them, within an open one
           * @enum {string}
           */
          role: "user" | "agent";
          /** @description A name of your choosing */
          label?: components["schemas"]["Text"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyAnswer"];
        };
      };
      401: components["responses"]["InvalidCardToken"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  deleteAp2KeysByKid: {
    parameters: {
      query?: {
        /** @description Id of the card */
        card_id?: components["parameters"]["CardId"];
      };
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the key: its RFC 7638 thumbprint */
        kid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getAp2Instruments: {
    parameters: {
      query: {
        /** @description Id of the card */
        card_id: components["parameters"]["CardId2"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InstrumentsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getAp2WellKnownJwksJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Jwks"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getWellKnownDidJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetWellKnownDidJsonAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getAp2AgentCard: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AgentCardAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getWellKnownAgentCardJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AgentCard"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postA2a: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          [key: string]: unknown;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostA2aAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postAp2PaymentMethods: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Id of the card */
          card_id?: string;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MethodsAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postAp2Execute: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": unknown;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402PayAnswer"];
        };
      };
      410: components["responses"]["Gone"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getBillingAgreements: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
        /** @description Your side of the agreements; both without it */
        role?: "payer" | "merchant";
        /** @description State of the agreement */
        status?: "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "COMPLETED";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetBillingAgreementsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postBillingAgreements: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The card that pays */
          payer_card_id: string;
          /** @description The merchant, by a RECURRING link that takes AP2 mandates */
          pay_link_code?: string;
          /** @description The merchant, by its wallet; for a threshold the service's treasury address */
          merchant_wallet?: components["schemas"]["Text"];
          amount: components["schemas"]["AmountIn"];
          /**
           * @description What makes a charge due: interval or threshold
           * @enum {string}
           */
          trigger_type: "interval" | "threshold";
          /** @description Of an interval: days or months */
          period_days?: number;
          /** @description Months between charges; null where days count or nothing does */
          period_months?: number;
          /**
           * @description The balance that is watched: svc_fee_balance, the fee meter
           * @enum {string}
           */
          threshold_metric?: "svc_fee_balance";
          threshold_floor?: components["schemas"]["AmountIn"];
          /** @description SD-JWT */
          open_mandate: string;
          /** @description Token of the card: whoever has it may pay with the card */
          card_token: string;
          /** @description Your own label */
          plan_ref?: components["schemas"]["Text"];
          /** @description Description of the agreement, in words */
          description?: components["schemas"]["Text"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AgreementAnswer"];
        };
      };
      400: components["responses"]["InvalidAddress"];
      401: components["responses"]["InvalidCardToken"];
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "origin_not_allowed" | "approval_required" | "approval_denied" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "hourly_limit_exceeded" | "daily_limit_exceeded" | "weekly_limit_exceeded" | "monthly_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "wallet_cap_exceeded" | "key_cap_exceeded" | "rolling_30d_limit_exceeded" | "payment_rate_exceeded" | "like_payments_exceeded";
            /**
             * Format: date-time
             * @description From when on the card may pay this
             */
            passes_at?: string;
            /** @description The available amount, in whole units of the asset */
            available?: number;
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidStateOrPayLinkBusy"];
      410: components["responses"]["PayLinkExpired"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "mandate_malformed" | "mandate_key_untrusted" | "mandate_expired" | "mandate_currency_mismatch" | "mandate_constraint_violated" | "mandate_already_used" | "mandate_revoked" | "amount_below_minimum";
            /** @description The least amount that is carried to the chain */
            minimum?: string;
          } & components["schemas"]["MandateDetails"];
        };
      };
      429: components["responses"]["ApprovalsWait"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getBillingAgreementsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the agreement */
        id: components["parameters"]["Agreement"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetBillingAgreementsByIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postBillingAgreementsPrepare: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The card that pays */
          payer_card_id: string;
          /** @description The merchant, by a RECURRING link that takes AP2 mandates */
          pay_link_code?: string;
          /** @description The merchant, by its wallet; for a threshold the service's treasury address */
          merchant_wallet?: components["schemas"]["Text"];
          amount: components["schemas"]["AmountIn"];
          /**
           * @description What makes a charge due: interval or threshold
           * @enum {string}
           */
          trigger_type: "interval" | "threshold";
          /** @description Of an interval: days or months */
          period_days?: number;
          /** @description Months between charges; null where days count or nothing does */
          period_months?: number;
          /**
           * @description The balance that is watched: svc_fee_balance, the fee meter
           * @enum {string}
           */
          threshold_metric?: "svc_fee_balance";
          threshold_floor?: components["schemas"]["AmountIn"];
          /** @description How often the mandate may pay in all */
          max_occurrences?: number;
          budget?: components["schemas"]["AmountIn"];
          /** @description Hours until the open mandate ends; 366 days without it */
          expires_in?: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostBillingAgreementsPrepareAnswer"];
        };
      };
      400: components["responses"]["InvalidAddress"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["LimitReached"];
      410: components["responses"]["PayLinkExpired"];
      422: components["responses"]["AmountBelowMinimum"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postBillingAgreementsByIdPause: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the agreement */
        id: components["parameters"]["Agreement"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Record<string, never> | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostBillingAgreementsByIdPauseAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postBillingAgreementsByIdResume: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the agreement */
        id: components["parameters"]["Agreement"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Record<string, never> | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostBillingAgreementsByIdPauseAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postBillingAgreementsByIdCancel: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the agreement */
        id: components["parameters"]["Agreement"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description true: the agreement lasts to the end of its period; otherwise it ends now */
          at_period_end?: boolean;
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostBillingAgreementsByIdPauseAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postWithdraw: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          amount: components["schemas"]["AmountIn"];
          network?: components["schemas"]["Network"];
          /** @description USDC without it; or the service token, where it can be paid out */
          asset?: string;
          /** @description Your own wallet without it */
          to_address?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostWithdrawAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_address" | "invalid_idempotency_key";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "origin_not_allowed" | "insufficient_balance" | "payout_address_not_allowed";
          } & components["schemas"]["InsufficientBalanceDetails"];
        };
      };
      429: components["responses"]["PayoutCapReached"];
      502: components["responses"]["UpstreamFailedOrChainUnavailable"];
      503: components["responses"]["SignerUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getWithdrawals: {
    parameters: {
      query?: {
        /** @description That withdrawal alone */
        id?: string;
        /** @description State of the withdrawal */
        status?: "PROCESSING" | "COMPLETED" | "FAILED";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WithdrawalsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getWithdrawalsAddresses: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetWithdrawalsAddressesAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postWithdrawalsAddresses: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          address: components["schemas"]["Address"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AddressAnswer"];
        };
      };
      400: components["responses"]["InvalidAddress2"];
      409: components["responses"]["LimitReached"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  deleteWithdrawalsAddressesById: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the address */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getMembershipPlans: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlansAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getMembership: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetMembershipAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postMembershipSubscribe: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Tier of the plan
           * @enum {string}
           */
          tier: "starter" | "growth";
          /**
           * @description How long one payment lasts
           * @enum {string}
           */
          billing_period: "month" | "year";
          /** @description USDC without it; the plans list the others */
          payment_asset?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MembershipAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_asset" | "invalid_idempotency_key";
          };
        };
      };
      403: components["responses"]["InsufficientBalance"];
      409: components["responses"]["InvalidStateOrChargeInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMembershipCancel: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MembershipAnswer"];
        };
      };
      409: components["responses"]["InvalidStateOrChargeInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMembershipResume: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MembershipAnswer"];
        };
      };
      409: components["responses"]["InvalidStateOrChargeInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMembershipAutoRenew: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description wallet: paid by your allowance on chain. Without it: by your balance
           * @enum {string}
           */
          mode?: "wallet";
          /** @description Without mode: periods to set money aside for; 1 without it */
          periods?: number;
          approve_tx?: components["schemas"]["Hash"];
          /**
           * @description Tier of the plan
           * @enum {string}
           */
          tier?: "starter" | "growth";
          /**
           * @description How long one payment lasts
           * @enum {string}
           */
          billing_period?: "month" | "year";
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostMembershipAutoRenewAnswer"];
        };
      };
      /** @description Not allowed */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "forbidden_scope" | "origin_not_allowed" | "approval_required";
          } & components["schemas"]["ApprovalRequiredDetails"];
        };
      };
      409: components["responses"]["InvalidStateOrChargeInFlight"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  deleteMembershipAutoRenew: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeleteMembershipAutoRenewAnswer"];
        };
      };
      409: components["responses"]["InvalidStateOrChargeInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getTokens: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetTokensAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postTokens: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          network: components["schemas"]["Network"];
          address: components["schemas"]["Address"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_address" | "invalid_idempotency_key";
          };
        };
      };
      409: components["responses"]["InvalidState"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "token_unreadable" | "token_not_transferable" | "token_takes_fee";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getTokensById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the token */
        id: components["parameters"]["Token"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  deleteTokensById: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the token */
        id: components["parameters"]["Token"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getFees: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetFeesAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postFeesTopup: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          amount: components["schemas"]["AmountIn"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostFeesTopupAnswer"];
        };
      };
      403: components["responses"]["InsufficientBalance"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getFeesEntries: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetFeesEntriesAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getX402: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402Answer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getX402Supported: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402SupportedAnswer"];
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  postX402Verify: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["X402Payment"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402VerifyAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postX402Settle: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["X402Payment"];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402SettleAnswer"];
        };
      };
      429: components["responses"]["FundsInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getX402SettlementsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the settlement */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SettlementAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getX402Settlements: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402SettlementsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getX402DiscoveryResources: {
    parameters: {
      query?: {
        /** @description How the resource is reached */
        type?: components["parameters"]["Type2"];
        /** @description Address that is paid */
        payTo?: components["parameters"]["PayTo"];
        /** @description Scheme of x402, e.g. exact */
        scheme?: components["parameters"]["Scheme"];
        /** @description Its CAIP-2 id, or its name in x402 v1 */
        network?: components["parameters"]["Network"];
        /** @description The key of an extension that the listing shows */
        extensions?: components["parameters"]["Extensions"];
        /** @description At most 100; 20 without it */
        limit?: components["parameters"]["Limit3"];
        /** @description How many to leave out from the beginning */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402DiscoveryResourcesAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getX402DiscoverySearch: {
    parameters: {
      query: {
        /** @description Words to look for */
        query: string;
        /** @description How the resource is reached */
        type?: components["parameters"]["Type2"];
        /** @description Address that is paid */
        payTo?: components["parameters"]["PayTo"];
        /** @description Scheme of x402, e.g. exact */
        scheme?: components["parameters"]["Scheme"];
        /** @description Its CAIP-2 id, or its name in x402 v1 */
        network?: components["parameters"]["Network"];
        /** @description The key of an extension that the listing shows */
        extensions?: components["parameters"]["Extensions"];
        /** @description At most 100; 20 without it */
        limit?: components["parameters"]["Limit3"];
        /** @description Not looked at */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetX402DiscoverySearchAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postX402Receive: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The value of PAYMENT-SIGNATURE or of X-PAYMENT, or the object in it */
          payment_header: string | {
            [key: string]: unknown;
          };
          /** @description Address of what was paid for */
          resource_url: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402ReceiveAnswer"];
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postMppReceive: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The credential, with `Payment` before it or without, or the object in it */
          payment_data: string | {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostMppReceiveAnswer"];
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postX402SignIn: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Value of SIGN-IN-WITH-X */
          header: string;
          /** @description URL of the resource, as its 402 names it. Never take its host from the request */
          resource: string;
          /** @description How old the message may be; 300 if absent */
          max_age_seconds?: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostX402SignInAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_url" | "invalid_idempotency_key";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPaywall: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description The card that receives what cards of this service pay; by default your newest that can */
          card_id?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaywallAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPaywallPayments: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Random, one for each attempt to serve: a repeated call of one attempt is safe */
          attempt: string;
          /** @description URL of what is sold */
          resource: string;
          /** @description A name of the request: a digest of method, URL and body */
          request: string;
          /** @description How long the attempt may take; 120 by default */
          lease_seconds?: number;
          x402?: components["schemas"]["PaywallX402"];
          mpp?: components["schemas"]["PaywallMpp"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaywallPaymentsAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key" | "invalid_payment";
            /** @description Why, as a stable word */
            reason?: string;
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPaywallPaymentsByIdSettle: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the payment */
        id: components["parameters"]["Payment"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Random, one for each attempt to serve: a repeated call of one attempt is safe */
          attempt: string;
          /** @description By upto: base units, at most what was signed */
          used?: string;
          /** @description The handler runs after the money; false by default */
          serve_after?: boolean;
          /** @description The answer, sealed by you, base64: a repetition gets it again for two days */
          answer?: string;
          x402?: components["schemas"]["PaywallX402"];
          mpp?: components["schemas"]["PaywallMpp"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostPaywallPaymentsByIdSettleAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment";
            /** @description Why, as a stable word */
            reason?: string;
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      429: components["responses"]["FundsInFlight"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postPaywallPaymentsByIdRelease: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the payment */
        id: components["parameters"]["Payment"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Random, one for each attempt to serve: a repeated call of one attempt is safe */
          attempt: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SuccessAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postCardsByIdIdentity: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "no_counted_payment";
          };
        };
      };
      429: components["responses"]["GasBudgetSpent"];
      503: components["responses"]["IdentityUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdIdentityWithdraw: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "identity_moving";
          };
        };
      };
      429: components["responses"]["GasBudgetSpent"];
      503: components["responses"]["IdentityUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCrtMarkets: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCrtMarketsAnswer"];
        };
      };
      /** @description Another server failed */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "chain_unavailable";
            /** @description Id of the chain */
            chainId?: number;
          };
        };
      };
      503: components["responses"]["MarketsUnavailable"];
      /** @description Any other refusal */
      default: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
          "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
          "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "overloaded";
            /** @description Id of the chain */
            chainId?: number;
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
    };
  };
  getCrtMarketsByToken: {
    parameters: {
      query?: {
        /** @description Length of a candle; 1h without it */
        interval?: "1m" | "1h" | "1d";
      };
      header?: never;
      path: {
        /** @description Contract of the credential token */
        token: components["parameters"]["Token2"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCrtMarketsByTokenAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["MarketsUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  getCrtMarketsByTokenQuote: {
    parameters: {
      query: {
        /** @description buy: USDC for tokens; sell: tokens for USDC */
        side: "buy" | "sell";
        /** @description What you put in: whole USDC if you buy, whole tokens if you sell */
        amount: string;
      };
      header?: never;
      path: {
        /** @description Contract of the credential token */
        token: components["parameters"]["Token2"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCrtMarketsByTokenQuoteAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "quote_unavailable";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["MarketsUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  postCardsByIdCrtMarketPrepare: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Two to eleven of A to Z and 0 to 9; none that reads as USDC or ETH */
          symbol: string;
          /** @description At most 64 printable characters, without markup */
          name: string;
          /** @description Whole tokens. There will never be more */
          supply: number;
          /** @description Ten-thousandths of the supply that you keep, locked */
          keep_bps: number;
          start_price: components["schemas"]["AmountIn"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdCrtMarketPrepareAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "market_already_live";
          };
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "launch_would_fail";
            /** @description The step that the chain would refuse */
            step?: string;
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["MarketsUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdCrtMarketConfirm: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          deployTx: components["schemas"]["Hash"];
          listTx: components["schemas"]["Hash"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MarketAnswer"];
        };
      };
      404: components["responses"]["NotFoundOrTransactionNotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "market_already_live" | "market_not_prepared" | "nonce_moved" | "transaction_pending";
          };
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "transaction_reverted" | "token_mismatch" | "listing_mismatch";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["MarketsUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdCrtMarket: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetCardsByIdCrtMarketAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postCardsByIdCrtMarketVestingConfirm: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          vestingTx: components["schemas"]["Hash"];
          /** @description Ten-thousandths of the supply that were to be kept, as prepared */
          keepBps: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["VestingAnswer"];
        };
      };
      404: components["responses"]["NotFoundOrTransactionNotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "market_not_live" | "already_vested" | "stream_used" | "transaction_pending";
          };
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "transaction_reverted" | "stream_not_found" | "stream_ambiguous" | "stream_wrong_token" | "stream_wrong_funder" | "stream_wrong_recipient" | "stream_too_small" | "stream_too_short" | "stream_cancelable" | "stream_too_old" | "keep_mismatch";
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      503: components["responses"]["MarketsUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getListings: {
    parameters: {
      query?: {
        /** @description 1 without it */
        page?: components["parameters"]["Page"];
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description newest without it */
        sort?: "newest" | "price_asc" | "price_desc" | "revenue_desc";
        /** @description The listing after which to go on; no `page` then */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetListingsAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  postListings: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          card_id: components["schemas"]["CardId"];
          price: components["schemas"]["AmountIn"];
          /**
           * @description custodial without it
           * @enum {string}
           */
          mode?: "custodial" | "onchain";
          /** @description onchain only: your signature of what `prepare` answered */
          seller_signature?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListingAnswer"];
        };
      };
      /** @description No good credential */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "unauthorized" | "invalid_api_key" | "invalid_signature";
          };
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_listed" | "listing_stale";
            /** @description Id of the open listing */
            listing_id?: string;
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getListingsById: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the listing */
        id: components["parameters"]["Listing"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetListingsByIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  deleteListingsById: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the listing */
        id: components["parameters"]["Listing"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListingAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "idempotency_conflict" | "idempotency_in_progress" | "listing_closed";
            /** @description State of the pay link, or of the listing */
            status?: string;
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getCardsByIdListing: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetListingsByIdAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  postListingsByIdBuy: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the listing */
        id: components["parameters"]["Listing"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The `version` of the listing as you saw it */
          version?: string;
          /** @description onchain only: your signed payment of the price */
          authorization?: {
            from: components["schemas"]["Address"];
            to: components["schemas"]["Address"];
            /** @description A whole number; in a string where it is large */
            value: string | number;
            /** @description A whole number; in a string where it is large */
            valid_after: string | number;
            /** @description A whole number; in a string where it is large */
            valid_before: string | number;
            nonce: components["schemas"]["Hash"];
            /** @description The signature of the authorization (EIP-712), by `from` */
            signature: string;
          };
        } | null;
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostListingsByIdBuyAnswer"];
        };
      };
      /** @description Success */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListingAnswer"];
        };
      };
      403: components["responses"]["InsufficientBalance"];
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "own_listing" | "listing_closed" | "listing_changed" | "listing_stale" | "card_has_holds" | "identity_withdrawn" | "identity_moving";
            /** @description State of the pay link, or of the listing */
            status?: string;
          } & components["schemas"]["ListingChangedDetails"];
        };
      };
      /** @description Understood, but not possible */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "authorization_rejected";
          };
        };
      };
      429: components["responses"]["FundsInFlight"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  postCardsByIdTransfer: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of the card */
        id: components["parameters"]["Card"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          to_wallet: components["schemas"]["Address"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostCardsByIdTransferAnswer"];
        };
      };
      400: components["responses"]["InvalidAddress2"];
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "card_has_holds" | "identity_withdrawn" | "identity_moving";
          };
        };
      };
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getListingsByIdRevenue: {
    parameters: {
      query?: {
        /** @description Today and the days before it; 30 without it */
        days?: components["parameters"]["Days"];
      };
      header?: never;
      path: {
        /** @description Id of the listing */
        id: components["parameters"]["Listing"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetListingsByIdRevenueAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  postListingsPrepare: {
    parameters: {
      query?: never;
      header?: {
        /** @description A name of your choosing for this request: a retry with the same one is given the first answer, with `Idempotency-Hit: true`. Kept at least 24 hours */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          card_id: components["schemas"]["CardId"];
          price: components["schemas"]["AmountIn"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostListingsPrepareAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      409: components["responses"]["InvalidState"];
      422: components["responses"]["AmountBelowMinimum"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedChangeWithKey"];
    };
  };
  getListingsByIdBuyPrepare: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the listing */
        id: components["parameters"]["Listing"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetListingsByIdBuyPrepareAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      /** @description Not in this state */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_state" | "own_listing" | "listing_closed";
            /** @description State of the pay link, or of the listing */
            status?: string;
          };
        };
      };
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getHoldings: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetHoldingsAnswer"];
        };
      };
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getV1: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetV1Answer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getV1CredentialsByRef: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of a credential, or the address of its holder account */
        ref: components["parameters"]["Ref"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CredentialAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getV1CredentialsByRefRegistration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of a credential, or the address of its holder account */
        ref: components["parameters"]["Ref"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetV1CredentialsByRefRegistrationAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  getV1CredentialsByRefProof: {
    parameters: {
      query?: {
        /** @description all: every leaf as application/x-ndjson */
        leaves?: "all";
      };
      header?: never;
      path: {
        /** @description Id of a credential, or the address of its holder account */
        ref: components["parameters"]["Ref"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetV1CredentialsByRefProofAnswer"];
          "application/x-ndjson": string;
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetStatusAnswer"];
        };
      };
      default: components["responses"]["Refused"];
    };
  };
  getOperatorOverview: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetOperatorOverviewAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getOperatorQueues: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetOperatorQueuesAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getOperatorRelayers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RelayersAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getOperatorMachines: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MachinesAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getOperatorSigningKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetOperatorSigningKeysAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  getOperatorAudit: {
    parameters: {
      query?: {
        /** @description At most 100; 50 without it */
        limit?: components["parameters"]["Limit"];
        /** @description The id after which to go on */
        after?: components["parameters"]["After"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GetOperatorAuditAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      default: components["responses"]["RefusedWithKey"];
    };
  };
  postDevFaucet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          wallet_address: components["schemas"]["Address"];
          amount: components["schemas"]["AmountIn"];
          /**
           * @description USDC without it
           * @enum {string}
           */
          asset?: "USDC" | "DEV" | "DB20";
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostDevFaucetAnswer"];
        };
      };
      /** @description Not a valid request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"] & {
            /** @enum {unknown} */
            code?: "invalid_request" | "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address";
          } & components["schemas"]["InvalidAmountDetails"];
        };
      };
      404: components["responses"]["NotFound"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  postDevSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PostDevSessionAnswer"];
        };
      };
      403: components["responses"]["Refused2"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["Refused"];
    };
  };
  postDevMine: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description How many blocks to make */
          blocks: number;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BlockNumberAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
  postDevClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description How far to move the clock forward */
          advance_seconds?: number;
          now?: components["schemas"]["Timestamp"];
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NowAnswer"];
        };
      };
      404: components["responses"]["NotFound"];
      502: components["responses"]["ChainUnavailable"];
      default: components["responses"]["Refused"];
    };
  };
}

/** The operations that take an Idempotency-Key. */
export const REPEATABLE: ReadonlySet<string> = new Set([
  'POST /api/auth/logout',
  'POST /api/keys/generate',
  'POST /api/keys/restricted',
  'DELETE /api/keys/{hash}',
  'POST /api/keys/validate',
  'DELETE /api/sessions/{id}',
  'POST /api/agents/verify',
  'POST /api/webhooks',
  'PATCH /api/webhooks/{id}',
  'DELETE /api/webhooks/{id}',
  'POST /api/webhooks/{id}/rotate-secret',
  'POST /api/webhooks/{id}/test',
  'POST /api/webhooks/{id}/recover',
  'POST /api/webhooks/{id}/replay-missing',
  'POST /api/webhooks/deliveries/{id}/replay',
  'POST /api/fund/verify',
  'POST /api/fund/authorization',
  'POST /api/issue',
  'POST /api/issue/bulk',
  'POST /api/cards/{id}/fund',
  'POST /api/cards/{id}/freeze',
  'POST /api/cards/{id}/unfreeze',
  'PATCH /api/cards/{id}/controls',
  'POST /api/cards/{id}/claim',
  'POST /api/cards/{id}/cancel',
  'POST /api/cards/{id}/rotate-token',
  'PUT /api/cards/{id}/controls/draft',
  'DELETE /api/cards/{id}/controls/draft',
  'POST /api/cards/{id}/controls/draft/apply',
  'POST /api/cards/{id}/controls/backtest',
  'POST /api/approvals/{id}/approve',
  'POST /api/approvals/{id}/deny',
  'POST /api/decisions/{id}/allow',
  'POST /api/cards/{id}/children',
  'PATCH /api/limits',
  'PATCH /api/keys/{hash}/limits',
  'POST /api/pay',
  'POST /api/pay/purchases',
  'POST /api/pay/authorize',
  'POST /api/pay/simulate',
  'POST /api/payments/{id}/refund',
  'POST /api/x402/pay',
  'POST /api/mpp/pay',
  'POST /api/mpp/session',
  'POST /api/mpp/stream/open',
  'POST /api/mpp/stream/tick',
  'POST /api/mpp/stream/close',
  'POST /api/paylinks',
  'DELETE /api/paylinks/{code}',
  'POST /api/exceptions/{id}/keep',
  'POST /api/exceptions/{id}/refund',
  'PATCH /api/profile',
  'POST /api/ap2/settle',
  'POST /api/ap2/receipt',
  'POST /api/ap2/verify',
  'POST /api/ap2/open-mandate',
  'POST /api/ap2/mandate',
  'POST /api/ap2/mandates/{mandate_id}/revoke',
  'POST /api/ap2/keys',
  'DELETE /api/ap2/keys/{kid}',
  'POST /api/ap2/payment-methods',
  'POST /api/ap2/execute',
  'POST /api/billing/agreements',
  'POST /api/billing/agreements/prepare',
  'POST /api/billing/agreements/{id}/pause',
  'POST /api/billing/agreements/{id}/resume',
  'POST /api/billing/agreements/{id}/cancel',
  'POST /api/withdraw',
  'POST /api/withdrawals/addresses',
  'DELETE /api/withdrawals/addresses/{id}',
  'POST /api/membership/subscribe',
  'POST /api/membership/cancel',
  'POST /api/membership/resume',
  'POST /api/membership/auto-renew',
  'DELETE /api/membership/auto-renew',
  'POST /api/tokens',
  'DELETE /api/tokens/{id}',
  'POST /api/fees/topup',
  'POST /api/x402/settle',
  'POST /api/x402/receive',
  'POST /api/mpp/receive',
  'POST /api/x402/sign-in',
  'POST /api/paywall',
  'POST /api/paywall/payments',
  'POST /api/paywall/payments/{id}/settle',
  'POST /api/paywall/payments/{id}/release',
  'POST /api/cards/{id}/identity',
  'POST /api/cards/{id}/identity/withdraw',
  'POST /api/cards/{id}/crt-market/prepare',
  'POST /api/cards/{id}/crt-market/confirm',
  'POST /api/cards/{id}/crt-market/vesting-confirm',
  'POST /api/listings',
  'DELETE /api/listings/{id}',
  'POST /api/listings/{id}/buy',
  'POST /api/cards/{id}/transfer',
  'POST /api/listings/prepare',
])

/** The members of each operation's success; with `{}` an object, with `[]` a list. */
export const ANSWERS: Readonly<Record<string, string>> = {
  'POST /api/auth/challenge': 'message nonce expires_at',
  'POST /api/auth/verify': 'token wallet_address expires_at',
  'POST /api/auth/logout': 'success',
  'POST /api/keys/generate': 'api_key',
  'POST /api/keys/restricted': 'api_key key{}',
  'GET /api/keys': 'keys[] has_more',
  'DELETE /api/keys/{hash}': 'success revoked_keys',
  'POST /api/keys/validate': 'valid wallet_address authenticated_at is_operator',
  'GET /api/sessions': 'sessions[]',
  'DELETE /api/sessions/{id}': 'success revoked_keys',
  'GET /api/requests': 'requests[] has_more',
  'GET /api/requests/{request_id}': 'request_id at method route path status code ms way key_hash key_name',
  'POST /api/agents/verify': 'verified',
  'GET /api/events': 'events[] has_more',
  'POST /api/webhooks': 'id url description status secret note created_at',
  'GET /api/webhooks': 'webhooks[]',
  'PATCH /api/webhooks/{id}': 'success webhook{}',
  'DELETE /api/webhooks/{id}': 'success',
  'POST /api/webhooks/{id}/rotate-secret': 'success secret previous_secret_expires_at note',
  'POST /api/webhooks/{id}/test': 'ok status_code attempts event_id',
  'POST /api/webhooks/{id}/recover': 'count dry_run has_more',
  'POST /api/webhooks/{id}/replay-missing': 'count dry_run has_more',
  'GET /api/webhooks/deliveries': 'deliveries[] total page pages limit',
  'GET /api/webhooks/deliveries/{id}/body': 'delivery{}',
  'POST /api/webhooks/deliveries/{id}/replay': 'ok status_code attempts event_id',
  'GET /api/config': 'treasury{} tokens{} networks[] base_url fees{} operator',
  'GET /api/funding/tokens': 'registry{}',
  'GET /api/wallet/balance': 'network asset address balance balance_atomic',
  'POST /api/fund/verify': 'success status funded balance{}',
  'POST /api/fund/authorization': 'success status funded balance{}',
  'GET /api/balance': 'balances[]',
  'POST /api/issue': 'success card{}',
  'POST /api/issue/bulk': 'success cards[] total_allocated',
  'GET /api/cards': 'cards[] has_more',
  'GET /api/cards/{id}': 'card{}',
  'POST /api/cards/{id}/fund': 'success card_id added new_limit',
  'POST /api/cards/{id}/freeze': 'success card_id status',
  'POST /api/cards/{id}/unfreeze': 'success card_id status',
  'PATCH /api/cards/{id}/controls': 'success card{}',
  'POST /api/cards/{id}/claim': 'id token kind purpose limit_amount status status_reason mcc_locks single_use expires_at funding_network funding_asset wallet_address parent_card_id balance remaining spent held received delegated hourly_limit daily_limit weekly_limit monthly_limit max_transaction rolling_30d_limit max_payments_per_minute max_like_payments approval_above approval_first_merchant allowed_merchants[] settlement_mode custody_mode holder_address chain_status balance_source metadata{} created_at success card{} claimed',
  'POST /api/cards/{id}/cancel': 'success card{}',
  'POST /api/cards/{id}/rotate-token': 'success card{}',
  'GET /api/cards/{id}/controls/draft': 'asset draft summary',
  'PUT /api/cards/{id}/controls/draft': 'success draft',
  'DELETE /api/cards/{id}/controls/draft': 'success',
  'POST /api/cards/{id}/controls/draft/apply': 'success card{}',
  'POST /api/cards/{id}/controls/backtest': 'asset rules{} since until decisions truncated read_until was_allowed{} was_declined{} would_allow{} would_decline{} newly_allowed{} newly_declined{} not_judged{} reasons[] differing[]',
  'GET /api/cards/{id}/transactions': 'transactions[] has_more',
  'GET /api/cards/{id}/decisions': 'decisions[] has_more',
  'GET /api/approvals': 'approvals[] has_more',
  'GET /api/approvals/{id}': 'approval{}',
  'POST /api/approvals/{id}/approve': 'success approval{}',
  'POST /api/approvals/{id}/deny': 'success approval{}',
  'POST /api/decisions/{id}/allow': 'success card{} approval raised',
  'POST /api/cards/{id}/children': 'success card{}',
  'GET /api/cards/{id}/children': 'cards[] has_more',
  'GET /api/limits': 'success limits{}',
  'PATCH /api/limits': 'success limits{}',
  'GET /api/keys/{hash}/limits': 'success limits{}',
  'PATCH /api/keys/{hash}/limits': 'success limits{}',
  'GET /api/spending': 'network asset from to total{} days[] cards[] others{} as_of',
  'POST /api/pay': '',
  'POST /api/pay/purchases': 'success purchase_id is_new created_at',
  'POST /api/pay/authorize': 'success transaction_id amount_held merchant_amount platform_fee token network pay_to expires_at settlement{} payment',
  'POST /api/pay/simulate': 'allowed rule message passes_at amount merchant_amount platform_fee counters{} protocol offer',
  'GET /api/settlement/status/{txn_id}': 'transaction_id status tx_hash settled_at fee_amount settlement{}',
  'GET /api/payments': 'payments[] has_more',
  'GET /api/payments/{id}': 'payment{}',
  'GET /api/payments/{id}/evidence': 'format parts{} statement key{}',
  'POST /api/payments/{id}/refund': 'success transaction_id amount refunded refund_id fee_kept status',
  'POST /api/x402/pay': '',
  'POST /api/mpp/pay': '',
  'GET /api/x402/discover': 'supports_x402 payment_address amount asset network accepts[]',
  'GET /api/mpp/discover': 'supports_mpp capabilities{}',
  'POST /api/mpp/session': 'session_id',
  'POST /api/mpp/stream/open': 'id card_id budget tick_amount total_ticked remaining status receiver_card_id session_id merchant final_amount created_at expires_at ended_at',
  'POST /api/mpp/stream/tick': 'total_ticked remaining',
  'POST /api/mpp/stream/close': 'final_amount status',
  'GET /api/mpp/stream/{id}': 'id card_id budget tick_amount total_ticked remaining status receiver_card_id session_id merchant final_amount created_at expires_at ended_at',
  'GET /api/mpp/streams': 'streams[] has_more',
  'POST /api/paylinks': 'id code url amount asset network memo status link_type uses max_uses accepted_protocols[] expires_at qr_svg created_at card_id mcc deposit_address settlement_mode metadata{} success pay_link{}',
  'GET /api/paylinks': 'links[] has_more',
  'DELETE /api/paylinks/{code}': 'success',
  'GET /api/paylinks/{code}': 'id code url amount asset network memo status link_type uses max_uses accepted_protocols[] expires_at qr_svg created_at ap2',
  'GET /api/paylinks/{code}/status': 'status confirmed_at seen',
  'GET /api/pay/{code}/resolve': 'type link_type code amount asset network memo status uses max_uses expires_at accepted_protocols[]',
  'GET /api/pay/{code}/prepare': 'status intent payment{} accepted_protocols[] treasury_address token_contract network amount direct x402 mpp eip681 ap2',
  'POST /api/pay/{code}/settle': 'success status transaction_id settlement_id pay_link_code protocol amount fee net_amount asset network tx_hash',
  'POST /api/mpp/agentcard': 'success transaction_id card_id amount expires_at header credential payload{}',
  'GET /api/receipts/{id}': 'receipt{}',
  'GET /api/exceptions': 'exceptions[] has_more',
  'GET /api/exceptions/{id}': 'exception{}',
  'POST /api/exceptions/{id}/keep': 'success exception{}',
  'POST /api/exceptions/{id}/refund': 'success exception{} withdrawal_id withdrawal_fee status balance{}',
  'GET /api/profile': 'profile{}',
  'PATCH /api/profile': 'success profile{}',
  'GET /api/payees': 'payees[]',
  'POST /api/ap2/settle': 'status protocol settlement_id mandate_id pay_link_code amount fee net_amount tx_hash payee receipt_url',
  'GET /api/ap2/receipts/{settlement_id}': 'settlement_id receipt',
  'POST /api/ap2/receipt': 'success mandate_id status signature',
  'POST /api/ap2/verify': 'ok already_settled checks[] mandate',
  'POST /api/ap2/open-mandate': 'mandate mandate_id open_id agent_kid expires_at',
  'POST /api/ap2/mandate': 'mandate mandate_id amount currency expires_at',
  'GET /api/ap2/mandates/{card_id}': 'mandates[] has_more',
  'POST /api/ap2/mandates/{mandate_id}/revoke': 'success mandate_id open_id revoked_at',
  'POST /api/ap2/keys': 'key{}',
  'GET /api/ap2/keys': 'keys[] has_more',
  'DELETE /api/ap2/keys/{kid}': 'success',
  'GET /api/ap2/instruments': 'instruments[]',
  'GET /api/ap2/.well-known/jwks.json': 'keys[]',
  'GET /.well-known/did.json': '@context[] id verificationMethod[] assertionMethod[]',
  'GET /api/ap2/agent-card': 'agent_card{}',
  'GET /.well-known/agent-card.json': 'name description supportedInterfaces[] version documentationUrl capabilities{} defaultInputModes[] defaultOutputModes[] skills[]',
  'POST /a2a': 'jsonrpc id',
  'POST /api/ap2/payment-methods': 'methods[]',
  'POST /api/ap2/execute': '',
  'GET /api/billing/agreements': 'agreements[] has_more',
  'POST /api/billing/agreements': 'agreement{}',
  'GET /api/billing/agreements/{id}': 'agreement{} charges[]',
  'POST /api/billing/agreements/prepare': 'billing_key{} kid content{} audience expires_at',
  'POST /api/billing/agreements/{id}/pause': 'success agreement{}',
  'POST /api/billing/agreements/{id}/resume': 'success agreement{}',
  'POST /api/billing/agreements/{id}/cancel': 'success agreement{}',
  'POST /api/withdraw': 'success withdrawal_id amount withdrawal_fee net_amount status balance{}',
  'GET /api/withdrawals': 'withdrawals[]',
  'POST /api/withdrawals/addresses': 'address{}',
  'GET /api/withdrawals/addresses': 'addresses[] delay_seconds',
  'DELETE /api/withdrawals/addresses/{id}': 'success',
  'GET /api/membership/plans': 'plans[]',
  'GET /api/membership': 'membership auto_renew',
  'POST /api/membership/subscribe': 'success membership{}',
  'POST /api/membership/cancel': 'success membership{}',
  'POST /api/membership/resume': 'success membership{}',
  'POST /api/membership/auto-renew': 'success enrolled',
  'DELETE /api/membership/auto-renew': 'success membership returned',
  'POST /api/tokens': 'token{}',
  'GET /api/tokens': 'tokens[] has_more',
  'GET /api/tokens/{id}': 'token{}',
  'DELETE /api/tokens/{id}': 'success',
  'GET /api/fees': 'meter{} quota{} overage_fee gate schedule{}',
  'POST /api/fees/topup': 'success added meter{}',
  'GET /api/fees/entries': 'entries[] has_more',
  'GET /api/x402': 'name supported verify settle settlements discovery docs',
  'GET /api/x402/supported': 'kinds[] extensions[] signers{}',
  'POST /api/x402/verify': 'isValid',
  'POST /api/x402/settle': 'success transaction network',
  'GET /api/x402/settlements/{id}': 'settlement{}',
  'GET /api/x402/settlements': 'settlements[] has_more',
  'GET /api/x402/discovery/resources': 'x402Version items[] pagination{}',
  'GET /api/x402/discovery/search': 'x402Version resources[] partialResults pagination{}',
  'POST /api/x402/receive': 'verified resource',
  'POST /api/mpp/receive': 'verified',
  'POST /api/x402/sign-in': 'verified paid',
  'POST /api/paywall': 'wallet_address issuer network network_v1 chain_id asset{} is_on_chain min_on_chain upto_facilitator card_link challenge_key',
  'POST /api/paywall/payments': 'status id payer reason detail retry_seconds receipt is_answer_kept answer',
  'POST /api/paywall/payments/{id}/settle': 'status is_first reason detail transaction receipt answer',
  'POST /api/paywall/payments/{id}/release': 'success',
  'GET /api/cards/{id}/identity': 'identity{}',
  'POST /api/cards/{id}/identity': 'identity{}',
  'POST /api/cards/{id}/identity/withdraw': 'identity{}',
  'GET /api/crt-markets': 'chainId markets[] has_more',
  'GET /api/crt-markets/{token}': 'chainId market{} spot{} average{} liquidity{} vesting candles[] warnings[]',
  'GET /api/crt-markets/{token}/quote': 'token side amount_in amount_in_atomic amount_out amount_out_atomic price',
  'POST /api/cards/{id}/crt-market/prepare': 'nonce token pool_id fee tick_spacing start_price expires_at note transactions[]',
  'POST /api/cards/{id}/crt-market/confirm': 'success market{}',
  'GET /api/cards/{id}/crt-market': 'market{} vesting',
  'POST /api/cards/{id}/crt-market/vesting-confirm': 'success vesting{}',
  'GET /api/listings': 'listings[] explorerBase total page pages limit sort',
  'POST /api/listings': 'success listing{}',
  'GET /api/listings/{id}': 'listing{}',
  'DELETE /api/listings/{id}': 'success listing{}',
  'GET /api/cards/{id}/listing': 'listing{}',
  'POST /api/listings/{id}/buy': 'success listing{}',
  'POST /api/cards/{id}/transfer': 'success card_id to_wallet',
  'GET /api/listings/{id}/revenue': 'asset days[] as_of',
  'POST /api/listings/prepare': 'typed_data{} transactions[] holder{}',
  'GET /api/listings/{id}/buy/prepare': 'typed_data{} holder{}',
  'GET /api/holdings': 'holdings[] total_value_usdc has_more next_after',
  'GET /api/v1': 'name version auth endpoints{} metering',
  'GET /api/v1/credentials/{ref}': 'credential{}',
  'GET /api/v1/credentials/{ref}/registration': 'type name description services[] x402Support active registrations[] supportedTrust[]',
  'GET /api/status': 'platform version api_version model protocols{} card_controls{} health{} chain{} queues{}',
  'GET /api/operator/overview': 'at version mode components[] alarms{} chain{} books[]',
  'GET /api/operator/queues': 'jobs{} tasks[] webhooks{}',
  'GET /api/operator/relayers': 'relayers[]',
  'GET /api/operator/machines': 'machines[]',
  'GET /api/operator/signing-keys': 'keys[] accounts[]',
  'GET /api/operator/audit': 'acts[] has_more',
  'POST /api/dev/faucet': 'tx_hash contract gas_balance',
  'POST /api/dev/session': 'wallet_address expires_at',
  'POST /api/dev/mine': 'block_number',
  'POST /api/dev/clock': 'now',
}

/** The limits of a card by window of time: fields of its order, and what each means. */
export const CARD_LIMITS = [
  { name: 'hourly_limit', summary: "the most that it may spend in one hour, from the full hour on" },
  { name: 'daily_limit', summary: "the most that it may spend in one UTC day" },
  { name: 'weekly_limit', summary: "the most that it may spend in one week, from Monday on" },
  { name: 'monthly_limit', summary: "the most that it may spend in one calendar month" },
] as const
