-- Credential-token markets: at most one token a card, sold by a pool of Uniswap v4.

-- Prepared again the row is replaced; once it is listed only its vesting is added.
create table crt_markets (
  card_id         text primary key references cards,
  network         text not null,
  creator         text not null,                -- the wallet whose account deploys and lists
  state           text not null check (state in ('PREPARED', 'LIVE', 'VESTED')),
  symbol          text not null,
  name            text not null,
  supply          numeric(78, 0) not null,      -- whole tokens of 18 decimals
  keep_bps        integer not null,
  start_price     numeric(78, 0) not null,      -- USDC a token, times 1e18
  vesting_seconds bigint not null check (vesting_seconds > 0),
  nonce           bigint check (nonce >= 0),    -- of the account, at the deployment
  salt            text check (salt ~ '^0x[0-9a-f]{64}$'),  -- instead, for a creator that is a contract
  token           text not null,
  pool_id         text not null,
  fee             integer not null,
  tick_spacing    integer not null,
  start_tick      integer not null,
  lower_tick      integer not null,
  upper_tick      integer not null,
  liquidity       numeric(78, 0) not null check (liquidity > 0),
  prepared_at     timestamptz not null,
  glances         text[] not null,              -- how symbol and name read at a glance
  deploy_tx       text,
  list_tx         text,
  list_block      bigint,
  position_id     numeric(78, 0),
  listed_at       timestamptz,
  constraint one_origin check (num_nonnulls(nonce, salt) = 1),
  constraint supply_in_range check (supply between 1 and 1000000000000),
  constraint keep_in_range check (keep_bps between 0 and 9000),
  constraint listed_has_its_facts check ((state = 'PREPARED') = (num_nulls(deploy_tx, list_tx, list_block,
    position_id, listed_at) = 5) and num_nulls(deploy_tx, list_tx, list_block, position_id, listed_at) in (0, 5))
);
create unique index one_market_per_token on crt_markets (token) where state <> 'PREPARED';
create unique index one_market_per_pool on crt_markets (pool_id) where state <> 'PREPARED';
create index crt_markets_by_listing on crt_markets (network, listed_at desc, card_id desc) where state <> 'PREPARED';
create index crt_markets_by_glance on crt_markets using gin (glances) where state <> 'PREPARED';
create trigger no_delete before delete or truncate on crt_markets
  for each statement execute function refuse_change();
create trigger a_listed_market_stays before update on crt_markets for each row
  when (old.state <> 'PREPARED' and (new.state = 'PREPARED' or old.state = 'VESTED' and new.state <> 'VESTED'
    or (to_jsonb(new) - 'state') is distinct from (to_jsonb(old) - 'state')))
  execute function refuse_change();

-- The creator's kept slice, locked. A stream counts for one card only.
create table vesting_streams (
  card_id    text primary key references crt_markets,
  network    text not null,
  contract   text not null,
  stream_id  numeric(78, 0) not null,
  tx_hash    text not null,
  alias      text,                              -- of the contract, in the public address of the stream; null for our own
  recipient  text not null,
  amount     numeric(78, 0) not null check (amount > 0),  -- base units
  keep_bps   integer not null,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null check (ends_at > starts_at),
  created_at timestamptz not null,
  constraint one_card_per_stream unique (network, contract, stream_id)
);
create trigger insert_only before update or delete or truncate on vesting_streams
  for each statement execute function refuse_change();

-- How far the swaps of a pool were followed, and the price after the last of them. Safe blocks only.
create table crt_pools (
  pool_id     text primary key,
  card_id     text not null references crt_markets,
  version     bigint not null default 0,        -- counts its writes
  first_tick  integer not null,                 -- at the listing, `first_at`; also the price of all time before
  first_at    timestamptz not null,
  block       bigint not null,                  -- every safe block up to it was read
  followed_to timestamptz not null,             -- the time of that block
  sqrt_price  numeric(78, 0) not null,          -- in force since `since`
  tick        integer not null,
  since       timestamptz not null,
  cumulative  numeric(78, 0) not null,          -- tick times seconds from the listing to `since`
  quiet_looks integer not null default 0,       -- looks since the last swap
  looked_at   timestamptz not null,
  hours_to    timestamptz not null,             -- candles before it are of hours, and of days before `days_to`
  days_to     timestamptz not null check (days_to <= hours_to)
) with (fillfactor = 70);
create trigger no_delete before delete or truncate on crt_pools
  for each statement execute function refuse_change();

-- A minute in which somebody swapped; an hour or a day once it is old. Prices are USDC a token, times 1e18; volumes are base units.
create table crt_candles (
  pool_id     text not null references crt_pools,
  minute      timestamptz not null,             -- its beginning
  open        numeric(78, 0) not null,
  high        numeric(78, 0) not null,
  low         numeric(78, 0) not null,
  close       numeric(78, 0) not null,
  token_volume numeric(78, 0) not null,
  usdc_volume numeric(78, 0) not null,
  swaps       integer not null check (swaps > 0),
  tick        integer not null,                 -- after its last swap, at `since`
  since       timestamptz not null,
  cumulative  numeric(78, 0) not null,
  primary key (pool_id, minute),
  constraint high_is_highest check (high >= greatest(open, close, low) and low <= least(open, close))
);
