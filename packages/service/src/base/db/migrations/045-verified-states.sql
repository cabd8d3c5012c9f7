-- oldest: 043
-- Where a check of the books found them in order, from which an incremental check goes on: docs/decisions/0097-verify-goes-on-from-a-state.md.
-- The MAC is by a checkpoint key, over the row and all its pages: a changed state is refused.
create table verified_states (
  checkpoint     bigint primary key,  -- all up to its heads was checked
  checkpoint_mac bytea not null check (length(checkpoint_mac) = 32),
  shape          bytea not null check (length(shape) = 32),  -- the tallies that it has, as the program defines them
  transfers      bigint not null check (transfers >= 0),
  lines          bigint not null check (lines >= 0),
  digest         bytea not null check (length(digest) = 32),  -- over the pages
  key_id         text not null,
  mac            bytea not null check (length(mac) = 32)
);

-- The sums of all transfers up to there, in lines of JSON. Pages without a state are those of a check that goes on or broke off.
create table verified_pages (
  checkpoint bigint not null,
  tally      text not null,
  page       integer not null,
  content    text not null,
  primary key (checkpoint, tally, page)
);
