-- Deposits seen and credited, cards, their transactions and decisions.
set local lock_timeout = '5s';

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

-- Gasless deposits: EIP-3009 authorizations that a relayer carries to the chain.
create table deposit_authorizations (
  id             text primary key check (id like 'dep\_%'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  nonce          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  valid_before   bigint not null,
  state          text not null default 'sending' check (state in ('sending', 'credited', 'failed')),
  reason         text,
  created_at     timestamptz not null,
  constraint one_deposit_per_authorization unique (network, asset, wallet_address, nonce)
);
create index deposit_authorizations_sending on deposit_authorizations (created_at) where state = 'sending';

create table cards (
  id                text primary key check (id like 'card\_%'),
  wallet_address    text not null,
  account_id        bigint not null unique references ledger_accounts,
  network           text not null,
  asset             text not null,
  token_hash        bytea not null unique check (length(token_hash) = 32),
  token_hint        text not null,
  purpose           text not null,
  status            text not null check (status in ('PENDING_FUNDING', 'FUNDING_FAILED', 'ACTIVE', 'FROZEN', 'USED',
                      'EXPIRED', 'CLOSED')),
  status_reason     text,
  single_use        boolean not null,
  mcc_locks         text not null default '' check (mcc_locks ~ '^(\d{4}(,\d{4})*)?$'),
  allowed_merchants text[] not null default '{}',
  settlement_mode   text not null check (settlement_mode in ('CUSTODIAL', 'DIRECT')),
  metadata          jsonb not null default '{}',
  limit_amount      numeric(78, 0) not null check (limit_amount > 0),
  spent             numeric(78, 0) not null default 0 check (spent >= 0),
  held              numeric(78, 0) not null default 0 check (held >= 0),
  received          numeric(78, 0) not null default 0 check (received >= 0),
  max_transaction   numeric(78, 0) check (max_transaction > 0),
  daily_limit       numeric(78, 0) check (daily_limit > 0),
  day               date not null,
  day_used          numeric(78, 0) not null default 0 check (day_used >= 0),
  -- The daily limit as it binds today: a limit lowered below what is used already stops at what is used.
  day_cap           numeric(78, 0),
  funding_tx        text,
  expires_at        timestamptz,
  created_at        timestamptz not null,
  constraint within_limit check (spent + held <= limit_amount),
  constraint within_day check (day_cap is null or day_used <= day_cap),
  -- One funding transaction of a wallet funds one card.
  constraint one_card_per_funding unique (network, funding_tx, wallet_address)
) with (fillfactor = 70);
create index cards_by_wallet on cards (wallet_address, id desc);
create index cards_pending on cards (created_at) where status = 'PENDING_FUNDING';
create index cards_expiring on cards (expires_at) where status in ('ACTIVE', 'FROZEN');

create table card_transactions (
  id             text primary key check (id like 'txn\_%'),
  card_id        text not null references cards,
  wallet_address text not null,
  direction      text not null check (direction in ('sent', 'received')),
  amount         numeric(78, 0) not null check (amount > 0),  -- what the card gave or gained
  fee            numeric(78, 0) not null check (fee >= 0),
  merchant       text not null,
  protocol       text not null check (protocol in ('x402', 'ap2', 'mpp', 'card', 'onchain', 'internal')),
  status         text not null check (status in ('PENDING', 'SETTLED', 'FAILED', 'REFUNDED', 'UNKNOWN')),
  network        text not null,
  asset          text not null,
  tx_hash        text,
  refunded       numeric(78, 0) not null default 0 check (refunded >= 0),
  ref            text not null,  -- the settlement or payment it belongs to
  memo           text not null default '',
  created_at     timestamptz not null,
  settled_at     timestamptz,
  constraint refund_within_amount check (refunded <= amount)
);
create index card_transactions_by_card on card_transactions (card_id, id desc);
create index card_transactions_by_wallet on card_transactions (wallet_address, id desc);
create index card_transactions_by_ref on card_transactions (ref);

-- Every allow and deny, with what it was decided on.
create table card_decisions (
  id         text primary key check (id like 'dec\_%'),
  card_id    text not null references cards,
  allowed    boolean not null,
  rule       text not null,
  amount     numeric(78, 0) not null,
  merchant   text not null,
  mcc        text,
  rail       text not null,
  inputs     jsonb not null,
  ref        text not null,
  created_at timestamptz not null
);
create index card_decisions_by_card on card_decisions (card_id, id desc);
create trigger insert_only before update or delete or truncate on card_decisions
  for each statement execute function refuse_change();
