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
        /** Ask for a message to sign in with */
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
        /** End the session */
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
        /** List the API keys of the wallet */
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
        /** Say whose the credential is */
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
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where to send deposits, and what the service charges */
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
        /** The tokens that a treasury balance can be funded with */
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
        /** What an address holds on chain, read live */
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
         * @description Credits every USDC transfer from your wallet to the treasury in that transaction, each once, when its block is safe. Until then the answer is `pending`, and the credit follows by itself.
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
        /** Deposit without gas, by a signed EIP-3009 authorization */
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
        /** Your treasury balance */
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
        /** Issue up to 1000 cards, all or none */
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
        /** Your cards, newest first */
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
        /** One card */
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
        /** Top up an ACTIVE card from your treasury balance */
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
        /** Stop every debit of a card */
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
        /** Let a frozen card spend again */
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
        /** Move what is left on an ended card, or what an ACTIVE card earned, to your treasury balance */
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
        /** Close a card for good; what it does not hold returns to your treasury balance */
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
        /** Give a card a new token; the old one stops at once */
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
        /** What a card sent and received, newest first */
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
        /** Every allow and deny of a card, with the rule and what it was decided on */
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
         * @description The URL is fetched; if it answers 402, the demand is read as x402 and as MPP, the offer in USDC on this network that takes least from the card is paid, and the request made once more with the payment. Of equal ones a card payment of this service comes first, then x402, then MPP on chain. A URL that needs no payment returns its answer, with amount_debited 0. How the payment ended is read from the chain, or of a link of this service from its books, never from the seller. Send an Idempotency-Key: a retry with it never pays twice, and is shown the first 64 KiB of the answer with the size and digest of the whole.
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
         * What a payment would cost and whether the card would pay it; nothing moves
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
        /** Whether a payment has settled */
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
        /** What your cards sent and received, newest first */
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
        /** One payment with its timeline: decision, authorization, chain, events */
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
        /** Give a received payment back to the card that paid it, or a part of it */
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
        /** Gone: use POST /api/pay */
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
        /** Gone: use POST /api/pay */
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
        /** Whether a URL asks for an x402 payment, and what for */
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
        /** Whether a URL asks for an MPP payment, by which methods, and what for */
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
         * @description Send an Idempotency-Key where a tick must not count twice when its answer was lost. Of many ticks at once exactly as many succeed as the budget has room for.
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
        /** One stream, for the wallet that pays it and the one that earns it */
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
        /** The streams that your cards pay, newest first */
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
        /** Your pay links, newest first */
        get: operations["getPaylinks"];
        put?: never;
        /** Open a pay link on a card */
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
        /** Public details of a pay link */
        get: operations["getPaylinksByCode"];
        put?: never;
        post?: never;
        /** Cancel a pay link */
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
        /** Whether a pay link has been paid */
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
        /** Resolve a pay link for payment processing */
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
        /** Everything needed to pay a link, by each way it takes */
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
         * @description By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it. By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the same call tells it.
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
        /** Payments that reached your links and do not settle them, newest first */
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
        /** One exception */
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
         * @description The mandate is an SD-JWT `mandate.payment.1` that a user key of the card signed, or that an agent closed under an open mandate: then `open_mandate` is given, or `closed_mandate` is the chain of both. `card_token` authorises the debit; the card may be of any wallet. The same mandate again, with the current token of the card, is always answered 200 `ALREADY_SETTLED` and moves nothing, whatever has become of key, link, card or time since. A 422 carries `ap2_error`, all `violations` of the mandate, and a signed error `receipt`.
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
        /** The signed AP2 receipt of a settlement, for its payer and its seller */
        get: operations["getAp2ReceiptsBySettlementId"];
        put?: never;
        post?: never;
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
         * @description Makes every check of `POST /api/ap2/settle` but that of the card token, against the state of this moment. `ok` says whether settle would accept it now, or has accepted it.
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
        /** The keys of a card, newest first, revoked ones too */
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
        /** How a card is named in a mandate */
        get: operations["getAp2Instruments"];
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
         * @description For mandates that paid here or that the service signed for you. The receipt must refer to the mandate; its signature is verified where it is of this service.
         */
        post: operations["postAp2Receipt"];
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
         * What this service understands of AP2, as an A2A agent card
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
        /** The same agent card, bare, where A2A clients look for it */
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
        /** Gone: use POST /api/ap2/settle */
        post: operations["postAp2Execute"];
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
         * @description The fee is taken from `amount`; the address is paid `net_amount`. Answers at once: the payout is PROCESSING until its block is beyond reorganisation. If it cannot be made within 24 hours, it is FAILED and the whole amount is back on the balance, the fee too.
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
        /** Your newest withdrawals, at most 50 */
        get: operations["getWithdrawals"];
        put?: never;
        post?: never;
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
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens that you have registered, newest first */
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
        /** One token that you have registered, or had */
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
         * @description Carries the payment to the chain, by EIP-3009 in USDC and by Permit2 in a token that your wallet has registered; the service pays the gas. Answers 200 whatever the outcome. Each payment is a success for one caller, once: whoever presents it again is told `duplicate_settlement`, unless the same key repeats the same request by its payment identifier or Idempotency-Key, or comes back after `settlement_pending`. A payment that somebody else carries to the chain meanwhile is settled too. 429, with `Retry-After`, where nothing was sent because gas is rationed: its `errorReason` says whose turn it is to wait.
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
        /** How a payment that your key settled stands */
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
        /** Payments that your keys settled, newest first */
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
         * @description For a pay link of yours by its URL, or for a URL of your own whose payment went to your wallet on the terms that the client accepts (v2). Only the wallet that was paid is told, and uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.
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
         * @description Its challenge must have been made here for that link. Only the owner of the link is told, and uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.
         */
        post: operations["postMppReceive"];
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
         * What this service can do, and how it is
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
        /** Mine blocks on the embedded chain at once */
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
            label: string;
            /** @description The service keeps the private half */
            is_held: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            revoked_at: string | null;
        };
        AP2Key3: {
            kty: string;
            crv: string;
            x: string;
            y: string;
            kid: string;
            use: string;
            alg: string;
        };
        AP2Mandate: {
            mandate_id: string;
            /** @enum {string} */
            kind: "open" | "closed";
            /** @description The payee; of an open mandate all of them */
            merchant: string;
            /** @description Whole units of the currency; of an open mandate the most that one payment may be */
            amount: number;
            currency: string;
            /** @description SETTLED; of an open mandate ACTIVE, USED, EXPIRED, REVOKED */
            status: string;
            open_id: string | null;
            settlement_id: string | null;
            spent: number | null;
            budget: number | null;
            uses: number | null;
            max_uses: number | null;
            expires_at: string | null;
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
        };
        AgentCard: {
            protocolVersion: string;
            name: string;
            description: string;
            url: string;
            version: string;
            capabilities: {
                extensions: unknown[];
            };
            defaultInputModes: string[];
            defaultOutputModes: string[];
            skills: unknown[];
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
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
        };
        Card: {
            id: string;
            /** @description Shown when the card is issued or its token rotated; masked elsewhere */
            token: string;
            purpose: string;
            /** @description Whole units of the asset */
            limit_amount: number;
            status: string;
            status_reason: string | null;
            mcc_locks: string;
            /** @description 1 or 0 */
            single_use: number;
            expires_at: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            funding_network: string;
            funding_asset: string;
            wallet_address: string;
            /** @description Money on the card now: allocated and received, less spent and held */
            balance: number;
            /** @description What may still be spent: the balance, or what is left of the limit, if less */
            remaining: number;
            /** @description Whole units of the asset */
            spent: number;
            /** @description Whole units of the asset */
            held: number;
            /** @description Whole units of the asset */
            received: number;
            daily_limit: number | null;
            max_transaction: number | null;
            allowed_merchants: string[];
            settlement_mode: string;
            custody_mode: string;
            holder_address: string | null;
            chain_status: string;
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
            mcc_locks: boolean;
            single_use: boolean;
            freeze_unfreeze: boolean;
            spending_limits: boolean;
            allowed_merchants: boolean;
            expiry: boolean;
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
            daily_limit: number | null;
            /** @description Whole units of the asset */
            day_used: number;
            max_transaction: number | null;
        };
        Decision: {
            id: string;
            allowed: boolean;
            rule: string;
            /** @description Whole units of the asset */
            amount: number;
            merchant: string;
            mcc: string | null;
            protocol: string;
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
        Exception: {
            id: string;
            pay_link_code: string;
            /**
             * @description late: after the link had expired; short or over: not the amount of the link; closed: the link had been cancelled or paid
             * @enum {string}
             */
            reason: "late" | "short" | "over" | "closed" | "unknown";
            /** @description What came, in whole units of the asset */
            amount: number;
            /** @description The platform fee of it, paid when it was credited; a refund gives it back */
            fee: number;
            /** @description Whole units of the asset */
            net_amount: number;
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description The address that paid, and that a refund pays */
            payer: string;
            tx_hash: string;
            /**
             * @description OPEN until the seller keeps or refunds the money
             * @enum {string}
             */
            status: "OPEN" | "KEPT" | "REFUNDED";
            withdrawal_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            resolved_at: string | null;
        };
        Instrument: {
            /** @description The `payment_instrument.id` */
            id: string;
            type: string;
            description: string;
            status: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
            currencies: string[];
        };
        Item: {
            resource: string;
            type: string;
            x402Version: number;
            accepts: unknown[];
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            lastUpdated: string;
            description?: string;
            mimeType?: string;
            serviceName?: string;
            tags?: string[];
            iconUrl?: string;
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
            revoked_at: string | null;
            last_used_at: string | null;
            name: string | null;
            scopes: string[] | null;
            expires_at: string | null;
            card_ids: string[] | null;
            max_amount: number | null;
            /** @description The key_hash of the key, or the id of the session, that made it; null if nobody noted it */
            made_by: string | null;
        };
        Link: {
            id: string;
            code: string;
            url: string;
            /** @description Whole units in decimal; null: the payer chooses */
            amount: string | null;
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            memo: string;
            status: string;
            link_type: string;
            uses: number;
            /** @description 0: no end */
            max_uses: number;
            accepted_protocols: string[];
            expires_at: string | null;
            qr_svg: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            card_id: string;
            mcc: string | null;
            deposit_address: string;
            /** @description Your own labels, given back as they are */
            metadata: {
                [key: string]: string;
            };
        };
        Mandate: {
            /** @description direct or autonomous */
            kind: string;
            mandate_id: string;
            open_id: string | null;
            payee: string;
            payment_amount: {
                amount: number;
                currency: string;
            };
            card_id: string;
            expires_at: string | null;
        };
        Method: {
            /** @description card */
            type: string;
            card_id: string;
            /** @description What the card may spend now, in whole units of its asset; 0 where it may not */
            available: number;
            status: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
        };
        PayLink: {
            id: string;
            code: string;
            url: string;
            /** @description Whole units in decimal; null: the payer chooses */
            amount: string | null;
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            memo: string;
            status: string;
            link_type: string;
            uses: number;
            /** @description 0: no end */
            max_uses: number;
            accepted_protocols: string[];
            expires_at: string | null;
            qr_svg: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            card_id: string;
            mcc: string | null;
            deposit_address: string;
            /** @description Your own labels, given back as they are */
            metadata: {
                [key: string]: string;
            };
        };
        PayLinkPayment: {
            /** @constant */
            type: "payment";
            pay_link_code: string;
            amount: number | null;
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            memo: string;
            expires_at: string | null;
        };
        Payment: {
            id: string;
            card_id: string;
            /** @description `sent` or `received` */
            direction: string;
            /** @description What the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            merchant: string;
            protocol: string;
            status: string;
            card_purpose: string;
            card_status: string;
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
            /** @description Whole units of the asset */
            refunded: number;
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            settled_at: string | null;
            settlement_id: string;
        };
        PaymentDetail: {
            id: string;
            card_id: string;
            /** @description `sent` or `received` */
            direction: string;
            /** @description What the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            merchant: string;
            protocol: string;
            status: string;
            card_purpose: string;
            card_status: string;
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
            /** @description Whole units of the asset */
            refunded: number;
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            settled_at: string | null;
            settlement_id: string;
            request: {
                method: string;
                url: string;
                pay_to: string;
                /** @description Whole units of the asset */
                merchant_amount: number;
                response_status: number | null;
                offer: unknown;
                receipt: unknown;
                problem: unknown;
            } | null;
            timeline: {
                /**
                 * Format: date-time
                 * @description ISO 8601 UTC
                 */
                at: string;
                type: string;
                data: unknown;
            }[];
        };
        /** @description The seller's own word on the settlement (PAYMENT-RESPONSE, Payment-Receipt). A claim, no proof */
        Receipt: {
            success: boolean;
            transaction: string | null;
            network: string | null;
            payer: string | null;
            error_reason: string | null;
            method: string | null;
            challenge_id: string | null;
            external_id: string | null;
        };
        Resource: {
            resource: string;
            type: string;
            x402Version: number;
            accepts: unknown[];
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            lastUpdated: string;
            description?: string;
            mimeType?: string;
            serviceName?: string;
            tags?: string[];
            iconUrl?: string;
            extensions?: unknown;
        };
        Response: {
            status: number;
            headers: {
                [key: string]: string;
            };
            body: unknown;
            /** @description `json`, `text` or `base64` */
            body_encoding: string;
            /** @description Whether `body` is only the beginning: 5 MiB, or 64 KiB where the answer is repeated for its Idempotency-Key */
            truncated: boolean;
            /** @description Of all bytes that were read of the body, hex */
            sha256: string;
            /** @description How many bytes those were */
            size: number;
        };
        Settlement: {
            id: string;
            /** @enum {string} */
            status: "pending" | "completed" | "failed";
            /**
             * @description Of a completed one: whether its block is beyond reorganisation; missing: it was undone, and the payer has not paid
             * @enum {string|null}
             */
            finality: "waiting" | "final" | "missing" | null;
            transaction: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description EVM address */
            asset: string;
            /** @enum {string} */
            asset_transfer_method: "eip3009" | "permit2";
            /** @description EVM address */
            payer: string;
            /** @description EVM address */
            pay_to: string;
            /** @description Base units */
            amount: string;
            payment_identifier: string | null;
            resource: string | null;
            reason: string | null;
            detail: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            ended_at: string | null;
        };
        Stream: {
            id: string;
            card_id: string;
            /** @description Whole units of the asset */
            budget: number;
            /** @description Whole units of the asset */
            tick_amount: number;
            /** @description All that was ticked so far; it only grows */
            total_ticked: number;
            /** @description What is left of the budget */
            remaining: number;
            /** @description `OPEN`, `CLOSED` or `EXPIRED` */
            status: string;
            receiver_card_id: string | null;
            session_id: string | null;
            /** @description The label of the session; the receiver card where there is no session */
            merchant: string;
            /** @description What left the card at the end, the fee of the receiver included; null while OPEN */
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
            ended_at: string | null;
        };
        Token: {
            id: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description EVM address */
            address: string;
            /** @description The token's own word: anybody can name a token anything */
            symbol: string;
            /** @description The token's own words */
            name: string;
            decimals: number;
            /** @enum {string} */
            type: "ERC20" | "B20";
            /** @enum {string} */
            status: "ACTIVE" | "REMOVED";
            /** @description What the token may do to who holds it, and what it supports. A token that takes a fee on transfers is not registered */
            safety: {
                fee_on_transfer: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                pausable: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                blocklist: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                rebasing: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                upgradeable: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                eip3009: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                eip2612: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
                    found_by: string;
                };
                permit2: {
                    /**
                     * @description not_found: nothing that is known for it, which does not exclude it
                     * @enum {string}
                     */
                    finding: "yes" | "no" | "not_found";
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
        Transaction: {
            id: string;
            card_id: string;
            /** @description `sent` or `received` */
            direction: string;
            /** @description What the card gave, fee included, or gained, fee deducted */
            amount: number;
            /** @description Whole units of the asset */
            fee: number;
            merchant: string;
            protocol: string;
            status: string;
            card_purpose: string;
            card_status: string;
            tx_hash: string | null;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            asset: string;
            /** @description Whole units of the asset */
            refunded: number;
            memo: string;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
            settled_at: string | null;
        };
        Withdrawal: {
            id: string;
            /** @description EVM address */
            wallet_address: string;
            /** @description CAIP-2 namespace of the network */
            chain: string;
            asset: string;
            /** @description CAIP-2 chain id, e.g. eip155:8453 */
            network: string;
            /** @description Whole units of the asset */
            amount: number;
            /** @description Whole units of the asset */
            fee_amount: number;
            /** @description What the address is paid: amount less fee_amount */
            net_amount: number;
            /** @description EVM address */
            to_address: string;
            /** @enum {string} */
            status: "PROCESSING" | "COMPLETED" | "FAILED";
            /** @description The transaction that paid; null until it is beyond reorganisation */
            tx_hash: string | null;
            /** @description Why it failed; while it is PROCESSING, what holds it up */
            reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 UTC
             */
            created_at: string;
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
                    /** @enum {string} */
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
                    /** @enum {string} */
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
                    /** @enum {string} */
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
                    /** @enum {string} */
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
                        /** @enum {string} */
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
                    message: string;
                    /** @description Of the message, by the wallet */
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
                        token: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    scopes: ("cards:read" | "cards:write" | "payments:read" | "payments:write" | "paylinks:read" | "paylinks:write" | "treasury:read" | "treasury:write" | "keys:read" | "keys:write" | "facilitator:read" | "facilitator:write" | "controls:read" | "controls:write" | "approvals:read" | "approvals:write" | "webhooks:read" | "webhooks:write" | "billing:read" | "billing:write" | "membership:read" | "membership:write" | "fees:read" | "fees:write" | "market:read" | "market:write" | "events:read")[];
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        keys: components["schemas"]["Key"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        valid: boolean;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        sessions: {
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                                    decimals: number;
                                    type: string;
                                };
                            };
                        };
                        networks: string[];
                        base_url: string;
                        fees: {
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
                        registry: {
                            [key: string]: {
                                symbol: string;
                                type: string;
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
                        asset: string;
                        /** @description EVM address */
                        address: string;
                        /** @description Whole units of the asset */
                        balance: number;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    tx_hash: string;
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
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
                        success: boolean;
                        status: "confirmed" | "pending";
                        /** @description Whole units of the asset */
                        funded: number;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    /** @description Of the authorization (EIP-712), by `from` */
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
                        success: boolean;
                        status: "confirmed" | "pending";
                        /** @description Whole units of the asset */
                        funded: number;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "authorization_rejected" | "amount_below_minimum";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    single_use?: boolean;
                    /** @description Hours; 0 = never */
                    expires_in?: number;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    daily_limit?: number | string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    max_transaction?: number | string;
                    /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
                    allowed_merchants?: string[];
                    settlement_mode?: "CUSTODIAL" | "DIRECT";
                    /** @description Your own labels, given back as they are */
                    metadata?: {
                        [key: string]: string;
                    };
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_balance";
                    };
                };
            };
            /** @description `invalid_state`, `idempotency_conflict`, `idempotency_in_progress`, `already_credited` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_credited";
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
                    cards: {
                        /** @description Human-readable label */
                        purpose: string;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        limit_amount: number | string;
                        /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
                        mcc_locks?: string;
                        single_use?: boolean;
                        /** @description Hours; 0 = never */
                        expires_in?: number;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        daily_limit?: number | string;
                        /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                        max_transaction?: number | string;
                        /** @description Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any */
                        allowed_merchants?: string[];
                        settlement_mode?: "CUSTODIAL" | "DIRECT";
                        /** @description Your own labels, given back as they are */
                        metadata?: {
                            [key: string]: string;
                        };
                    }[];
                    /** @description CAIP-2 chain id, e.g. eip155:8453 */
                    network?: string;
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
                        success: boolean;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                        /** @enum {string} */
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
    getCards: {
        parameters: {
            query?: {
                /** @description At most 100; 50 without it */
                limit?: number;
                /** @description The id after which to go on */
                after?: string;
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
                        cards: components["schemas"]["Card"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        success: boolean;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        success: boolean;
                        card_id: string;
                        status: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        success: boolean;
                        card_id: string;
                        status: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Comma-separated 4-digit merchant category codes the card is locked to; empty for none */
                    mcc_locks?: string;
                    daily_limit?: (number | string) | null;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                        success: boolean;
                        card: components["schemas"]["Card"];
                        /** @description Whole units of the asset */
                        claimed: number;
                        id: string;
                        /** @description Shown when the card is issued or its token rotated; masked elsewhere */
                        token: string;
                        purpose: string;
                        /** @description Whole units of the asset */
                        limit_amount: number;
                        status: string;
                        status_reason: string | null;
                        mcc_locks: string;
                        /** @description 1 or 0 */
                        single_use: number;
                        expires_at: string | null;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        funding_network: string;
                        funding_asset: string;
                        wallet_address: string;
                        /** @description Money on the card now: allocated and received, less spent and held */
                        balance: number;
                        /** @description What may still be spent: the balance, or what is left of the limit, if less */
                        remaining: number;
                        /** @description Whole units of the asset */
                        spent: number;
                        /** @description Whole units of the asset */
                        held: number;
                        /** @description Whole units of the asset */
                        received: number;
                        daily_limit: number | null;
                        max_transaction: number | null;
                        allowed_merchants: string[];
                        settlement_mode: string;
                        custody_mode: string;
                        holder_address: string | null;
                        chain_status: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_funds";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        transactions: components["schemas"]["Transaction"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        decisions: components["schemas"]["Decision"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    card_token: string;
                    url: string;
                    /**
                     * @description POST without it
                     * @enum {string}
                     */
                    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                    /** @description A string is sent as it is, everything else as JSON */
                    body?: unknown;
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
                        transaction_id: string | null;
                        /** @description All that left the card: merchant amount and fee */
                        amount_debited: number;
                        /** @description Whole units of the asset */
                        merchant_amount: number;
                        /** @description Whole units of the asset */
                        platform_fee: number;
                        token: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        protocol: string | null;
                        settlement: {
                            /** @description `SETTLED` or `PENDING`, as the chain has it */
                            status: string;
                            /** @description While PENDING: what the seller says, if it says anything */
                            tx_hash: string | null;
                        } | null;
                        /** @description The seller's answer; null where it was lost, or the request is a retry */
                        response: components["schemas"]["Response"] | null;
                        receipt: components["schemas"]["Receipt"] | null;
                        problem: {
                            type: string;
                            title: string | null;
                            status: number | null;
                            detail: string | null;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment" | "url_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
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
                        /** @enum {string} */
                        code?: "no_payable_option" | "payment_rejected";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
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
                        success: boolean;
                        transaction_id: string;
                        /** @description What leaves the card once the payment is used */
                        amount_held: number;
                        /** @description Whole units of the asset */
                        merchant_amount: number;
                        /** @description Whole units of the asset */
                        platform_fee: number;
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
                        settlement: {
                            /** @description `SETTLED` or `PENDING`, as the chain has it */
                            status: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "no_payable_option" | "payment_rejected";
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
                        /** @enum {string} */
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
                    card_id: string;
                    card_token: string;
                    url: string;
                    /**
                     * @description POST without it
                     * @enum {string}
                     */
                    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
                    /** @description A string is sent as it is, everything else as JSON */
                    body?: unknown;
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
                        allowed: boolean;
                        /** @description The rule that decides: `within_limits`, or a refusal code */
                        rule: string;
                        message: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key" | "invalid_payment" | "url_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
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
                        /** @enum {string} */
                        code?: "no_payable_option";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        transaction_id: string;
                        /** @description `PENDING`, `SETTLED` or `FAILED` */
                        status: string;
                        tx_hash: string | null;
                        settled_at: string | null;
                        /** @description Whole units of the asset */
                        fee_amount: number;
                        settlement: {
                            /** @description `PENDING`, `SETTLED` or `FAILED` */
                            status: string;
                            tx_hash: string | null;
                            settled_at: string | null;
                            /** @description Whole units of the asset */
                            fee_amount: number;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                card_id?: string;
                status?: "PENDING" | "SETTLED" | "FAILED" | "REFUNDED" | "UNKNOWN";
                direction?: "sent" | "received";
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
                        payments: components["schemas"]["Payment"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        success: boolean;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "card_frozen" | "insufficient_funds";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
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
                        /** @enum {string} */
                        code?: "payment_rejected";
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
                    "application/json": Record<string, never>;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "gone";
                    };
                };
            };
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
                    "application/json": Record<string, never>;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "gone";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getX402Discover: {
        parameters: {
            query: {
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
                        supports_x402: boolean;
                        payment_address: string | null;
                        amount: number | null;
                        asset: string | null;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "overloaded";
                    };
                };
            };
        };
    };
    getMppDiscover: {
        parameters: {
            query: {
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
                                    intent: string;
                                    /** @description In whole units, where the seller says how many decimals there are */
                                    amount: number | null;
                                    amount_atomic: string | null;
                                    currency: string | null;
                                    network: string | null;
                                    recipient: string | null;
                                    description: string | null;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    card_token: string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    budget: number | string;
                    /** @description Whole units of the asset as a number or decimal string; no more decimals than the asset has */
                    tick_amount: number | string;
                    /** @description The card that earns the ticks. Without one, closing gives all back */
                    receiver_card_id?: string;
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
                        id: string;
                        card_id: string;
                        /** @description Whole units of the asset */
                        budget: number;
                        /** @description Whole units of the asset */
                        tick_amount: number;
                        /** @description All that was ticked so far; it only grows */
                        total_ticked: number;
                        /** @description What is left of the budget */
                        remaining: number;
                        /** @description `OPEN`, `CLOSED` or `EXPIRED` */
                        status: string;
                        receiver_card_id: string | null;
                        session_id: string | null;
                        /** @description The label of the session; the receiver card where there is no session */
                        merchant: string;
                        /** @description What left the card at the end, the fee of the receiver included; null while OPEN */
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    stream_id: string;
                    card_id: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "stream_budget_exceeded";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @description What left the card: all that was ticked, or 0 without a receiver card */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
    getMppStreamById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
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
                        id: string;
                        card_id: string;
                        /** @description Whole units of the asset */
                        budget: number;
                        /** @description Whole units of the asset */
                        tick_amount: number;
                        /** @description All that was ticked so far; it only grows */
                        total_ticked: number;
                        /** @description What is left of the budget */
                        remaining: number;
                        /** @description `OPEN`, `CLOSED` or `EXPIRED` */
                        status: string;
                        receiver_card_id: string | null;
                        session_id: string | null;
                        /** @description The label of the session; the receiver card where there is no session */
                        merchant: string;
                        /** @description What left the card at the end, the fee of the receiver included; null while OPEN */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                card_id?: string;
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
                        streams: components["schemas"]["Stream"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        links: components["schemas"]["Link"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    amount?: (number | string) | null;
                    memo?: string;
                    accepted_protocols?: ("x402" | "ap2" | "mpp" | "card" | "onchain")[];
                    /** @enum {string} */
                    type?: "SINGLE" | "RECURRING";
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
                        success: boolean;
                        pay_link: components["schemas"]["PayLink"];
                        id: string;
                        code: string;
                        url: string;
                        /** @description Whole units in decimal; null: the payer chooses */
                        amount: string | null;
                        asset: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        memo: string;
                        status: string;
                        link_type: string;
                        uses: number;
                        /** @description 0: no end */
                        max_uses: number;
                        accepted_protocols: string[];
                        expires_at: string | null;
                        qr_svg: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        card_id: string;
                        mcc: string | null;
                        deposit_address: string;
                        /** @description Your own labels, given back as they are */
                        metadata: {
                            [key: string]: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        id: string;
                        code: string;
                        url: string;
                        /** @description Whole units in decimal; null: the payer chooses */
                        amount: string | null;
                        asset: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        memo: string;
                        status: string;
                        link_type: string;
                        uses: number;
                        /** @description 0: no end */
                        max_uses: number;
                        accepted_protocols: string[];
                        expires_at: string | null;
                        qr_svg: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601 UTC
                         */
                        created_at: string;
                        /** @description What a mandate for this link must say; null where it takes no AP2 */
                        ap2: {
                            payee: {
                                id: string;
                                name: string;
                                website: string;
                            };
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        status: string;
                        confirmed_at: string | null;
                        /** @description A transfer to the link that is in a block and not credited yet; never a promise that it will be */
                        seen: {
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_completed";
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
                        /** @constant */
                        type: "receive";
                        link_type: string;
                        code: string;
                        amount: number | null;
                        asset: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        memo: string;
                        status: string;
                        uses: number;
                        max_uses: number;
                        expires_at: string | null;
                        accepted_protocols: string[];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired";
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
                        status: string;
                        /** @constant */
                        intent: "payment";
                        payment: components["schemas"]["PayLinkPayment"];
                        accepted_protocols: string[];
                        /** @description Where to send a payment on chain: this link's own address, swept to the treasury */
                        treasury_address: string;
                        token_contract: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
                        amount: number | null;
                        x402: {
                            url: string;
                            accepts: unknown[];
                        } | null;
                        mpp: {
                            /** @description Where the 402 with fresh challenges comes from */
                            url: string;
                            realm: string;
                            /** @description What the challenges will ask; empty until the payer has chosen an amount */
                            charges: {
                                method: string;
                                intent: string;
                                request: unknown;
                            }[];
                        } | null;
                        /** @description What a mandate for this link must say; null where it takes no AP2 */
                        ap2: {
                            payee: {
                                id: string;
                                name: string;
                                website: string;
                            };
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
                        eip681: string | null;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
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
                code: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description By card: card, ap2, x402 or mpp, if the link accepts it; the record names it. Without it: card, or what the link accepts */
                    protocol?: string;
                    payer_card_id?: string;
                    payer_card_token?: string;
                    tx_hash?: string;
                    from_address?: string;
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
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        /**
                         * @description PENDING: the block of the transaction is not safe yet; do not pay again
                         * @enum {string}
                         */
                        status: "SETTLED" | "PENDING";
                        /** @description The card transaction of a card payment; otherwise the settlement, or while PENDING the hash of the transaction */
                        transaction_id: string;
                        settlement_id: string | null;
                        pay_link_code: string;
                        protocol: string;
                        amount: number | null;
                        fee: number | null;
                        net_amount: number | null;
                        asset: string;
                        /** @description CAIP-2 chain id, e.g. eip155:8453 */
                        network: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_transaction" | "invalid_payment" | "protocol_not_accepted";
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
                        /** @enum {string} */
                        code?: "invalid_card_token";
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
                        /** @enum {string} */
                        code?: "card_frozen" | "limit_exceeded" | "insufficient_funds";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "already_settled";
                    };
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
                        /** @enum {string} */
                        code?: "payment_exception";
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
                        /** @enum {string} */
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
                    "application/json": unknown;
                };
            };
            /** @description `unknown_field`, `invalid_field`, `invalid_payment` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "unknown_field" | "invalid_field" | "invalid_payment";
                    };
                };
            };
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
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
                        /** @enum {string} */
                        code?: "settlement_pending" | "signer_unavailable";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_payment";
                    };
                };
            };
            /** @description Payment required */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
                    };
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                        /** @enum {string} */
                        code?: "settlement_pending" | "signer_unavailable";
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
                    card_id: string;
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
                        success: boolean;
                        /** @description What the card sends, PENDING until it is taken */
                        transaction_id: string;
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
                            /** @constant */
                            type: "cardToken";
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_payment";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed";
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
                        /** @enum {string} */
                        code?: "no_payable_option";
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
                        exceptions: components["schemas"]["Exception"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
                    };
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
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
                    pay_link_code: string;
                    closed_mandate: string;
                    open_mandate?: string;
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
                        /** @constant */
                        status: "ALREADY_SETTLED";
                        /** @constant */
                        protocol: "ap2";
                        settlement_id: string;
                        /** @description The `jti`; a hash of the mandate where it has none */
                        mandate_id: string;
                        pay_link_code: string;
                        /** @description Whole units of the asset of the link */
                        amount: number;
                        /** @description Whole units of the asset of the link */
                        fee: number;
                        /** @description Whole units of the asset of the link */
                        net_amount: number;
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
                        /** @constant */
                        status: "SETTLED";
                        /** @constant */
                        protocol: "ap2";
                        settlement_id: string;
                        /** @description The `jti`; a hash of the mandate where it has none */
                        mandate_id: string;
                        pay_link_code: string;
                        /** @description Whole units of the asset of the link */
                        amount: number;
                        /** @description Whole units of the asset of the link */
                        fee: number;
                        /** @description Whole units of the asset of the link */
                        net_amount: number;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "invalid_payment" | "card_frozen" | "card_expired" | "card_closed" | "card_used" | "card_pending" | "limit_exceeded" | "insufficient_funds" | "daily_limit_exceeded" | "max_transaction_exceeded" | "mcc_blocked" | "merchant_not_allowed" | "pay_link_busy" | "pay_link_expired" | "pay_link_cancelled" | "pay_link_completed" | "mandate_required" | "mandate_too_large" | "mandate_malformed" | "mandate_algorithm_unsupported" | "mandate_type_unsupported" | "mandate_disclosure_invalid" | "mandate_disclosure_withheld" | "mandate_field_invalid" | "mandate_open_missing" | "mandate_not_bound" | "mandate_delegation_unsupported" | "mandate_id_conflict" | "agent_missing_key" | "mandate_key_invalid" | "mandate_key_untrusted" | "mandate_invalid_signature" | "mandate_expired" | "mandate_expiry_missing" | "mandate_not_yet_valid" | "mandate_audience_mismatch" | "mandate_nonce_mismatch" | "mandate_scope_mismatch" | "mandate_currency_mismatch" | "mandate_amount_mismatch" | "mandate_checkout_mismatch" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_already_used" | "mandate_budget_exceeded" | "mandate_occurrences_exceeded" | "mandate_too_early" | "mandate_id_reused" | "mandate_revoked" | "mandate_constraint_unresolved";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "not_found";
                    };
                };
            };
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
                    pay_link_code: string;
                    closed_mandate: string;
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
                        ok: boolean;
                        already_settled: boolean;
                        checks: {
                            check: string;
                            ok: boolean;
                            detail: string;
                            code: string | null;
                        }[];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    /** @description The token of the card: it authorises what is signed for it */
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
                    payees?: (string | {
                        id: string;
                        name: string;
                        website?: string;
                    })[];
                    /** @description Without it the mandate is good for one payment */
                    recurrence?: {
                        /** @enum {string} */
                        frequency: "ON_DEMAND" | "DAILY" | "WEEKLY" | "BIWEEKLY" | "MONTHLY" | "QUARTERLY" | "ANNUALLY";
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    /** @description The token of the card: it authorises what is signed for it */
                    card_token: string;
                    pay_link_code?: string;
                    /** @description A pay link's code, a merchant's wallet address, or `{id, name, website?}` */
                    payee?: string | {
                        id: string;
                        name: string;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address" | "invalid_idempotency_key" | "protocol_not_accepted";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "mandate_expired" | "mandate_preset_changed" | "mandate_constraint_violated" | "mandate_limits_missing" | "mandate_revoked" | "mandate_constraint_unresolved";
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
                after?: string;
                kind?: "open" | "closed";
            };
            header?: never;
            path: {
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
                        mandates: components["schemas"]["AP2Mandate"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                mandate_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                        success: boolean;
                        mandate_id: string;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        keys: components["schemas"]["AP2Key"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    card_id: string;
                    /** @description The token of the card: it authorises what is signed for it */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                card_id?: string;
            };
            header?: {
                /** @description A name of your choosing for this request: a retry with the same one is given the first answer. Kept at least 24 hours */
                "Idempotency-Key"?: string;
            };
            path: {
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        success: boolean;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        protocolVersion: string;
                        name: string;
                        description: string;
                        url: string;
                        version: string;
                        capabilities: {
                            extensions: unknown[];
                        };
                        defaultInputModes: string[];
                        defaultOutputModes: string[];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                    "application/json": Record<string, never>;
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "gone";
                    };
                };
            };
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
                        success: boolean;
                        withdrawal_id: string;
                        /** @description Whole units of the asset */
                        amount: number;
                        /** @description Whole units of the asset */
                        withdrawal_fee: number;
                        /** @description Whole units of the asset */
                        net_amount: number;
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_network" | "invalid_asset" | "invalid_address" | "invalid_idempotency_key";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope";
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
                        success: boolean;
                        exception: components["schemas"]["Exception"];
                        withdrawal_id: string;
                        /** @description Whole units of the asset */
                        withdrawal_fee: number;
                        /** @description Of the withdrawal: PROCESSING */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "forbidden_scope" | "insufficient_balance";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "invalid_state" | "idempotency_conflict" | "idempotency_in_progress" | "already_refunded";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "signer_unavailable";
                    };
                };
            };
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
                        tokens: components["schemas"]["Token"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "idempotency_conflict" | "idempotency_in_progress";
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
                        kinds: {
                            x402Version: number;
                            scheme: string;
                            network: string;
                            extra?: {
                                /** @description eip3009 for USDC; permit2 for tokens that the seller has registered */
                                assetTransferMethods: string[];
                            };
                        }[];
                        extensions: string[];
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
                        /** @enum {string} */
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
                    paymentPayload: Record<string, never>;
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
                        isValid: boolean;
                        invalidReason?: string;
                        invalidMessage?: string;
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
                        /** @enum {string} */
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
                    paymentPayload: Record<string, never>;
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
                        /** @description The transaction that holds the transfer, or will if it is pending; else empty */
                        transaction: string;
                        /** @description CAIP-2 chain id; by its v1 name in an answer to v1 */
                        network: string;
                        payer?: string;
                        /** @description Base units */
                        amount?: string;
                        /** @description settlement_pending is no failure: ask again with the same request, never for another payment */
                        errorReason?: string;
                        errorMessage?: string;
                        extra?: {
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        settlements: components["schemas"]["Settlement"][];
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                payTo?: string;
                scheme?: string;
                /** @description Its CAIP-2 id, or its name in x402 v1 */
                network?: string;
                /** @description The key of an extension that the listing shows */
                extensions?: string;
                /** @description At most 100; 20 without it */
                limit?: number;
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
                        x402Version: number;
                        items: components["schemas"]["Item"][];
                        pagination: {
                            limit: number;
                            offset: number;
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
                        /** @enum {string} */
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
                query: string;
                /** @description How the resource is reached */
                type?: "http" | "mcp";
                payTo?: string;
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
                        x402Version: number;
                        resources: components["schemas"]["Resource"][];
                        /** @description More were found than are shown */
                        partialResults: boolean;
                        pagination: {
                            limit: number;
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
                        /** @enum {string} */
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
                        /** @description Of a verified one: whether a call before this one was told of it. Serve a payment that was used only to whom you know */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @description Of a verified one: whether a call before this one was told of it. Serve a payment that was used only to whom you know */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
                        code?: "chain_unavailable";
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
                        platform: string;
                        /** @description Of the running release */
                        version: string;
                        api_version: string;
                        /** @description bidirectional: agents pay, and sellers are paid */
                        model: string;
                        protocols: {
                            x402: {
                                /**
                                 * @description Whether this release does it at all
                                 * @enum {string}
                                 */
                                status: "available" | "unavailable";
                                direction: string;
                                versions: number[];
                                schemes: string[];
                                networks: string[];
                                spend: string;
                                receive: string;
                                discovery: string;
                                /** @description Where x402 servers find verify, settle and supported */
                                facilitator: string;
                            };
                            ap2: {
                                /**
                                 * @description Whether this release does it at all
                                 * @enum {string}
                                 */
                                status: "available" | "unavailable";
                                direction: string;
                                versions: string[];
                                spend: string;
                                receive: string;
                                settle: string;
                                agent_card: string;
                            };
                            mpp: {
                                /**
                                 * @description Whether this release does it at all
                                 * @enum {string}
                                 */
                                status: "available" | "unavailable";
                                direction: string;
                                /** @description What of MPP this release does: each intent, and streams */
                                capabilities: string[];
                                methods: string[];
                                intents: string[];
                                networks: string[];
                                spend: string;
                                receive: string;
                                /** @description Where a card agrees to pay a challenge */
                                cards: string;
                                streams: string;
                                discovery: string;
                            };
                            settlement: {
                                /**
                                 * @description Whether this release does it at all
                                 * @enum {string}
                                 */
                                status: "available" | "unavailable";
                                modes: string[];
                                asset: string;
                                supported_networks: string[];
                                /** @description Where a payment is settled: in the books, on chain */
                                engine: string;
                                /** @description What a seller pays of each payment, in words */
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
                        health: {
                            /** @enum {string} */
                            status: "operational" | "degraded";
                            components: {
                                component: string;
                                /** @enum {string} */
                                status: "operational" | "degraded";
                                /** @description How it is, and what waits for it */
                                sentence: string;
                            }[];
                        };
                        chain: {
                            /** @description CAIP-2 chain id, e.g. eip155:8453 */
                            network: string;
                            head: number | null;
                            lag_seconds: number | null;
                            watched_block: number | null;
                        };
                        queues: {
                            /** @description Jobs that are due */
                            ready: number;
                            /** @description Jobs whose time has not come */
                            waiting: number;
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
                        /** @enum {string} */
                        code?: "invalid_json" | "missing_field" | "unknown_field" | "invalid_field" | "invalid_amount" | "invalid_address";
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
                        /** @enum {string} */
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
    "POST /api/ap2/settle",
    "POST /api/ap2/verify",
    "POST /api/ap2/open-mandate",
    "POST /api/ap2/mandate",
    "POST /api/ap2/mandates/{mandate_id}/revoke",
    "POST /api/ap2/keys",
    "DELETE /api/ap2/keys/{kid}",
    "POST /api/ap2/receipt",
    "POST /api/ap2/payment-methods",
    "POST /api/ap2/execute",
    "POST /api/withdraw",
    "POST /api/exceptions/{id}/refund",
    "POST /api/tokens",
    "DELETE /api/tokens/{id}",
    "POST /api/x402/settle",
    "POST /api/x402/receive",
    "POST /api/mpp/receive",
])
