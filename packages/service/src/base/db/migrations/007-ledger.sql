-- The ledger: double entry, insert only. The database keeps the balances: an insert into ledger_transfer_rows, or of a settlement
-- by card, is the only way to move them, and the trigger that applies it also refuses what does not balance and adds it to a
-- hash chain.

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
    kind in ('custody', 'fees', 'membership_revenue', 'outbound') or posted - held >= 0),
  constraint a_reserve_is_not_held check (held = 0 or kind <> 'autopay')
) with (fillfactor = 70);

-- Sixteen hash chains, so that sixteen transactions can post at once. A transaction takes any free one.
create table ledger_chains (
  id   integer primary key,
  seq  bigint not null default 0,
  head bytea not null
) with (fillfactor = 50);
insert into ledger_chains (id, head)
select n, sha256(convert_to('purser ledger chain ' || n, 'UTF8')) from generate_series(1, 16) n;

-- A house account's balance, in one part per chain. Every payment credits it, and no payment waits for a row of it: the
-- lock on the chain covers that chain's part.
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

-- A transfer with its lines is one row: docs/decisions/0016-a-transfer-is-one-row.md. A settlement by card is a transfer too, and
-- has no row here: the view `ledger_transfers` shows both.
create table ledger_transfer_rows (
  id         text primary key check (id like 'trf\_%'),
  kind       text not null,
  ref        text not null,  -- the cause
  reverses   text,                       -- the transfer that this one takes back, or a part of it
  accounts   bigint[] not null,          -- one a line: the account whose balance changes
  amounts    numeric(78, 0)[] not null,  -- one a line: what it gains (> 0) or gives (< 0)
  digest     bytea not null check (length(digest) = 32),
  batch      bigint not null,
  created_at timestamptz not null,
  constraint one_transfer_per_cause unique (kind, ref),
  constraint what_comes_back_was_given check (
    reverses is not null or kind not in ('refund', 'payment_undone', 'withdrawal_failed')),
  constraint whole_lines check (
    cardinality(amounts) >= 2 and cardinality(amounts) = cardinality(accounts) and 0 <> all (amounts)
    and array_ndims(amounts) = 1 and array_position(accounts, null) is null and array_position(amounts, null) is null)
);
create index ledger_transfers_by_batch on ledger_transfer_rows (batch);
-- Most transfers reverse nothing: they need no place in the index. A payment may be refunded in parts.
create unique index one_reversal on ledger_transfer_rows (reverses) where reverses is not null and kind <> 'refund';

-- The sums that came to and went from a wallet's balances, by kind of transfer. Kept up to date where money moves, so that the
-- entries need no index by account.
create table ledger_totals (
  account_id bigint not null references ledger_accounts,
  kind       text not null,
  gained     numeric(78, 0) not null check (gained >= 0),
  gave       numeric(78, 0) not null check (gave >= 0),
  primary key (account_id, kind)
) with (fillfactor = 70);

-- Applies the lines of a batch to the balances, and adds it to a hash chain, by the digests of its transfers in the order of their
-- ids. It sums once for each account, and finds it by its key. With hash and merge joins, which the planner
-- prefers on an empty database, it read whole tables: 4.9 ms for 90 settlements beside 20,000, and growing.
create function ledger_post(batch_id bigint, digests bytea, kinds text[], line_accounts bigint[], line_amounts numeric[],
    out first_asset text, out last_asset text) language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved  record;
  mine   ledger_chains%rowtype;
  pick   integer;
  sealed bytea;
begin
  select count(*) as accounts, count(a.id) as known,
         min(a.network || ' ' || a.asset) as first_asset, max(a.network || ' ' || a.asset) as last_asset,
         array_agg(d.account_id order by d.account_id) filter (where not a.is_house) as ids,
         array_agg(d.amount order by d.account_id) filter (where not a.is_house) as amounts,
         array_agg(d.account_id order by d.account_id) filter (where a.is_house) as house_ids,
         array_agg(d.amount order by d.account_id) filter (where a.is_house) as house_amounts,
         array_agg(d.account_id) filter (where a.kind <> 'card' and not a.is_house) as wallet_ids
    into moved
    from (select l.account_id, sum(l.amount) as amount
            from unnest(line_accounts, line_amounts) as l (account_id, amount) group by l.account_id) d
    left join ledger_accounts a on a.id = d.account_id;
  if moved.known < moved.accounts then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  update ledger_accounts a set posted = a.posted + d.amount
    from unnest(moved.ids, moved.amounts) as d (id, amount)
   where a.id = d.id;

  if moved.wallet_ids is not null then
    insert into ledger_totals as s (account_id, kind, gained, gave)
    select l.account_id, l.kind, coalesce(sum(l.amount) filter (where l.amount > 0), 0),
           coalesce(-sum(l.amount) filter (where l.amount < 0), 0)
      from unnest(kinds, line_accounts, line_amounts) as l (kind, account_id, amount)
     where l.account_id = any (moved.wallet_ids)
     group by l.account_id, l.kind order by l.account_id, l.kind
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

  sealed := sha256(mine.head || digests);
  insert into ledger_batches (id, chain, seq, previous, hash)
  values (batch_id, mine.id, mine.seq + 1, mine.head, sealed);
  update ledger_chains set head = sealed, seq = mine.seq + 1 where id = mine.id;
  first_asset := moved.first_asset;
  last_asset := moved.last_asset;
