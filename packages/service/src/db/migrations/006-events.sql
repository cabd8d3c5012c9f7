-- What happened, written in the transaction that made it happen. Readers follow it by cursor.

create table events (
  seq            bigint generated always as identity primary key,
  id             text not null unique check (id like 'evt\_%'),
  type           text not null,
  wallet_address text not null,
  subject        text not null,  -- the id of the object it is about
  data           jsonb not null,
  created_at     timestamptz not null,
  -- A reader stops at the oldest transaction that is still open, so it misses no event.
  xid            xid8 not null default pg_current_xact_id()
);
create index events_by_wallet on events (wallet_address, seq);
create index events_by_subject on events (subject, seq);
-- The watcher asks at every pass which links were cancelled not long ago.
create index events_of_cancelled_links on events (created_at) where type = 'paylink.cancelled';
create trigger insert_only before update or truncate on events
  for each statement execute function refuse_change();
