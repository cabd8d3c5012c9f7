-- Who takes jobs, and when it last said so: what a worker held that says nothing any more is free for another.
set local lock_timeout = '5s';

create table job_workers (
  worker_id text primary key,
  seen_at   timestamptz not null default now()
);
