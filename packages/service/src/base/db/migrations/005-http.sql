-- The answers to requests that carried an Idempotency-Key. The answer is sealed (AES-256-GCM): it may hold a secret.

create table idempotency_keys (
  wallet_address text not null,
  key            text not null,  -- of a restricted API key: its hash, a tab, and what the caller sent
  route          text not null,
  request_hash   bytea not null,
  status         integer,  -- null while the request is running
  answer         bytea,
  locked_until   timestamptz not null,
  created_at     timestamptz not null,
  primary key (wallet_address, key),
  constraint length_of_a_key check (length(key) between 1 and 320),
  check ((status is null) = (answer is null))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
