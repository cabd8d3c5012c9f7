-- oldest: 043
-- The backup that was restored into this database, until a service starts on it: a restore that was cut off goes on from here. Not in a
-- backup itself.
create table restored_backup (
  digest      text primary key check (digest ~ '^[0-9a-f]{64}$'),
  rows        bigint not null check (rows >= 0),
  restored_at timestamptz not null default now()
);
