-- What the machines of one database must agree on. A secret is noted as a key derived from it, which tells nothing of it.
set local lock_timeout = '5s';

create table service_settings (
  name text primary key check (name ~ '^[A-Z][A-Z_]*$'),
  value text not null,
  noted_at timestamptz not null
);
