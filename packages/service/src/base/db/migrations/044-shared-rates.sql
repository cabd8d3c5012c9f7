-- Requests by wallet, as each process has counted them: so that a limit holds over all machines. Nothing is lost with a row.
-- oldest: 043
create unlogged table rate_counts (
  name    text not null,     -- the limit and the wallet
  slot    bigint not null,   -- ten seconds, counted from the epoch
  process text not null,
  count   integer not null,
  primary key (name, slot, process)
);
create index rate_counts_by_age on rate_counts (slot);
