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
         * @description The key is shown once and cannot be read again. It may do everything that the wallet may. A wallet has 50 active keys at most.
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
         * @description Only the scopes named; if given, only the cards named, no debit above max_amount, and only until it expires. A key cannot make a stronger one.
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
         * @description Includes revoked keys. A key itself is shown once, when it is made; this list has only a hint of it.
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
         * @description It is refused from the next request on. Revoking it again is no fault. A key revokes itself and those that may do no more than it. With `descendants=true` the keys that it made go too, and those that they made: all or none.
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
         * @description It is refused from the next request on. With `descendants=true` the keys that it made go too, and those that they made, also when the session is over already.
         */
        delete: operations["deleteSessionsById"];
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
         * @description Without `after` it begins with the oldest event that is kept. Continue with the id of the last event that you were given: a reader that does so misses none. A key restricted to cards sees the events of its cards.
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
         * What happens to your wallet, as it happens
         * @description The feed as Server-Sent Events: `id` is the id of an event, `event` its type, `data` what `GET /api/events` shows of it. Begins after the event that `Last-Event-ID` or `after` names, in that order, or now; a reader that continues with the last id misses none. A comment comes every 15 seconds. It ends with the key or session that opened it, and once the key has lost a card. A wallet may have five open at once.
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
         * Your cards, newest first
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
         * @description Newest first. Each tells what it was decided on, so that it can be followed.
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
         * @description The URL is fetched; if it answers 402, the demand is read as x402 and as MPP, the offer in USDC on this network that takes least from the card is paid, and the request made once more with the payment. Between equal offers a card payment of this service comes first, then x402, then MPP on chain. A URL that needs no payment returns its answer, with amount_debited 0. The result is read from the chain, or for a link of this service from its books; never from the seller. Send an Idempotency-Key: a retry with it never pays twice, and shows the first 64 KiB of the answer with the size and digest of the whole.
         */
        post: operations["postPay"];
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
         * @description PENDING until the chain or the books tell the end.
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
         * @description For all cards, or for one by `card_id`.
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
         * @description Includes the request to the seller and its answer, if this service made the payment.
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
         * Give a received payment back to the card that paid it, or a part of it
         * @description By the receiver: all that is left, or `amount` of it. The money goes back to the card that paid.
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
         * @description With their addresses and QR codes, closed ones too.
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
         * @description By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the same call tells it. For a DIRECT link also `amount` and `signature`: the sender signs for the link and the transaction. By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it.
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
    "/api/ap2/agent-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the AP2 support of this service, as an A2A agent card
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was revoked; null where it is good */
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
             * @description Open mandates, or closed ones that have paid
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
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description When it was revoked; null where it is good */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
        };
        AgentCard: {
            /** @description Version of A2A */
            protocolVersion: string;
            /** @description Name of it */
            name: string;
            /** @description A description, in words */
            description: string;
            /** @description Address of it */
            url: string;
            /** @description Version of it */
            version: string;
            /** @description The parts of the protocol that this release supports */
            capabilities: {
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
        Agreement: {
            /** @description Id of the object */
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
            /** @description A description, in words */
            description: string | null;
            /** @description Whole units of the asset */
            amount: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
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
             * @description State of the object
             * @enum {string}
             */
            status: "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELLED" | "COMPLETED";
            /** @description Why it is in this state; null where there is nothing to say */
            status_reason: string | null;
            /** @description The party that paused it, and alone can resume it; null where it is not paused */
            paused_by: string | null;
            /** @description Start of the next period to be charged; null where none is */
            next_charge_at: string | null;
            /** @description While PAST_DUE the time of the next retry */
            next_attempt_at: string | null;
            /** @description When it was charged last; null before the first charge */
            last_charge_at: string | null;
            /** @description How many charges were paid */
            charges_made: number;
            /** @description Whole units of the asset */
            total_charged: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_charged_atomic?: string;
            /** @description Failures since the last success */
            failure_count: number;
            /** @description Whether it ends with its current period */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            updated_at: string;
        };
        AutoRenew: {
            /**
             * @description How it is paid or renewed
             * @enum {string}
             */
            mode: "funded" | "wallet" | "soft";
            /** @description Id of the agreement, `agr_` and 26 characters; null where none is concerned */
            agreement_id: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string | null;
            /** @description Money on the autopay card */
            reserve: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            reserve_atomic?: string;
            /** @description Periods that the reserve still pays */
            periods_funded: number;
            /** @description Start of the next period to be charged; null where none is */
            next_charge_at: string | null;
        };
        Balance: {
            /** @description Whole units of the asset */
            total_funded: number;
            /** @description Whole units of the asset */
            total_allocated: number;
            /** @description Whole units of the asset */
            total_returned: number;
            /** @description Whole units of the asset */
            total_spent: number;
            /** @description Whole units of the asset */
            total_withdrawn: number;
            /** @description Whole units of the asset */
            available: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_funded_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_allocated_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_returned_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_spent_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            total_withdrawn_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            available_atomic?: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
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
            /** @description Id of the object */
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
            /** @description Whole units of the asset */
            limit_amount: number;
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
            /** @description Why it is in this state; null where there is nothing to say */
            status_reason: string | null;
            /** @description Merchant categories that the card may pay, parted by commas; empty for all */
            mcc_locks: string;
            /** @description 1 or 0 */
            single_use: number;
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            funding_network: string;
            /** @description Asset of the card */
            funding_asset: string;
            /** @description Address of the wallet */
            wallet_address: string;
            /** @description Money on the card now: allocated and received, less spent and held */
            balance: number;
            /** @description The amount that can still be spent: the balance, or the rest of the limit if that is less */
            remaining: number;
            /** @description Whole units of the asset */
            spent: number;
            /** @description Whole units of the asset */
            held: number;
            /** @description Whole units of the asset */
            received: number;
            /** @description The most that may leave the card in a day (UTC); null for no limit */
            daily_limit: number | null;
            /** @description The most that one payment may be; null for no limit */
            max_transaction: number | null;
            /** @description The exact base units, of an asset with more than 6 decimals */
            limit_amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            balance_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            remaining_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            spent_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            held_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            received_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            daily_limit_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            max_transaction_atomic?: string;
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
            /** @description Your own labels, given back as they are */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
        };
        CardControls: {
            /** @description Merchant categories that the card may pay, parted by commas; empty for all */
            mcc_locks: boolean;
            /** @description Whether the card ends with its first payment: 1 or 0 */
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
        Charge: {
            /** @description Id of the object */
            id: string;
            /** @description `p` and the number of the period */
            period_key: string;
            /** @description Whole units of the asset */
            amount: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED";
            /** @description Id of the settlement */
            settlement_id: string | null;
            /** @description The code of the refusal; the merchant sees payment_failed in its place */
            error: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
        };
        Counters: {
            /** @description Whole units of the asset */
            limit_amount: number;
            /** @description Whole units of the asset */
            spent: number;
            /** @description Whole units of the asset */
            held: number;
            /** @description Whole units of the asset */
            balance: number;
            /** @description The most that may leave the card in a day (UTC); null for no limit */
            daily_limit: number | null;
            /** @description Whole units of the asset */
            day_used: number;
            /** @description The most that one payment may be; null for no limit */
            max_transaction: number | null;
        };
        Credential: {
            /** @description Id of the credential: of its card */
            id: string;
            /** @description State of the card */
            status: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description The anchor of the credential on chain */
            onchain: {
                /** @description CAIP-2 chain id, e.g. eip155:8453 */
                network: string;
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
            /** @description Computed from settled payments of other wallets */
            performance: {
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
                /** @description The first counted payment */
                first_active: string | null;
                /** @description The newest counted payment */
                last_active: string | null;
            };
            /** @description Where to go on */
            links: {
                /** @description Where this credential is */
                self: string;
                /** @description Its newest listing; null if it was never listed */
                market: string | null;
            };
            /** @description What the figures leave out, and how they can be made to look better than they are */
            trust: {
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
                    /** @description When they were computed */
                    at: string | null;
                    /** @description The number of batches of the ledger that are in the figures */
                    sequence: string;
                    /** @description The newest block of the chain that had been read by then */
                    block: number | null;
                    /** @description The rules of counting: docs/credentials.md */
                    method: string;
                };
            };
        };
        Decision: {
            /** @description Id of the object */
            id: string;
            /** @description Whether the card may pay this */
            allowed: boolean;
            /** @description The rule that decided */
            rule: string;
            /** @description Whole units of the asset */
            amount: number;
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            updated_at: string;
            /** @description Where the last attempt went */
            url: string;
            /** @description Whether it can be replayed */
            has_payload: boolean;
            /** @description When it is sent again; null if it is not */
            next_attempt_at: string | null;
            /** @description Why the last attempt got no answer */
            error: string | null;
            /** @description The first KiB of the endpoint's last answer */
            response_head: string | null;
        };
        Entry: {
            /** @description Id of the object */
            id: string;
            /**
             * @description Open mandates, or closed ones that have paid
             * @enum {string}
             */
            kind: "fee" | "topup";
            /** @description Whole units of the asset */
            amount: number;
            /**
             * @description ADDED is a top-up
             * @enum {string}
             */
            status: "FREE" | "PAID" | "OWED" | "REVERSED" | "ADDED";
            /** @description Id of the settlement */
            settlement_id: string | null;
            /** @description Id of the agreement, `agr_` and 26 characters; null where none is concerned */
            agreement_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When the meter paid it; null until then */
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
        /** event */
        Event: {
            /** @description Id of the object */
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
        Exception: {
            /** @description Id of the object */
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
            /** @description Whole units of the asset */
            net_amount: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            net_amount_atomic?: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /**
             * @description Where payments settle: CUSTODIAL, in the books
             * @enum {string}
             */
            settlement_mode: "CUSTODIAL" | "DIRECT";
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description The address that paid, and that a refund pays */
            payer: string;
            /** @description Hash of the transaction on chain; null until there is one */
            tx_hash: string;
            /**
             * @description OPEN until the seller keeps or refunds the money
             * @enum {string}
             */
            status: "OPEN" | "KEPT" | "REFUNDED";
            /** @description Id of the withdrawal */
            withdrawal_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was settled; null while it is open */
            resolved_at: string | null;
        };
        Holding: {
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
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
            /** @description When the price was read; null for par, or without a price */
            price_at: string | null;
        };
        Identity: {
            /** @description Id of the card, `card_` and 26 characters */
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
        Instrument: {
            /** @description The `payment_instrument.id` */
            id: string;
            /** @description Kind of it */
            type: string;
            /** @description A description, in words */
            description: string;
            /** @description State of the object */
            status: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description Currencies that may be named */
            currencies: string[];
        };
        Item: {
            /** @description Address of what is sold */
            resource: string;
            /** @description Kind of it */
            type: string;
            /** @description Version of x402 */
            x402Version: number;
            /** @description Offers of x402, as its specification writes them */
            accepts: unknown[];
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            lastUpdated: string;
            /** @description A description, in words */
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was revoked; null where it is good */
            revoked_at: string | null;
            /** @description When it was last used; null for never */
            last_used_at: string | null;
            /** @description Name of it */
            name: string | null;
            /** @description The scopes of the key; null for all */
            scopes: string[] | null;
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description Cards that the key may use; null for all of the wallet */
            card_ids: string[] | null;
            /** @description The most that one payment may be; null for no limit */
            max_amount: number | null;
            /** @description The key_hash of the key, or the id of the session, that made it; null if nobody noted it */
            made_by: string | null;
        };
        Link: {
            /** @description Id of the object */
            id: string;
            /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
            code: string;
            /** @description Address of it */
            url: string;
            /** @description Whole units in decimal; null: the payer chooses */
            amount: string | null;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description The purpose of the payment, in words */
            memo: string;
            /**
             * @description State of the object
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
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description QR code of the page, as SVG */
            qr_svg: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description Id of the card, `card_` and 26 characters */
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
            /** @description Your own labels, given back as they are */
            metadata: {
                [key: string]: string;
            };
        };
        Listing: {
            /** @description Id of the listing, `lst_` and 26 characters */
            id: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /** @description Wallet that sells the card */
            seller: string;
            /** @description What the buyer pays; it never changes */
            price: number;
            /** @description USDC */
            currency: string;
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "LISTED" | "SETTLING" | "SOLD" | "CANCELLED";
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description Wallet that bought the card */
            buyer: string | null;
            /** @description Transaction that moved the identity token; null until it is known */
            settled_tx: string | null;
            /** @description When it was settled; null until then */
            settled_at: string | null;
            /** @description Whether it can be bought now: open, the card ACTIVE and without a hold */
            sellable: boolean;
            /**
             * @description Where the price is paid: in the books of the service, or on chain
             * @enum {string}
             */
            mode: "custodial" | "onchain";
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Why it was cancelled: seller (here), cancelled_on_chain, listing_expired, operator_changed (sign it again), or what became of the card */
            reason: string | null;
            /** @description When it ended; null while it is open */
            ended_at: string | null;
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description Digest of what a buyer relies on. Send it with the purchase, and nothing is sold that has changed */
            version?: string | null;
            /** @description What the card has received, and how it stands on chain */
            stats: {
                /** @description Payments received, since the card was issued */
                rxCount: number;
                /** @description USDC received in them before fees, less refunds */
                rxLifetime: number;
                /** @description The same, today and the 29 UTC days before */
                rx30d: number;
                /** @description Payments received in that time */
                rx30dCount: number;
                /** @description The newest of the payments */
                lastActive: string | null;
                /** @description The first of the payments */
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
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /** @description When it ends; null for never */
            expires_at: string | null;
        };
        Market: {
            /** @description Id of a card */
            cardId: string;
            /** @description EVM address */
            token: string;
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
            /** @description Transaction hash */
            deployTx: string;
            /** @description Transaction hash */
            listTx: string;
            /** @description The wallet that deployed and listed the token */
            creator: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            listedAt: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /**
             * @description VESTED once the creator's kept part is locked; LIVE before, or if none was kept
             * @enum {string}
             */
            status: "LIVE" | "VESTED";
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
             * @description State of the object
             * @enum {string}
             */
            status: "ACTIVE" | "PAST_DUE" | "EXPIRED";
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            current_period_start: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            current_period_end: string;
            /** @description Whether it ends with its current period */
            cancel_at_period_end: boolean;
            /** @description Paid for the current period */
            price: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            price_atomic?: string;
            /** @description Symbol of the token that pays it */
            payment_asset: string;
            /** @description Id of the settlement that paid the current period */
            last_payment_id: string;
            /** @description Whether, or how, the membership is renewed */
            auto_renew: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            updated_at: string;
        };
        Method: {
            /** @description card */
            type: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /** @description The amount that the card may spend now, in whole units of its asset; 0 if it may not spend */
            available: number;
            /** @description State of the object */
            status: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
        };
        PayLink: {
            /** @description Id of the object */
            id: string;
            /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
            code: string;
            /** @description Address of it */
            url: string;
            /** @description Whole units in decimal; null: the payer chooses */
            amount: string | null;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description The purpose of the payment, in words */
            memo: string;
            /**
             * @description State of the object
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
            /** @description When it ends; null for never */
            expires_at: string | null;
            /** @description QR code of the page, as SVG */
            qr_svg: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description Id of the card, `card_` and 26 characters */
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
            /** @description Your own labels, given back as they are */
            metadata: {
                [key: string]: string;
            };
        };
        PayLinkPayment: {
            /**
             * @description Kind of it
             * @constant
             */
            type: "payment";
            /** @description Code of the pay link */
            pay_link_code: string;
            /** @description In whole units of the asset */
            amount: number | null;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description The purpose of the payment, in words */
            memo: string;
            /** @description When it ends; null for never */
            expires_at: string | null;
        };
        Payment: {
            /** @description Id of the object */
            id: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /**
             * @description Which way money goes
             * @enum {string}
             */
            direction: "sent" | "received";
            /** @description The amount that the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            fee_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            refunded_atomic?: string;
            /** @description The other side: the host, the link's code or the wallet that was paid, or the wallet or address that paid */
            merchant: string;
            /**
             * @description Protocol by which it is paid
             * @enum {string}
             */
            protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
            /**
             * @description State of the object
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
            /** @description Hash of the transaction on chain; null until there is one */
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description Whole units of the asset */
            refunded: number;
            /** @description The purpose of the payment, in words */
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was settled; null until then */
            settled_at: string | null;
            /** @description Id of the settlement */
            settlement_id: string;
        };
        PaymentDetail: {
            /** @description Id of the object */
            id: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /**
             * @description Which way money goes
             * @enum {string}
             */
            direction: "sent" | "received";
            /** @description The amount that the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            fee_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            refunded_atomic?: string;
            /** @description The other side: the host, the link's code or the wallet that was paid, or the wallet or address that paid */
            merchant: string;
            /**
             * @description Protocol by which it is paid
             * @enum {string}
             */
            protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
            /**
             * @description State of the object
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
            /** @description Hash of the transaction on chain; null until there is one */
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description Whole units of the asset */
            refunded: number;
            /** @description The purpose of the payment, in words */
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was settled; null until then */
            settled_at: string | null;
            /** @description Id of the settlement */
            settlement_id: string;
            /** @description The request, or the payment request of MPP in base64url */
            request: {
                /** @description HTTP method, or the method of MPP */
                method: string;
                /** @description Address of it */
                url: string;
                /** @description Address that is paid */
                pay_to: string;
                /** @description Whole units of the asset */
                merchant_amount: number;
                /** @description HTTP status of the seller; null where none came */
                response_status: number | null;
                /** @description The offer, as the seller wrote it */
                offer: unknown;
                /** @description The receipt that came back */
                receipt: unknown;
                /** @description The problem document of the seller (RFC 9457) */
                problem: unknown;
            } | null;
            /** @description The events, oldest first */
            timeline: {
                /**
                 * Format: date-time
                 * @description ISO 8601 UTC
                 */
                at: string;
                /** @description Kind of it */
                type: string;
                /** @description The facts of the event */
                data: unknown;
            }[];
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
            /** @description Whole units of the asset */
            price: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            price_atomic?: string;
            /** @description Symbol of the token that pays it */
            payment_asset: string;
            /** @description Free DIRECT settlements a month */
            direct_quota: number;
            /** @description USDC for each DIRECT settlement above the quota */
            overage_fee: number;
        };
        /** @description The seller's own word on the settlement (PAYMENT-RESPONSE, Payment-Receipt). A claim, no proof */
        Receipt: {
            /** @description true */
            success: boolean;
            /** @description Hash of the transaction */
            transaction: string | null;
            /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
            network: string | null;
            /** @description Address that pays */
            payer: string | null;
            /** @description Why it failed; null where it did not */
            error_reason: string | null;
            /** @description HTTP method, or the method of MPP */
            method: string | null;
            /** @description Id of the MPP challenge */
            challenge_id: string | null;
            /** @description Id that the other side gave */
            external_id: string | null;
        };
        Resource: {
            /** @description Address of what is sold */
            resource: string;
            /** @description Kind of it */
            type: string;
            /** @description Version of x402 */
            x402Version: number;
            /** @description Offers of x402, as its specification writes them */
            accepts: unknown[];
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            lastUpdated: string;
            /** @description A description, in words */
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
        Response: {
            /** @description State of the object */
            status: number;
            /** @description HTTP headers, by their names */
            headers: {
                [key: string]: string;
            };
            /** @description Body of the request or answer, as text */
            body: unknown;
            /** @description `json`, `text` or `base64` */
            body_encoding: string;
            /** @description Whether `body` is only the beginning: 5 MiB, or 64 KiB where the answer is repeated for its Idempotency-Key */
            truncated: boolean;
            /** @description Digest of all bytes read of the body, hex */
            sha256: string;
            /** @description How many bytes those were */
            size: number;
        };
        Settlement: {
            /** @description Id of the object */
            id: string;
            /**
             * @description State of the object
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
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description EVM address */
            asset: string;
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
            /** @description EVM address */
            payer: string;
            /** @description EVM address */
            pay_to: string;
            /** @description Base units */
            amount: string;
            /** @description Id that the client gave the payment (x402) */
            payment_identifier: string | null;
            /** @description Address of what is sold */
            resource: string | null;
            /** @description Why, as a stable word */
            reason: string | null;
            /** @description The finding, in words */
            detail: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it ended; null while it is open */
            ended_at: string | null;
        };
        Stream: {
            /** @description Id of the object */
            id: string;
            /** @description The card that pays. The wallet that is paid sees its last four characters only */
            card_id: string;
            /** @description Whole units of the asset */
            budget: number;
            /** @description Whole units of the asset */
            tick_amount: number;
            /** @description All that was ticked so far; it only grows */
            total_ticked: number;
            /** @description The rest of the budget */
            remaining: number;
            /**
             * @description State of the object
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            expires_at: string;
            /** @description When it ended; null while it is open */
            ended_at: string | null;
        };
        Token: {
            /** @description Id of the object */
            id: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description EVM address */
            address: string;
            /** @description The token's own word: anybody can name a token anything */
            symbol: string;
            /** @description The token's own words */
            name: string;
            /** @description Decimals of the token */
            decimals: number;
            /**
             * @description Kind of it
             * @enum {string}
             */
            type: "ERC20" | "B20";
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "ACTIVE" | "REMOVED";
            /** @description The risks of the token for its holders, and the features that it supports. A token that takes a fee on transfers is not registered */
            safety: {
                /** @description Whether the token takes a fee of each transfer */
                fee_on_transfer: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the token can be stopped */
                pausable: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the token can refuse single addresses */
                blocklist: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether balances change without a transfer */
                rebasing: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the code of the token can be changed */
                upgradeable: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the token takes authorizations of EIP-3009 */
                eip3009: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the token takes permits of EIP-2612 */
                eip2612: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
                /** @description Whether the token is approved through Permit2 */
                permit2: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    /** @description How it was found out */
                    found_by: string;
                };
            };
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            checked_at: string;
        };
        TokenMarketMarket: {
            /** @description Id of a card */
            cardId: string;
            /** @description EVM address */
            token: string;
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
            /** @description Null before it is live */
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
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            preparedAt: string;
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
            /** @description Id of the object */
            id: string;
            /** @description Id of the card, `card_` and 26 characters */
            card_id: string;
            /**
             * @description Which way money goes
             * @enum {string}
             */
            direction: "sent" | "received";
            /** @description The amount that the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            fee_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            refunded_atomic?: string;
            /** @description The other side: the host, the link's code or the wallet that was paid, or the wallet or address that paid */
            merchant: string;
            /**
             * @description Protocol by which it is paid
             * @enum {string}
             */
            protocol: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
            /**
             * @description State of the object
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
            /** @description Hash of the transaction on chain; null until there is one */
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description DIRECT only: the contract of the token that is paid */
            token_contract?: string;
            /** @description DIRECT only: the decimals of the token */
            decimals?: number;
            /** @description Whole units of the asset */
            refunded: number;
            /** @description The purpose of the payment, in words */
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was settled; null until then */
            settled_at: string | null;
        };
        Webhook: {
            /** @description Id of the object */
            id: string;
            /** @description Address of it */
            url: string;
            /** @description A description, in words */
            description: string;
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description The types that it receives; null for every type, later ones too */
            events: string[] | null;
            /** @description owner: you asked. gone: it answered 410. failing: it failed for five days */
            disabled_reason: "owner" | "gone" | "failing" | null;
            /** @description When it was disabled; null while it is active */
            disabled_at: string | null;
            /** @description The first failure since the last success */
            failing_since: string | null;
        };
        Withdrawal: {
            /** @description Id of the object */
            id: string;
            /** @description EVM address */
            wallet_address: string;
            /** @description CAIP-2 namespace of the network */
            chain: string;
            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Whole units of the asset */
            amount: number;
            /** @description Whole units of the asset */
            fee_amount: number;
            /** @description The amount that the address receives: amount less fee_amount */
            net_amount: number;
            /** @description The exact base units, of an asset with more than 6 decimals */
            amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            fee_amount_atomic?: string;
            /** @description The exact base units, of an asset with more than 6 decimals */
            net_amount_atomic?: string;
            /** @description EVM address */
            to_address: string;
            /**
             * @description State of the object
             * @enum {string}
             */
            status: "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description The transaction that paid; null until it is beyond reorganization */
            tx_hash: string | null;
            /** @description Why it failed; while it is PROCESSING, what holds it up */
            reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            /** @description When it was completed */
            completed_at: string | null;
        };
    };
    responses: {
        /** @description `body_too_large` */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description Stable: branch on this
                     * @enum {string}
                     */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type` */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description Stable: branch on this
                     * @enum {string}
                     */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `rate_limited` */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description Stable: branch on this
                     * @enum {string}
                     */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `internal_error` */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /**
                     * @description Stable: branch on this
                     * @enum {string}
                     */
                    code?: "internal_error";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request; quote it when you ask for help */
        "X-Request-Id": string;
        /** @description `true` on an answer that was given before */
        "Idempotency-Hit": string;
        /** @description Requests allowed in the window */
        "RateLimit-Limit": number;
        /** @description Requests left in the window */
        "RateLimit-Remaining": number;
        /** @description Seconds until the window ends */
        "RateLimit-Reset": number;
        /** @description Seconds after which to ask again */
        "Retry-After": number;
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
                    /** @description EVM address */
                    wallet_address: string;
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description EIP-4361; the wallet signs it as it is */
                        message: string;
                        /** @description Stands in the message; works once */
                        nonce: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_network`, `invalid_address` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_address";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The token. Keep it secret */
                        token: string;
                        /** @description Address of the wallet */
                        wallet_address: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `invalid_signature`, `invalid_nonce` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_signature" | "invalid_nonce";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                    };
                };
            };
            /** @description `invalid_request`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_request" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postKeysGenerate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The key. It is shown this once */
                        api_key: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `scope_escalation` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "scope_escalation";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postKeysRestricted: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A label */
                    name: string;
                    /** @description The scopes of the key; null for all */
                    scopes: ("cards:read" | "cards:write" | "payments:read" | "payments:write" | "paylinks:read" | "paylinks:write" | "treasury:read" | "treasury:write" | "keys:read" | "keys:write" | "facilitator:read" | "facilitator:write" | "controls:read" | "controls:write" | "approvals:read" | "approvals:write" | "webhooks:read" | "webhooks:write" | "billing:read" | "billing:write" | "membership:read" | "membership:write" | "fees:read" | "fees:write" | "market:read" | "market:write" | "events:read")[];
                    /** @description Cards that the key may use; null for all of the wallet */
                    card_ids?: string[];
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    max_amount?: number | string;
                    /** @description Hours; 0 = never */
                    expires_in?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The key. It is shown this once */
                        api_key: string;
                        key: components["schemas"]["Key"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `scope_escalation` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "scope_escalation";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getKeys: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The keys */
                        keys: components["schemas"]["Key"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteKeysByHash: {
        parameters: {
            query?: {
                /** @description Whether the keys that it made go too, and those that they made */
                descendants?: boolean;
            };
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description key_hash */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Keys that were good until now */
                        revoked_keys: number;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `scope_escalation` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "scope_escalation";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postKeysValidate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true: the key is good */
                        valid: boolean;
                        /** @description Address of the wallet */
                        wallet_address: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        authenticated_at: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sign-ins that are good */
                        sessions: {
                            /** @description Id of the object */
                            id: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601 UTC
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601 UTC
                             */
                            expires_at: string;
                            /** @description Whether this request was made with it */
                            is_current: boolean;
                        }[];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteSessionsById: {
        parameters: {
            query?: {
                /** @description Whether the keys that it made go too, and those that they made */
                descendants?: boolean;
            };
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Keys that were good until now */
                        revoked_keys: number;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `scope_escalation` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "scope_escalation";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Only events of these types, separated by commas */
                type?: ("payment.exception" | "payment.exception_resolved" | "payment.failed" | "payment.refunded" | "payment.sent" | "payment.settled" | "card.activated" | "card.claimed" | "card.closed" | "card.declined" | "card.expired" | "card.frozen" | "card.funded" | "card.funding_failed" | "card.issued" | "card.unfrozen" | "card.updated" | "paylink.cancelled" | "paylink.completed" | "paylink.created" | "paylink.expired" | "funding.confirmed" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.processing" | "key.created" | "key.revoked" | "token.registered" | "token.removed" | "fees.changed" | "fees.low_balance" | "fees.topped_up" | "mandate.issued" | "mandate.receipt" | "mandate.revoked" | "membership.auto_renew_disabled" | "membership.auto_renew_enabled" | "membership.activated" | "membership.cancel_scheduled" | "membership.expired" | "membership.past_due" | "membership.payment_due" | "membership.renewed" | "membership.resumed" | "agreement.cancel_scheduled" | "agreement.cancelled" | "agreement.charge_failed" | "agreement.charged" | "agreement.completed" | "agreement.created" | "agreement.merchant_changed" | "agreement.paused" | "agreement.resumed" | "credential.identity_updated" | "market.listed" | "market.vested" | "credential.transferred" | "listing.cancelled" | "listing.created" | "listing.sold" | "webhook.disabled" | "webhook.test" | "operator.alarm" | "operator.alarm_resolved")[];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Oldest first */
                        events: components["schemas"]["Event"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `cursor_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "cursor_expired";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getEventsStream: {
        parameters: {
            query?: {
                /** @description The id after which to go on */
                after?: string;
                /** @description Only events of these types, separated by commas */
                type?: ("payment.exception" | "payment.exception_resolved" | "payment.failed" | "payment.refunded" | "payment.sent" | "payment.settled" | "card.activated" | "card.claimed" | "card.closed" | "card.declined" | "card.expired" | "card.frozen" | "card.funded" | "card.funding_failed" | "card.issued" | "card.unfrozen" | "card.updated" | "paylink.cancelled" | "paylink.completed" | "paylink.created" | "paylink.expired" | "funding.confirmed" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.processing" | "key.created" | "key.revoked" | "token.registered" | "token.removed" | "fees.changed" | "fees.low_balance" | "fees.topped_up" | "mandate.issued" | "mandate.receipt" | "mandate.revoked" | "membership.auto_renew_disabled" | "membership.auto_renew_enabled" | "membership.activated" | "membership.cancel_scheduled" | "membership.expired" | "membership.past_due" | "membership.payment_due" | "membership.renewed" | "membership.resumed" | "agreement.cancel_scheduled" | "agreement.cancelled" | "agreement.charge_failed" | "agreement.charged" | "agreement.completed" | "agreement.created" | "agreement.merchant_changed" | "agreement.paused" | "agreement.resumed" | "credential.identity_updated" | "market.listed" | "market.vested" | "credential.transferred" | "listing.cancelled" | "listing.created" | "listing.sold" | "webhook.disabled" | "webhook.test" | "operator.alarm" | "operator.alarm_resolved")[];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `cursor_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "cursor_expired";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The webhooks, newest first */
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, at a public address */
                    url: string;
                    /** @description A description, in words */
                    description?: string;
                    /** @description Types of docs/events.md; null or absent for every type, later ones too */
                    events?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the object */
                        id: string;
                        /** @description Address of it */
                        url: string;
                        /** @description A description, in words */
                        description: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "ACTIVE" | "DISABLED";
                        /** @description whsec_ and 32 bytes in base64; shown once */
                        secret: string;
                        /** @description A remark, in words */
                        note: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_url`, `invalid_idempotency_key`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_url" | "invalid_idempotency_key" | "url_not_allowed";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    patchWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description https, at a public address */
                    url?: string;
                    /** @description A description, in words */
                    description?: string | null;
                    /** @description Types of docs/events.md; null or absent for every type, later ones too */
                    events?: string[] | null;
                    /**
                     * @description State of the object
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_url`, `invalid_idempotency_key`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_url" | "invalid_idempotency_key" | "url_not_allowed";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWebhooksByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description The new one; shown once */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        previous_secret_expires_at: string;
                        /** @description A remark, in words */
                        note: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWebhooksByIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the endpoint answered 2xx */
                        ok: boolean;
                        /** @description What the endpoint answered */
                        status_code: number;
                        /** @description How often it was sent */
                        attempts: number;
                        /** @description Id of the event */
                        event_id: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed";
                    };
                };
            };
        };
    };
    postWebhooksByIdRecover: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many, 10,000 at most */
                        count: number;
                        /** @description Whether nothing was done but counted */
                        dry_run: boolean;
                        /** @description Whether to call again for the rest */
                        has_more: boolean;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWebhooksByIdReplayMissing: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many, 10,000 at most */
                        count: number;
                        /** @description Whether nothing was done but counted */
                        dry_run: boolean;
                        /** @description Whether to call again for the rest */
                        has_more: boolean;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getWebhooksDeliveries: {
        parameters: {
            query?: {
                /** @description Id of the webhook */
                webhook_id?: string;
                /** @description State of the object */
                status?: "PENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
                /** @description 1 without it */
                page?: number;
                /** @description At most 100; 50 without it */
                limit?: number;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The deliveries, newest first */
                        deliveries: components["schemas"]["Delivery"][];
                        /** @description How many match, on all pages */
                        total: number;
                        /** @description Which page this is, from 1 */
                        page: number;
                        /** @description How many pages there are */
                        pages: number;
                        /** @description The most that a page holds */
                        limit: number;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWebhooksDeliveriesByIdReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the endpoint answered 2xx */
                        ok: boolean;
                        /** @description What the endpoint answered */
                        status_code: number;
                        /** @description How often it was sent */
                        attempts: number;
                        /** @description Id of the event */
                        event_id: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `payload_not_stored` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "payload_not_stored";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed";
                    };
                };
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Address that keeps the money */
                        treasury: {
                            /** @description EVM address */
                            evm: string;
                        };
                        /** @description By network, then by symbol */
                        tokens: {
                            [key: string]: {
                                [key: string]: {
                                    /** @description EVM address */
                                    contract: string;
                                    /** @description Decimals of the token */
                                    decimals: number;
                                    /** @description Kind of it */
                                    type: string;
                                    /** @description Whether a balance in it can be withdrawn; if not, it can only pay memberships. Null while the chain does not answer */
                                    withdrawable: boolean | null;
                                    /** @description Whole units of the asset */
                                    withdrawal_fee: number;
                                    /** @description Whole units of the asset */
                                    minimum_withdrawal: number;
                                    /** @description The exact base units, of an asset with more than 6 decimals */
                                    withdrawal_fee_atomic?: string;
                                    /** @description The exact base units, of an asset with more than 6 decimals */
                                    minimum_withdrawal_atomic?: string;
                                };
                            };
                        };
                        /** @description CAIP-2 ids of chains */
                        networks: string[];
                        /** @description Where the service answers */
                        base_url: string;
                        /** @description The fees of the service */
                        fees: {
                            /** @description Ten-thousandths of the amount */
                            bps: number;
                            /** @description Whole units of the asset */
                            flat: number;
                        };
                        /** @description The contract that a wallet approves for auto-renew; null where none is deployed */
                        operator: string | null;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The registry that lists the token */
                        registry: {
                            [key: string]: {
                                /** @description Symbol of the token */
                                symbol: string;
                                /** @description Kind of it */
                                type: string;
                                /** @description Decimals of the token */
                                decimals: number;
                                /** @description EVM address */
                                contract: string;
                            }[];
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getWalletBalance: {
        parameters: {
            query?: {
                /** @description CAIP-2 chain id, e.g. eip155:8453 */
                network?: string;
                /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                asset?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string;
                        /** @description EVM address */
                        address: string;
                        /** @description Whole units of the asset */
                        balance: number;
                        /** @description The balance in base units, exact */
                        balance_atomic: string;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_network`, `invalid_asset`, `invalid_address` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_address";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    postFundVerify: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hash of the transaction on chain; null until there is one */
                    tx_hash: string;
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
                    /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                    asset?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description State of the object */
                        status: "confirmed" | "pending";
                        /** @description Whole units of the asset */
                        funded: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        funded_atomic?: string;
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_network`, `invalid_asset`, `invalid_transaction`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_transaction" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `already_credited` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "already_credited";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    postFundAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description EVM address */
                    from: string;
                    /** @description EVM address */
                    to: string;
                    /** @description A whole number; in a string where it is large */
                    value: string | number;
                    /** @description A whole number; in a string where it is large */
                    valid_after: string | number;
                    /** @description A whole number; in a string where it is large */
                    valid_before: string | number;
                    /** @description Transaction hash */
                    nonce: string;
                    /** @description The signature of the authorization (EIP-712), by `from` */
                    signature: string;
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description State of the object */
                        status: "confirmed" | "pending";
                        /** @description Whole units of the asset */
                        funded: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        funded_atomic?: string;
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_network`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `authorization_rejected`, `amount_below_minimum` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "authorization_rejected" | "amount_below_minimum";
                        /** @description The least amount that is carried to the chain */
                        minimum?: string;
                    };
                };
            };
            /** @description `rate_limited`, `funds_in_flight`, `authorization_in_flight`, `payer_waits`, `token_waits`, `seller_waits`, `gas_budget_spent` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited" | "funds_in_flight" | "authorization_in_flight" | "payer_waits" | "token_waits" | "seller_waits" | "gas_budget_spent";
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One entry for each asset */
                        balances: components["schemas"]["Balance"][];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Human-readable label */
                    purpose: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    limit_amount: number | string;
                    /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
                    mcc_locks?: string;
                    /** @description Whether the card ends with its first payment: 1 or 0 */
                    single_use?: boolean;
                    /** @description Hours; 0 = never */
                    expires_in?: number;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    daily_limit?: number | string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    max_transaction?: number | string;
                    /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
                    allowed_merchants?: string[];
                    /**
                     * @description DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none
                     * @enum {string}
                     */
                    settlement_mode?: "CUSTODIAL" | "DIRECT";
                    /** @description Your own labels, given back as they are */
                    metadata?: {
                        [key: string]: string;
                    };
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
                    /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                    asset?: string;
                    /** @description On-chain funding transaction */
                    tx_hash?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_network`, `invalid_asset`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `already_credited`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_credited" | "limit_reached";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postIssueBulk: {
        parameters: {
            query?: never;
            header: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Cards, or one order for each card to issue */
                    cards: {
                        /** @description Human-readable label */
                        purpose: string;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        limit_amount: number | string;
                        /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
                        mcc_locks?: string;
                        /** @description Whether the card ends with its first payment: 1 or 0 */
                        single_use?: boolean;
                        /** @description Hours; 0 = never */
                        expires_in?: number;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        daily_limit?: number | string;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        max_transaction?: number | string;
                        /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
                        allowed_merchants?: string[];
                        /**
                         * @description DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none
                         * @enum {string}
                         */
                        settlement_mode?: "CUSTODIAL" | "DIRECT";
                        /** @description Your own labels, given back as they are */
                        metadata?: {
                            [key: string]: string;
                        };
                    }[];
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
                    /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                    asset?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Cards, or one order for each card to issue */
                        cards: components["schemas"]["Card"][];
                        /** @description Whole units of the asset */
                        total_allocated: number;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_network`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getCards: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description State of the object */
                status?: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Cards, or one order for each card to issue */
                        cards: components["schemas"]["Card"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getCardsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdFund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id: string;
                        /** @description Whole units of the asset */
                        added: number;
                        /** @description Whole units of the asset */
                        new_limit: number;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdFreeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdUnfreeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    patchCardsByIdControls: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
                    mcc_locks?: string;
                    /** @description The most that may leave the card in a day (UTC); null for no limit */
                    daily_limit?: (number | string) | null;
                    /** @description The most that one payment may be; null for no limit */
                    max_transaction?: (number | string) | null;
                    /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
                    allowed_merchants?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token. Keep it secret */
                    token: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount?: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        card: components["schemas"]["Card"];
                        /** @description Whole units of the asset */
                        claimed: number;
                        /** @description Id of the object */
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
                        /** @description Whole units of the asset */
                        limit_amount: number;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "PENDING_FUNDING" | "FUNDING_FAILED" | "ACTIVE" | "FROZEN" | "USED" | "EXPIRED" | "CLOSED";
                        /** @description Why it is in this state; null where there is nothing to say */
                        status_reason: string | null;
                        /** @description Merchant categories that the card may pay, parted by commas; empty for all */
                        mcc_locks: string;
                        /** @description 1 or 0 */
                        single_use: number;
                        /** @description When it ends; null for never */
                        expires_at: string | null;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        funding_network: string;
                        /** @description Asset of the card */
                        funding_asset: string;
                        /** @description Address of the wallet */
                        wallet_address: string;
                        /** @description Money on the card now: allocated and received, less spent and held */
                        balance: number;
                        /** @description The amount that can still be spent: the balance, or the rest of the limit if that is less */
                        remaining: number;
                        /** @description Whole units of the asset */
                        spent: number;
                        /** @description Whole units of the asset */
                        held: number;
                        /** @description Whole units of the asset */
                        received: number;
                        /** @description The most that may leave the card in a day (UTC); null for no limit */
                        daily_limit: number | null;
                        /** @description The most that one payment may be; null for no limit */
                        max_transaction: number | null;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        limit_amount_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        balance_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        remaining_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        spent_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        held_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        received_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        daily_limit_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        max_transaction_atomic?: string;
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
                        /** @description Your own labels, given back as they are */
                        metadata: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_funds` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_funds";
                        /** @description The available amount, in whole units of the asset */
                        available?: number;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `nothing_to_claim` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "nothing_to_claim";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdRotateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getCardsByIdTransactions: {
        parameters: {
            query?: {
                /** @description At most 1,000; 1,000 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The transactions, newest first */
                        transactions: components["schemas"]["Transaction"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getCardsByIdDecisions: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The decisions, newest first */
                        decisions: components["schemas"]["Decision"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postPay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description Address of it */
                    url: string;
                    /**
                     * @description POST without it
                     * @enum {string}
                     */
                    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                    /** @description A string is sent as it is, everything else as JSON */
                    body?: unknown;
                    /** @description HTTP headers, by their names */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @description The most that may leave the card, the platform fee included */
                    max_amount?: number | string;
                    /**
                     * @description The only protocol to pay by; without it, whichever takes least from the card
                     * @enum {string}
                     */
                    protocol?: "x402" | "mpp";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the request was made, and paid for where it asked for that. What came of it: `outcome` */
                        success: boolean;
                        /**
                         * @description `paid`: the money was taken and the seller served. `free`: it served and asked for nothing. `not_charged`: it did not serve, and nothing was taken. `seller_failed`: the money was taken and the seller did not serve; take it up with the seller, with the transaction. `unknown`: the money is held and not taken yet; `response` tells whether the seller served; do not pay again
                         * @enum {string}
                         */
                        outcome: "paid" | "free" | "not_charged" | "seller_failed" | "unknown";
                        /** @description Id of the transaction, `txn_` and 26 characters */
                        transaction_id: string | null;
                        /** @description All that left the card: merchant amount and fee */
                        amount_debited: number;
                        /** @description Whole units of the asset */
                        merchant_amount: number;
                        /** @description Whole units of the asset */
                        platform_fee: number;
                        /** @description The token. Keep it secret */
                        token: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
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
                        response: components["schemas"]["Response"] | null;
                        /** @description The receipt that came back */
                        receipt: components["schemas"]["Receipt"] | null;
                        /** @description The problem document of the seller (RFC 9457) */
                        problem: {
                            /** @description Kind of it */
                            type: string;
                            /** @description Kind of problem, in words */
                            title: string | null;
                            /** @description State of the object */
                            status: number | null;
                            /** @description The finding, in words */
                            detail: string | null;
                            /** @description Id of the MPP challenge */
                            challenge_id: string | null;
                        } | null;
                    };
                };
            };
            /** @description outcome_unknown: the seller has the payment and its answer was lost or a refusal. The money stays held until the chain tells; transaction_id names the payment */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key`, `invalid_payment`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment" | "url_not_allowed";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "pay_link_busy";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `no_payable_option`, `payment_rejected` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_payable_option" | "payment_rejected";
                        /** @description The offers of the seller, each with the reason why it was not taken */
                        challenge?: unknown;
                        /** @description The problem document of the seller (RFC 9457) */
                        problem?: unknown;
                        /** @description Why, as a stable word */
                        reason?: string;
                        /**
                         * @description Nothing was paid
                         * @enum {string}
                         */
                        outcome?: "not_charged";
                        /** @description Id of the payment */
                        transaction_id?: string;
                        /** @description The answer of the seller; null where none came */
                        response?: unknown;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed";
                    };
                };
            };
            /** @description `overloaded`, `payouts_held` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded" | "payouts_held";
                    };
                };
            };
        };
    };
    postPayAuthorize: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description URL of what is bought, e.g. `mcp://tool/forecast`. Shown; it decides nothing */
                    resource: string;
                    /** @description The x402 `PaymentRequired` as it was received: an MCP result’s `structuredContent`, an A2A message’s `x402.payment.required`, or the decoded PAYMENT-REQUIRED header */
                    challenge: {
                        [key: string]: unknown;
                    };
                    /** @description The most that may leave the card, the platform fee included */
                    max_amount?: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the transaction, `txn_` and 26 characters */
                        transaction_id: string;
                        /** @description The amount that leaves the card once the payment is used */
                        amount_held: number;
                        /** @description Whole units of the asset */
                        merchant_amount: number;
                        /** @description Whole units of the asset */
                        platform_fee: number;
                        /** @description The token. Keep it secret */
                        token: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description EVM address */
                        pay_to: string;
                        /**
                         * Format: date-time
                         * @description Unused by then, the money is free again
                         */
                        expires_at: string;
                        /** @description How it was settled */
                        settlement: {
                            /** @description `SETTLED` or `PENDING`, as the chain has it */
                            status: string;
                            /** @description Hash of the transaction on chain; null until there is one */
                            tx_hash: string | null;
                        };
                        /** @description The signed x402 `PaymentPayload`: for `_meta["x402/payment"]` of an MCP call or `x402.payment.payload` of an A2A message. Null once it has been used */
                        payment: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `no_payable_option`, `payment_rejected` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_payable_option" | "payment_rejected";
                        /** @description The offers of the seller, each with the reason why it was not taken */
                        challenge?: unknown;
                        /** @description The problem document of the seller (RFC 9457) */
                        problem?: unknown;
                        /** @description Why, as a stable word */
                        reason?: string;
                        /**
                         * @description Nothing was paid
                         * @enum {string}
                         */
                        outcome?: "not_charged";
                        /** @description Id of the payment */
                        transaction_id?: string;
                        /** @description The answer of the seller; null where none came */
                        response?: unknown;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `payouts_held` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "payouts_held";
                    };
                };
            };
        };
    };
    postPaySimulate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description Address of it */
                    url: string;
                    /**
                     * @description POST without it
                     * @enum {string}
                     */
                    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                    /** @description A string is sent as it is, everything else as JSON */
                    body?: unknown;
                    /** @description HTTP headers, by their names */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @description The most that may leave the card, the platform fee included */
                    max_amount?: number | string;
                    /**
                     * @description The only protocol to pay by; without it, whichever takes least from the card
                     * @enum {string}
                     */
                    protocol?: "x402" | "mpp";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the card may pay this */
                        allowed: boolean;
                        /** @description The rule that decides: `within_limits`, or a refusal code */
                        rule: string;
                        /** @description The message to sign (EIP-4361) */
                        message: string;
                        /** @description From when on the card may pay this; null where waiting does not help */
                        passes_at: string | null;
                        /** @description All that would leave the card, fee included */
                        amount: number;
                        /** @description Whole units of the asset */
                        merchant_amount: number;
                        /** @description Whole units of the asset */
                        platform_fee: number;
                        counters: components["schemas"]["Counters"];
                        /** @description `x402` or `mpp`; null where the URL needs no payment */
                        protocol: string | null;
                        /** @description The offer that would be paid, as the seller wrote it */
                        offer: unknown;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key`, `invalid_payment`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment" | "url_not_allowed";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "pay_link_busy";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `no_payable_option` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_payable_option";
                        /** @description The offers of the seller, each with the reason why it was not taken */
                        challenge?: unknown;
                        /** @description The problem document of the seller (RFC 9457) */
                        problem?: unknown;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed`, `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed" | "chain_unavailable";
                    };
                };
            };
            /** @description `overloaded`, `payouts_held` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded" | "payouts_held";
                    };
                };
            };
        };
    };
    getSettlementStatusByTxnId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the transaction */
                txn_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the transaction, `txn_` and 26 characters */
                        transaction_id: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "PENDING" | "SETTLED" | "FAILED";
                        /** @description Hash of the transaction on chain; null until there is one */
                        tx_hash: string | null;
                        /** @description When it was settled; null until then */
                        settled_at: string | null;
                        /** @description Whole units of the asset */
                        fee_amount: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        fee_amount_atomic?: string;
                        /** @description How it was settled */
                        settlement: {
                            /**
                             * @description State of the object
                             * @enum {string}
                             */
                            status: "PENDING" | "SETTLED" | "FAILED";
                            /** @description Hash of the transaction on chain; null until there is one */
                            tx_hash: string | null;
                            /** @description When it was settled; null until then */
                            settled_at: string | null;
                            /** @description Whole units of the asset */
                            fee_amount: number;
                            /** @description The exact base units, of an asset with more than 6 decimals */
                            fee_amount_atomic?: string;
                        };
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPayments: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Id of the card, `card_` and 26 characters */
                card_id?: string;
                /** @description State of the object */
                status?: "PENDING" | "SETTLED" | "FAILED" | "REFUNDED" | "UNKNOWN";
                /** @description Which way money goes */
                direction?: "sent" | "received";
                /** @description Protocol by which it is paid */
                protocol?: "x402" | "ap2" | "mpp" | "card" | "onchain" | "internal";
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payments, newest first */
                        payments: components["schemas"]["Payment"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPaymentsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payment: components["schemas"]["PaymentDetail"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postPaymentsByIdRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount?: number | string;
                } | null;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the transaction, `txn_` and 26 characters */
                        transaction_id: string;
                        /** @description Whole units of the asset */
                        amount: number;
                        /** @description All that was refunded of the payment so far */
                        refunded: number;
                        /** @description `REFUNDED` once all of it was, else `SETTLED` */
                        status: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `insufficient_funds` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "insufficient_funds";
                        /** @description The available amount, in whole units of the asset */
                        available?: number;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `already_refunded` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
                        /** @description Id of the withdrawal that gives it back */
                        withdrawal_id?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `payment_rejected` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "payment_rejected";
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
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postX402Pay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            /** @description `gone` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "gone";
                        /** @description The operation to call instead */
                        migrate_to?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMppPay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            /** @description `gone` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "gone";
                        /** @description The operation to call instead */
                        migrate_to?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getX402Discover: {
        parameters: {
            query: {
                /** @description Address of it */
                url: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the URL asks for payment by x402 */
                        supports_x402: boolean;
                        /** @description Address that is paid */
                        payment_address: string | null;
                        /** @description In whole units of the asset */
                        amount: number | null;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string | null;
                        /** @description CAIP-2 id of the chain, e.g. eip155:8453 */
                        network: string | null;
                        /** @description Every offer, as the seller wrote it */
                        accepts: unknown[];
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "url_not_allowed";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed";
                    };
                };
            };
            /** @description `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded";
                    };
                };
            };
        };
    };
    getMppDiscover: {
        parameters: {
            query: {
                /** @description Address of it */
                url: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                                offers: {
                                    /** @description The intent of the protocol that the payment serves */
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
                                    /** @description A description, in words */
                                    description: string | null;
                                    /** @description When it ends; null for never */
                                    expires_at: string | null;
                                    /** @description Whether a card of this service could pay it */
                                    payable: boolean;
                                    /** @description Why it is not payable; `advertised_only` where only an OpenAPI document names it */
                                    reason: string | null;
                                }[];
                            };
                        };
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `url_not_allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "url_not_allowed";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed";
                    };
                };
            };
            /** @description `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded";
                    };
                };
            };
        };
    };
    postMppSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description A label for people */
                    merchant: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the session */
                        session_id: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMppStreamOpen: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    budget: number | string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    tick_amount: number | string;
                    /** @description The card that earns the ticks. Without one, closing gives all back */
                    receiver_card_id?: string;
                    /** @description Id of the session */
                    session_id?: string;
                    /** @description Hours; 24 without it */
                    expires_in?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the object */
                        id: string;
                        /** @description The card that pays. The wallet that is paid sees its last four characters only */
                        card_id: string;
                        /** @description Whole units of the asset */
                        budget: number;
                        /** @description Whole units of the asset */
                        tick_amount: number;
                        /** @description All that was ticked so far; it only grows */
                        total_ticked: number;
                        /** @description The rest of the budget */
                        remaining: number;
                        /**
                         * @description State of the object
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
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                        /** @description When it ended; null while it is open */
                        ended_at: string | null;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMppStreamTick: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the stream */
                    stream_id: string;
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whole units of the asset */
                        total_ticked: number;
                        /** @description Whole units of the asset */
                        remaining: number;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `stream_budget_exceeded` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "stream_budget_exceeded";
                        /** @description The sum of the ticks so far */
                        total_ticked?: number;
                        /** @description The rest of the budget */
                        remaining?: number;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            /** @description `stream_closed`, `stream_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "stream_closed" | "stream_expired";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMppStreamClose: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The amount that left the card: the sum of the ticks, or 0 without a receiver card */
                        final_amount: number;
                        /** @description `CLOSED`, or `EXPIRED` where its time was over first */
                        status: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getMppStreamById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the object */
                        id: string;
                        /** @description The card that pays. The wallet that is paid sees its last four characters only */
                        card_id: string;
                        /** @description Whole units of the asset */
                        budget: number;
                        /** @description Whole units of the asset */
                        tick_amount: number;
                        /** @description All that was ticked so far; it only grows */
                        total_ticked: number;
                        /** @description The rest of the budget */
                        remaining: number;
                        /**
                         * @description State of the object
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
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                        /** @description When it ended; null while it is open */
                        ended_at: string | null;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getMppStreams: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Id of the card, `card_` and 26 characters */
                card_id?: string;
                /** @description State of the object */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Streams, or where one is opened */
                        streams: components["schemas"]["Stream"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPaylinks: {
        parameters: {
            query?: {
                /** @description At most 1,000; 1,000 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The pay links, newest first */
                        links: components["schemas"]["Link"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postPaylinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description In whole units of the asset */
                    amount?: (number | string) | null;
                    /** @description USDC; for a DIRECT card also the id or the address of a token that you registered */
                    asset?: string;
                    /** @description The purpose of the payment, in words */
                    memo?: string;
                    /** @description Ways in which the link may be paid */
                    accepted_protocols?: ("x402" | "ap2" | "mpp" | "card" | "onchain")[];
                    /**
                     * @description Kind of it
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
                    /** @description Your own labels, given back as they are */
                    metadata?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        pay_link: components["schemas"]["PayLink"];
                        /** @description Id of the object */
                        id: string;
                        /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                        code: string;
                        /** @description Address of it */
                        url: string;
                        /** @description Whole units in decimal; null: the payer chooses */
                        amount: string | null;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string;
                        /** @description DIRECT only: the contract of the token that is paid */
                        token_contract?: string;
                        /** @description DIRECT only: the decimals of the token */
                        decimals?: number;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description The purpose of the payment, in words */
                        memo: string;
                        /**
                         * @description State of the object
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
                        /** @description When it ends; null for never */
                        expires_at: string | null;
                        /** @description QR code of the page, as SVG */
                        qr_svg: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        /** @description Id of the card, `card_` and 26 characters */
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
                        /** @description Your own labels, given back as they are */
                        metadata: {
                            [key: string]: string;
                        };
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_asset`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_asset" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPaylinksByCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the object */
                        id: string;
                        /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                        code: string;
                        /** @description Address of it */
                        url: string;
                        /** @description Whole units in decimal; null: the payer chooses */
                        amount: string | null;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string;
                        /** @description DIRECT only: the contract of the token that is paid */
                        token_contract?: string;
                        /** @description DIRECT only: the decimals of the token */
                        decimals?: number;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description The purpose of the payment, in words */
                        memo: string;
                        /**
                         * @description State of the object
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
                        /** @description When it ends; null for never */
                        expires_at: string | null;
                        /** @description QR code of the page, as SVG */
                        qr_svg: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        /** @description The required content of a mandate for this link; null if it takes no AP2 */
                        ap2: {
                            /** @description The payee */
                            payee: {
                                /** @description Id of the object */
                                id: string;
                                /** @description Name of it */
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
                        } | null;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deletePaylinksByCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPaylinksByCodeStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
                        /** @description When the payment was confirmed */
                        confirmed_at: string | null;
                        /** @description A transfer to the link that is in a block and not credited yet; never a promise that it will be */
                        seen: {
                            /** @description Hash of the transaction on chain; null until there is one */
                            tx_hash: string;
                            /** @description Whole units of the asset */
                            amount: number;
                            /** @description Blocks from that of the transfer to the newest */
                            confirmations: number;
                            /** @description About how many it has when it counts */
                            needed: number;
                        } | null;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPayByCodeResolve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Kind of it
                         * @constant
                         */
                        type: "receive";
                        /**
                         * @description SINGLE for one payment, RECURRING for several
                         * @enum {string}
                         */
                        link_type: "SINGLE" | "RECURRING";
                        /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                        code: string;
                        /** @description In whole units of the asset */
                        amount: number | null;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string;
                        /** @description DIRECT only: the contract of the token that is paid */
                        token_contract?: string;
                        /** @description DIRECT only: the decimals of the token */
                        decimals?: number;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description The purpose of the payment, in words */
                        memo: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
                        /** @description How often the link was paid */
                        uses: number;
                        /** @description How often the link may be paid; 0 for any number */
                        max_uses: number;
                        /** @description When it ends; null for never */
                        expires_at: string | null;
                        /** @description Ways in which the link may be paid */
                        accepted_protocols: string[];
                    };
                };
            };
            /** @description `no_active_plan` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_active_plan";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `pay_link_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getPayByCodePrepare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "ACTIVE" | "EXPIRED" | "CANCELLED" | "COMPLETED";
                        /**
                         * @description The intent of the protocol that the payment serves
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
                        /** @description DIRECT only: the decimals of the token */
                        decimals?: number;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description In whole units of the asset */
                        amount: number | null;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
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
                        /** @description x402: what a payer needs, or what this release does of it */
                        x402: {
                            /** @description Address of it */
                            url: string;
                            /** @description Offers of x402, as its specification writes them */
                            accepts: unknown[];
                        } | null;
                        /** @description MPP: what a payer needs, or what this release does of it */
                        mpp: {
                            /** @description Where the 402 with fresh challenges comes from */
                            url: string;
                            /** @description The host that asks for the payment (MPP) */
                            realm: string;
                            /** @description The terms of the coming challenges; empty until the payer has chosen an amount */
                            charges: {
                                /** @description HTTP method, or the method of MPP */
                                method: string;
                                /** @description The intent of the protocol that the payment serves */
                                intent: string;
                                /** @description The request, or the payment request of MPP in base64url */
                                request: unknown;
                            }[];
                        } | null;
                        /** @description The payment as a URI that wallets read (EIP-681) */
                        eip681: string | null;
                        /** @description The required content of a mandate for this link; null if it takes no AP2 */
                        ap2: {
                            /** @description The payee */
                            payee: {
                                /** @description Id of the object */
                                id: string;
                                /** @description Name of it */
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
                        } | null;
                    };
                };
            };
            /** @description `no_active_plan` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_active_plan";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postPayByCodeSettle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Hash of the transaction on chain; null until there is one */
                    tx_hash?: string;
                    /** @description Address that sent the transfer */
                    from_address?: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount?: number | string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
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
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
                        /** @description The part of the payment that the service keeps */
                        fee: number | null;
                        /** @description The amount that the receiver gets, after the fee */
                        net_amount: number | null;
                        /** @description DIRECT only: the seller's fee for it, in the service's asset */
                        metered_fee?: number | null;
                        /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                        asset: string;
                        /** @description DIRECT only: the contract of the token that is paid */
                        token_contract?: string;
                        /** @description DIRECT only: the decimals of the token */
                        decimals?: number;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        /** @description Hash of the transaction on chain; null until there is one */
                        tx_hash: string | null;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_transaction`, `invalid_payment`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_transaction" | "invalid_payment" | "protocol_not_accepted";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `invalid_card_token`, `invalid_signature` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_card_token" | "invalid_signature";
                    };
                };
            };
            /** @description `card_frozen`, `limit_exceeded`, `insufficient_funds` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "card_frozen" | "limit_exceeded" | "insufficient_funds";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_busy";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed`, `already_settled` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "already_settled";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `payment_exception`, `binding_required` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "payment_exception" | "binding_required";
                        /** @description Id of the exception */
                        exception_id?: string;
                        /** @description Why, as a stable word */
                        reason?: string;
                        /** @description The text that the sender signs to say that its transaction paid this link */
                        message?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getPayByCode: {
        parameters: {
            query?: {
                /** @description For a link whose payer chooses the amount */
                amount?: string;
            };
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /** @description The x402 v2 settlement, base64 JSON: after PAYMENT-SIGNATURE */
                    "PAYMENT-RESPONSE"?: string;
                    /** @description The x402 v1 settlement, base64 JSON: after X-PAYMENT */
                    "X-PAYMENT-RESPONSE"?: string;
                    /** @description The MPP receipt, base64url JSON: after `Authorization: Payment` */
                    "Payment-Receipt"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": string;
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_payment`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_payment" | "protocol_not_accepted";
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description Payment required. Or: `no_active_plan` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The x402 v2 demand, base64 JSON, if the link takes x402 */
                    "PAYMENT-REQUIRED"?: string;
                    /** @description MPP challenges of the scheme `Payment`, where the link takes MPP */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                    "application/problem+json": {
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                    "text/html": string;
                };
            };
            /** @description `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_busy";
                    };
                };
            };
            /** @description The link takes no more payments. Or: `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                    "text/html": string;
                };
            };
            /** @description `payment_exception` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "payment_exception";
                        /** @description Id of the exception */
                        exception_id?: string;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `settlement_pending`, `signer_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "settlement_pending" | "signer_unavailable";
                        /** @description Id of the settlement */
                        settlement_id?: string;
                        /** @description Where to ask how the payment stands */
                        status_url?: string;
                        /** @description Id of the payment */
                        transaction_id?: string;
                    };
                };
            };
        };
    };
    postPayByCode: {
        parameters: {
            query?: {
                /** @description For a link whose payer chooses the amount */
                amount?: string;
            };
            header?: never;
            path: {
                /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                code: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /** @description The x402 v2 settlement, base64 JSON: after PAYMENT-SIGNATURE */
                    "PAYMENT-RESPONSE"?: string;
                    /** @description The x402 v1 settlement, base64 JSON: after X-PAYMENT */
                    "X-PAYMENT-RESPONSE"?: string;
                    /** @description The MPP receipt, base64url JSON: after `Authorization: Payment` */
                    "Payment-Receipt"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/html": string;
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_payment`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_payment" | "protocol_not_accepted";
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description Payment required. Or: `no_active_plan` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The x402 v2 demand, base64 JSON, if the link takes x402 */
                    "PAYMENT-REQUIRED"?: string;
                    /** @description MPP challenges of the scheme `Payment`, where the link takes MPP */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                    "application/problem+json": {
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                    "text/html": string;
                };
            };
            /** @description `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_busy";
                    };
                };
            };
            /** @description The link takes no more payments. Or: `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                    "text/html": string;
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `payment_exception` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "payment_exception";
                        /** @description Id of the exception */
                        exception_id?: string;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `settlement_pending`, `signer_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "settlement_pending" | "signer_unavailable";
                        /** @description Id of the settlement */
                        settlement_id?: string;
                        /** @description Where to ask how the payment stands */
                        status_url?: string;
                        /** @description Id of the payment */
                        transaction_id?: string;
                    };
                };
            };
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
                    /** @description Id of the card, `card_` and 26 characters */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description The transaction of the card, PENDING until it is redeemed */
                        transaction_id: string;
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id: string;
                        /** @description Whole units of the asset */
                        amount: number;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                        /** @description The request header that the credential goes into */
                        header: string;
                        /** @description The value of that header. It is money: never log it */
                        credential: string;
                        /** @description The payload alone, for a client that writes the credential itself */
                        payload: {
                            /**
                             * @description Kind of it
                             * @constant
                             */
                            type: "cardToken";
                            /** @description The token. Keep it secret */
                            token: string;
                        };
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_payment` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_payment";
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_card_token";
                    };
                };
            };
            /** @description `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "pay_link_busy";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `no_payable_option` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "no_payable_option";
                        /** @description The offers of the seller, each with the reason why it was not taken */
                        challenge?: unknown;
                        /** @description The problem document of the seller (RFC 9457) */
                        problem?: unknown;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getExceptions: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The exceptions, newest first */
                        exceptions: components["schemas"]["Exception"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getExceptionsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        exception: components["schemas"]["Exception"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postExceptionsByIdKeep: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        exception: components["schemas"]["Exception"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `already_refunded` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
                        /** @description Id of the withdrawal that gives it back */
                        withdrawal_id?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postExceptionsByIdRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        exception: components["schemas"]["Exception"];
                        /** @description Id of the withdrawal */
                        withdrawal_id: string;
                        /** @description Whole units of the asset */
                        withdrawal_fee: number;
                        /** @description The status of the withdrawal: PROCESSING */
                        status: string;
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            /** @description `invalid_address`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_address" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `already_refunded` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
                        /** @description Id of the withdrawal that gives it back */
                        withdrawal_id?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed`, `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed" | "chain_unavailable";
                    };
                };
            };
            /** @description `signer_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "signer_unavailable";
                    };
                };
            };
        };
    };
    postAp2Settle: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description State of the object
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
                        /** @description Hash of the transaction on chain; null until there is one */
                        tx_hash: string | null;
                        /** @description The `payee.id` of the mandate */
                        payee: string;
                        /** @description Where the signed AP2 receipt of this payment is */
                        receipt_url: string;
                    };
                };
            };
            /** @description Settled: the payer card is debited and the link credited */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description State of the object
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
                        /** @description Hash of the transaction on chain; null until there is one */
                        tx_hash: string | null;
                        /** @description The `payee.id` of the mandate */
                        payee: string;
                        /** @description Where the signed AP2 receipt of this payment is */
                        receipt_url: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key" | "protocol_not_accepted";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `invalid_payment`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed`, `pay_link_busy`, `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed`, `mandate_required`, `mandate_too_large`, `mandate_malformed`, `mandate_algorithm_unsupported`, `mandate_type_unsupported`, `mandate_disclosure_invalid`, `mandate_disclosure_withheld`, `mandate_field_invalid`, `mandate_open_missing`, `mandate_not_bound`, `mandate_delegation_unsupported`, `mandate_id_conflict`, `agent_missing_key`, `mandate_key_invalid`, `mandate_key_untrusted`, `mandate_invalid_signature`, `mandate_expired`, `mandate_expiry_missing`, `mandate_not_yet_valid`, `mandate_audience_mismatch`, `mandate_nonce_mismatch`, `mandate_scope_mismatch`, `mandate_currency_mismatch`, `mandate_amount_mismatch`, `mandate_checkout_mismatch`, `mandate_preset_changed`, `mandate_constraint_violated`, `mandate_limits_missing`, `mandate_already_used`, `mandate_budget_exceeded`, `mandate_occurrences_exceeded`, `mandate_too_early`, `mandate_id_reused`, `mandate_revoked`, `mandate_constraint_unresolved` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_payment" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "pay_link_busy" | "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "mandate_required" | "mandate_too_large" | "mandate_malformed" | "mandate_algorithm_unsupported" | "mandate_type_unsupported" | "mandate_disclosure_invalid" | "mandate_disclosure_withheld" | "mandate_field_invalid" | "mandate_open_missing" | "mandate_not_bound" | "mandate_delegation_unsupported" | "mandate_id_conflict" | "agent_missing_key" | "mandate_key_invalid" | "mandate_key_untrusted" | "mandate_invalid_signature" | "mandate_expired" | "mandate_expiry_missing" | "mandate_not_yet_valid" | "mandate_audience_mismatch" | "mandate_nonce_mismatch" | "mandate_scope_mismatch" | "mandate_currency_mismatch" | "mandate_amount_mismatch" | "mandate_checkout_mismatch" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_already_used" | "mandate_budget_exceeded" | "mandate_occurrences_exceeded" | "mandate_too_early" | "mandate_id_reused" | "mandate_revoked" | "mandate_constraint_unresolved";
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
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                        /** @description The word of AP2 for it */
                        ap2_error?: string;
                        /** @description Each limit of the mandate that it breaks */
                        violations?: unknown[];
                        /** @description A signed receipt that says that the mandate was refused */
                        receipt?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded";
                    };
                };
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the settlement */
                        settlement_id: string;
                        /** @description A JWT that a key of our JWKS signed */
                        receipt: string;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2Receipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the mandate */
                        mandate_id: string;
                        /** @description Success or Error, as the receipt says */
                        status: string;
                        /** @description verified or unverified */
                        signature: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2Verify: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                            /** @description The finding, in words */
                            detail: string;
                            /** @description Code of the pay link, `PL_` and 10 characters in any letter case; of a refusal, its stable word */
                            code: string | null;
                        }[];
                        /** @description The mandate */
                        mandate: components["schemas"]["Mandate"] | null;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key" | "protocol_not_accepted";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2OpenMandate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description The token of the card: it authorizes what is signed for it */
                    card_token: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    max_amount?: number | string;
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
                    payees?: (string | {
                        /** @description Id of the object */
                        id: string;
                        /** @description Name of it */
                        name: string;
                        /** @description Website of the payee */
                        website?: string;
                    })[];
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
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    budget?: number | string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The SD-JWT: give it to the agent */
                        mandate: string;
                        /** @description Revoke it by this id */
                        mandate_id: string;
                        /** @description The hash under which its use is counted */
                        open_id: string;
                        /** @description Thumbprint of the only key that may close under it */
                        agent_kid: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2Mandate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id: string;
                    /** @description The token of the card: it authorizes what is signed for it */
                    card_token: string;
                    /** @description Code of the pay link */
                    pay_link_code?: string;
                    /** @description A pay link's code, a merchant's wallet address, or `{id, name, website?}` */
                    payee?: string | {
                        /** @description Id of the object */
                        id: string;
                        /** @description Name of it */
                        name: string;
                        /** @description Website of the payee */
                        website?: string;
                    };
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount?: number | string;
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
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The SD-JWT, to be settled as `closed_mandate` */
                        mandate: string;
                        /** @description Its `jti` */
                        mandate_id: string;
                        /** @description Whole units of the asset */
                        amount: number;
                        /**
                         * @description USD counts cents; USDC, our extension, millionths
                         * @enum {string}
                         */
                        currency: "USD" | "USDC";
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_address`, `invalid_idempotency_key`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "protocol_not_accepted";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `mandate_expired`, `mandate_preset_changed`, `mandate_constraint_violated`, `mandate_limits_missing`, `mandate_revoked`, `mandate_constraint_unresolved` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "mandate_expired" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_revoked" | "mandate_constraint_unresolved";
                        /** @description The word of AP2 for it */
                        ap2_error?: string;
                        /** @description Each limit of the mandate that it breaks */
                        violations?: unknown[];
                        /** @description A signed receipt that says that the mandate was refused */
                        receipt?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getAp2MandatesByCardId: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Open mandates, or closed ones that have paid */
                kind?: "open" | "closed";
            };
            header?: never;
            path: {
                /** @description Id of the card, `card_` and 26 characters */
                card_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The mandates, newest first */
                        mandates: components["schemas"]["AP2Mandate"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2MandatesByMandateIdRevoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    /** @description Id of the card, `card_` and 26 characters */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the mandate */
                        mandate_id: string;
                        /** @description Hash under which the use of the open mandate is counted */
                        open_id: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        revoked_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getAp2Keys: {
        parameters: {
            query: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Id of the card, `card_` and 26 characters */
                card_id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The keys */
                        keys: components["schemas"]["AP2Key"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2Keys: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
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
                    label?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["AP2Key"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteAp2KeysByKid: {
        parameters: {
            query?: {
                /** @description Id of the card, `card_` and 26 characters */
                card_id?: string;
            };
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getAp2Instruments: {
        parameters: {
            query: {
                /** @description Id of the card, `card_` and 26 characters */
                card_id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payment instruments that a mandate may name */
                        instruments: components["schemas"]["Instrument"][];
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The keys */
                        keys: components["schemas"]["AP2Key3"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent_card: components["schemas"]["AgentCard"];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Version of A2A */
                        protocolVersion: string;
                        /** @description Name of it */
                        name: string;
                        /** @description A description, in words */
                        description: string;
                        /** @description Address of it */
                        url: string;
                        /** @description Version of it */
                        version: string;
                        /** @description The parts of the protocol that this release supports */
                        capabilities: {
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
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2PaymentMethods: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the card, `card_` and 26 characters */
                    card_id?: string;
                } | null;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Methods of MPP that are spoken */
                        methods: components["schemas"]["Method"][];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postAp2Execute: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            /** @description `gone` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "gone";
                        /** @description The operation to call instead */
                        migrate_to?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getBillingAgreements: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
                /** @description Your side of the agreements; both without it */
                role?: "payer" | "merchant";
                /** @description State of the object */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The agreements, newest first */
                        agreements: components["schemas"]["Agreement"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postBillingAgreements: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    merchant_wallet?: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
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
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    threshold_floor?: number | string;
                    /** @description SD-JWT */
                    open_mandate: string;
                    /** @description Token of the card: whoever has it may pay with the card */
                    card_token: string;
                    /** @description Your own label */
                    plan_ref?: string;
                    /** @description A description, in words */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agreement: components["schemas"]["Agreement"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_address`, `invalid_idempotency_key`, `invalid_payment`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "invalid_payment" | "protocol_not_accepted";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_card_token` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_card_token";
                    };
                };
            };
            /** @description `forbidden_scope`, `card_frozen`, `card_expired`, `card_closed`, `card_used`, `card_pending`, `limit_exceeded`, `insufficient_funds`, `daily_limit_exceeded`, `max_transaction_exceeded`, `mcc_blocked`, `merchant_not_allowed` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `pay_link_busy` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "pay_link_busy";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `mandate_malformed`, `mandate_key_untrusted`, `mandate_expired`, `mandate_currency_mismatch`, `mandate_constraint_violated`, `mandate_already_used`, `mandate_revoked` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "mandate_malformed" | "mandate_key_untrusted" | "mandate_expired" | "mandate_currency_mismatch" | "mandate_constraint_violated" | "mandate_already_used" | "mandate_revoked";
                        /** @description The word of AP2 for it */
                        ap2_error?: string;
                        /** @description Each limit of the mandate that it breaks */
                        violations?: unknown[];
                        /** @description A signed receipt that says that the mandate was refused */
                        receipt?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getBillingAgreementsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agreement: components["schemas"]["Agreement"];
                        /** @description The newest hundred charges */
                        charges: components["schemas"]["Charge"][];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postBillingAgreementsPrepare: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    merchant_wallet?: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
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
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    threshold_floor?: number | string;
                    /** @description How often the mandate may pay in all */
                    max_occurrences?: number;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    budget?: number | string;
                    /** @description Hours until the open mandate ends; 366 days without it */
                    expires_in?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The public key that the open mandate names in `cnf` */
                        billing_key: {
                            /** @description Type of the key: EC */
                            kty: string;
                            /** @description Curve of the key: P-256 */
                            crv: string;
                            /** @description First coordinate of the key, base64url */
                            x: string;
                            /** @description Second coordinate of the key, base64url */
                            y: string;
                        };
                        /** @description RFC 7638 thumbprint of the key */
                        kid: string;
                        /** @description The content of a `mandate.payment.open.1` */
                        content: {
                            [key: string]: unknown;
                        };
                        /** @description The `aud` of each charge */
                        audience: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        expires_at: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_address`, `invalid_idempotency_key`, `invalid_payment`, `protocol_not_accepted` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "invalid_payment" | "protocol_not_accepted";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                        /** @description Why, as a stable word */
                        reason?: string;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "limit_reached";
                    };
                };
            };
            /** @description `pay_link_expired`, `pay_link_cancelled`, `pay_link_completed` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /**
                         * @description Kind of link
                         * @enum {string}
                         */
                        type?: "receive";
                        /** @description When the link was paid */
                        confirmed_at?: string | null;
                        /** @description The transfer as seen before its confirmation; null if none is seen */
                        seen?: unknown;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postBillingAgreementsByIdPause: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        agreement: components["schemas"]["Agreement"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postBillingAgreementsByIdResume: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        agreement: components["schemas"]["Agreement"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postBillingAgreementsByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        agreement: components["schemas"]["Agreement"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the withdrawal */
                        withdrawal_id: string;
                        /** @description Whole units of the asset */
                        amount: number;
                        /** @description Whole units of the asset */
                        withdrawal_fee: number;
                        /** @description Whole units of the asset */
                        net_amount: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        amount_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        withdrawal_fee_atomic?: string;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        net_amount_atomic?: string;
                        /**
                         * @description State of the object
                         * @enum {string}
                         */
                        status: "PROCESSING" | "COMPLETED" | "FAILED";
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_network`, `invalid_asset`, `invalid_address`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_address" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `upstream_failed`, `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "upstream_failed" | "chain_unavailable";
                    };
                };
            };
            /** @description `signer_unavailable`, `payouts_held` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "signer_unavailable" | "payouts_held";
                    };
                };
            };
        };
    };
    getWithdrawals: {
        parameters: {
            query?: {
                /** @description That withdrawal alone */
                id?: string;
                /** @description State of the object */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The withdrawals, newest first */
                        withdrawals: components["schemas"]["Withdrawal"][];
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Every way to buy a membership */
                        plans: components["schemas"]["Plan"][];
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The membership; null where there is none */
                        membership: components["schemas"]["Membership"] | null;
                        /** @description Whether, or how, the membership is renewed */
                        auto_renew: components["schemas"]["AutoRenew"] | null;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMembershipSubscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        membership: components["schemas"]["Membership"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_asset`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_asset" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `charge_in_flight` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMembershipCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        membership: components["schemas"]["Membership"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `charge_in_flight` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMembershipResume: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        membership: components["schemas"]["Membership"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `charge_in_flight` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postMembershipAutoRenew: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    /** @description Transaction hash */
                    approve_tx?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
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
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id?: string;
                        /** @description Whole units of the asset */
                        reserve?: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        reserve_atomic?: string;
                        /** @description Periods for which money is set aside */
                        periods_funded?: number;
                        /** @description Whole units of the asset */
                        price?: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        price_atomic?: string;
                        /** @description Start of the next period to be charged; null where none is */
                        next_charge_at?: string | null;
                        /** @description Reported up to 1,000,000,000 */
                        allowance?: number;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `approval_required` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "approval_required";
                        /** @description The allowance that is needed */
                        required?: number;
                        /** @description The allowance that there is */
                        allowance?: number;
                        /** @description Address of the contract to approve */
                        operator?: string;
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `charge_in_flight` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    deleteMembershipAutoRenew: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description The membership; null where there is none */
                        membership: components["schemas"]["Membership"] | null;
                        /** @description Whole units of the asset */
                        returned: number;
                        /** @description The exact base units, of an asset with more than 6 decimals */
                        returned_atomic?: string;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `charge_in_flight` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "charge_in_flight";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getTokens: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The tokens, newest first */
                        tokens: components["schemas"]["Token"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network: string;
                    /** @description EVM address */
                    address: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: components["schemas"]["Token"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_network`, `invalid_asset`, `invalid_address`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_network" | "invalid_asset" | "invalid_address" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `token_unreadable`, `token_not_transferable`, `token_takes_fee` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "token_unreadable" | "token_not_transferable" | "token_takes_fee";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getTokensById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: components["schemas"]["Token"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteTokensById: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The prepaid fee meter */
                        meter: {
                            /** @description Whole units of the asset */
                            balance: number;
                            /** @description Fees that the next top-up pays first */
                            owed: number;
                            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                            asset: string;
                            /** @description CAIP-2 chain id, e.g. eip155:8453 */
                            network: string;
                        };
                        /** @description The DIRECT settlements that the plan has free */
                        quota: {
                            /** @description DIRECT settlements of a month without a fee */
                            included: number;
                            /** @description Settlements of the month so far */
                            used: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601 UTC
                             */
                            resets_at: string;
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
                            /** @description How it was settled */
                            settlement: {
                                /** @description Ten-thousandths of the amount */
                                bps: number;
                                /** @description Whole units of the asset */
                                flat: number;
                            };
                            /** @description Payment that is being made, or the fee of one to a URL */
                            payment: {
                                /** @description Ten-thousandths of the amount */
                                bps: number;
                                /** @description Whole units of the asset */
                                flat: number;
                            };
                            /** @description The fee of a sale on the marketplace */
                            sale: {
                                /** @description Ten-thousandths of the amount */
                                bps: number;
                                /** @description Whole units of the asset */
                                flat: number;
                            };
                        };
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postFeesTopup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Whole units of the asset */
                        added: number;
                        /** @description The prepaid fee meter */
                        meter: {
                            /** @description Whole units of the asset */
                            balance: number;
                            /** @description Fees that the next top-up pays first */
                            owed: number;
                            /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                            asset: string;
                            /** @description CAIP-2 chain id, e.g. eip155:8453 */
                            network: string;
                        };
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getFeesEntries: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Fees and top-ups, newest first */
                        entries: components["schemas"]["Entry"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                                /** @description For upto: the account that payers let settle */
                                facilitatorAddress?: string;
                            };
                        }[];
                        /** @description Extensions of the protocol, as its specification writes them */
                        extensions: string[];
                        /** @description Addresses that carry payments to the chain, by network */
                        signers: {
                            [key: string]: string[];
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
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
                "application/json": {
                    /** @description 2, or 1 */
                    x402Version?: number;
                    /** @description The signed payment, as x402 writes it */
                    paymentPayload: Record<string, never>;
                    /** @description The terms of the seller, as x402 writes them */
                    paymentRequirements: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the payment would settle now */
                        isValid: boolean;
                        /** @description Why the payment is not valid, as a word of x402 */
                        invalidReason?: string;
                        /** @description Why the payment is not valid, in words */
                        invalidMessage?: string;
                        /** @description Address that pays */
                        payer?: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postX402Settle: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 2, or 1 */
                    x402Version?: number;
                    /** @description The signed payment, as x402 writes it */
                    paymentPayload: Record<string, never>;
                    /** @description The terms of the seller, as x402 writes them */
                    paymentRequirements: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `rate_limited`, `funds_in_flight`, `authorization_in_flight`, `payer_waits`, `token_waits`, `seller_waits`, `gas_budget_spent` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited" | "funds_in_flight" | "authorization_in_flight" | "payer_waits" | "token_waits" | "seller_waits" | "gas_budget_spent";
                    };
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getX402SettlementsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        settlement: components["schemas"]["Settlement"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getX402Settlements: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The settlements, newest first */
                        settlements: components["schemas"]["Settlement"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getX402DiscoveryResources: {
        parameters: {
            query?: {
                /** @description How the resource is reached */
                type?: "http" | "mcp";
                /** @description Address that is paid */
                payTo?: string;
                /** @description Scheme of x402, e.g. exact */
                scheme?: string;
                /** @description Its CAIP-2 id, or its name in x402 v1 */
                network?: string;
                /** @description The key of an extension that the listing shows */
                extensions?: string;
                /** @description At most 100; 20 without it */
                limit?: number;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Version of x402 */
                        x402Version: number;
                        /** @description The entries of this page */
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
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getX402DiscoverySearch: {
        parameters: {
            query: {
                /** @description Words to look for */
                query: string;
                /** @description How the resource is reached */
                type?: "http" | "mcp";
                /** @description Address that is paid */
                payTo?: string;
                /** @description Scheme of x402, e.g. exact */
                scheme?: string;
                /** @description Its CAIP-2 id, or its name in x402 v1 */
                network?: string;
                /** @description The key of an extension that the listing shows */
                extensions?: string;
                /** @description At most 100; 20 without it */
                limit?: number;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Version of x402 */
                        x402Version: number;
                        /** @description The matches, best first */
                        resources: components["schemas"]["Resource"][];
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
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postX402Receive: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    postMppReceive: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payment has a good signature of its own and settled for this resource */
                        verified: boolean;
                        /** @description Of a verified one: whether an earlier call verified it. Serve a payment that was used only to whom you know */
                        already_used?: boolean;
                        /** @description Of a verified one */
                        settlement_id?: string;
                        /** @description Why it is not verified, by the protocol's own name; `not_settled` for a good payment that was not carried to the chain */
                        reason?: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getCardsByIdIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        identity: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        identity: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `no_counted_payment` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "no_counted_payment";
                    };
                };
            };
            /** @description `rate_limited`, `gas_budget_spent` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited" | "gas_budget_spent";
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `identity_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "identity_unavailable";
                    };
                };
            };
        };
    };
    postCardsByIdIdentityWithdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        identity: components["schemas"]["Identity"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `identity_moving` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "identity_moving";
                    };
                };
            };
            /** @description `rate_limited`, `gas_budget_spent` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited" | "gas_budget_spent";
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `identity_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "identity_unavailable";
                    };
                };
            };
        };
    };
    getCrtMarkets: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the chain */
                        chainId: number;
                        /** @description The markets, newest first */
                        markets: components["schemas"]["Market"][];
                        /** @description Whether there are more after these */
                        has_more: boolean;
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "internal_error";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
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
                /** @description The token. Keep it secret */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        vesting: {
                            /** @description Where the stream is shown to everybody */
                            streamUrl: string;
                            /** @description Number of the stream in its lockup */
                            streamId: string;
                            /** @description Ten-thousandths of the supply that the creator keeps */
                            keepBps: number;
                        } | null;
                        /** @description Intervals in which somebody swapped, newest first */
                        candles: components["schemas"]["Candle"][];
                        /** @description What a buyer should know, in words */
                        warnings: string[];
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
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
                /** @description The token. Keep it secret */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description EVM address */
                        token: string;
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
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_amount` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field" | "invalid_amount";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `quote_unavailable` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "quote_unavailable";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
        };
    };
    postCardsByIdCrtMarketPrepare: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    start_price: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The account's nonce of the first transaction; null if the wallet is a contract, whose token's address comes from a salt */
                        nonce: number | null;
                        /** @description EVM address */
                        token: string;
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
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `market_already_live` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "market_already_live";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `launch_would_fail` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "launch_would_fail";
                        /** @description The step that the chain would refuse */
                        step?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
        };
    };
    postCardsByIdCrtMarketConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Transaction hash */
                    deployTx: string;
                    /** @description Transaction hash */
                    listTx: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        market: components["schemas"]["Market"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found`, `transaction_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found" | "transaction_not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `market_already_live`, `market_not_prepared`, `nonce_moved`, `transaction_pending` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "market_already_live" | "market_not_prepared" | "nonce_moved" | "transaction_pending";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `transaction_reverted`, `token_mismatch`, `listing_mismatch` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "transaction_reverted" | "token_mismatch" | "listing_mismatch";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
        };
    };
    getCardsByIdCrtMarket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        market: components["schemas"]["TokenMarketMarket"];
                        /** @description The locked part; null before it is confirmed */
                        vesting: {
                            /** @description Where the stream is shown to everybody */
                            streamUrl: string;
                            /** @description Number of the stream in its lockup */
                            streamId: string;
                            /** @description Ten-thousandths of the supply that the creator keeps */
                            keepBps: number;
                        } | null;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postCardsByIdCrtMarketVestingConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Transaction hash */
                    vestingTx: string;
                    /** @description Ten-thousandths of the supply that were to be kept, as prepared */
                    keepBps: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description The stream that locks the kept part */
                        vesting: {
                            /** @description Where the stream is shown to everybody */
                            streamUrl: string;
                            /** @description Number of the stream in its lockup */
                            streamId: string;
                            /** @description Ten-thousandths of the supply that the creator keeps */
                            keepBps: number;
                        };
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found`, `transaction_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found" | "transaction_not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `market_not_live`, `already_vested`, `stream_used`, `transaction_pending` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "market_not_live" | "already_vested" | "stream_used" | "transaction_pending";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `transaction_reverted`, `stream_not_found`, `stream_ambiguous`, `stream_wrong_token`, `stream_wrong_funder`, `stream_wrong_recipient`, `stream_too_small`, `stream_too_short`, `stream_cancelable`, `stream_too_old`, `keep_mismatch` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "transaction_reverted" | "stream_not_found" | "stream_ambiguous" | "stream_wrong_token" | "stream_wrong_funder" | "stream_wrong_recipient" | "stream_too_small" | "stream_too_short" | "stream_cancelable" | "stream_too_old" | "keep_mismatch";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
            /** @description `markets_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "markets_unavailable";
                        /** @description Id of the chain */
                        chainId?: number;
                    };
                };
            };
        };
    };
    getListings: {
        parameters: {
            query?: {
                /** @description 1 without it */
                page?: number;
                /** @description At most 100; 50 without it */
                limit?: number;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The listings of this page */
                        listings: components["schemas"]["Listing"][];
                        /** @description Base URL of the block explorer; empty if none */
                        explorerBase: string;
                        /** @description How many listings are open */
                        total: number;
                        /** @description Which page this is, from 1 */
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
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postListings: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of a card */
                    card_id: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    price: number | string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        listing: components["schemas"]["Listing"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key`, `invalid_signature` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key" | "invalid_signature";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `already_listed`, `listing_stale` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_listed" | "listing_stale";
                        /** @description Id of the open listing */
                        listing_id?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getListingsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        listing: components["schemas"]["Listing"];
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteListingsById: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        listing: components["schemas"]["Listing"];
                    };
                };
            };
            /** @description `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `idempotency_conflict`, `idempotency_in_progress`, `listing_closed` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "listing_closed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getCardsByIdListing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        listing: components["schemas"]["Listing"];
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postListingsByIdBuy: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
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
                        /** @description EVM address */
                        from: string;
                        /** @description EVM address */
                        to: string;
                        /** @description A whole number; in a string where it is large */
                        value: string | number;
                        /** @description A whole number; in a string where it is large */
                        valid_after: string | number;
                        /** @description A whole number; in a string where it is large */
                        valid_before: string | number;
                        /** @description Transaction hash */
                        nonce: string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        listing: components["schemas"]["Listing"];
                        card: components["schemas"]["Card"];
                    };
                };
            };
            /** @description Success */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        listing: components["schemas"]["Listing"];
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope`, `insufficient_balance` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `own_listing`, `listing_closed`, `listing_changed`, `listing_stale`, `card_has_holds`, `identity_withdrawn`, `identity_moving` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "own_listing" | "listing_closed" | "listing_changed" | "listing_stale" | "card_has_holds" | "identity_withdrawn" | "identity_moving";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                        /** @description What is not as the buyer saw it */
                        changed?: string[];
                        /** @description The version of the card now */
                        version?: string;
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `authorization_rejected` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "authorization_rejected";
                    };
                };
            };
            /** @description `rate_limited`, `funds_in_flight`, `authorization_in_flight`, `payer_waits`, `token_waits`, `seller_waits`, `gas_budget_spent` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "rate_limited" | "funds_in_flight" | "authorization_in_flight" | "payer_waits" | "token_waits" | "seller_waits" | "gas_budget_spent";
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    postCardsByIdTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description EVM address */
                    to_wallet: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true */
                        success: boolean;
                        /** @description Id of the card, `card_` and 26 characters */
                        card_id: string;
                        /** @description The new owner */
                        to_wallet: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_address`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_address" | "invalid_idempotency_key";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `card_has_holds`, `identity_withdrawn`, `identity_moving` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "card_has_holds" | "identity_withdrawn" | "identity_moving";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    postListingsPrepare: {
        parameters: {
            query?: never;
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of a card */
                    card_id: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    price: number | string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Hit": components["headers"]["Idempotency-Hit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sign it with eth_signTypedData_v4 */
                        typed_data: {
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
                        /** @description Transactions that your wallet has to send first; none if they are made */
                        transactions: {
                            /** @description EVM address */
                            to: string;
                            /** @description Data of the transaction */
                            data: string;
                            /** @description Wei to send with it: 0 */
                            value: string;
                            /** @description What it does, in words */
                            description: string;
                        }[];
                        /** @description The account of the identity token, and what it pays the buyer in the sale */
                        holder: {
                            /** @description EVM address */
                            address: string;
                            /** @description Whole units of the asset */
                            pays_buyer: number;
                            /** @description What a sale does not promise, in words */
                            not_promised: string;
                        };
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_idempotency_key` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `amount_below_minimum` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "amount_below_minimum";
                        /** @description The least amount that is carried to the chain */
                        minimum?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getListingsByIdBuyPrepare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the object */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sign it with eth_signTypedData_v4 */
                        typed_data: {
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
                        /** @description The account of the identity token, and what it pays the buyer in the sale */
                        holder: {
                            /** @description EVM address */
                            address: string;
                            /** @description Whole units of the asset */
                            pays_buyer: number;
                            /** @description What a sale does not promise, in words */
                            not_promised: string;
                        };
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            /** @description `invalid_state`, `own_listing`, `listing_closed` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_state" | "own_listing" | "listing_closed";
                        /** @description State of the pay link, or of the listing */
                        status?: string;
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
    getHoldings: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One entry for each token at each place */
                        holdings: components["schemas"]["Holding"][];
                        /** @description Sum of the values in this answer, in USDC; what has no price is not in it */
                        total_value_usdc: number;
                        /** @description Whether there are more after these */
                        has_more: boolean;
                        /** @description The `after` of the next page; null if there is none */
                        next_after: string | null;
                        /**
                         * @description Present if the chain did not answer: what is held on chain is missing
                         * @enum {string}
                         */
                        chain?: "unavailable";
                    };
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getV1CredentialsByRef: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a credential, or the address of its holder account */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        credential: components["schemas"]["Credential"];
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getV1CredentialsByRefRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a credential, or the address of its holder account */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The signed figures, as a compact JWS */
                        statement: string;
                        /** @description The keys of this service. Compare them with those that you know it by */
                        jwks: {
                            /** @description The keys */
                            keys: {
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
                            }[];
                        };
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
                    "application/x-ndjson": string;
                };
            };
            /** @description `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `unauthorized`, `invalid_api_key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "unauthorized" | "invalid_api_key";
                    };
                };
            };
            /** @description `forbidden_scope` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "forbidden_scope";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "overloaded";
                    };
                };
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                            /** @description x402: what a payer needs, or what this release does of it */
                            x402: {
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
                                networks: string[];
                                /** @description Where a card pays by it */
                                spend: string;
                                /** @description Where it is paid to */
                                receive: string;
                                /** @description Where to ask what a URL costs */
                                discovery: string;
                                /** @description Where x402 servers find verify, settle and supported */
                                facilitator: string;
                            };
                            /** @description AP2: what an agent needs to close a mandate, or what this release does of it */
                            ap2: {
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
                            /** @description MPP: what a payer needs, or what this release does of it */
                            mpp: {
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
                                networks: string[];
                                /** @description Where a card pays by it */
                                spend: string;
                                /** @description Where it is paid to */
                                receive: string;
                                /** @description Where a card agrees to pay a challenge */
                                cards: string;
                                /** @description Streams, or where one is opened */
                                streams: string;
                                /** @description Where to ask what a URL costs */
                                discovery: string;
                            };
                            /** @description How it was settled */
                            settlement: {
                                /**
                                 * @description Whether this release does it at all
                                 * @enum {string}
                                 */
                                status: "available" | "unavailable";
                                /** @description Ways in which payments are settled */
                                modes: string[];
                                /** @description Symbol of the asset, e.g. USDC, or the address of its contract in x402 */
                                asset: string;
                                /** @description CAIP-2 ids of chains */
                                supported_networks: string[];
                                /** @description Where a payment is settled: in the books, on chain */
                                engine: string;
                                /** @description The fee that a seller pays for each payment, in words */
                                fee_model: string;
                                /** @description The same in numbers */
                                fee: {
                                    /** @description Ten-thousandths of the amount */
                                    bps: number;
                                    /** @description Whole units of the asset */
                                    flat: number;
                                };
                            };
                        };
                        card_controls: components["schemas"]["CardControls"];
                        /** @description How the service is */
                        health: {
                            /**
                             * @description State of the object
                             * @enum {string}
                             */
                            status: "operational" | "degraded";
                            /** @description The parts of the service, and how each is */
                            components: {
                                /** @description Which part of the service */
                                component: string;
                                /**
                                 * @description State of the object
                                 * @enum {string}
                                 */
                                status: "operational" | "degraded";
                                /** @description How it is, and what waits for it */
                                sentence: string;
                            }[];
                        };
                        /** @description The chain that the service is on */
                        chain: {
                            /** @description CAIP-2 chain id, e.g. eip155:8453 */
                            network: string;
                            /** @description Number of the newest block that was seen */
                            head: number | null;
                            /** @description How old the newest block is */
                            lag_seconds: number | null;
                            /** @description The last block that was searched for deposits */
                            watched_block: number | null;
                        };
                        /** @description Jobs of the service */
                        queues: {
                            /** @description Jobs that are due */
                            ready: number;
                            /** @description Jobs whose time has not come */
                            waiting: number;
                            /** @description Jobs that run now */
                            running: number;
                            /** @description Jobs that have used up their attempts */
                            failed: number;
                        };
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    /** @description EVM address */
                    wallet_address: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    amount: number | string;
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Transaction hash */
                        tx_hash: string;
                        /** @description EVM address */
                        contract: string;
                        /** @description ETH of the address afterwards, in wei */
                        gas_balance: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field`, `invalid_amount`, `invalid_address` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address";
                        /** @description The fee of the withdrawal */
                        withdrawal_fee?: number;
                        /** @description The least that can be withdrawn */
                        minimum_withdrawal?: number;
                        /** @description CAIP-2 id of the chain */
                        network?: string;
                        /** @description The amount that can still be refunded */
                        refundable?: number;
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the newest block */
                        block_number: number;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
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
                    /**
                     * Format: date-time
                     * @description ISO 8601 UTC
                     */
                    now?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        now: string;
                    };
                };
            };
            /** @description `invalid_json`, `missing_field`, `unknown_field`, `invalid_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field";
                    };
                };
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "not_found";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            /** @description `chain_unavailable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /**
                         * @description Stable: branch on this
                         * @enum {string}
                         */
                        code?: "chain_unavailable";
                    };
                };
            };
        };
    };
}

