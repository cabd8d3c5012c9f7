-- oldest: 043
-- Withdrawals above an amount, which an operator approves first: docs/decisions/0098-payouts-are-capped.md. Nothing of them is signed, so
-- nobody can pay them out; a hold keeps their money. One that is approved becomes a withdrawal of the same id and nonce.
create table withdrawal_requests (
  id             text primary key check (id like 'wd\_%'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  fee            numeric(78, 0) not null check (fee >= 0 and fee < amount),
  to_address     text not null check (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  nonce          text not null unique check (nonce ~ '^0x[0-9a-f]{64}$'),
  intent         bytea check (length(intent) = 32),
  hold_id        text not null unique references ledger_holds,
  wallet_cap     numeric(78, 0),
  treasury_cap   numeric(78, 0),
  counted_at     timestamptz,
  state          text not null default 'pending' check (state in ('pending', 'approved', 'begun', 'rejected')),
  note           text check (length(note) between 1 and 500),
  created_at     timestamptz not null,
  decided_at     timestamptz,
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'pending') = (note is null))
);
create index withdrawal_requests_by_wallet on withdrawal_requests (wallet_address, id desc);
create index withdrawal_requests_by_intent on withdrawal_requests (intent) where intent is not null;
create index withdrawal_requests_open on withdrawal_requests (network, asset, counted_at) where state in ('pending', 'approved');
create trigger no_delete before delete or truncate on withdrawal_requests for each statement execute function refuse_change();
create trigger names_a_person before insert on withdrawal_requests for each row
  when (is_system_address(new.to_address) or is_system_address(new.wallet_address))
  execute function refuse_system_address();

-- A decision is made once: pending, then rejected, or approved and begun. Its hold is closed in the same transaction.
create function keep_withdrawal_request() returns trigger language plpgsql as $$
begin
  if (to_jsonb(old) - array['state', 'note', 'decided_at']) <> (to_jsonb(new) - array['state', 'note', 'decided_at'])
     or (old.state, new.state) not in (('pending', 'approved'), ('pending', 'rejected'), ('approved', 'begun'))
     or old.state = 'approved' and (old.note, old.decided_at) <> (new.note, new.decided_at) then
    raise exception 'withdrawal request % is decided once', old.id using errcode = 'check_violation';
  end if;
  if new.state = 'rejected' and not exists (select from ledger_holds where id = new.hold_id and state = 'released')
     or new.state = 'begun' and (not exists (select from ledger_holds where id = new.hold_id and state = 'captured')
       or not exists (select from withdrawals w where (w.id, w.nonce, w.amount, w.to_address)
         = (new.id, new.nonce, new.amount, new.to_address))) then
    raise exception 'the money of withdrawal request % has not moved as its state says', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_withdrawal_request before update on withdrawal_requests
  for each row execute function keep_withdrawal_request();

-- As before, and requests that wait count like withdrawals.
create or replace function keep_payout_caps() returns trigger language plpgsql as $$
declare
  of_wallet numeric;
  of_all numeric;
begin
  if new.wallet_cap is not null or new.treasury_cap is not null then
    perform lock_payout_caps(new.network, new.asset);
  end if;
  new.counted_at := payout_time();
  if new.wallet_cap is not null or new.treasury_cap is not null then
    select coalesce(sum(c.amount) filter (where c.wallet_address = new.wallet_address), 0), coalesce(sum(c.amount), 0)
      into of_wallet, of_all from
      (select network, asset, wallet_address, amount, counted_at from withdrawals where status <> 'FAILED' and counted_at is not null
       union all select network, asset, wallet_address, amount, counted_at from withdrawal_requests
         where state in ('pending', 'approved')) c
      where c.network = new.network and c.asset = new.asset and c.counted_at > new.counted_at - interval '24 hours';
    if of_wallet + new.amount > new.wallet_cap or of_all + new.amount > new.treasury_cap then
      raise exception 'withdrawal % is above a daily cap', new.id
        using errcode = 'check_violation', constraint = 'within_payout_caps';
    end if;
  end if;
  return new;
end $$;
create trigger keep_payout_caps before insert on withdrawal_requests for each row execute function keep_payout_caps();
