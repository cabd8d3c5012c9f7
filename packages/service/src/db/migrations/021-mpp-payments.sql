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

-- Whom a card means to pay by streams.
create table mpp_sessions (
  id             text primary key check (id like 'ses\_%'),
  card_id        text not null references cards,
  wallet_address text not null,
  merchant       text not null,
  created_at     timestamptz not null
);

-- A budget on hold that is spent tick by tick. Only `total_ticked` moves while a stream is open, and only up; money moves
-- once, at its end.
create table mpp_streams (
  id               text primary key check (id like 'str\_%'),
  wallet_address   text not null,
  card_id          text not null references cards,
  receiver_card_id text references cards check (receiver_card_id <> card_id),
  session_id       text references mpp_sessions,
  merchant         text not null,
  hold_id          text not null unique references ledger_holds,
  network          text not null,
  asset            text not null,
  budget           numeric(78, 0) not null check (budget > 0),
  tick_amount      numeric(78, 0) not null check (tick_amount > 0 and tick_amount <= budget),
  total_ticked     numeric(78, 0) not null default 0 check (total_ticked >= 0),
  status           text not null default 'OPEN' check (status in ('OPEN', 'CLOSED', 'EXPIRED')),
  final_amount     numeric(78, 0) check (final_amount in (0, total_ticked)),  -- what left the card at the end
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  ended_at         timestamptz,
  constraint within_budget check (total_ticked <= budget),
  check ((status = 'OPEN') = (ended_at is null)),
  check ((status = 'OPEN') = (final_amount is null))
) with (fillfactor = 70);
create index mpp_streams_by_wallet on mpp_streams (wallet_address, id desc);
create index mpp_streams_by_receiver on mpp_streams (receiver_card_id, id desc) where receiver_card_id is not null;
create index mpp_streams_open on mpp_streams (expires_at) where status = 'OPEN';

create function keep_mpp_stream() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' or new.total_ticked < old.total_ticked
     or (old.id, old.wallet_address, old.card_id, old.receiver_card_id, old.session_id, old.merchant, old.hold_id,
       old.network, old.asset, old.budget, old.tick_amount, old.created_at, old.expires_at)
     is distinct from (new.id, new.wallet_address, new.card_id, new.receiver_card_id, new.session_id, new.merchant,
       new.hold_id, new.network, new.asset, new.budget, new.tick_amount, new.created_at, new.expires_at)
     or (new.status <> 'OPEN' and new.final_amount is distinct from
       (select captured from ledger_holds where id = new.hold_id and state <> 'open')) then
    raise exception 'stream % only grows, and ends once, as its hold does', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_mpp_stream before update on mpp_streams for each row execute function keep_mpp_stream();
create trigger no_delete before delete or truncate on mpp_streams
  for each statement execute function refuse_change();