/** The operations that take an Idempotency-Key. */
export const REPEATABLE: ReadonlySet<string> = new Set([
    "POST /api/auth/logout",
    "POST /api/keys/generate",
    "POST /api/keys/restricted",
    "DELETE /api/keys/{hash}",
    "POST /api/keys/validate",
    "DELETE /api/sessions/{id}",
    "POST /api/webhooks",
    "PATCH /api/webhooks/{id}",
    "DELETE /api/webhooks/{id}",
    "POST /api/webhooks/{id}/rotate-secret",
    "POST /api/webhooks/{id}/test",
    "POST /api/webhooks/{id}/recover",
    "POST /api/webhooks/{id}/replay-missing",
    "POST /api/webhooks/deliveries/{id}/replay",
    "POST /api/fund/verify",
    "POST /api/fund/authorization",
    "POST /api/issue",
    "POST /api/issue/bulk",
    "POST /api/cards/{id}/fund",
    "POST /api/cards/{id}/freeze",
    "POST /api/cards/{id}/unfreeze",
    "PATCH /api/cards/{id}/controls",
    "POST /api/cards/{id}/claim",
    "POST /api/cards/{id}/cancel",
    "POST /api/cards/{id}/rotate-token",
    "POST /api/pay",
    "POST /api/pay/authorize",
    "POST /api/pay/simulate",
    "POST /api/payments/{id}/refund",
    "POST /api/x402/pay",
    "POST /api/mpp/pay",
    "POST /api/mpp/session",
    "POST /api/mpp/stream/open",
    "POST /api/mpp/stream/tick",
    "POST /api/mpp/stream/close",
    "POST /api/paylinks",
    "DELETE /api/paylinks/{code}",
    "POST /api/exceptions/{id}/keep",
    "POST /api/exceptions/{id}/refund",
    "POST /api/ap2/settle",
    "POST /api/ap2/receipt",
    "POST /api/ap2/verify",
    "POST /api/ap2/open-mandate",
    "POST /api/ap2/mandate",
    "POST /api/ap2/mandates/{mandate_id}/revoke",
    "POST /api/ap2/keys",
    "DELETE /api/ap2/keys/{kid}",
    "POST /api/ap2/payment-methods",
    "POST /api/ap2/execute",
    "POST /api/billing/agreements",
    "POST /api/billing/agreements/prepare",
    "POST /api/billing/agreements/{id}/pause",
    "POST /api/billing/agreements/{id}/resume",
    "POST /api/billing/agreements/{id}/cancel",
    "POST /api/withdraw",
    "POST /api/membership/subscribe",
    "POST /api/membership/cancel",
    "POST /api/membership/resume",
    "POST /api/membership/auto-renew",
    "DELETE /api/membership/auto-renew",
    "POST /api/tokens",
    "DELETE /api/tokens/{id}",
    "POST /api/fees/topup",
    "POST /api/x402/settle",
    "POST /api/x402/receive",
    "POST /api/mpp/receive",
    "POST /api/cards/{id}/identity",
    "POST /api/cards/{id}/identity/withdraw",
    "POST /api/cards/{id}/crt-market/prepare",
    "POST /api/cards/{id}/crt-market/confirm",
    "POST /api/cards/{id}/crt-market/vesting-confirm",
    "POST /api/listings",
    "DELETE /api/listings/{id}",
    "POST /api/listings/{id}/buy",
    "POST /api/cards/{id}/transfer",
    "POST /api/listings/prepare",
])
