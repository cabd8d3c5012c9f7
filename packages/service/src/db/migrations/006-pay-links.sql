-- Pay links, what settled them, and money that arrived and fitted none.
set local lock_timeout = '5s';

create table pay_links (
  id                 text primary key check (id like 'pl\_%'),
  code               text not null unique check (code ~ '^PL_[0-9A-HJKMNP-TV-Z]{10}$'),
  wallet_address     text not null,
  card_id            text not null references cards,
  network            text not null,
  asset              text not null,
  amount             numeric(78, 0) check (amount > 0),  -- null: the payer chooses
  memo               text not null default '',
  mcc                text check (mcc ~ '^\d{4}$'),
  link_type          text not null check (link_type in ('SINGLE', 'RECURRING')),
  accepted_protocols text[] not null check (cardinality(accepted_protocols) > 0),
  status             text not null default 'ACTIVE' check (status in ('ACTIVE', 'EXPIRED', 'CANCELLED', 'COMPLETED')),
  uses               integer not null default 0 check (uses >= 0),
  -- Uses promised to payments that are on their way to the chain.
  reserved           integer not null default 0 check (reserved >= 0),
  max_uses           integer not null check (max_uses >= 0),  -- 0: no end
  -- Where payers on chain send their money: an address of this link alone, so that a payment cannot be taken for another's.
  deposit_address    text not null unique,
  metadata           jsonb not null default '{}',
  expires_at         timestamptz,
  confirmed_at       timestamptz,
  created_at         timestamptz not null,
  constraint within_uses check (max_uses = 0 or uses + reserved <= max_uses)
) with (fillfactor = 70);
create index pay_links_by_wallet on pay_links (wallet_address, id desc);
create index pay_links_expiring on pay_links (expires_at) where status = 'ACTIVE';

create table pay_link_settlements (
  id           text primary key check (id like 'stl\_%'),
  pay_link_id  text not null references pay_links,
  protocol     text not null,
  payer        text not null,  -- a card id, or an address
  amount       numeric(78, 0) not null check (amount > 0),
  fee          numeric(78, 0) not null check (fee >= 0),
  network      text not null,
  asset        text not null,
  state        text not null check (state in ('settling', 'settled', 'failed')),
  reason       text,
  -- The payer's EIP-3009 authorization: one settlement for each, whoever presents it.
  auth_nonce   text,
  from_block   bigint,
  tx_hash      text,
  is_swept     boolean not null default true,
  created_at   timestamptz not null,
  settled_at   timestamptz,
  constraint one_settlement_per_authorization unique (network, asset, payer, auth_nonce),
  constraint settled_amounts check (fee <= amount),
  check ((state = 'settled') = (settled_at is not null))
);
create index pay_link_settlements_by_link on pay_link_settlements (pay_link_id, id desc);
create index pay_link_settlements_settling on pay_link_settlements (created_at) where state = 'settling';
create index pay_link_settlements_unswept on pay_link_settlements (pay_link_id) where not is_swept;

-- Money that came to a link's address and does not settle it: late, short, over or once too often.
create table payment_exceptions (
  id             text primary key check (id like 'exc\_%'),
  pay_link_id    text not null references pay_links,
  wallet_address text not null,
  reason         text not null check (reason in ('late', 'short', 'over', 'cancelled', 'completed')),
  amount         numeric(78, 0) not null check (amount > 0),
  payer          text not null,
  tx_hash        text not null,
  created_at     timestamptz not null
);
create index payment_exceptions_by_link on payment_exceptions (pay_link_id);

-- Every transfer log that paid a link's address: one log settles one thing, once.
create table pay_link_logs (
  network       text not null,
  tx_hash       text not null,
  log_index     integer not null,
  settlement_id text references pay_link_settlements,
  exception_id  text references payment_exceptions,
  constraint one_use_per_log primary key (network, tx_hash, log_index)
);
