-- oldest: 043
-- How withdrawals are kept from leaving too fast: docs/decisions/0098-payouts-are-capped.md.

-- The time by which payouts are judged: the database's, so that no machine's clock decides, and moved with the development clock.
create function payout_time() returns timestamptz language sql stable as $$
  select clock_timestamp() + coalesce((select offset_ms from dev_clock), 0) * interval '1 millisecond'
$$;

-- Held until the transaction ends, so that two withdrawals of an asset never count each other out.
create function lock_payout_caps(of_network text, of_asset text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_network || ' ' || of_asset, 56));
end $$;

-- The caps that a withdrawal was judged by; null where there was none. It counts from counted_at on, for 24 hours, unless it fails.
alter table withdrawals add column wallet_cap numeric(78, 0);
alter table withdrawals add column treasury_cap numeric(78, 0);
alter table withdrawals add column counted_at timestamptz;
create index if not exists withdrawals_counted on withdrawals (network, asset, counted_at) include (wallet_address, amount)
  where status <> 'FAILED' and counted_at is not null;

create function keep_payout_caps() returns trigger language plpgsql as $$
declare
  of_wallet numeric;
  of_all numeric;
begin
  if new.wallet_cap is not null or new.treasury_cap is not null then
    perform lock_payout_caps(new.network, new.asset);
  end if;
  new.counted_at := payout_time();
  if new.wallet_cap is not null or new.treasury_cap is not null then
    select coalesce(sum(w.amount) filter (where w.wallet_address = new.wallet_address), 0), coalesce(sum(w.amount), 0)
      into of_wallet, of_all from withdrawals w
      where w.network = new.network and w.asset = new.asset and w.status <> 'FAILED'
        and w.counted_at is not null and w.counted_at > new.counted_at - interval '24 hours'
        and (new.treasury_cap is not null or w.wallet_address = new.wallet_address);
    if of_wallet + new.amount > new.wallet_cap or of_all + new.amount > new.treasury_cap then
      raise exception 'withdrawal % is above a daily cap', new.id
        using errcode = 'check_violation', constraint = 'within_payout_caps';
    end if;
  end if;
  return new;
end $$;
create trigger keep_payout_caps before insert on withdrawals for each row execute function keep_payout_caps();

create function keep_payout_terms() returns trigger language plpgsql as $$
begin
  raise exception 'what withdrawal % was judged by would change', old.id using errcode = 'check_violation';
end $$;
create trigger keep_payout_terms before update on withdrawals for each row
  when ((old.wallet_cap, old.treasury_cap, old.counted_at) is distinct from (new.wallet_cap, new.treasury_cap, new.counted_at))
  execute function keep_payout_terms();
