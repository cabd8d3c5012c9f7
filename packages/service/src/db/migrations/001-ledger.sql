-- The ledger: double entry, insert only. The database keeps the balances itself: an insert into ledger_entries is
-- the only way to move them, and the same trigger that applies it refuses what does not balance and seals it.
set local lock_timeout = '5s';

create table ledger_accounts (
  id       bigint generated always as identity primary key,
  kind     text not null check (kind in ('custody', 'treasury', 'card', 'fee_meter', 'autopay', 'fees',
             'membership_revenue', 'outbound', 'suspense')),
  owner    text not null,  -- a wallet address, a card id, or 'house'
  network  text not null,
  asset    text not null,
  posted   numeric(78, 0) not null default 0,
  held     numeric(78, 0) not null default 0,
  is_house boolean generated always as (kind in ('custody', 'fees', 'membership_revenue', 'outbound')) stored,
  constraint ledger_accounts_key unique (kind, owner, network, asset),
  constraint held_not_negative check (held >= 0),
  constraint available_not_negative check (
    kind in ('custody', 'fees', 'membership_revenue', 'outbound') or posted - held >= 0)
) with (fillfactor = 70);

-- Sixteen hash chains, so that sixteen transactions can seal at once. A transaction takes any free one.
create table ledger_chains (
  id   integer primary key,
  seq  bigint not null default 0,
  head bytea not null
) with (fillfactor = 50);
insert into ledger_chains (id, head)
select n, sha256(convert_to('purser ledger chain ' || n, 'UTF8')) from generate_series(1, 16) n;

-- A house account's balance, one part per chain: every payment credits it, and nobody waits for a row of it,
-- because whoever holds the chain holds that part too.
create table ledger_house_parts (
  account_id bigint not null references ledger_accounts,
  chain      integer not null references ledger_chains,
  posted     numeric(78, 0) not null,
  primary key (account_id, chain)
) with (fillfactor = 50);

create table ledger_batches (
  id         bigint primary key,
  chain      integer not null references ledger_chains,
  seq        bigint not null,
  previous   bytea not null,
  hash       bytea not null,
  created_at timestamptz not null default now(),
  unique (chain, seq)
);
create sequence ledger_batch_ids;

create table ledger_transfers (
  id         text primary key check (id like 'trf\_%'),
  kind       text not null,
  ref        text not null,  -- what caused it
  reverses   text unique references ledger_transfers,
  digest     bytea not null check (length(digest) = 32),
  batch      bigint not null,
  created_at timestamptz not null,
  constraint one_transfer_per_cause unique (kind, ref)
);
create index ledger_transfers_by_batch on ledger_transfers (batch);

create table ledger_entries (
  transfer_id text not null references ledger_transfers,
  line        smallint not null,
  account_id  bigint not null,
  amount      numeric(78, 0) not null check (amount <> 0),
  primary key (transfer_id, line)
);
create index ledger_entries_by_account on ledger_entries (account_id);

create function ledger_apply() returns trigger language plpgsql as $$
declare
  batch_id bigint;
  mine     ledger_chains%rowtype;
  pick     integer;
  sealed   bytea;
begin
  select min(t.batch) into batch_id from added e join ledger_transfers t on t.id = e.transfer_id;
  if batch_id is null then return null; end if;
  if exists (select from added e left join ledger_accounts a on a.id = e.account_id where a.id is null) then
    raise exception 'an entry names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;
  if exists (select from added e join ledger_transfers t on t.id = e.transfer_id where t.batch <> batch_id) then
    raise exception 'entries of several batches in one statement' using errcode = 'check_violation';
  end if;
  if exists (select from added e join ledger_accounts a on a.id = e.account_id
             group by e.transfer_id, a.network, a.asset having sum(e.amount) <> 0) then
    raise exception 'a transfer does not sum to zero' using errcode = 'check_violation';
  end if;

  update ledger_accounts a set posted = a.posted + d.amount
    from (select e.account_id, sum(e.amount) as amount from added e group by e.account_id) d
   where a.id = d.account_id and not a.is_house;

  select * into mine from ledger_chains order by id limit 1 for update skip locked;
  if not found then
    pick := 1 + floor(random() * 16)::integer;
    select * into mine from ledger_chains where id = pick for update;
  end if;
  insert into ledger_house_parts as p (account_id, chain, posted)
  select e.account_id, mine.id, sum(e.amount)
    from added e join ledger_accounts a on a.id = e.account_id and a.is_house
   group by e.account_id order by e.account_id
  on conflict (account_id, chain) do update set posted = p.posted + excluded.posted;

  select sha256(mine.head || string_agg(t.digest, ''::bytea order by t.id)) into sealed
    from ledger_transfers t where t.batch = batch_id;
  insert into ledger_batches (id, chain, seq, previous, hash)
  values (batch_id, mine.id, mine.seq + 1, mine.head, sealed);
  update ledger_chains set head = sealed, seq = mine.seq + 1 where id = mine.id;
  return null;
end $$;
create trigger ledger_apply after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_apply();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert only', tg_table_name using errcode = 'check_violation';
end $$;
create trigger insert_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on ledger_batches
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();
-- Balances move through entries and holds alone: their triggers run at depth 1, a bare update at depth 0.
create trigger balance_by_entries_only before update on ledger_accounts
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();

-- Money set aside on an account: opened once, then captured (all or part; the rest goes free) or released, once.
create table ledger_holds (
  id         text primary key check (id like 'hold\_%'),
  account_id bigint not null references ledger_accounts,
  amount     numeric(78, 0) not null check (amount > 0),
  captured   numeric(78, 0) not null default 0 check (captured >= 0 and captured <= amount),
  state      text not null default 'open' check (state in ('open', 'captured', 'released')),
  ref        text not null,
  created_at timestamptz not null,
  closed_at  timestamptz,
  constraint one_hold_per_cause unique (ref),
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'captured') = (captured > 0))
);
create index ledger_holds_open on ledger_holds (account_id) where state = 'open';

create function ledger_hold_opened() returns trigger language plpgsql as $$
begin
  if exists (select from added where state <> 'open') then
    raise exception 'a hold starts open' using errcode = 'check_violation';
  end if;
  update ledger_accounts a set held = a.held + h.amount
    from (select account_id, sum(amount) as amount from added group by account_id) h
   where a.id = h.account_id;
  return null;
end $$;
create trigger ledger_hold_opened after insert on ledger_holds
  referencing new table as added for each statement execute function ledger_hold_opened();

create function ledger_hold_closed() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' or new.state = 'open' or old.amount <> new.amount
     or old.account_id <> new.account_id or old.id <> new.id or old.ref <> new.ref then
    raise exception 'hold % is closed once, and nothing else of it changes', old.id
      using errcode = 'check_violation';
  end if;
  update ledger_accounts set held = held - old.amount where id = old.account_id;
  return new;
end $$;
create trigger ledger_hold_closed before update on ledger_holds
  for each row execute function ledger_hold_closed();
create trigger no_delete before delete or truncate on ledger_holds
  for each statement execute function refuse_change();
