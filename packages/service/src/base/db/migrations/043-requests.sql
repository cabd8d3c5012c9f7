-- The requests of the last hour, for the wallets that made them. Not in the log of the database, and lost with it: nothing
-- else depends on a row.

create unlogged table request_log (
  wallet_address  text not null,
  request_id      text not null,         -- ids sort by time
  credential_hash text not null,         -- of the key or session, hex
  way             text not null check (way in ('session', 'key')),
  method          text not null,
  route           text not null,         -- with {name} where the path has a value
  path            text not null check (length(path) <= 500),
  status          smallint not null,
  code            text,                  -- of a refusal
  ms              integer not null,
  created_at      timestamptz not null,
  primary key (wallet_address, request_id)
);
