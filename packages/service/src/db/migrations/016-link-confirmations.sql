-- Payments of links that were credited at their first confirmation, until the chain cannot take them back any more.
set local lock_timeout = '5s';

create table pay_link_confirmations (
  settlement_id text primary key references pay_link_settlements,
  -- Unix seconds; the payer's authorization is good before this.
  valid_before  numeric(78, 0) not null,
  -- waiting: its block may go; final: in a safe block; missing: credited, and a safe block says that it was never paid.
  state         text not null default 'waiting' check (state in ('waiting', 'final', 'missing')),
  created_at    timestamptz not null
);
create index pay_link_confirmations_open on pay_link_confirmations (created_at) where state <> 'final';
