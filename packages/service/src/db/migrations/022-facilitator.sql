-- Payments of other sellers that are carried to the chain for them, and what those sellers sell.
set local lock_timeout = '5s';

create table x402_settlements (
  id                 text primary key check (id like 'fst\_%'),
  wallet_address     text not null,                                  -- whose key asked for it
  network            text not null,
  token              text not null,
  payer              text not null,
  nonce              text not null,
  pay_to             text not null,
  amount             numeric(78, 0) not null check (amount > 0),
  valid_before       numeric(78, 0) not null,                        -- Unix seconds
  -- No block before this one holds the transfer.
  from_block         bigint not null check (from_block >= 0),
  x402_version       integer not null check (x402_version in (1, 2)),
  -- What tells a retry from another payment: the same bytes, and the names that payer and seller gave it.
  payload_hash       bytea not null,
  payment_identifier text,
  idempotency_key    text,
  resource_url       text,
  listing            jsonb,                                          -- how to show the resource, once this is settled
  state              text not null default 'settling' check (state in ('settling', 'settled', 'failed')),
  reason             text,
  detail             text,
  tx_hash            text,
  log_index          integer,
  -- waiting: its block may go; final: in a safe block; missing: told as settled, and a safe block says that it is not.
  finality           text not null default 'waiting' check (finality in ('waiting', 'final', 'missing')),
  -- From this time on one more caller may be told how it ended; null once a success was told.
  next_answer_at     timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  constraint one_claim_per_authorization unique (network, token, payer, nonce),
  constraint settled_by_a_log check ((state = 'settled') = (tx_hash is not null and log_index is not null)),
  constraint ended_once check ((state = 'settling') = (ended_at is null)),
  constraint a_failure_has_a_reason check ((state = 'failed') = (reason is not null)),
  constraint told_only_if_settled check (next_answer_at is not null or state = 'settled')
) with (fillfactor = 80);
create unique index one_settlement_per_transfer on x402_settlements (network, tx_hash, log_index)
  where tx_hash is not null;
create unique index one_payment_per_identifier on x402_settlements (wallet_address, payer, payment_identifier)
  where payment_identifier is not null;
create index x402_settlements_by_wallet on x402_settlements (wallet_address, id desc);
create index x402_settlements_settling on x402_settlements (created_at) where state = 'settling';
create index x402_settlements_unconfirmed on x402_settlements (ended_at)
  where state = 'settled' and finality = 'waiting';

-- A claim is given back only while nothing has come of it; what has ended stays as it is, but for what is seen of it later.
create function keep_x402_settlement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'settling' then
      raise exception 'x402 settlement % has ended, and stays', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if (old.id, old.wallet_address, old.network, old.token, old.payer, old.nonce, old.pay_to, old.amount,
      old.valid_before, old.payload_hash)
     is distinct from (new.id, new.wallet_address, new.network, new.token, new.payer, new.nonce, new.pay_to, new.amount,
      new.valid_before, new.payload_hash)
     or (old.state <> 'settling' and old.state <> new.state)
     or (old.finality <> 'waiting' and old.finality <> new.finality)
     or (old.next_answer_at is null and new.next_answer_at is not null) then
    raise exception 'x402 settlement % ends once, and what it pays stays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_x402_settlement before update or delete on x402_settlements
  for each row execute function keep_x402_settlement();

-- An authorization to a link's own address is that link's to claim: so none is claimed by both.
create function refuse_address_of_link() returns trigger language plpgsql as $$
begin
  if exists (select from added s join pay_links l on l.deposit_address = s.pay_to) then
    raise exception 'a pay link''s own address is not paid through the facilitator' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger no_address_of_link after insert on x402_settlements
  referencing new table as added for each statement execute function refuse_address_of_link();

-- What can be bought, as its sellers describe it: shown once a payment for it was settled.
create table x402_resources (
  wallet_address text not null,                                      -- whose key settled it
  resource       text not null check (length(resource) <= 2048),
  type           text not null check (type in ('http', 'mcp')),
  x402_version   integer not null,
  accepts        jsonb not null,
  shown          jsonb not null,                                     -- description, serviceName, tags, bazaar info
  updated_at     timestamptz not null,
  constraint one_listing_per_seller primary key (wallet_address, resource)
);
create index x402_resources_newest on x402_resources (updated_at desc, resource);

-- A key may be for the facilitator alone.
alter table api_keys drop constraint api_keys_scopes_check,
  add constraint known_scopes check (cardinality(scopes) > 0 and scopes <@ array[
    'cards:read', 'cards:write', 'payments:read', 'payments:write', 'paylinks:read', 'paylinks:write',
    'treasury:read', 'treasury:write', 'keys:read', 'keys:write', 'facilitator:read', 'facilitator:write']);
