-- Payments of other sellers that the service submits to the chain for them, and what those sellers sell.

create table x402_settlements (
  id                 text primary key check (id like 'fst\_%'),
  wallet_address     text not null,            -- of the key that asked for it
  network            text not null,
  token              text not null,
  payer              text not null,
  method             text not null default 'eip3009' check (method in ('eip3009', 'permit2', 'upto')),
  nonce              text not null,
  pay_to             text not null,
  amount             numeric(78, 0) not null check (amount > 0),
  valid_before       numeric(78, 0) not null,  -- Unix seconds
  -- No block before this one holds the transfer.
  from_block         bigint not null check (from_block >= 0),
  x402_version       integer not null check (x402_version in (1, 2)),
  -- A retry has the same bytes and the same names from payer and seller. Another payment differs in one of them.
  payload_hash       bytea not null,
  payment_identifier text,
  idempotency_key    text,
  resource_url       text,
  listing            jsonb,                    -- how to show the resource, once this is settled
  state              text not null default 'settling' check (state in ('settling', 'settled', 'failed')),
  reason             text,
  detail             text,
  tx_hash            text,
  log_index          integer,
  -- waiting: its block may go; final: in a safe block; missing: reported as settled, but no safe block holds it.
  finality           text not null default 'waiting' check (finality in ('waiting', 'final', 'missing')),
  -- Success is reported to one caller only. This is when another caller may be given it; null once reported.
  next_answer_at     timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  constraint one_claim_per_authorization unique (network, token, payer, nonce),
  constraint settled_by_a_log check ((state = 'settled') = (tx_hash is not null and log_index is not null)),
  constraint ended_once check ((state = 'settling') = (ended_at is null)),
  constraint a_failure_has_a_reason check ((state = 'failed') = (reason is not null)),
  constraint reported_only_if_settled check (next_answer_at is not null or state = 'settled')
) with (fillfactor = 80);
-- A Permit2 nonce belongs to the payer alone, whatever the token.
create unique index one_claim_per_permit on x402_settlements (network, payer, nonce) where method <> 'eip3009';
-- A payer that comes back to a seller (sign-in-with-x).
create index x402_settlements_of_payer on x402_settlements (wallet_address, payer, id) where state = 'settled';
create unique index one_settlement_per_transfer on x402_settlements (network, tx_hash, log_index)
  where tx_hash is not null;
create unique index one_payment_per_identifier on x402_settlements (wallet_address, payer, payment_identifier)
  where payment_identifier is not null;
create index x402_settlements_by_wallet on x402_settlements (wallet_address, id desc);
create index x402_settlements_settling on x402_settlements (created_at) where state = 'settling';
create index x402_settlements_unconfirmed on x402_settlements (ended_at)
  where state = 'settled' and finality = 'waiting';

-- A claim may be deleted only while it is settling. After that only what the chain shows of it later may change.
create function keep_x402_settlement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'settling' then
      raise exception 'x402 settlement % has ended and cannot be deleted', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if (old.id, old.wallet_address, old.network, old.token, old.payer, old.nonce, old.pay_to, old.amount,
      old.valid_before, old.payload_hash, old.method)
     is distinct from (new.id, new.wallet_address, new.network, new.token, new.payer, new.nonce, new.pay_to, new.amount,
      new.valid_before, new.payload_hash, new.method)
     or (old.state <> 'settling' and old.state <> new.state)
     or (old.finality <> 'waiting' and old.finality <> new.finality)
     or (old.next_answer_at is null and new.next_answer_at is not null) then
    raise exception 'x402 settlement % ends once, and what it pays cannot change', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_x402_settlement before update or delete on x402_settlements
  for each row execute function keep_x402_settlement();

-- A payment of another seller that is given back, with no transaction sent, frees its authorization.
create function give_claim_back() returns trigger language plpgsql as $$
begin
  delete from authorization_claims c where c.network = old.network and c.payer = old.payer and c.nonce = old.nonce
    and c.ref = old.id;
  return null;
end $$;
create trigger give_claim_back after delete on x402_settlements for each row execute function give_claim_back();

-- Only the link itself may claim an authorization to its address, so no authorization is claimed by both.
create function refuse_address_of_link() returns trigger language plpgsql as $$
begin
  if exists (select from added s join pay_links l on l.deposit_address = s.pay_to) then
    raise exception 'a pay link''s own address is not paid through the facilitator' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger no_address_of_link after insert on x402_settlements
  referencing new table as added for each statement execute function refuse_address_of_link();
