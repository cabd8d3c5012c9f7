-- The books are held by a key that the database does not know. Explained in
-- docs/decisions/0029-checkpoints-seal-the-books.md.
set local lock_timeout = '5s';

-- Who a row belongs to, each time it was written: the digest of its columns, in a queue that the next checkpoint empties.
create table seal_queue (
  seq     bigint generated always as identity primary key,
  subject text not null,  -- table and key
  digest  bytea not null check (length(digest) = 32)
);
create index seal_queue_by_subject on seal_queue (subject, seq);

-- The same, in the order in which checkpoints took them. The newest seal of a subject is the row as it should be.
create table seals (
  seq     bigint primary key check (seq > 0),
  subject text not null,
  digest  bytea not null check (length(digest) = 32)
);
create index seals_by_subject on seals (subject, seq);
create trigger insert_only before update or delete or truncate on seals
  for each statement execute function refuse_change();

-- Where every chain stood, under a MAC whose key is derived from the service's secret.
create table ledger_checkpoints (
  seq        bigint primary key check (seq > 0),
  chains     integer[] not null,
  seqs       bigint[] not null check (cardinality(seqs) = cardinality(chains)),
  heads      bytea[] not null check (cardinality(heads) = cardinality(chains)),
  seals      bigint not null,       -- the newest seal
  seals_head bytea not null check (length(seals_head) = 32),
  previous   bytea not null check (length(previous) = 32),
  key_id     text not null,
  mac        bytea not null unique check (length(mac) = 32),
  created_at timestamptz not null
);
create trigger insert_only before update or delete or truncate on ledger_checkpoints
  for each statement execute function refuse_change();

-- The text that is sealed of a row: its columns in order. Times are written as UTC.
create function sealed_text(source jsonb, columns text[]) returns text language sql immutable parallel safe as $$
  select jsonb_agg(source -> c order by n)::text from unnest(columns) with ordinality as u (c, n)
$$;

-- Arguments: the key's columns, comma-separated, then every column that is sealed.
create function note_seal() returns trigger language plpgsql set timezone = 'UTC' as $$
declare
  source jsonb := to_jsonb(new);
  keys   text;
begin
  select string_agg(source ->> k, ' ' order by n) into keys
    from unnest(string_to_array(tg_argv[0], ',')) with ordinality as u (k, n);
  insert into seal_queue (subject, digest)
  values (tg_table_name || ' ' || keys, sha256(convert_to(sealed_text(source, tg_argv[1:]), 'UTF8')));
  return null;
end $$;

create trigger note_seal after insert or update of id, kind, owner, network, asset on ledger_accounts
  for each row execute function note_seal('id', 'id', 'kind', 'owner', 'network', 'asset');
create trigger note_seal
  after insert or update of id, wallet_address, account_id, network, asset, token_hash, single_use, mcc_locks,
    allowed_merchants, max_transaction, daily_limit on cards
  for each row execute function note_seal('id', 'id', 'wallet_address', 'account_id', 'network', 'asset', 'token_hash',
    'single_use', 'mcc_locks', 'allowed_merchants', 'max_transaction', 'daily_limit');
create trigger note_seal
  after insert or update of id, code, wallet_address, card_id, network, asset, amount, deposit_address on pay_links
  for each row execute function note_seal('id', 'id', 'code', 'wallet_address', 'card_id', 'network', 'asset', 'amount',
    'deposit_address');
create trigger note_seal after insert or update of hash, wallet_address, scopes, card_ids, max_amount, revoked_at on api_keys
  for each row execute function note_seal('hash', 'hash', 'wallet_address', 'scopes', 'card_ids', 'max_amount',
    'revoked_at');
create trigger note_seal after insert or update of card_id, kid, role, jwk, revoked_at on ap2_card_keys
  for each row execute function note_seal('card_id,kid', 'card_id', 'kid', 'role', 'jwk', 'revoked_at');

-- The rows of before.
set local timezone = 'UTC';
insert into seal_queue (subject, digest)
select 'ledger_accounts ' || r.id, sha256(convert_to(sealed_text(to_jsonb(r),
         array['id', 'kind', 'owner', 'network', 'asset']), 'UTF8')) from ledger_accounts r order by r.id;
insert into seal_queue (subject, digest)
select 'cards ' || r.id, sha256(convert_to(sealed_text(to_jsonb(r),
         array['id', 'wallet_address', 'account_id', 'network', 'asset', 'token_hash', 'single_use', 'mcc_locks',
           'allowed_merchants', 'max_transaction', 'daily_limit']), 'UTF8')) from cards r order by r.id;
insert into seal_queue (subject, digest)
select 'pay_links ' || r.id, sha256(convert_to(sealed_text(to_jsonb(r),
         array['id', 'code', 'wallet_address', 'card_id', 'network', 'asset', 'amount', 'deposit_address']), 'UTF8'))
  from pay_links r order by r.id;
insert into seal_queue (subject, digest)
select 'api_keys ' || r.hash, sha256(convert_to(sealed_text(to_jsonb(r),
         array['hash', 'wallet_address', 'scopes', 'card_ids', 'max_amount', 'revoked_at']), 'UTF8'))
  from api_keys r order by r.hash;
insert into seal_queue (subject, digest)
select 'ap2_card_keys ' || r.card_id || ' ' || r.kid, sha256(convert_to(sealed_text(to_jsonb(r),
         array['card_id', 'kid', 'role', 'jwk', 'revoked_at']), 'UTF8')) from ap2_card_keys r order by r.card_id, r.kid;
reset timezone;
