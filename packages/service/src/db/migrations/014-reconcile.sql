-- Ledger and chain compared at one block, what was found not to be right, and how far the watcher has to catch up.
set local lock_timeout = '5s';

-- The newest comparison of each network. All amounts in base units.
create table reconciliations (
  network        text primary key,
  block          bigint not null,
  compared_at    timestamptz not null,
  on_chain       numeric(78, 0) not null,  -- under the custody addresses at that block
  owed           numeric(78, 0) not null,  -- what the ledger says stands in custody
  unclaimed      numeric(78, 0) not null,  -- arrived by that block, from wallets that nobody knows
  awaited        numeric(78, 0) not null,  -- arrived by that block, and to be credited yet
  early          numeric(78, 0) not null,  -- credited, and arrived after that block
  departed       numeric(78, 0) not null,  -- left by that block, and not booked yet
  ahead          numeric(78, 0) not null,  -- booked, and left after that block
  -- What stood there before the ledger had its first entry, for which nobody is owed anything. Set once.
  opening        numeric(78, 0) not null check (opening >= 0),
  difference     numeric(78, 0) not null,
  constraint difference_of_the_terms check (
    difference = on_chain - (owed + unclaimed + awaited - early - departed + ahead + opening))
);

create table alarms (
  id                text primary key check (id like 'alm\_%'),
  kind              text not null,
  subject           text not null,  -- what it is about, within its kind
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
-- One alarm for one trouble, however often and by how many it is found.
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

-- What the comparison asks every minute: only what moved not long ago.
create index deposits_by_block on deposits (network, block_number);
create index outbound_payments_final on outbound_payments (block_number) where state = 'final';
create index withdrawals_completed on withdrawals (ended_at) where status = 'COMPLETED';
create index pay_link_settlements_on_chain on pay_link_settlements (settled_at) where tx_hash is not null;
create index payment_exceptions_by_age on payment_exceptions (created_at);

alter table watch_cursors
  -- The safe block when the watcher last looked.
  add column safe       bigint,
  -- Where the cursor stood when it fell behind; null while it keeps up.
  add column behind_from bigint;
