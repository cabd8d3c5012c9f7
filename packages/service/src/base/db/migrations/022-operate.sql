-- Tables of the installation as a whole.

-- The chain that this database belongs to: the hash or marker that only that chain answers with.
create table chain_identity (
  network  text primary key,
  identity text not null
);

-- Settings that all machines of one database must agree on. A secret is noted as a key derived from it, which reveals
-- nothing about it.
create table service_settings (
  name     text primary key check (name ~ '^[A-Z][A-Z_]*$'),
  value    text not null,
  noted_at timestamptz not null
);

-- How far the development clock has been moved, and how far the waiting jobs. Only an installation with the embedded
-- chain has a row.
create table dev_clock (
  only_row       boolean primary key default true check (only_row),
  offset_ms      bigint not null check (offset_ms >= 0),
  jobs_offset_ms bigint not null default 0 check (jobs_offset_ms between 0 and offset_ms)
);
