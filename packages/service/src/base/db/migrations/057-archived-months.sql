-- Months of settlements that were put away in files: docs/decisions/0100-old-months-leave-for-files.md. A batch of such a month has no
-- transfers here, and the chain goes on over its hash.
-- oldest: 043

create table archived_months (
  month       text primary key check (month ~ '^\d{4}-\d{2}$'),
  manifest    text not null,  -- as it lies beside the file
  settlements bigint not null check (settlements > 0),
  batches     bigint not null check (batches > 0),
  shape       bytea not null check (length(shape) = 32),  -- the tallies of its pages, as the program defines them
  digest      bytea not null check (length(digest) = 32),  -- over its ranges of batches, and its pages
  archived_at timestamptz not null
);
-- From one batch to another, all that there are belong to the month.
create table archived_batches (
  first bigint primary key,
  last  bigint not null check (last >= first),
  month text not null references archived_months
);
-- The sums of its transfers, in lines of JSON, as in `verified_pages`.
create table archived_pages (
  month   text not null references archived_months,
  tally   text not null,
  page    integer not null,
  content text not null,
  primary key (month, tally, page)
);
create trigger insert_only before update or delete or truncate on archived_months
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on archived_batches
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on archived_pages
  for each statement execute function refuse_change();
create trigger note_seal after insert on archived_months for each row
  execute function note_seal('month', 'month', 'manifest', 'settlements', 'batches', 'shape', 'digest', 'archived_at');
