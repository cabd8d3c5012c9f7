-- Payments that agents make to sellers outside: what was authorised, presented, and how the chain says it ended.
set local lock_timeout = '5s';

create table outbound_payments (
  id              text primary key references card_transactions,
  wallet_address  text not null,
  card_id         text not null references cards,
  hold_id         text not null unique references ledger_holds,
  idempotency_key text,
  request_digest  bytea not null check (length(request_digest) = 32),
  method          text not null,
  url             text not null,
  network         text not null,
  asset           text not null,
  -- As the seller wrote it. `json` keeps the order of its members, and characters that jsonb refuses.
  offer           json not null,
  pay_to          text not null,
  merchant_amount numeric(78, 0) not null check (merchant_amount > 0),
  fee             numeric(78, 0) not null check (fee >= 0),
  -- The EIP-3009 authorization: from the treasury, valid from 0, its nonce made from the id.
  nonce           text not null unique check (nonce ~ '^0x[0-9a-f]{64}$'),
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
  tx_hash         text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  block_number    bigint,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  -- One payment for one intent, for ever.
  constraint one_payment_per_key unique (wallet_address, idempotency_key),
  check ((header_name is null) = (header_value is null)),
  check ((presentations > 0) = (header_value is not null)),
  check (state not in ('authorized', 'presented') or (header_value is null) = (state = 'authorized')),
  check ((state in ('captured', 'final')) = (tx_hash is not null)),
  check ((tx_hash is null) = (block_number is null)),
  check ((state in ('final', 'released', 'undone')) = (ended_at is not null))
);
create index outbound_payments_open on outbound_payments (created_at)
  where state in ('authorized', 'presented', 'captured');
