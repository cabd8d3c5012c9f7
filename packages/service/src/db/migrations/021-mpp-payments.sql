-- Payments to sellers of MPP, and streams: budgets that are spent tick by tick.
set local lock_timeout = '5s';

-- Both protocols pay by one EIP-3009 authorization; of mpp its nonce is made from the challenge, not from the id.
alter table outbound_payments
  add column protocol text not null default 'x402' check (protocol in ('x402', 'mpp')),
  add column problem  json;  -- what the seller says went wrong (RFC 9457): a claim, as the receipt is
alter table outbound_payments alter column protocol drop default;

-- Payments of a URL by a card token of our own: the token's row says how the money stands, this one what was asked for
-- and what the seller answered.
create table card_token_payments (
  id              text primary key references card_transactions,
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
  created_at      timestamptz not null,
  constraint one_card_token_payment_per_key unique (wallet_address, idempotency_key)
);
create index card_token_payments_by_card on card_token_payments (card_id, created_at);
