-- Payments that agents make to sellers outside.

-- Paid on chain by one EIP-3009 authorization: the offer, the signed header, and how the chain says it ended.
create table outbound_payments (
  id              text primary key references card_transaction_rows,
  wallet_address  text not null,
  card_id         text not null references cards,
  hold_id         text not null unique references ledger_holds,
  idempotency_key text,
  request_digest  bytea not null check (length(request_digest) = 32),
  protocol        text not null check (protocol in ('x402', 'mpp')),
  method          text not null,
  url             text not null,
  network         text not null,
  asset           text not null,
  -- As the seller wrote it. `json` keeps the order of its members, and characters that jsonb refuses.
  offer           json not null,
  signed_offer    json,  -- the seller's signature on it (x402 offer-receipt), as it came
  pay_to          text not null,
  merchant_amount numeric(78, 0) not null check (merchant_amount > 0),
  fee             numeric(78, 0) not null check (fee >= 0),
  -- How the money moves: EIP-3009 or Permit2 for the whole, or as much of max_amount as the seller uses. While such a payment
  -- is open, merchant_amount and fee are what is held; its end makes them what was used, by the rule of the fee.
  mechanism       text not null check (mechanism in ('eip3009', 'permit2', 'upto')),
  max_amount      numeric(78, 0) not null,
  fee_bps         integer not null check (fee_bps >= 0),
  fee_flat        numeric(78, 0) not null check (fee_flat >= 0),
  -- The authorization: from the treasury, valid from 0. Its nonce is derived from the id, or for mpp from the challenge.
  nonce           text not null unique check (nonce ~ '^0x[0-9a-f]{64}$'),
  payer           text not null check (payer ~ '^0x[0-9a-fA-F]{40}$'),  -- the address that signs
  valid_before    bigint not null,
  from_block      bigint not null,  -- no earlier block can hold its use
  state           text not null default 'authorized' check (state in ('authorized', 'presented', 'captured', 'final',
                    'released', 'undone')),
  -- The signed header is stored before it is sent, so that a retry presents the same authorization again.
  header_name     text,
  header_value    text,
  presentations   integer not null default 0,
  response_status integer,
  receipt         json,  -- what the seller says of the settlement: a claim, never the outcome
  seller_keys     json,  -- the keys that the seller's host published for its signatures, by their names
  problem         json,  -- what the seller says went wrong (RFC 9457): a claim too
  served          json,  -- digest and size of the answer that came with response_status
  tx_hash         text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  block_number    bigint,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  -- One payment for one intent, for ever.
  constraint one_payment_per_key unique (wallet_address, idempotency_key),
  constraint within_the_most check (merchant_amount <= max_amount),
  constraint the_whole_but_for_upto check (mechanism = 'upto' or merchant_amount = max_amount),
  check ((header_name is null) = (header_value is null)),
  check ((presentations > 0) = (header_value is not null)),
  check (state not in ('authorized', 'presented') or (header_value is null) = (state = 'authorized')),
  check ((state in ('captured', 'final')) = (tx_hash is not null)),
  check ((tx_hash is null) = (block_number is null)),
  check ((state in ('final', 'released', 'undone')) = (ended_at is not null))
);
create index outbound_payments_open on outbound_payments (created_at)
  where state in ('authorized', 'presented', 'captured');
-- For the comparison of ledger and chain.
create index outbound_payments_final on outbound_payments (block_number) where state = 'final';
-- Payouts of not long ago are looked for on the chain once more: a reorganization deeper than the safe block may have
-- taken one away.
create index outbound_payments_ended on outbound_payments (ended_at) where state = 'final';
create trigger names_a_person before insert on outbound_payments for each row
  when (is_system_address(new.pay_to)) execute function refuse_system_address();

-- Paid by a card token of our own. The token's row says how the money stands; this row has the request and the answer.
create table card_token_payments (
  id              text primary key references card_transaction_rows,
  challenge_id    text not null unique references agent_card_tokens,
  wallet_address  text not null,
  card_id         text not null references cards,
  idempotency_key text,
  request_digest  bytea not null check (length(request_digest) = 32),
  method          text not null,
  url             text not null,
  offer           json not null,
  fee             numeric(78, 0) not null check (fee >= 0),  -- what the seller gives of the amount
  header_name     text not null,
  header_value    text not null,
  presentations   integer not null default 1 check (presentations > 0),
  response_status integer,
  receipt         json,
  problem         json,
  served          json,
  created_at      timestamptz not null,
  constraint one_card_token_payment_per_key unique (wallet_address, idempotency_key)
);
create index card_token_payments_by_card on card_token_payments (card_id, created_at);

-- Purchases that their agents did not name: the same digest within a window is the same purchase, and its id is the
-- payment's Idempotency-Key.
create table purchases (
  wallet_address text not null,
  key_space      text not null,  -- the wallet, or the SHA-256 of a restricted key
  digest         bytea not null check (length(digest) = 32),
  id             text not null unique,
  created_at     timestamptz not null,
  constraint one_purchase_per_digest primary key (wallet_address, key_space, digest)
);
create index purchases_by_age on purchases (created_at);
