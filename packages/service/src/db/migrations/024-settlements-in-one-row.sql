-- One row for a settlement by card where there were five, and every look-up of the hot path by a key: measured in
-- docs/performance.md.
set local lock_timeout = '5s';

-- A settlement by a card of this service says all that the two cards' transactions and the decision say. Those of before
-- have rows of their own, and stay.
alter table pay_link_settlements
  add column payer_wallet     text,
  add column receiver_card_id text,     -- set: the transactions and the decision are read from this row
  add column receiver_wallet  text,
  add column mandate_id       text,     -- the AP2 mandate that it was made on
  add column decided_on       json,     -- the payer's card as the policy saw it
  add column refunded         numeric(78, 0) not null default 0,
  add constraint whole_where_by_card check (
    (receiver_card_id is null) = (decided_on is null) and (receiver_card_id is null) = (payer_wallet is null)
    and (receiver_card_id is null) = (receiver_wallet is null)
    and (receiver_card_id is null or (state = 'settled' and protocol in ('card', 'ap2')))),
  add constraint refunded_within_amount check (refunded >= 0 and refunded <= amount - fee);
update pay_link_settlements s set mandate_id = m.mandate_id from ap2_mandates m
 where m.settlement_id = s.id and m.card_id = s.payer;
create index pay_link_settlements_by_payer on pay_link_settlements (payer, id);
create index pay_link_settlements_by_payer_wallet on pay_link_settlements (payer_wallet, id)
  where payer_wallet is not null;
create index pay_link_settlements_by_receiver on pay_link_settlements (receiver_card_id, id)
  where receiver_card_id is not null;
create index pay_link_settlements_by_receiver_wallet on pay_link_settlements (receiver_wallet, id)
  where receiver_wallet is not null;
-- Only what is on its way to the chain is looked for by its link.
drop index pay_link_settlements_by_link;
create index pay_link_settlements_settling_by_link on pay_link_settlements (pay_link_id) where state = 'settling';
-- A card's mandates are found through its settlements. A plan made without statistics took this index for the primary
-- key's, and read every mandate of a card to find one.
drop index one_mandate_per_settlement;

alter table card_transactions rename to card_transaction_rows;
alter table card_decisions rename to card_decision_rows;

create view card_settlement_sides as
select s.id as settlement_id, 'txn_' || substr(s.id, 5) || 's' as id, s.payer as card_id,
       s.payer_wallet as wallet_address, 'sent' as direction, s.amount, 0::numeric(78, 0) as fee, l.code as merchant,
       s.protocol, case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, s.tx_hash, s.refunded, s.id as ref, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null
union all
select s.id, 'txn_' || substr(s.id, 5) || 'r', s.receiver_card_id, s.receiver_wallet, 'received', s.amount - s.fee, s.fee,
       s.payer, s.protocol, case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end,
       s.network, s.asset, s.tx_hash, s.refunded, s.id, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null and s.amount > s.fee;

-- Every transaction of every card, as it always was.
create view card_transactions as
select id, card_id, wallet_address, direction, amount, fee, merchant, protocol, status, network, asset, tx_hash, refunded,
       ref, memo, created_at, settled_at from card_transaction_rows
union all
select id, card_id, wallet_address, direction, amount, fee, merchant, protocol, status, network, asset, tx_hash, refunded,
       ref, memo, created_at, settled_at from card_settlement_sides;

create view card_settlement_decisions as
select 'dec_' || substr(s.id, 5) as id, s.payer as card_id, true as allowed, 'within_limits' as rule, s.amount,
       l.code as merchant, l.mcc, s.protocol as rail, s.decided_on::jsonb as inputs, s.id as ref, s.created_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;

-- Every allow and deny, as it always was.
create view card_decisions as
select id, card_id, allowed, rule, amount, merchant, mcc, rail, inputs, ref, created_at from card_decision_rows
union all
select id, card_id, allowed, rule, amount, merchant, mcc, rail, inputs, ref, created_at from card_settlement_decisions;

-- What a settlement by card says is the record: nothing of it changes but what was given back.
drop trigger parents_stay on pay_link_settlements;
create trigger facts_stay before update on pay_link_settlements for each row
  when ((old.id, old.pay_link_id, old.payer, old.amount, old.fee, old.created_at, old.payer_wallet, old.receiver_card_id,
         old.receiver_wallet, old.mandate_id, old.decided_on::text)
        is distinct from
        (new.id, new.pay_link_id, new.payer, new.amount, new.fee, new.created_at, new.payer_wallet, new.receiver_card_id,
         new.receiver_wallet, new.mandate_id, new.decided_on::text))
  execute function refuse_change();
create trigger no_delete before delete or truncate on pay_link_settlements
  for each statement execute function refuse_change();

