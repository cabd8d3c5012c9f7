-- oldest: 043
-- The days of spending summed by week (from Monday, UTC), so that long times are read by few rows. `business/stats/README.md` says how.
create table spending_weeks (
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  week           date not null check (extract(isodow from week) = 1),
  card_id        text not null check (card_id <> ''),
  payments       bigint not null check (payments >= 0),
  spent          numeric(78, 0) not null check (spent >= 0),
  returned       numeric(78, 0) not null check (returned >= 0),
  primary key (wallet_address, network, asset, week, card_id)
) with (fillfactor = 80);

create function week_of(day date) returns date language sql immutable
  return day - (extract(isodow from day)::integer - 1);

-- Triggers, since the program of the version before counts days as well.
create function add_new_days_to_weeks() returns trigger language plpgsql as $$
begin
  insert into spending_weeks as w (wallet_address, network, asset, week, card_id, payments, spent, returned)
  select wallet_address, network, asset, week_of(day), card_id, sum(payments), sum(spent), sum(returned)
  from added where card_id <> '' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (wallet_address, network, asset, week, card_id) do update set payments = w.payments + excluded.payments,
    spent = w.spent + excluded.spent, returned = w.returned + excluded.returned;
  return null;
end $$;
create trigger add_new_days_to_weeks after insert on spending_days referencing new table as added
  for each statement execute function add_new_days_to_weeks();

create function add_changed_days_to_weeks() returns trigger language plpgsql as $$
begin
  insert into spending_weeks as w (wallet_address, network, asset, week, card_id, payments, spent, returned)
  select a.wallet_address, a.network, a.asset, week_of(a.day), a.card_id, sum(a.payments - b.payments), sum(a.spent - b.spent),
    sum(a.returned - b.returned)
  from added a join before b using (wallet_address, network, asset, day, card_id)
  where a.card_id <> '' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (wallet_address, network, asset, week, card_id) do update set payments = w.payments + excluded.payments,
    spent = w.spent + excluded.spent, returned = w.returned + excluded.returned;
  return null;
end $$;
create trigger add_changed_days_to_weeks after update on spending_days referencing old table as before new table as added
  for each statement execute function add_changed_days_to_weeks();
