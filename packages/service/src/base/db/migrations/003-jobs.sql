-- The workers that take jobs. A job of a worker that has not been seen for a while is free for another. The queue's own
-- tables are made by graphile-worker, in a schema of their own.

create table job_workers (
  worker_id text primary key,
  seen_at   timestamptz not null default now()
);
