-- A wallet has places for 50 API keys, 20 sessions and 20 open challenges. The place is the bound: two rows cannot take
-- one, whoever is quicker. A key also says what made it, so that it can fall with it.
set local lock_timeout = '5s';

-- Whoever gives places of a wallet away, or revokes what has one, holds its row.
create table credential_owners (wallet_address text primary key);

-- Sessions from before that are beyond the places end: their wallets sign in again.
alter table sessions add column id text, add column place smallint;
update sessions s set id = 'lgn_' || substr(md5(random()::text || s.nonce), 1, 26), place = r.place
  from (select hash, row_number() over (partition by wallet_address order by created_at desc) as place from sessions) r
  where r.hash = s.hash;
delete from sessions where place > 20;
alter table sessions
  alter column id set not null,
  alter column place set not null,
  add constraint sessions_by_id unique (id),
  add constraint twenty_sessions_at_most check (place between 1 and 20),
  add constraint one_session_per_place unique (wallet_address, place);

-- Null once it is used. Challenges from before have none, and are over in five minutes.
alter table auth_challenges add column place smallint,
  add constraint twenty_challenges_at_most check (place between 1 and 20);
create unique index one_challenge_per_place on auth_challenges (wallet_address, place) where place is not null;

alter table api_keys
  -- Null once it is revoked or has expired, and of keys from before that are beyond the places.
  add column place smallint,
  -- The hash of the key, or the id of the session, that made it; null where it was made before this was written down.
  add column made_by text check (made_by ~ '^([0-9a-f]{64}|lgn_[0-9a-z]{26})$'),
  add constraint fifty_keys_at_most check (place between 1 and 50),
  add constraint a_revoked_key_has_no_place check (revoked_at is null or place is null);
create unique index one_key_per_place on api_keys (wallet_address, place) where place is not null;
create index api_keys_by_maker on api_keys (made_by) where made_by is not null;

create or replace function api_key_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{revoked_at,last_used_at,place}'::text[]
       <> to_jsonb(old) - '{revoked_at,last_used_at,place}'::text[]
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

-- The newest 50 that are good have places.
alter table api_keys disable trigger api_key_changed;
update api_keys k set place = r.place
  from (select hash, row_number() over (partition by wallet_address order by seq desc) as place from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now())) r
  where r.hash = k.hash and r.place <= 50;
alter table api_keys enable trigger api_key_changed;

create function new_key_has_place() returns trigger language plpgsql as $$
begin
  raise exception 'a new key takes one of its wallet''s places' using errcode = 'check_violation',
    constraint = 'fifty_keys_at_most';
end $$;
create trigger new_key_has_place before insert on api_keys for each row
  when (new.place is null) execute function new_key_has_place();
