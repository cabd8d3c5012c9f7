-- oldest: 043
-- The clock of the database, by which everything is due, as the workers have seen it.

create table database_clock (
  only_row     boolean primary key default true check (only_row),
  -- The newest time that a worker has read. One in the future says that the clock was set back.
  seen_at      timestamptz not null,
  -- The last time that it was set: when, and by how many seconds forward, or back if negative.
  set_at       timestamptz,
  set_seconds  double precision
);

-- By how many milliseconds the machine's own clock is ahead of the database's; null for a version that does not compare them.
alter table machines add column ahead_ms double precision;

-- The service's time: the database's, moved with the development clock.
create function service_time() returns timestamptz language sql stable as $$
  select clock_timestamp() + coalesce((select offset_ms from dev_clock), 0) * interval '1 millisecond'
$$;
