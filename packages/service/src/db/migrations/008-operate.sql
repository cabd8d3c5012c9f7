-- How far the development clock has been moved. Empty anywhere but beside the embedded chain.
set local lock_timeout = '5s';

create table dev_clock (
  only_row  boolean primary key default true check (only_row),
  offset_ms bigint not null check (offset_ms >= 0)
);
