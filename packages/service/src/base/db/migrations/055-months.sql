-- Settlements by month: docs/decisions/0095-settlements-are-kept-by-month.md. An id begins with its time, so the months are ranges of
-- ids: the primary key holds over all of them, and a lookup by id opens one. What was there before is the first part.
-- contract: a program that does not know 051 asks a unique index of settlements, which they do not have by month
-- oldest: 052

-- The time of such an id.
create function settlement_id_time(id text) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(sum((position(substr(id, 14 - n, 1) in '0123456789abcdefghjkmnpqrstvwxyz') - 1)::bigint << (5 * n)) / 1000.0)
    from generate_series(0, 9) n
$$;

-- A month that leaves for the archive takes its rows along, which a foreign key would hold back. No settlement is ever deleted, so
-- it is enough to look when a row names one.
create function names_a_settlement() returns trigger language plpgsql as $$
begin
  if not exists (select from settlements s where s.id = new.settlement_id) then
    raise exception 'a row of % names a settlement that does not exist', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
alter table ap2_receipts drop constraint ap2_receipts_settlement_id_fkey;
alter table meter_topups drop constraint meter_topups_settlement_id_fkey;
alter table pay_link_logs drop constraint pay_link_logs_settlement_id_fkey;
alter table settlement_confirmations drop constraint settlement_confirmations_settlement_id_fkey;
create constraint trigger names_a_settlement after insert or update of settlement_id on ap2_receipts
  for each row when (new.settlement_id is not null) execute function names_a_settlement();
create constraint trigger names_a_settlement after insert or update of settlement_id on meter_topups
  for each row when (new.settlement_id is not null) execute function names_a_settlement();
create constraint trigger names_a_settlement after insert or update of settlement_id on pay_link_logs
  for each row when (new.settlement_id is not null) execute function names_a_settlement();
create constraint trigger names_a_settlement after insert or update of settlement_id on settlement_confirmations
  for each row when (new.settlement_id is not null) execute function names_a_settlement();

-- Views name a table by its number, and are written anew under the new one.
create temp table views_of_settlements on commit drop as
select distinct c.relname as name, pg_get_viewdef(c.oid) as text
  from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class
 where d.classid = 'pg_rewrite'::regclass and d.refobjid = 'settlements'::regclass and c.relkind = 'v';

drop function settlement_fact(settlements);
drop trigger are_paid_once on settlements;
drop trigger count_grant_uses on settlements;
drop trigger facts_stay on settlements;
drop trigger names_a_person on settlements;
drop trigger no_delete on settlements;
drop trigger settlement_parties on settlements;
drop trigger settlements_are_posted on settlements;
do $$
declare
  found record;
begin
  for found in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'settlements'::regclass loop
    execute format('alter index %I rename to %I', found.name, 'first_' || found.name);
  end loop;
end $$;
drop index first_one_settlement_per_mandate, first_one_settlement_per_authorization;
alter table settlements rename to settlements_first;

create table settlements (like settlements_first including defaults including constraints including storage)
  partition by range (id);
alter table settlements drop constraint settlements_before_months;
alter table settlements add constraint settlements_pkey primary key (id);
create index settlements_by_payer on settlements (number_of(payer), id);
create index settlements_by_payer_wallet on settlements (number_of(payer_wallet), id) where payer_wallet is not null;
create index settlements_by_receiver on settlements (number_of(receiver_card_id), id)
  where receiver_card_id is not null;
create index settlements_by_receiver_wallet on settlements (number_of(receiver_wallet), id)
  where receiver_wallet is not null;
create index settlements_of_events on settlements (xid, seq) where xid is not null;
create index settlements_of_events_sent on settlements (number_of(payer_wallet), xid, seq) where xid is not null;
create index settlements_of_events_received on settlements (number_of(receiver_wallet), xid, seq)
  where xid is not null and receiver_wallet is not null;
create index settlements_by_batch on settlements (batch) where batch is not null;
create index settlements_settling on settlements (created_at) where state = 'settling';
create index settlements_settling_by_link on settlements (pay_link_id) where state = 'settling';
create index settlements_unswept on settlements (pay_link_id) where not is_swept;
create index settlements_on_chain on settlements (settled_at) where tx_hash is not null;

