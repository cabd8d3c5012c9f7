-- Transactions to be sent by the relayers: the bytes are stored before they are broadcast.
set local lock_timeout = '5s';

-- Which chain this database belongs to: the hash or marker that only that chain answers with.
create table chain_identity (
  network  text primary key,
  identity text not null
);

create table chain_relayers (
  address    text primary key,
  next_nonce bigint not null default 0
);

create table chain_sends (
  id           text primary key check (id like 'snd\_%'),
  ref          text not null unique,  -- what it is for; one transaction per cause
  to_address   text not null,
  data         bytea not null,
  gas          bigint not null,
  state        text not null default 'queued' check (state in ('queued', 'signed', 'mined')),
  relayer      text references chain_relayers,
  nonce        bigint,
  raw          bytea,
  hash         text unique,
  succeeded    boolean,
  block_number bigint,
  created_at   timestamptz not null,
  unique (relayer, nonce),
  check ((state = 'queued') = (raw is null)),
  check ((state = 'mined') = (succeeded is not null))
);
create index chain_sends_open on chain_sends (created_at) where state <> 'mined';
