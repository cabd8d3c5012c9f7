-- Callers: sign-in challenges, the sessions they lead to, and API keys. Of a credential only its SHA-256 is kept.
--
-- A wallet has places for 50 API keys, 20 sessions and 20 open challenges. The place is the bound: two rows cannot take
-- the same one, however many requests race for it.

-- A request that gives out a place of a wallet, or revokes a row that has one, locks the wallet's row here.
create table credential_owners (wallet_address text primary key);

create table auth_challenges (
  nonce          text primary key check (nonce ~ '^[0-9a-f]{32}$'),
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  place          smallint,       -- null once it is used
  message        text not null,  -- what the wallet must sign, to the byte
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz,
  constraint twenty_challenges_at_most check (place between 1 and 20),
  check (expires_at > created_at),
  check (used_at < expires_at)
);
create index auth_challenges_by_expiry on auth_challenges (expires_at);
create unique index one_challenge_per_place on auth_challenges (wallet_address, place) where place is not null;
create trigger names_a_person before insert on auth_challenges for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table sessions (
  hash           bytea primary key check (length(hash) = 32),
  id             text not null,
  nonce          text not null,  -- of the challenge that it answers; kept here when that is deleted
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  place          smallint not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  constraint sessions_by_id unique (id),
  constraint one_session_per_challenge unique (nonce),
  constraint one_session_per_place unique (wallet_address, place),
  constraint twenty_sessions_at_most check (place between 1 and 20),
  check (expires_at > created_at)
);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_wallet on sessions (wallet_address);
create trigger names_a_person before insert on sessions for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table api_keys (
  hash           bytea primary key check (length(hash) = 32),
  seq            bigint generated always as identity,  -- the order of the list
  -- Prefix and last four characters. The check keeps a whole key from ever being stored here.
  hint           text not null check (hint ~ '^purser_(live|test)_…[A-Za-z0-9_-]{4}$'),
  wallet_address text not null check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  place          smallint,  -- null once it is revoked or has expired
  -- The hash of the key, or the id of the session, that made this one. When that one is revoked, this one is too.
  made_by        text check (made_by ~ '^([0-9a-f]{64}|lgn_[0-9a-z]{26})$'),
  name           text check (length(name) between 1 and 100),
  scopes         text[],
  card_ids       text[] check (cardinality(card_ids) > 0),
  max_amount     numeric(78, 0) check (max_amount > 0),
  created_at     timestamptz not null,
  expires_at     timestamptz check (expires_at >= created_at),
  revoked_at     timestamptz,
  last_used_at   timestamptz,
  constraint api_keys_by_wallet unique (wallet_address, seq),
  constraint known_scopes check (cardinality(scopes) > 0 and scopes <@ array[
    'cards:read', 'cards:write', 'payments:read', 'payments:write', 'paylinks:read', 'paylinks:write',
    'treasury:read', 'treasury:write', 'keys:read', 'keys:write', 'facilitator:read', 'facilitator:write',
    'controls:read', 'controls:write', 'approvals:read', 'approvals:write', 'webhooks:read', 'webhooks:write',
    'billing:read', 'billing:write', 'membership:read', 'membership:write', 'fees:read', 'fees:write',
    'market:read', 'market:write', 'events:read', 'operator:read']),
  -- A key without scopes may do everything, so nothing else may narrow it.
  check (scopes is not null or (card_ids is null and max_amount is null and expires_at is null)),
  constraint fifty_keys_at_most check (place between 1 and 50),
  constraint a_revoked_key_has_no_place check (revoked_at is null or place is null)
) with (fillfactor = 80);
create unique index one_key_per_place on api_keys (wallet_address, place) where place is not null;
create index api_keys_by_maker on api_keys (made_by) where made_by is not null;

create function new_key_has_place() returns trigger language plpgsql as $$
begin
  raise exception 'a new key takes one of its wallet''s places' using errcode = 'check_violation',
    constraint = 'fifty_keys_at_most';
end $$;
create trigger new_key_has_place before insert on api_keys for each row
  when (new.place is null) execute function new_key_has_place();

create function api_key_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{revoked_at,last_used_at,place,card_ids}'::text[]
       <> to_jsonb(old) - '{revoked_at,last_used_at,place,card_ids}'::text[]
     -- Cards are taken from a key, when they are sold, and never given to it but those below its own.
     or (new.card_ids is distinct from old.card_ids
       and (new.card_ids is null or old.card_ids is null or not are_below(new.card_ids, old.card_ids)))
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'a key is revoked once, and nothing else of it changes' using errcode = 'check_violation';
  end if;
  if new.place is not null and new.place is distinct from old.place then
    raise exception 'a key keeps its place until it ends' using errcode = 'check_violation';
  end if;
  if new.place is null and old.place is not null and new.revoked_at is null
     and new.expires_at is null then
    raise exception 'a key that never expires keeps its place until it is revoked' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger api_key_changed before update on api_keys for each row execute function api_key_changed();
create trigger no_delete before delete or truncate on api_keys
  for each statement execute function refuse_change();
create trigger names_a_person before insert on api_keys for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger note_seal after insert or update of hash, wallet_address, scopes, card_ids, max_amount, revoked_at on api_keys
  for each row execute function note_seal('hash', 'hash', 'wallet_address', 'scopes', 'card_ids', 'max_amount',
    'revoked_at');