create function settlement_fact(settlements) returns bytea language sql stable as $$
  select sha256(convert_to(array_to_string(array[$1.id, $1.pay_link_id, $1.receiver_card_id, $1.receiver_wallet,
    $1.house_account, $1.protocol, $1.payer, $1.payer_wallet, $1.amount::text, $1.fee::text, $1.network, $1.asset,
    $1.decimals::text, $1.agreement_id, $1.mandate_id, $1.mandate_currency, $1.mandate_amount::text, $1.open_id,
    $1.decided_on::text, to_char($1.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    $1.payer_account::text, $1.receiver_account::text, $1.fees_account::text], E'\n', '-'), 'UTF8') || coalesce($1.mandate, ''))
$$;

create trigger count_grant_uses after insert on settlements
  referencing new table as added for each statement execute function count_grant_uses();
create trigger are_paid_once after insert on settlements
  referencing new table as added for each statement execute function are_paid_once();
create trigger settlement_parties after insert on settlements
  referencing new table as added for each statement execute function settlement_parties();
-- The last of the triggers by its name: whatever else refuses a settlement, or locks rows for it, comes before the hash chain.
create trigger settlements_are_posted after insert on settlements
  referencing new table as added for each statement execute function post_settlements();
-- A settlement by card is the only record of its transactions: nothing of them changes except what was refunded.
create trigger facts_stay before update on settlements for each row
  when ((old.id, old.pay_link_id, old.payer, old.amount, old.fee, old.created_at, old.payer_wallet, old.receiver_card_id,
         old.receiver_wallet, old.house_account, old.agreement_id, old.mandate_id, old.mandate_currency,
         old.mandate_amount, old.open_id, old.mandate, old.decimals, old.xid, old.seq, old.payer_account,
         old.receiver_account, old.fees_account, old.batch, old.digest, old.auth_nonce,
         old.decided_on::text)
        is distinct from
        (new.id, new.pay_link_id, new.payer, new.amount, new.fee, new.created_at, new.payer_wallet, new.receiver_card_id,
         new.receiver_wallet, new.house_account, new.agreement_id, new.mandate_id, new.mandate_currency,
         new.mandate_amount, new.open_id, new.mandate, new.decimals, new.xid, new.seq, new.payer_account,
         new.receiver_account, new.fees_account, new.batch, new.digest, new.auth_nonce,
         new.decided_on::text))
  execute function refuse_change();
create trigger no_delete before delete or truncate on settlements
  for each statement execute function refuse_change();
create trigger names_a_person before insert on settlements for each row
  when (starts_with(new.payer, '0x') and is_system_address(new.payer)) execute function refuse_system_address();

do $$
declare
  found record;
begin
  for found in select name, text from views_of_settlements loop
    execute format('create or replace view %I as %s', found.name, found.text);
  end loop;
end $$;

-- The triggers of a statement run for the table that it names. So a month is written through the whole alone.
create trigger only_as_a_part before insert or update or delete or truncate on settlements_first
  for each statement execute function refuse_change();
-- It takes what has no month.
create table settlements_rest partition of settlements default;
create trigger only_as_a_part before insert or update or delete or truncate on settlements_rest
  for each statement execute function refuse_change();
do $$
declare
  bound text := (select substring(pg_get_constraintdef(c.oid) from $re$'(stl_[^']+)'$re$) from pg_constraint c
    where c.conrelid = 'settlements_first'::regclass and c.conname = 'settlements_before_months');
begin
  execute format('alter table settlements attach partition settlements_first for values from (minvalue) to (%L)', bound);
end $$;
alter table settlements_first drop constraint settlements_before_months;

-- Makes the months after the last that there is, until `ahead` months after that of `at`; 24 at most. Returns how many it made. Rows that came
-- before their month are moved into it. Whoever may write settlements may call it; it waits for no lock that payments wait behind.
create function make_settlement_months(at timestamptz, ahead integer) returns integer language plpgsql
  security definer set lock_timeout = '1s' set enable_hashjoin = off as $$
declare
  starts timestamp;
  until  timestamp := date_trunc('month', at at time zone 'UTC') + make_interval(months => least(ahead, 12) + 1);
  made   integer := 0;
  month  text;
  least  text;
  bound  text;
begin
  perform pg_advisory_xact_lock(7283190453);
  select max(settlement_id_time(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(stl_[^']{10})$re$)) at time zone 'UTC')
    into starts from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'settlements'::regclass;
  while starts < until and made < 24 loop
    month := 'settlements_' || to_char(starts, 'YYYY_MM');
    least := first_settlement_id(starts at time zone 'UTC');
    bound := first_settlement_id((starts + interval '1 month') at time zone 'UTC');
    execute format('create table %I (like settlements including defaults including constraints including storage)', month);
    if exists (select from settlements_rest r where r.id >= least and r.id < bound) then
      alter table settlements_rest disable trigger only_as_a_part;
      execute format('with moved as (delete from settlements_rest r where r.id >= %L and r.id < %L returning *)
        insert into %I select * from moved', least, bound, month);
      alter table settlements_rest enable trigger only_as_a_part;
    end if;
    execute format('create trigger only_as_a_part before insert or update or delete or truncate on %I
      for each statement execute function refuse_change()', month);
    execute format('alter table settlements attach partition %I for values from (%L) to (%L)', month, least, bound);
    starts := starts + interval '1 month';
    made := made + 1;
  end loop;
  return made;
end $$;
do $$
begin
  execute format('alter function make_settlement_months set search_path = %I, pg_temp', current_schema());
  perform make_settlement_months(now(), 3);
end $$;
