-- AP2: the service's signing keys, the checkout of each link, the keys of cards, and every mandate that was accepted.
set local lock_timeout = '5s';

create table service_signing_keys (
  kid        text primary key,   -- RFC 7638 thumbprint
  jwk        jsonb not null,     -- the public half
  sealed     bytea not null,     -- the private half, under a key derived from the service's secret
  created_at timestamptz not null,
  retired_at timestamptz,        -- signs no more; what it signed stays good
  revoked_at timestamptz,        -- nothing that it signed is believed any more
  constraint who_is_revoked_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs on service_signing_keys ((true)) where retired_at is null;

-- What the service signed for the seller of a link: its hash is the transaction_id that a mandate names.
create table pay_link_checkouts (
  pay_link_id  text primary key references pay_links,
  checkout_id  text not null,
  checkout_jwt text not null,
  is_required  boolean not null,  -- the link takes no mandate of another checkout
  created_at   timestamptz not null,
  constraint one_link_per_checkout unique (checkout_id)
);
create trigger insert_only before update or delete or truncate on pay_link_checkouts
  for each statement execute function refuse_change();

create table ap2_card_keys (
  card_id    text not null references cards,
  kid        text not null,      -- RFC 7638 thumbprint
  role       text not null check (role in ('user', 'agent')),
  jwk        jsonb not null,
  label      text not null default '',
  sealed     bytea,              -- the private half, of a key that the service keeps for the card
  is_custodial boolean generated always as (sealed is not null) stored,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint one_role_per_key primary key (card_id, kid)
);

-- Open mandates that were issued here, used or revoked. The row of a card's mandate is under the lock of that card.
create table ap2_open_mandates (
  card_id     text not null references cards,
  open_id     text not null,      -- hash over what the root signed; the same whatever is disclosed
  jti         text,
  issued_here boolean not null,
  agent_kid   text not null,      -- thumbprint of the only key that may close under it
  currency    text not null,
  budget_max  bigint,             -- minor units of the currency, as is spent
  max_uses    integer,            -- 1 without a recurrence
  spent       bigint not null default 0 check (spent >= 0),
  uses        integer not null default 0 check (uses >= 0),
  first_at    timestamptz,
  last_at     timestamptz,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  token       text not null,      -- as it was first seen
  created_at  timestamptz not null,
  constraint one_open_mandate_per_card primary key (card_id, open_id),
  constraint within_budget check (budget_max is null or spent <= budget_max),
  constraint within_occurrences check (max_uses is null or uses <= max_uses),
  check ((uses = 0) = (first_at is null) and (uses = 0) = (last_at is null) and (uses > 0) = (spent > 0))
) with (fillfactor = 70);

-- Every closed mandate that moved money, once. No foreign key for each row: what it names is checked for the statement.
create table ap2_mandates (
  card_id         text not null,
  mandate_id      text not null,
  settlement_id   text not null,
  pay_link_id     text not null,
  payee_id        text not null,
  currency        text not null,
  amount          bigint not null check (amount > 0),  -- minor units of the currency
  fee             numeric(78, 0) not null check (fee >= 0),  -- base units, as the settlement has it
  transaction_id  text not null,
  open_id         text,
  reference       text not null,
  mandate_sd_hash text not null,
  mandate         text not null,  -- as it was presented; without its open one where that is the stored one
  created_at      timestamptz not null,
  constraint one_settlement_per_mandate primary key (card_id, mandate_id)
);
create unique index one_mandate_per_settlement on ap2_mandates (card_id, settlement_id desc);
-- Base64 hardly shrinks, and trying costs more than writing it.
alter table ap2_mandates alter column mandate set storage external;
alter table ap2_open_mandates alter column token set storage external;

-- Signed when somebody first asks, and the same ever after.
create table ap2_receipts (
  settlement_id text primary key references pay_link_settlements,
  receipt       text not null,
  created_at    timestamptz not null
);

create function ap2_mandates_settled() returns trigger language plpgsql as $$
begin
  -- `offset 0`: each is looked up by its key, never by a join that reads the whole table.
  if exists (
    select from added m where not exists (
      select from pay_link_settlements s
       where s.id = m.settlement_id and s.payer = m.card_id and s.pay_link_id = m.pay_link_id and s.protocol = 'ap2'
         and s.fee = m.fee
      offset 0)) then
    raise exception 'a mandate without its settlement' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger ap2_mandates_settled after insert on ap2_mandates
  referencing new table as added for each statement execute function ap2_mandates_settled();

-- What an open mandate allows never changes; what is used of it only grows; and what is revoked stays so.
create function keep_open_mandate() returns trigger language plpgsql as $$
begin
  if (old.card_id, old.open_id, old.currency, old.budget_max, old.max_uses, old.agent_kid, old.expires_at)
     is distinct from (new.card_id, new.open_id, new.currency, new.budget_max, new.max_uses, new.agent_kid,
       new.expires_at)
     or new.spent < old.spent or new.uses < old.uses
     or (old.first_at is not null and new.first_at is distinct from old.first_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
     or (old.revoked_at is not null and new.uses > old.uses) then
    raise exception 'open mandate % of % cannot change so', old.open_id, old.card_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_open_mandate before update on ap2_open_mandates
  for each row execute function keep_open_mandate();

create function keep_card_key() returns trigger language plpgsql as $$
begin
  if (old.card_id, old.kid, old.role, old.jwk, old.created_at)
     is distinct from (new.card_id, new.kid, new.role, new.jwk, new.created_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'key % of % is what it was', old.kid, old.card_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_card_key before update on ap2_card_keys for each row execute function keep_card_key();

create trigger insert_only before update or delete or truncate on ap2_mandates
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on ap2_receipts
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on ap2_open_mandates
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on ap2_card_keys
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on service_signing_keys
  for each statement execute function refuse_change();
