-- Who may call: sign-in challenges, the sessions they lead to, and API keys. Of a credential only its SHA-256 is kept.
set local lock_timeout = '5s';

create table auth_challenges (
  nonce          text primary key check (nonce ~ '^[0-9a-f]{32}$'),
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  message        text not null,  -- what the wallet must sign, to the byte
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz,
  check (expires_at > created_at),
  check (used_at < expires_at)
);
create index auth_challenges_by_expiry on auth_challenges (expires_at);

create table sessions (
  hash           bytea primary key check (length(hash) = 32),
  nonce          text not null,  -- of the challenge that it answers; kept here when that is deleted
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  constraint one_session_per_challenge unique (nonce),
  check (expires_at > created_at)
);
create index sessions_by_expiry on sessions (expires_at);

create table api_keys (
  hash           bytea primary key check (length(hash) = 32),
  seq            bigint generated always as identity,  -- the order of the list
  -- Prefix and last four characters: too short for the key itself ever to be put here.
  hint           text not null check (hint ~ '^purser_(live|test)_…[A-Za-z0-9_-]{4}$'),
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  name           text check (length(name) between 1 and 100),
  scopes         text[] check (cardinality(scopes) > 0 and scopes <@ array[
                   'cards:read', 'cards:write', 'payments:read', 'payments:write', 'paylinks:read', 'paylinks:write',
                   'treasury:read', 'treasury:write', 'keys:read', 'keys:write']),
  card_ids       text[] check (cardinality(card_ids) > 0),
  max_amount     numeric(78, 0) check (max_amount > 0),
  created_at     timestamptz not null,
  expires_at     timestamptz check (expires_at >= created_at),
  revoked_at     timestamptz,
  last_used_at   timestamptz,
  constraint api_keys_by_wallet unique (wallet_address, seq),
  -- A key without scopes may do everything, so nothing else may narrow it.
  check (scopes is not null or (card_ids is null and max_amount is null and expires_at is null))
) with (fillfactor = 80);

create function api_key_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{revoked_at,last_used_at}'::text[] <> to_jsonb(old) - '{revoked_at,last_used_at}'::text[]
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'a key is revoked once, and nothing else of it changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger api_key_changed before update on api_keys for each row execute function api_key_changed();
create trigger no_delete before delete or truncate on api_keys
  for each statement execute function refuse_change();
