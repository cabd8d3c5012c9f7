-- The machines that run the service, each known by a heartbeat. By real time: the development clock moves for all at once.

create table machines (
  id         text primary key check (id like 'mch\_%'),  -- of one start
  host       text not null,
  pid        integer not null,
  version    text not null,
  roles      text[] not null,
  processes  integer not null,
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now()
);
