-- Payouts that a restored backup has forgotten, and who may release payouts that are held.
set local lock_timeout = '5s';

-- What a keyed withdrawal was asked for: wallet, key and terms. The nonce is made from it and from the number of earlier
-- withdrawals of the same intent, so a database that has forgotten one makes the same nonce again.
alter table withdrawals add column intent bytea check (length(intent) = 32);
create index withdrawals_by_intent on withdrawals (intent) where intent is not null;

create or replace function keep_withdrawal() returns trigger language plpgsql as $$
begin
  if old.status <> 'PROCESSING'
     or (old.id, old.wallet_address, old.network, old.asset, old.amount, old.fee, old.net_amount, old.from_address,
         old.to_address, old.nonce, old.valid_before, old.signature, old.from_block, old.created_at, old.intent)
        is distinct from
        (new.id, new.wallet_address, new.network, new.asset, new.amount, new.fee, new.net_amount, new.from_address,
         new.to_address, new.nonce, new.valid_before, new.signature, new.from_block, new.created_at, new.intent) then
    raise exception 'withdrawal % has ended, or its authorization would change', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- What operators said of payouts. The newest row of a network counts: `stop` holds them, `release` lets them go while
-- custody is short by no more than `shortage` base units.
create table payout_orders (
  seq        bigint generated always as identity primary key,
  network    text not null,
  kind       text not null check (kind in ('stop', 'release')),
  shortage   numeric(78, 0) not null default 0 check (shortage >= 0),
  note       text not null check (length(note) between 1 and 500),
  created_at timestamptz not null,
  check (kind = 'release' or shortage = 0)
);
create index payout_orders_newest on payout_orders (network, seq desc);
create trigger no_change before update or delete or truncate on payout_orders
  for each statement execute function refuse_change();
