-- A wallet's own balance: deposits that were credited to it, and withdrawals that left it.

create table deposits (
  id             text primary key check (id like 'dep\_%'),
  network        text not null,
  tx_hash        text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index      integer not null,
  wallet_address text not null,
  asset          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  block_number   bigint not null,
  block_hash     text not null,
  created_at     timestamptz not null,
  constraint one_credit_per_log unique (network, tx_hash, log_index)
);
create index deposits_by_wallet on deposits (wallet_address, created_at desc);
-- For the comparison of ledger and chain.
create index deposits_by_block on deposits (network, block_number);
create trigger names_a_person before insert on deposits for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

-- Gasless deposits: EIP-3009 authorizations that a relayer submits to the chain.
create table deposit_authorizations (
  id             text primary key check (id like 'dep\_%'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  nonce          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  valid_before   bigint not null,
  from_block     bigint not null,  -- no earlier block can hold its use
  state          text not null default 'sending' check (state in ('sending', 'credited', 'failed')),
  reason         text,
  created_at     timestamptz not null,
  constraint one_deposit_per_authorization unique (network, asset, wallet_address, nonce)
);
create index deposit_authorizations_sending on deposit_authorizations (created_at) where state = 'sending';
create trigger names_a_person before insert on deposit_authorizations for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

-- Each withdrawal has one signed authorization. The chain decides how it ends.
create table withdrawals (
  id             text primary key check (id like 'wd\_%'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78, 0) not null,  -- all that leaves the treasury balance
  fee            numeric(78, 0) not null check (fee >= 0),
  net_amount     numeric(78, 0) not null check (net_amount > 0),
  -- The treasury signed an EIP-3009 authorization, or a permit that x402's proxy carries to Permit2; of net_amount, to
  -- this address, valid from 0. It is signed once and stored before anybody sees it. Token and Permit2 accept a nonce once, so
  -- there is no second payout.
  mechanism      text not null default 'eip3009' check (mechanism in ('eip3009', 'permit2')),
  from_address   text not null check (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  to_address     text not null check (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  nonce          text not null unique check (nonce ~ '^0x[0-9a-f]{64}$'),
  valid_before   bigint not null,
  signature      text not null check (signature ~ '^0x[0-9a-f]{130}$'),
  -- The wallet, key and terms of a withdrawal with an idempotency key. The nonce is derived from it and from the number of
  -- earlier withdrawals of the same intent, so a database restored from a backup derives the same nonce again.
  intent         bytea check (length(intent) = 32),
  from_block     bigint not null,  -- no earlier block can hold its use
  sends          integer not null default 1 check (sends >= 1),  -- transactions made for it, one after the other
  status         text not null default 'PROCESSING' check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
  reason         text,  -- why it failed; while it is processing, what holds it up
  tx_hash        text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  created_at     timestamptz not null,
  ended_at       timestamptz,
  check (amount = net_amount + fee),
  check (to_address <> from_address),
  check ((status = 'PROCESSING') = (ended_at is null)),
  check ((status = 'COMPLETED') = (tx_hash is not null)),
  check (status <> 'COMPLETED' or reason is null),
  check (status <> 'FAILED' or reason is not null)
);
create index withdrawals_by_wallet on withdrawals (wallet_address, id desc);
create index withdrawals_by_intent on withdrawals (intent) where intent is not null;
create index withdrawals_open on withdrawals (created_at) where status = 'PROCESSING';
create index withdrawals_completed on withdrawals (ended_at) where status = 'COMPLETED';

-- The signed terms never change, and a withdrawal ends once.
create function keep_withdrawal() returns trigger language plpgsql as $$
begin
  if old.status <> 'PROCESSING'
     or (old.id, old.wallet_address, old.network, old.asset, old.amount, old.fee, old.net_amount, old.mechanism, old.from_address,
         old.to_address, old.nonce, old.valid_before, old.signature, old.from_block, old.created_at, old.intent)
        is distinct from
        (new.id, new.wallet_address, new.network, new.asset, new.amount, new.fee, new.net_amount, new.mechanism, new.from_address,
         new.to_address, new.nonce, new.valid_before, new.signature, new.from_block, new.created_at, new.intent) then
    raise exception 'withdrawal % has ended, or its authorization would change', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_withdrawal before update on withdrawals for each row execute function keep_withdrawal();
create trigger no_delete before delete or truncate on withdrawals
  for each statement execute function refuse_change();
create trigger names_a_person before insert on withdrawals for each row
  when (is_system_address(new.to_address) or is_system_address(new.wallet_address))
  execute function refuse_system_address();
