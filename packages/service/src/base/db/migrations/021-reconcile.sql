-- Ledger and chain compared at one block, what was found wrong, and whether payouts may go.

-- The newest comparison of each asset. All amounts in base units.
create table reconciliations (
  network     text not null,
  asset       text not null,
  block       bigint not null,
  compared_at timestamptz not null,
  on_chain    numeric(78, 0) not null,  -- held by the custody addresses at that block
  owed        numeric(78, 0) not null,  -- what the ledger says is in custody
  unclaimed   numeric(78, 0) not null,  -- arrived by that block, from unknown wallets
  awaited     numeric(78, 0) not null,  -- arrived by that block, and not credited yet
  early       numeric(78, 0) not null,  -- credited, and arrived after that block
  departed    numeric(78, 0) not null,  -- left by that block, and not booked yet
  ahead       numeric(78, 0) not null,  -- booked, and left after that block
  -- Held by the custody addresses before the ledger had its first entry, and owed to nobody. Set once.
  opening     numeric(78, 0) not null check (opening >= 0),
  opening_block bigint not null,       -- the last block that the watcher had read at the first comparison
  opened_at   timestamptz not null,
  -- The part of it that has found an owner since: a transfer up to that block that was seen or reported only later.
  claimed     numeric(78, 0) not null check (claimed between 0 and opening),
  difference  numeric(78, 0) not null,
  primary key (network, asset),
  constraint difference_of_the_terms check (
    difference = on_chain - (owed + unclaimed + awaited - early - departed + ahead + opening - claimed))
);

create table alarms (
  id                text primary key check (id like 'alm\_%'),
  kind              text not null,
  subject           text not null,  -- the object it is about, within its kind
  sentence          text not null,
  details           jsonb not null,
  first_seen        timestamptz not null,
  last_seen         timestamptz not null,
  acknowledged_at   timestamptz,
  acknowledged_note text,
  resolved_at       timestamptz,
  check (last_seen >= first_seen),
  check ((acknowledged_at is null) = (acknowledged_note is null)),
  check (resolved_at is null or resolved_at >= first_seen)
);
-- One alarm for one fault, however often it is found.
create unique index one_open_alarm on alarms (kind, subject) where resolved_at is null;
create index alarms_by_age on alarms (first_seen desc, id);

-- An alarm is history: it ends once, and stays.
create function keep_alarm() returns trigger language plpgsql as $$
begin
  if old.resolved_at is not null
     and (old.kind, old.subject, old.sentence, old.details, old.first_seen, old.last_seen, old.resolved_at)
         is distinct from
         (new.kind, new.subject, new.sentence, new.details, new.first_seen, new.last_seen, new.resolved_at) then
    raise exception 'alarm % has ended', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_alarm before update on alarms for each row execute function keep_alarm();
create trigger no_delete before delete or truncate on alarms
  for each statement execute function refuse_change();

-- Operators' orders about payouts, by asset. The newest row of an asset counts: `stop` holds them, `release` lets them go while
-- custody is short by no more than `shortage` base units.
create table payout_orders (
  seq        bigint generated always as identity primary key,
  network    text not null,
  asset      text not null,
  kind       text not null check (kind in ('stop', 'release')),
  shortage   numeric(78, 0) not null default 0 check (shortage >= 0),
  note       text not null check (length(note) between 1 and 500),
  created_at timestamptz not null,
  check (kind = 'release' or shortage = 0)
);
create index payout_orders_newest on payout_orders (network, asset, seq desc);
create trigger no_change before update or delete or truncate on payout_orders
  for each statement execute function refuse_change();
