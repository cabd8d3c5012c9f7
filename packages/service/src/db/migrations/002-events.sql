-- What happened, written in the transaction that made it happen. Readers follow it by cursor.
set local lock_timeout = '5s';

create table events (
  seq            bigint generated always as identity primary key,
  id             text not null unique check (id like 'evt\_%'),
  type           text not null,
  wallet_address text not null,
  subject        text not null,  -- the id of the object it is about
  data           jsonb not null,
  created_at     timestamptz not null,
  -- A reader goes no further than the oldest transaction still open, so that none is passed over.
  xid            xid8 not null default pg_current_xact_id()
);
create index events_by_wallet on events (wallet_address, seq);
create index events_by_subject on events (subject, seq);
create trigger insert_only before update or truncate on events
  for each statement execute function refuse_change();

-- The answers to requests that carried an Idempotency-Key. The answer is sealed (AES-256-GCM): it may hold a secret.
create table idempotency_keys (
  wallet_address text not null,
  key            text not null check (length(key) between 1 and 255),
  route          text not null,
  request_hash   bytea not null,
  status         integer,  -- null while the request is running
  answer         bytea,
  locked_until   timestamptz not null,
  created_at     timestamptz not null,
  primary key (wallet_address, key),
  check ((status is null) = (answer is null))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
