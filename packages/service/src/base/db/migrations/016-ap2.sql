-- AP2: the keys of cards, every mandate that was accepted, and the open mandates they were closed under.

create table ap2_card_keys (
  card_id      text not null references cards,
  kid          text not null,      -- RFC 7638 thumbprint
  role         text not null check (role in ('user', 'agent')),
  jwk          jsonb not null,
  label        text not null default '',
  sealed       bytea,              -- the private half, of a key that the service keeps for the card
  is_custodial boolean generated always as (sealed is not null) stored,
  owner_no     integer not null,   -- of the card: the owner who registered it
  created_at   timestamptz not null,
  revoked_at   timestamptz,
  constraint one_role_per_key primary key (card_id, kid)
);

create function keep_card_key() returns trigger language plpgsql as $$
begin
  if (old.card_id, old.kid, old.role, old.jwk, old.owner_no, old.created_at)
     is distinct from (new.card_id, new.kid, new.role, new.jwk, new.owner_no, new.created_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'key % of % cannot change', old.kid, old.card_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_card_key before update on ap2_card_keys for each row execute function keep_card_key();
create trigger no_delete before delete or truncate on ap2_card_keys
  for each statement execute function refuse_change();
create trigger note_seal after insert or update of card_id, kid, role, jwk, revoked_at on ap2_card_keys
  for each row execute function note_seal('card_id,kid', 'card_id', 'kid', 'role', 'jwk', 'revoked_at');

-- A process may judge a mandate by cached keys: when it reads the card, the version shows whether they still hold.
create function count_key_change() returns trigger language plpgsql as $$
begin
  update cards set keys_version = keys_version + 1 where id in (select card_id from changed);
  return null;
end $$;
create trigger keys_added after insert on ap2_card_keys
  referencing new table as changed for each statement execute function count_key_change();
create trigger keys_changed after update on ap2_card_keys
  referencing new table as changed for each statement execute function count_key_change();

-- Open mandates that were issued here, used or revoked. An open mandate is one grant, whichever cards and wallets present
-- it, so it has one row: docs/decisions/0019-an-open-mandate-is-one-grant.md.
create table ap2_open_mandates (
  open_id     text not null,      -- hash over what the root signed; the same whatever is disclosed
  card_id     text not null references cards,  -- the first card that presented it
  jti         text,
  issued_here boolean not null,
  agent_kid   text not null,      -- thumbprint of the only key that may close under it
  currency    text not null,
  budget_max  bigint,             -- minor units of the currency, like spent
  max_uses    integer,            -- 1 without a recurrence
  -- Counted by the database, from the mandates that were paid under it.
  spent       bigint not null default 0 check (spent >= 0),
  uses        integer not null default 0 check (uses >= 0),
  first_at    timestamptz,
  last_at     timestamptz,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  token       text storage external,  -- as it was first seen; null where an agreement keeps it sealed
  owner_no    integer not null,       -- of that card
  created_at  timestamptz not null,
  constraint one_row_per_grant primary key (open_id),
  constraint within_budget check (budget_max is null or spent <= budget_max),
  constraint within_occurrences check (max_uses is null or uses <= max_uses),
  check ((uses = 0) = (first_at is null) and (uses = 0) = (last_at is null) and (uses > 0) = (spent > 0))
) with (fillfactor = 70);
create index ap2_open_mandates_by_card on ap2_open_mandates (card_id, created_at, open_id);

-- The terms of an open mandate never change, its counters only grow, and it stays revoked once it is revoked.
create function keep_open_mandate() returns trigger language plpgsql as $$
begin
  if (old.card_id, old.open_id, old.currency, old.budget_max, old.max_uses, old.agent_kid, old.expires_at)
     is distinct from (new.card_id, new.open_id, new.currency, new.budget_max, new.max_uses, new.agent_kid,
       new.expires_at)
     or new.spent < old.spent or new.uses < old.uses
     or (old.first_at is not null and new.first_at is distinct from old.first_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
     or (old.revoked_at is not null and new.uses > old.uses)
     or (new.token is not null and new.token is distinct from old.token) then
    raise exception 'open mandate % of % cannot change like this', old.open_id, old.card_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_open_mandate before update on ap2_open_mandates
  for each row execute function keep_open_mandate();
create trigger uses_begin_at_zero before insert on ap2_open_mandates
  for each row when (new.uses <> 0 or new.spent <> 0) execute function refuse_change();
create trigger uses_by_mandates_only after update on ap2_open_mandates
  for each row when (pg_trigger_depth() = 0
    and (old.spent, old.uses, old.first_at, old.last_at) is distinct from (new.spent, new.uses, new.first_at, new.last_at))
  execute function refuse_change();
create trigger no_delete before delete or truncate on ap2_open_mandates
  for each statement execute function refuse_change();

-- Cards other than the first on which an open mandate was used or revoked, with the token as that card presented it.
create table ap2_open_mandate_cards (
  open_id    text not null,
  card_id    text not null references cards,
  token      text storage external not null,
  owner_no   integer not null,
  created_at timestamptz not null,
  constraint noted_once_per_card primary key (card_id, open_id),
  constraint noted_of_a_grant foreign key (open_id) references ap2_open_mandates
);
create trigger insert_only before update or delete or truncate on ap2_open_mandate_cards
  for each statement execute function refuse_change();

-- The open mandates of each card: every card sees its own token, and what all cards have used. An owner sees none of those
-- before it.
create view ap2_open_mandates_of_cards as
select o.card_id, o.open_id, o.jti, o.issued_here, o.agent_kid, o.currency, o.budget_max, o.max_uses, o.spent, o.uses,
       o.first_at, o.last_at, o.expires_at, o.revoked_at, o.token, o.created_at
  from ap2_open_mandates o
 where o.owner_no = (select c.owner_no from cards c where c.id = o.card_id)
union all
select n.card_id, o.open_id, o.jti, o.issued_here, o.agent_kid, o.currency, o.budget_max, o.max_uses, o.spent, o.uses,
       o.first_at, o.last_at, o.expires_at, o.revoked_at, n.token, n.created_at
  from ap2_open_mandate_cards n join ap2_open_mandates o on o.open_id = n.open_id
 where n.owner_no = (select c.owner_no from cards c where c.id = n.card_id);

-- Closed mandates that the service signed for a card, whether or not they paid.
create table ap2_signed_mandates (
  card_id         text not null references cards,
  mandate_id      text not null,
  reference       text not null,
  mandate_sd_hash text not null,
  owner_no        integer not null,  -- of the card: what was signed for an earlier owner pays nothing
  created_at      timestamptz not null,
  primary key (card_id, mandate_id)
);
create trigger insert_only before update or delete or truncate on ap2_signed_mandates
  for each statement execute function refuse_change();

-- Receipts of counterparties, kept with the mandate they are for.
create table ap2_received_receipts (
  wallet_address text not null,
  mandate_id     text not null,
  receipt_hash   bytea not null,
  receipt        text storage external not null,
  status         text not null,
  reference      text not null,
  signature      text not null check (signature in ('verified', 'unverified')),
  created_at     timestamptz not null,
  constraint each_receipt_once primary key (wallet_address, mandate_id, receipt_hash)
);
create trigger insert_only before update or delete or truncate on ap2_received_receipts
  for each statement execute function refuse_change();

-- Every closed mandate that moved money, once: it is kept with its settlement.
create view ap2_mandates as
select payer as card_id, mandate_id, id as settlement_id, payer_wallet, receiver_wallet, pay_link_id, mandate_currency as currency,
       mandate_amount as amount, fee, open_id, mandate as token, created_at
  from settlements where mandate_id is not null;

-- The only writer of the counters of open mandates. The limits are checks of that row, so no statement pays more than a
-- grant allows.
create function count_grant_uses() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  named   bigint;
  counted bigint;
begin
  select count(distinct (open_id, mandate_currency)) into named from added where open_id is not null;
  if named = 0 then return null; end if;
  with used as (
    update ap2_open_mandates o
       set spent = o.spent + d.spent, uses = o.uses + d.uses, first_at = coalesce(o.first_at, d.first_at),
           last_at = greatest(o.last_at, d.last_at)
      from (select open_id, mandate_currency as currency, sum(mandate_amount) as spent, count(*) as uses, min(created_at) as first_at,
                   max(created_at) as last_at
              from added where open_id is not null group by 1, 2) d
     where o.open_id = d.open_id and o.currency = d.currency
    returning 1)
  select count(*) into counted from used;
  if counted <> named then
    raise exception 'a mandate under an open mandate that is not known, or in another currency'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger count_grant_uses after insert on settlements
  referencing new table as added for each statement execute function count_grant_uses();

-- Signed when somebody first asks, and the same ever after.
create table ap2_receipts (
  settlement_id text primary key references settlements,
  receipt       text not null,
  created_at    timestamptz not null
);
create trigger insert_only before update or delete or truncate on ap2_receipts
  for each statement execute function refuse_change();