create trigger names_a_person before insert on x402_settlements for each row
  when (is_system_address(new.payer) or is_system_address(new.pay_to)) execute function refuse_system_address();

-- Resources for sale. The bazaar lists a resource as its own 402 shows it to this service, after a payment for it settled.
create table x402_resources (
  resource       text primary key check (length(resource) <= 2048),
  url            text not null,         -- what was asked, and is asked again
  method         text not null check (method in ('GET', 'POST')),
  wallet_address text not null,         -- of the key that settled it
  pay_to         text not null,         -- who a settlement paid, and whom the 402 names too
  type           text not null check (type in ('http', 'mcp')),
  x402_version   integer not null,
  accepts        jsonb not null,
  shown          jsonb not null,        -- description, serviceName, tags, bazaar info
  failures       integer not null default 0 check (failures >= 0),
  updated_at     timestamptz not null
);
create index x402_resources_newest on x402_resources (updated_at desc, resource);
create index x402_resources_by_wallet on x402_resources (wallet_address);
create index x402_resources_by_url on x402_resources (url);

-- Resources to look at, and those that were looked at in the last hour.
create table x402_looks (
  url            text primary key check (length(url) <= 2048),
  host           text not null,
  method         text not null check (method in ('GET', 'POST')),
  wallet_address text not null,         -- of the key that settled the payment
  pay_to         text not null,
  asked_at       timestamptz not null,
  looked_at      timestamptz
);
create index x402_looks_waiting on x402_looks (asked_at) where looked_at is null;
create index x402_looks_by_host on x402_looks (host);
create index x402_looks_by_wallet on x402_looks (wallet_address);

-- The use of a settled payment: the first time that the paid wallet asked for it.
create table received_payments (
  settlement_id  text primary key check (settlement_id like 'stl\_%' or settlement_id like 'fst\_%'),
  wallet_address text not null,         -- was paid, and asked
  resource       text not null check (length(resource) <= 2048),
  received_at    timestamptz not null
);

-- Only the wallet that was paid may use a payment up.
create function received_by_the_paid() returns trigger language plpgsql as $$
begin
  if not exists (
      select from settlements s join pay_links l on l.id = s.pay_link_id
       where s.id = new.settlement_id and s.state = 'settled' and l.wallet_address = new.wallet_address)
    and not exists (
      select from direct_settlements s
       where s.id = new.settlement_id and s.state = 'settled' and s.exception_id is null
         and s.wallet_address = new.wallet_address)
    and not exists (
      select from x402_settlements s
       where s.id = new.settlement_id and s.state = 'settled' and s.finality <> 'missing'
         and s.pay_to = new.wallet_address) then
    raise exception 'payment % was not paid to %', new.settlement_id, new.wallet_address
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger received_by_the_paid before insert on received_payments
  for each row execute function received_by_the_paid();
create trigger no_change before update or delete or truncate on received_payments
  for each statement execute function refuse_change();

-- Orders for payments in the escrow of the scheme auth-capture. A payment's state is the escrow's; this is what we sent to it.
create table x402_escrow_orders (
  id             text primary key check (id like 'eso\_%'),
  wallet_address text not null,         -- of the key that asked
  payment_hash   text not null,         -- the escrow's own name of the payment
  type           text not null check (type in ('authorize', 'capture', 'void', 'refund')),
  payer          text not null,
  amount         numeric(78, 0) not null check (amount >= 0),
  request_hash   bytea not null,        -- a repeated request has the same
  resource_url   text,
  state          text not null default 'sending' check (state in ('sending', 'done', 'failed')),
  tx_hash        text,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint ended_with_a_transaction check ((state = 'sending') = (ended_at is null) and (state = 'sending' or tx_hash is not null))
);
-- One order at a time, so that each is judged on the balances that the last one left.
create unique index one_order_on_its_way on x402_escrow_orders (payment_hash) where state = 'sending';
create unique index one_authorize on x402_escrow_orders (payment_hash) where type = 'authorize' and state <> 'failed';
create unique index one_order_per_request on x402_escrow_orders (request_hash) where state <> 'failed';
