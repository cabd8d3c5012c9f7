-- oldest: 043
-- The counters of limits follow from the facts: each payment counts in the windows of its own time, and what comes back frees them, however
-- late. Counters that do not tell a window are made anew: docs/decisions/0104-counters-follow-the-facts.md.

-- The newest hour in which the card has paid; null: its counters are made anew before its next payment. It is later than `hour` once a
-- clock was ahead and is right again. The same of a cap, to the minute.
alter table cards add column counted_to text;
alter table spending_caps add column counted_to text;
-- Cards that a key named until they changed hands: what they paid before still counts.
alter table spending_caps add column former_cards text[];
create index if not exists ledger_holds_by_account on ledger_holds (account_id, id);

-- The time in an id, as ids of this moment begin after their prefix.
create function id_time(at timestamptz) returns text language sql immutable parallel safe as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;

-- The payments of these cards from this time on, each with the wallet that the card had: settlements, and holds by the part that is held or
-- was captured. A payment that a reorganization undid is none.
create function spending_facts(ids text[], since timestamptz)
returns table (card_id text, wallet text, at timestamptz, amount numeric) language sql stable as $$
  select c.id, s.payer_wallet, s.created_at, s.amount from unnest(ids) as c (id)
    join settlements s on number_of(s.payer) = number_of(c.id) and is_same(s.payer, c.id)
      and s.id >= 'stl_' || id_time(since) and s.created_at >= since and s.batch is not null
  union all
  select c.id, coalesce((select o.from_wallet from card_handovers o where c.owner_no > 0 and o.card_id = c.id
      and o.created_at > h.created_at order by o.owner_no limit 1), c.wallet_address),
    h.created_at, case h.state when 'open' then h.amount else h.captured end
    from cards c join ledger_holds h on h.account_id = c.account_id and h.id >= 'hold_' || id_time(since)
      and h.created_at >= since and h.state <> 'released'
    where c.id = any(ids) and not exists (select from outbound_payments p where p.hold_id = h.id and p.state = 'undone')
$$;

-- The time from which facts are needed for all windows of a moment, in UTC.
create function first_of_windows(at timestamp) returns timestamptz language sql immutable as
  $$ select least(date_trunc('week', at), date_trunc('month', at), date_trunc('day', at) - interval '29 days') at time zone 'UTC' $$;

-- The card with its counters at this time.
create function counted_card(c cards, at timestamptz) returns cards language plpgsql stable as $$
declare
  utc timestamp := at at time zone 'UTC';
  before text := c.hour;
  newest text;
