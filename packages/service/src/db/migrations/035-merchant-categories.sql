-- A merchant category counts only where the operator assigned it to a wallet. What a seller writes on a link is a label.
set local lock_timeout = '5s';

create table merchant_categories (
  wallet_address text primary key check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  mcc            text check (mcc ~ '^\d{4}$'),  -- null: it was taken away
  note           text not null,
  assigned_at    timestamptz not null
);

-- Every change, written by the database: also one that was made past the service.
create table merchant_category_changes (
  id             bigint generated always as identity primary key,
  wallet_address text not null,
  previous       text,
  mcc            text,
  note           text not null,
  database_role  text not null,
  changed_at     timestamptz not null
);
create function note_category_change() returns trigger language plpgsql as $$
begin
  insert into merchant_category_changes (wallet_address, previous, mcc, note, database_role, changed_at)
  values (new.wallet_address, case when tg_op = 'UPDATE' then old.mcc end, new.mcc, new.note, session_user,
    new.assigned_at);
  return null;
end $$;
create trigger note_category_change after insert or update on merchant_categories
  for each row execute function note_category_change();
create trigger wallets_stay before update on merchant_categories
  for each row when (old.wallet_address <> new.wallet_address) execute function refuse_change();
create trigger no_delete before delete or truncate on merchant_categories
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on merchant_category_changes
  for each statement execute function refuse_change();
create trigger written_by_changes_only before insert on merchant_category_changes
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();

-- A decision shows the category that it was made on. Those of before were made on the link's own.
create or replace view card_settlement_decisions as
select 'dec_' || substr(s.id, 5) as id, s.payer as card_id, true as allowed, 'within_limits' as rule, s.amount,
       l.code as merchant, case when s.decided_on::jsonb ? 'mcc' then s.decided_on ->> 'mcc' else l.mcc end as mcc,
       s.protocol as rail, s.decided_on::jsonb as inputs, s.id as ref, s.created_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;
