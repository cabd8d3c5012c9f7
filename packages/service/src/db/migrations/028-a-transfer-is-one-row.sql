-- A transfer with its lines is one row where it was four: the entries are read from it (`ledger_entries`). Measured in
-- docs/performance.md, explained in docs/decisions/0016-a-transfer-is-one-row.md.
set local lock_timeout = '5s';

alter table ledger_transfers
  add column accounts bigint[],           -- a line each: whose balance changes
  add column amounts  numeric(78, 0)[];   -- and what it gains (> 0) or gives (< 0)
alter table ledger_transfers disable trigger insert_only;
update ledger_transfers t set accounts = e.accounts, amounts = e.amounts
  from (select transfer_id, array_agg(account_id order by line) as accounts, array_agg(amount order by line) as amounts
          from ledger_entries group by transfer_id) e
 where e.transfer_id = t.id;
alter table ledger_transfers enable trigger insert_only;
alter table ledger_transfers
  alter column accounts set not null,
  alter column amounts set not null,
  add constraint whole_lines check (
    cardinality(amounts) >= 2 and cardinality(amounts) = cardinality(accounts) and 0 <> all (amounts)
    and array_ndims(amounts) = 1 and array_position(accounts, null) is null and array_position(amounts, null) is null);

drop table ledger_entries;
create view ledger_entries as
select t.id as transfer_id, (l.line - 1)::smallint as line, l.account_id, l.amount
  from ledger_transfers t, unnest(t.accounts, t.amounts) with ordinality as l (account_id, amount, line);

-- As before on entries: applies what a statement adds to the balances, refuses what does not balance, seals it.
create or replace function ledger_apply() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved  record;
  seen   record;
  mine   ledger_chains%rowtype;
  pick   integer;
  sealed bytea;
begin
  select min(t.batch) as batch_id, max(t.batch) as last_batch,
         bool_or((select sum(amount) from unnest(t.amounts) as amount) <> 0) as is_off
    into seen from added t;
  if seen.batch_id is null then return null; end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'transfers of several batches in one statement' using errcode = 'check_violation';
  end if;

  select count(*) as accounts, count(a.id) as known,
         min(a.network || ' ' || a.asset) as first_asset, max(a.network || ' ' || a.asset) as last_asset,
         array_agg(d.account_id order by d.account_id) filter (where not a.is_house) as ids,
         array_agg(d.amount order by d.account_id) filter (where not a.is_house) as amounts,
         array_agg(d.account_id order by d.account_id) filter (where a.is_house) as house_ids,
         array_agg(d.amount order by d.account_id) filter (where a.is_house) as house_amounts,
         array_agg(d.account_id) filter (where a.kind <> 'card' and not a.is_house) as wallet_ids
    into moved
    from (select l.account_id, sum(l.amount) as amount
            from added t, unnest(t.accounts, t.amounts) as l (account_id, amount) group by l.account_id) d
    left join ledger_accounts a on a.id = d.account_id;
  if moved.known < moved.accounts then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;
  if seen.is_off or (moved.first_asset <> moved.last_asset and exists (
      select from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)
        join ledger_accounts a on a.id = l.account_id
       group by t.id, a.network, a.asset having sum(l.amount) <> 0)) then
    raise exception 'a transfer does not sum to zero' using errcode = 'check_violation';
  end if;

  update ledger_accounts a set posted = a.posted + d.amount
    from unnest(moved.ids, moved.amounts) as d (id, amount)
   where a.id = d.id;

  if moved.wallet_ids is not null then
    insert into ledger_totals as s (account_id, kind, gained, gave)
    select l.account_id, t.kind, coalesce(sum(l.amount) filter (where l.amount > 0), 0),
           coalesce(-sum(l.amount) filter (where l.amount < 0), 0)
      from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)
     where l.account_id = any (moved.wallet_ids)
     group by l.account_id, t.kind order by l.account_id, t.kind
    on conflict (account_id, kind) do update set gained = s.gained + excluded.gained, gave = s.gave + excluded.gave;
  end if;

  select * into mine from ledger_chains order by id limit 1 for update skip locked;
  if not found then
    pick := 1 + floor(random() * 16)::integer;
    select * into mine from ledger_chains where id = pick for update;
  end if;
  insert into ledger_house_parts as p (account_id, chain, posted)
  select d.id, mine.id, d.amount from unnest(moved.house_ids, moved.house_amounts) as d (id, amount)
  on conflict (account_id, chain) do update set posted = p.posted + excluded.posted;

  select sha256(mine.head || string_agg(t.digest, ''::bytea order by t.id collate "C")) into sealed from added t;
  insert into ledger_batches (id, chain, seq, previous, hash)
  values (seen.batch_id, mine.id, mine.seq + 1, mine.head, sealed);
  update ledger_chains set head = sealed, seq = mine.seq + 1 where id = mine.id;
  return null;
end $$;
create trigger ledger_apply after insert on ledger_transfers
  referencing new table as added for each statement execute function ledger_apply();