begin
  select coalesce(sum(f.amount) filter (where date_trunc('hour', f.t) = date_trunc('hour', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('day', f.t) = date_trunc('day', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('week', f.t) = date_trunc('week', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('month', f.t) = date_trunc('month', utc)), 0),
      to_char(max(f.t), 'YYYY-MM-DD"T"HH24')
    into c.hour_used, c.day_used, c.week_used, c.month_used, newest
    from (select s.amount, s.at at time zone 'UTC' as t from spending_facts(
      array(select k.id from cards k where k.id = c.id or (k.ancestors <> '{}' and k.ancestors @> array[c.id])),
      least(date_trunc('week', utc), date_trunc('month', utc)) at time zone 'UTC') s) f;
  c.hour := to_char(utc, 'YYYY-MM-DD"T"HH24');
  c.day := to_char(utc, 'YYYY-MM-DD');
  c.week := to_char(utc, 'IYYY-"W"IW');
  c.month := to_char(utc, 'YYYY-MM');
  c.hour_cap := case when c.hourly_limit is not null then greatest(c.hourly_limit, c.hour_used) end;
  c.day_cap := case when c.daily_limit is not null then greatest(c.daily_limit, c.day_used) end;
  c.week_cap := case when c.weekly_limit is not null then greatest(c.weekly_limit, c.week_used) end;
  c.month_cap := case when c.monthly_limit is not null then greatest(c.monthly_limit, c.month_used) end;
  c.counted_to := greatest(c.counted_to, before, c.hour, newest);
  return c;
end $$;

-- The facts that a cap counts: of a wallet's cards, of those that a key names, or of one card, with those below them, while they were the
-- wallet's that the cap is of.
create function cap_facts(k spending_caps, since timestamptz) returns table (at timestamptz, amount numeric) language plpgsql stable as $$
declare
  own text := k.subject;
  ids text[];
begin
  if k.subject like '0x%' then
    ids := array(select c.id from cards c where c.wallet_address = own
      union select h.card_id from card_handovers h where h.from_wallet = own);
  elsif k.subject like 'card\_%' then
    own := (select c.wallet_address from cards c where c.id = k.subject);
    ids := array[k.subject];
  else
    select a.wallet_address, a.card_ids || k.former_cards into own, ids from api_keys a where a.hash = decode(k.subject, 'hex');
  end if;
  return query select f.at, f.amount from spending_facts(
    array(select c.id from cards c where (c.id = any(ids) or (c.ancestors <> '{}' and c.ancestors && ids)) and c.kind = 'spending'
      and c.settlement_mode = 'CUSTODIAL' and (c.network, c.asset) = (k.network, k.asset)), since) f where f.wallet = own;
end $$;

-- Whether a row that counts this hour, and has counted up to that one, tells the counters of another: the same, or a new one.
create function tells_hour(hour text, counted_to text, other text) returns boolean language sql immutable as
  $$ select counted_to is not null and (other = hour or (other > hour and hour = left(counted_to, 13))) $$;

-- The cap with its counters at this time. One that tells the hour is counted anew for the minute alone.
create function counted_cap(k spending_caps, at timestamptz) returns spending_caps language plpgsql stable as $$
declare
  utc timestamp := at at time zone 'UTC';
  is_current boolean := tells_hour(k.hour, k.counted_to, to_char(utc, 'YYYY-MM-DD"T"HH24'));
  newest text;
begin
  k.minute := to_char(utc, 'YYYY-MM-DD"T"HH24:MI');
  select count(*) filter (where to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') = k.minute),
      to_char(max(f.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')
    into k.minute_payments, newest from cap_facts(k, date_trunc('minute', at)) f;
  if not is_current then
    k.hour := to_char(utc, 'YYYY-MM-DD"T"HH24');
    k.day := to_char(utc, 'YYYY-MM-DD');
    k.week := to_char(utc, 'IYYY-"W"IW');
    k.month := to_char(utc, 'YYYY-MM');
    with facts as materialized (
      select f.amount, f.at at time zone 'UTC' as t from cap_facts(k, first_of_windows(utc)) f)
    select coalesce(sum(f.amount) filter (where date_trunc('hour', f.t) = date_trunc('hour', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('day', f.t) = date_trunc('day', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('week', f.t) = date_trunc('week', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('month', f.t) = date_trunc('month', utc)), 0),
        array(select coalesce(sum(d.amount), 0) from generate_series(0, 29) n
          left join facts d on d.t::date = utc::date - n group by n order by n)
      into k.hour_used, k.day_used, k.week_used, k.month_used, k.days from facts f;
  end if;
  k.counted_to := greatest(k.counted_to, k.minute, newest);
  return k;
end $$;

-- Every amount that leaves a card, whatever rail it takes, changes one of these sums: here it is counted on the card's caps too, in the
-- windows of the card, which are those of the payment.
create function count_taken_on_caps() returns trigger language plpgsql as $$
declare
  taken numeric := new.spent + new.held + new.delegated - old.spent - old.held - old.delegated;
begin
  update spending_caps c set
    hour = new.hour, hour_used = case c.hour when new.hour then c.hour_used else 0 end + taken,
    day = new.day, day_used = case c.day when new.day then c.day_used else 0 end + taken,
    week = new.week, week_used = case c.week when new.week then c.week_used else 0 end + taken,
    month = new.month, month_used = case c.month when new.month then c.month_used else 0 end + taken,
    days = days_with(days_until(c.days, c.day, new.day), new.day, new.day, taken),
    counted_to = case when c.counted_to is not null then greatest(c.counted_to, new.hour) end
  where c.subject = any(new.caps) and (c.counted_to is null or tells_hour(c.hour, c.counted_to, new.hour));
  -- A payment that was decided on an older count, or on one that does not tell its windows, is decided again.
  perform refuse_stale(exists (select from spending_caps c where c.subject = any(new.caps) and (c.hour <> new.hour
    or c.hour_used > c.hourly_limit or c.day_used > c.daily_limit or c.week_used > c.weekly_limit
    or c.month_used > c.monthly_limit or c.rolling_limit < (select sum(d) from unnest(c.days) d))));
  return null;
end $$;
create or replace trigger count_on_caps after update of spent, held, delegated on cards for each row
  when (new.caps <> '{}' and new.spent + new.held + new.delegated > old.spent + old.held + old.delegated)
  execute function count_taken_on_caps();

-- Money that comes back of a hold frees the windows in which it was held, whenever it comes. A hold that comes back whole was no payment.
create function free_caps_of_hold() returns trigger language plpgsql as $$
declare
  back numeric := new.amount - new.captured;
  utc timestamp := new.created_at at time zone 'UTC';
  subjects text[] := array(select distinct s from cards c join cards k on k.id = c.id or k.id = any(c.ancestors)
    cross join unnest(k.caps) s where c.account_id = new.account_id);
begin
  if subjects = '{}' then
    return null;
  end if;
  perform from spending_caps where subject = any(subjects) order by subject for update;
  update spending_caps set
    hour_used = greatest(hour_used - case hour when to_char(utc, 'YYYY-MM-DD"T"HH24') then back else 0 end, 0),
    day_used = greatest(day_used - case day when to_char(utc, 'YYYY-MM-DD') then back else 0 end, 0),
    week_used = greatest(week_used - case week when to_char(utc, 'IYYY-"W"IW') then back else 0 end, 0),
    month_used = greatest(month_used - case month when to_char(utc, 'YYYY-MM') then back else 0 end, 0),
    days = days_with(days, day, to_char(utc, 'YYYY-MM-DD'), -back),
    minute_payments = greatest(minute_payments - case
      when new.captured = 0 and minute = to_char(utc, 'YYYY-MM-DD"T"HH24:MI') then 1 else 0 end, 0)
  where subject = any(subjects);
  return null;
end $$;
create trigger free_caps_of_hold after update on ledger_holds for each row
  when (new.state <> 'open' and new.captured < new.amount) execute function free_caps_of_hold();

-- A payment that a reorganization undid was none: whatever counted it is counted anew.
create function recount_undone() returns trigger language plpgsql as $$
declare
  family text[] := array(select k.id from cards c join cards k on k.id = c.id or k.id = any(c.ancestors)
    where c.id = new.card_id order by 1);
begin
  update cards set counted_to = null where id = any(family);
  update spending_caps k set counted_to = null where k.subject = new.wallet_address
    or k.subject in (select unnest(c.caps) from cards c where c.id = any(family)) or k.former_cards && family;
  return null;
end $$;
create trigger recount_undone after update of state on outbound_payments for each row
  when (new.state = 'undone' and old.state <> 'undone') execute function recount_undone();

-- The caps of a card that changes hands: its own counts what left it under the new owner alone.
create function recount_handed_over() returns trigger language plpgsql as $$
begin
  update spending_caps k set counted_to = null where k.subject = new.id;
  update spending_caps k set former_cards = k.former_cards || new.id
    where k.subject = any(old.caps) and k.subject <> new.id and k.subject not like '0x%';
  return null;
end $$;
create trigger recount_handed_over after update of wallet_address on cards for each row
  when (new.wallet_address <> old.wallet_address and (old.caps <> '{}' or new.caps <> '{}')) execute function recount_handed_over();
