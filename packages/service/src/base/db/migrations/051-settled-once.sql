-- A settlement is the only one of its mandate and of its authorization. A unique index of settlements promises that today, and cannot once they
-- lie by month, since it would have to hold the id: docs/decisions/0095-settlements-are-kept-by-month.md.
-- oldest: 043

-- A mandate of a card pays once.
create table paid_mandates (
  key           bytea not null constraint one_payment_per_mandate primary key,  -- `mandate_key`
  settlement_id text not null
);
-- An authorization of a payer settles once.
create table settled_authorizations (
  network       text not null,
  asset         text not null,
  payer         text not null,
  auth_nonce    text not null,
  settlement_id text not null,
  constraint one_use_per_authorization primary key (network, asset, payer, auth_nonce)
);
create trigger insert_only before update or delete or truncate on paid_mandates
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on settled_authorizations
  for each statement execute function refuse_change();

create function are_paid_once() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into paid_mandates select mandate_key(a.payer, a.mandate_id), a.id from added a where a.mandate_id is not null;
  if exists (select from added where auth_nonce is not null) then
    insert into settled_authorizations select a.network, a.asset, a.payer, a.auth_nonce, a.id from added a
      where a.auth_nonce is not null on conflict do nothing;
    if exists (select from added a join settled_authorizations k using (network, asset, payer, auth_nonce)
        where k.settlement_id <> a.id) then
      raise exception 'an authorization settled before' using errcode = 'unique_violation',
        constraint = 'one_use_per_authorization';
    end if;
  end if;
  return null;
end $$;

create trigger are_paid_once after insert on settlements
  referencing new table as added for each statement execute function are_paid_once();