drop trigger known_links on pay_link_settlements;
drop function refuse_unknown_links;
create function settlement_parties() returns trigger language plpgsql as $$
begin
  if exists (
    select from added s where not exists (
      select from pay_links l where l.id = s.pay_link_id
         and (s.receiver_card_id is null or (l.card_id = s.receiver_card_id and l.wallet_address = s.receiver_wallet))
      offset 0)) then
    raise exception 'a settlement names a pay link that does not exist, or not its receiver'
      using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from added s where s.payer_wallet is not null and not exists (
      select from cards c where c.id = s.payer and c.wallet_address = s.payer_wallet offset 0)) then
    raise exception 'a settlement names a card that does not exist, or not its wallet'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger settlement_parties after insert on pay_link_settlements
  referencing new table as added for each statement execute function settlement_parties();

create or replace function ap2_mandates_settled() returns trigger language plpgsql as $$
begin
  if exists (
    select from added m where not exists (
      select from pay_link_settlements s
       where s.id = m.settlement_id and s.payer = m.card_id and s.pay_link_id = m.pay_link_id and s.protocol = 'ap2'
         and s.fee = m.fee and s.mandate_id = m.mandate_id
      offset 0)) then
    raise exception 'a mandate without its settlement' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- What came to and went from a wallet's balances, by kind of transfer: kept where money moves, so that no entry of the
-- ledger needs a place in an index by account.
create table ledger_totals (
  account_id bigint not null references ledger_accounts,
  kind       text not null,
  gained     numeric(78, 0) not null check (gained >= 0),
  gave       numeric(78, 0) not null check (gave >= 0),
  primary key (account_id, kind)
) with (fillfactor = 70);
insert into ledger_totals (account_id, kind, gained, gave)
select e.account_id, t.kind, coalesce(sum(e.amount) filter (where e.amount > 0), 0),
       coalesce(-sum(e.amount) filter (where e.amount < 0), 0)
  from ledger_entries e join ledger_transfers t on t.id = e.transfer_id join ledger_accounts a on a.id = e.account_id
 where a.kind not in ('card', 'custody', 'fees', 'membership_revenue', 'outbound')
 group by e.account_id, t.kind;
create trigger totals_by_entries_only before insert or update or delete on ledger_totals
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();
create trigger no_truncate before truncate on ledger_totals
  for each statement execute function refuse_change();
drop index ledger_entries_by_account;

-- What a statement adds is summed once for each account and each transfer, and those are looked up by their keys. As
-- hash and merge joins, which a plan of an empty database prefers, whole tables were read: 4.9 ms for 90 settlements beside
-- 20,000, and more with each one since.
create or replace function ledger_apply() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved  record;
  seen   record;
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
    from (select e.account_id, sum(e.amount) as amount from added e group by e.account_id) d
    left join ledger_accounts a on a.id = d.account_id;
  if moved.accounts = 0 then return null; end if;
  if moved.known < moved.accounts then
    raise exception 'an entry names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  select count(*) as transfers, count(t.id) as known, min(t.batch) as batch_id, max(t.batch) as last_batch,
         bool_or(d.amount <> 0) as is_off
    into seen
    from (select e.transfer_id, sum(e.amount) as amount from added e group by e.transfer_id) d
    left join ledger_transfers t on t.id = d.transfer_id;
  if seen.known < seen.transfers then
    raise exception 'an entry names a transfer that does not exist' using errcode = 'foreign_key_violation';
  end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'entries of several batches in one statement' using errcode = 'check_violation';
  end if;
  if seen.is_off or (moved.first_asset <> moved.last_asset and exists (
      select from added e join ledger_accounts a on a.id = e.account_id
       group by e.transfer_id, a.network, a.asset having sum(e.amount) <> 0)) then
    raise exception 'a transfer does not sum to zero' using errcode = 'check_violation';
  end if;

  update ledger_accounts a set posted = a.posted + d.amount
    from unnest(moved.ids, moved.amounts) as d (id, amount)
   where a.id = d.id;

  if moved.wallet_ids is not null then
    insert into ledger_totals as s (account_id, kind, gained, gave)
    select e.account_id, t.kind, coalesce(sum(e.amount) filter (where e.amount > 0), 0),
           coalesce(-sum(e.amount) filter (where e.amount < 0), 0)
      from added e join ledger_transfers t on t.id = e.transfer_id
     where e.account_id = any (moved.wallet_ids)
     group by e.account_id, t.kind order by e.account_id, t.kind
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

  select sha256(mine.head || string_agg(t.digest, ''::bytea order by t.id)) into sealed
    from ledger_transfers t where t.batch = seen.batch_id;
  insert into ledger_batches (id, chain, seq, previous, hash)
  values (seen.batch_id, mine.id, mine.seq + 1, mine.head, sealed);
  update ledger_chains set head = sealed, seq = mine.seq + 1 where id = mine.id;
  return null;
end $$;
