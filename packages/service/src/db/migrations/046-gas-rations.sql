-- Relayers pay the gas of other people's payments, so it is rationed: by what a payer holds, by how its earlier payments
-- ended, and by a budget a day for each seller.
set local lock_timeout = '5s';

-- What of a payer's balance is on its way to the chain. Locked by whoever reserves or releases.
create table gas_payers (
  network     text not null,
  token       text not null,
  payer       text not null,
  in_flight   numeric(78, 0) not null default 0,
  balance     numeric(78, 0) not null default 0,  -- as the chain showed it at seen_block
  seen_block  bigint not null default 0,
  freed_block bigint not null default 0,          -- the newest block that holds one of its payments
  used_at     timestamptz not null,
  primary key (network, token, payer),
  constraint in_flight_within_balance check (in_flight between 0 and balance)
) with (fillfactor = 80);
create index gas_payers_idle on gas_payers (used_at) where in_flight = 0;

-- Each payment that is on its way, by the relayers' send of it.
create table gas_flights (
  ref          text primary key,
  network      text not null,
  token        text not null,
  payer        text not null,
  nonce        text not null,
  amount       numeric(78, 0) not null check (amount > 0),
  seller       text not null,                     -- the wallet whose budget pays the gas
  gas          bigint not null check (gas > 0),   -- the most that it may burn
  valid_before numeric(78, 0) not null,           -- Unix seconds
  constraint one_flight_per_authorization unique (network, token, payer, nonce)
);
-- What the receipt says; of a send that shared a transaction, its part.
alter table chain_sends add column gas_used bigint;

create index gas_flights_by_seller on gas_flights (seller);
create index gas_flights_by_end on gas_flights (valid_before);

-- Who has to wait, because what was carried for them failed on chain.
create table gas_waits (
  kind      text not null check (kind in ('payer', 'token', 'seller')),
  subject   text not null,
  failures  integer not null check (failures >= 0),
  failed_at timestamptz not null,
  primary key (kind, subject)
);

-- Gas that was burned for a seller's payments in a day (UTC).
create table gas_budgets (
  seller text not null,
  day    date not null,
  spent  bigint not null check (spent >= 0),
  primary key (seller, day)
);
