-- The acts of operators, and of wallets with their keys, written in the transaction of the act. The rows are sealed.

create table audit_acts (
  id         text primary key check (id like 'act\_%'),  -- ids sort by time
  act        text not null check (act ~ '^[a-z_]+\.[a-z_]+$'),
  way        text not null check (way in ('session', 'key', 'command')),
  actor      text not null check (length(actor) between 1 and 200),  -- a wallet, or of a command: account@machine
  key_hash   text check (key_hash ~ '^[0-9a-f]{64}$'),               -- the API key that it was done with
  subject    text not null check (length(subject) <= 200),           -- the object that it was done to
  note       text check (length(note) <= 500),
  request_id text check (length(request_id) <= 64),                  -- a command has none, nor has the first start
  created_at timestamptz not null,
  constraint a_key_acts_by_its_name check ((way = 'key') = (key_hash is not null))
);
create trigger insert_only before update or delete or truncate on audit_acts
  for each statement execute function refuse_change();
create trigger note_seal after insert on audit_acts
  for each row execute function note_seal('id', 'id', 'act', 'way', 'actor', 'key_hash', 'subject', 'note', 'request_id',
    'created_at');
