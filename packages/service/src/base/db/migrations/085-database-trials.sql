-- oldest: 043
-- Whether the database takes writes.

-- A row that each machine writes to try it.
create table database_trials (
  only_row  boolean primary key default true check (only_row),
  tried_at  timestamptz not null
);
insert into database_trials (tried_at) values (now());

-- The last time in which the database took nothing from the machine, and why, in words. Written once it took writes again.
alter table machines add column refused_from timestamptz;
alter table machines add column refused_until timestamptz;
alter table machines add column refused_why text;