end $$;

-- Posts the new transfers, and refuses those that do not balance.
create function ledger_apply() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  seen   record;
  posted record;
begin
  select min(t.batch) as batch_id, max(t.batch) as last_batch, string_agg(t.digest, ''::bytea order by t.id collate "C") as digests,
         bool_or((select sum(amount) from unnest(t.amounts) as amount) <> 0) as is_off
    into seen from added t;
  if seen.batch_id is null then return null; end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'transfers of several batches in one statement' using errcode = 'check_violation';
  end if;
  select p.* into posted
    from (select array_agg(t.kind) as kinds, array_agg(l.account_id) as accounts, array_agg(l.amount) as amounts
            from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)) v,
         ledger_post(seen.batch_id, seen.digests, v.kinds, v.accounts, v.amounts) p;
  if seen.is_off or (posted.first_asset <> posted.last_asset and exists (
      select from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)
        join ledger_accounts a on a.id = l.account_id
       group by t.id, a.network, a.asset having sum(l.amount) <> 0)) then
    raise exception 'a transfer does not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_apply after insert on ledger_transfer_rows
  referencing new table as added for each statement execute function ledger_apply();

create trigger insert_only before update or delete or truncate on ledger_transfer_rows
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on ledger_batches
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();
-- Only the triggers of transfers and holds change balances: they run at depth 1, a bare update at depth 0. A trigger
-- before an update of rows locks each row first, whether it runs or not, so on hot tables they come after.
create trigger balance_by_entries_only after update on ledger_accounts
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();
-- The reserve of a membership comes from its wallet's treasury balance, pays renewals, and goes back: no other kind of
-- transfer touches it.
create function reserve_pays_membership_only() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(t.gained - t.gave), 0) from ledger_totals t where t.account_id = new.id
        and (t.kind, t.gave = 0, t.gained = 0) in (('membership_reserve', true, false), ('membership', false, true),
          ('membership_reserve_returned', false, true)))
     <> (select posted from ledger_accounts where id = new.id) then
    raise exception 'account % is the reserve of a membership and pays for nothing else', new.id
      using errcode = 'check_violation', constraint = 'reserve_pays_membership_only';
  end if;
  return null;
end $$;
create constraint trigger reserve_pays_membership_only after update on ledger_accounts
  deferrable initially deferred for each row when (new.kind = 'autopay' and old.posted <> new.posted)
  execute function reserve_pays_membership_only();
create trigger totals_by_entries_only before insert or update or delete on ledger_totals
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();
create trigger no_truncate before truncate on ledger_totals
  for each statement execute function refuse_change();
create trigger names_a_person before insert on ledger_accounts for each row
  when (new.kind = 'treasury' and is_system_address(new.owner)) execute function refuse_system_address();

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

-- The books are sealed by a key that the database does not know: docs/decisions/0029-checkpoints-seal-the-books.md.

-- A digest of each write to a row whose owner and limits matter. The next checkpoint empties this queue.
create table seal_queue (
  seq     bigint generated always as identity primary key,
  subject text not null,  -- table and key
  digest  bytea not null check (length(digest) = 32)
);
create index seal_queue_by_subject on seal_queue (subject, seq);

-- The same digests, in the order in which checkpoints took them. A row must match the newest seal of its subject.
create table seals (
  seq     bigint primary key check (seq > 0),
  subject text not null,
  digest  bytea not null check (length(digest) = 32)
);
create index seals_by_subject on seals (subject, seq);
create trigger insert_only before update or delete or truncate on seals
  for each statement execute function refuse_change();

-- The head of every chain, under a MAC whose key is derived from the service's secret.
create table ledger_checkpoints (
  seq        bigint primary key check (seq > 0),
  chains     integer[] not null,
  seqs       bigint[] not null check (cardinality(seqs) = cardinality(chains)),
  heads      bytea[] not null check (cardinality(heads) = cardinality(chains)),
  seals      bigint not null,       -- the newest seal
  seals_head bytea not null check (length(seals_head) = 32),
  previous   bytea not null check (length(previous) = 32),
  key_id     text not null,
  mac        bytea not null unique check (length(mac) = 32),
  created_at timestamptz not null
);
create trigger insert_only before update or delete or truncate on ledger_checkpoints
  for each statement execute function refuse_change();

-- The text of a row that is sealed: its columns in order. Times are in UTC.
create function sealed_text(source jsonb, columns text[]) returns text language sql immutable parallel safe as $$
  select jsonb_agg(source -> c order by n)::text from unnest(columns) with ordinality as u (c, n)
$$;

-- Arguments: the key's columns, comma-separated, then every column that is sealed.
create function note_seal() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  source jsonb := to_jsonb(new);
  keys   text;
begin
  select string_agg(source ->> k, ' ' order by n) into keys
    from unnest(string_to_array(tg_argv[0], ',')) with ordinality as u (k, n);
  insert into seal_queue (subject, digest)
  values (tg_table_name || ' ' || keys, sha256(convert_to(sealed_text(source, tg_argv[1:]), 'UTF8')));
  return null;
end $$;
create trigger note_seal after insert or update of id, kind, owner, network, asset on ledger_accounts
  for each row execute function note_seal('id', 'id', 'kind', 'owner', 'network', 'asset');
