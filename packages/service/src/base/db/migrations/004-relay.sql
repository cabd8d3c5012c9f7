-- Transactions that the relayers send. The signed bytes are stored before they are broadcast.

create table chain_relayers (
  address     text primary key,
  next_nonce  bigint not null default 0,
  is_resting  boolean not null default false,  -- out of gas: gets no new transaction until it has some
  balance_wei numeric(78),                     -- as last measured
  measured_at timestamptz
);

create table chain_sends (
  id           text primary key check (id like 'snd\_%'),
  ref          text not null unique,  -- the cause; one transaction per cause
  to_address   text not null,
  -- A batch has kilobytes of them. Compressing them costs more than all else that is done with the row.
  data         bytea storage external not null,
  gas          bigint not null,
  only_relayer text,             -- the one account that the called contract obeys; any relayer sends it if null
  is_owners    boolean not null default false,  -- its owner alone submits it
  state        text not null default 'queued' check (state in ('queued', 'signed', 'mined')),
  batch_id     text references chain_sends,     -- the send whose transaction carries this one
  is_alone     boolean not null default false,  -- failed in a batch: gets a transaction of its own
  relayer      text references chain_relayers,
  nonce        bigint,
  raw          bytea storage external,
  hash         text,  -- all sends of one batch share the hash of its transaction
  succeeded    boolean,
  block_number bigint,
  block_hash   text,
  passed_block bigint,   -- the block by which the chain had used our nonce, without a receipt of ours
  is_safe      boolean not null default false,  -- no reorganization can take its block away any more
  -- Where the block's logs show the transfer of each of its authorizations, in order; null for one that moved nothing.
  log_indexes  integer[],
  gas_used     bigint,   -- as in the receipt; of a transaction that several sends share, this one's part
  created_at   timestamptz not null,
  unique (relayer, nonce),
  constraint outcome_once_mined check ((state = 'mined') = (succeeded is not null)),
  constraint bytes_once_signed check ((state = 'queued') = (raw is null) or batch_id is not null),
  constraint a_batch_item_has_no_nonce check (batch_id is null or (relayer is null and nonce is null and raw is null)),
  constraint a_batch_item_is_not_signed check (batch_id is null or state <> 'signed'),
  constraint a_batch_item_is_not_alone check (batch_id is null or not is_alone)
);
create unique index one_send_per_hash on chain_sends (hash) where batch_id is null;
create index chain_sends_open on chain_sends (created_at) where state <> 'mined' or not is_safe;
create index chain_sends_on_their_way on chain_sends (relayer) where state <> 'mined' and nonce is not null;
create index chain_sends_batch on chain_sends (batch_id) where batch_id is not null;

-- Every transaction that was ever signed for a send. Any of them may be mined and end it, so all are looked for.
create table chain_attempts (
  hash       text primary key,
  send_id    text not null references chain_sends on delete cascade,
  relayer    text not null references chain_relayers,
  nonce      bigint not null,
  raw        bytea storage external not null,
  max_fee    numeric(78) not null check (max_fee >= 0),  -- wei per gas
  max_tip    numeric(78) not null check (max_tip >= 0),  -- wei per gas
  at_block   bigint not null,                            -- the newest block when it was signed
  created_at timestamptz not null default now()
);
create index chain_attempts_send on chain_attempts (send_id);

-- Relayers pay the gas of other people's payments, so it is rationed: by the payer's balance, by how the payer's earlier
-- payments ended, and by a daily budget for each seller.

-- How much of a payer's balance is on its way to the chain. Reserving and releasing lock the row.
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

-- The payments that are on their way to the chain.
create table gas_flights (
  ref          text primary key,                  -- of the send
  network      text not null,
  token        text not null,
  payer        text not null,
  nonce        text not null,
  amount       numeric(78, 0) not null check (amount >= 0),  -- 0: no money of the payer moves
  seller       text not null,                     -- the wallet whose budget pays the gas
  gas          bigint not null check (gas > 0),   -- the most that it may burn
  valid_before numeric(78, 0) not null,           -- Unix seconds
  constraint one_flight_per_authorization unique (network, token, payer, nonce)
);
create index gas_flights_by_seller on gas_flights (seller);

-- Payers, tokens and sellers that must wait because payments of theirs failed on chain.
create table gas_waits (
  kind      text not null check (kind in ('payer', 'token', 'seller')),
  subject   text not null,
  failures  integer not null check (failures >= 0),
  failed_at timestamptz not null,
  primary key (kind, subject)
);

-- Gas burned for a seller's payments in a day (UTC).
create table gas_budgets (
  seller text not null,
  day    date not null,
  spent  bigint not null check (spent >= 0),
  primary key (seller, day)
);
