-- Events, each written in the transaction that caused it. Readers follow them by a cursor of (xid, seq).

-- Transaction ids belong to a database cluster: in a new one they begin anew. So what is stored is this base and the id. After a
-- restore into a new cluster the base is raised, and the ids of later transactions are larger than those that are stored.
create table event_base (
  is_only boolean primary key default true check (is_only),
  base    bigint not null default 0
);
insert into event_base default values;
create trigger base_only_grows before update on event_base for each row
  when (new.base < old.base) execute function refuse_change();
create trigger no_delete before delete or truncate on event_base
  for each statement execute function refuse_change();

-- The id of this transaction.
create function event_xid() returns bigint language sql as $$
  select base + pg_current_xact_id()::text::bigint from event_base
$$;
-- Every transaction with a smaller id has ended.
create function event_horizon() returns bigint language sql stable as $$
  select base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint from event_base
$$;

-- A settlement takes a number here too, and the one after it: its two events have no rows.
create sequence event_numbers increment 2;

create table events (
  -- A transaction that takes the smaller seq may commit later, so a cursor on seq alone would lose events. A reader stops
  -- at the oldest transaction that is still open, so it misses none.
  xid            bigint not null,
  seq            bigint not null default nextval('event_numbers'),
  id             text not null unique check (id like 'evt\_%'),
  type           text not null,
  wallet_address text not null,
  subject        text not null,  -- the id of the object it is about
  card_id        text,           -- the wallet's card whose restricted keys may read it
  data           json not null,  -- as it was made: nothing asks for its members, so it is not taken apart
  created_at     timestamptz not null,
  primary key (xid, seq)
);
create index events_by_wallet on events (wallet_address, xid, seq);
create trigger insert_only before update or truncate on events
  for each statement execute function refuse_change();

-- How far each reader of all events has come. `retention` is how far events were deleted by age.
create table event_cursors (
  name text primary key,
  xid  bigint not null,
  seq  bigint not null
);

-- The open streams of a wallet, of all processes together: each takes one of five slots, and its process renews it.
create table event_streams (
  wallet_address text not null,
  slot           smallint not null check (slot between 1 and 5),
  id             text not null unique,
  until          timestamptz not null,  -- a process that died leaves the slot to others from then on
  primary key (wallet_address, slot)
);
