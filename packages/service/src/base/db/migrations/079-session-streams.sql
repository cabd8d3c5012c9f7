-- oldest: 043
-- Streams of sessions, apart from those of keys in event_streams: a wallet has 20 sessions at most, and all tabs of a browser share a stream.
create table session_streams (
  wallet_address text not null,
  slot           smallint not null check (slot between 1 and 20),
  id             text not null unique,
  until          timestamptz not null,
  primary key (wallet_address, slot)
);
