-- oldest: 043
-- Addresses of others that a wallet lets its withdrawals go to: docs/decisions/0098-payouts-are-capped.md.
create table payout_addresses (
  id             text primary key check (id like 'pad\_%'),
  wallet_address text not null,
  address        text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  added_at       timestamptz not null,
  removed_at     timestamptz,
  check (address <> wallet_address)
);
create unique index one_payout_address on payout_addresses (wallet_address, address) where removed_at is null;
create index payout_addresses_by_wallet on payout_addresses (wallet_address, added_at);
create trigger no_delete before delete or truncate on payout_addresses for each statement execute function refuse_change();
create trigger names_a_person before insert on payout_addresses for each row
  when (is_system_address(new.address) or is_system_address(new.wallet_address))
  execute function refuse_system_address();

-- Both times are the database's. An address is removed once; adding it again is another row, whose time begins anew.
create function time_payout_address() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.added_at := payout_time();
    new.removed_at := null;
  elsif old.removed_at is null
      and (old.id, old.wallet_address, old.address, old.added_at) = (new.id, new.wallet_address, new.address, new.added_at) then
    new.removed_at := payout_time();
  else
    raise exception 'payout address % can only be removed, once', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger time_payout_address before insert or update on payout_addresses
  for each row execute function time_payout_address();

-- The seconds that an address must have been there for this withdrawal; null where none was asked.
alter table withdrawals add column address_delay integer;
create function keep_payout_address() returns trigger language plpgsql as $$
begin
  perform 1 from payout_addresses a where a.wallet_address = new.wallet_address and a.address = new.to_address
    and a.removed_at is null and a.added_at <= payout_time() - make_interval(secs => new.address_delay) for share;
  if not found then
    raise exception 'withdrawal % goes to an address that its wallet has not added long enough ago', new.id
      using errcode = 'check_violation', constraint = 'to_known_address';
  end if;
  return new;
end $$;
create trigger keep_payout_address before insert on withdrawals for each row
  when (new.address_delay is not null and new.to_address <> new.wallet_address) execute function keep_payout_address();
create trigger keep_payout_delay before update on withdrawals for each row
  when (old.address_delay is distinct from new.address_delay) execute function keep_payout_terms();
