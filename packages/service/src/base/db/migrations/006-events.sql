-- Events, each written in the transaction that caused it. Readers follow it by a cursor of (xid, seq).

create table events (
  -- A transaction that takes the smaller seq may commit later, so a cursor on seq alone would lose events. A reader stops
  -- at the oldest transaction that is still open, so it misses none.
  xid            xid8 not null default pg_current_xact_id(),
  seq            bigint generated always as identity,
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
-- Transaction ids belong to a database cluster. After a restore into a new one, stored ids are lowered to fit it.
create trigger only_xid_is_lowered before update on events for each row
  when (new.xid >= old.xid
    or (new.seq, new.id, new.type, new.wallet_address, new.subject, new.card_id, new.data::text, new.created_at)
    is distinct from (old.seq, old.id, old.type, old.wallet_address, old.subject, old.card_id, old.data::text,
      old.created_at))
  execute function refuse_change();
create trigger no_truncate before truncate on events
  for each statement execute function refuse_change();

-- How far each reader of all events has come.
create table event_cursors (
  name text primary key,
  xid  xid8 not null,
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
