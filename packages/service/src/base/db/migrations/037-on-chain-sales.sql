-- Sales that CredentialMarket makes on chain.

-- The terms that a seller signs. A card has one set that is prepared and not listed; preparing again replaces it.
create table onchain_terms (
  hash             text primary key check (hash ~ '^0x[0-9a-f]{64}$'),
  card_id          text not null references cards,
  listing_id       text unique references listings,
  market           text not null,
  registry         text not null,
  token_id         numeric(78, 0) not null,
  seller           text not null,
  operator         text not null,          -- approves each sale
  price            numeric(78, 0) not null check (price > 0),
  fee_bps          integer not null check (fee_bps between 0 and 1000),
  fee_receiver     text not null,
  expiry           bigint not null,          -- unix seconds
  nonce            numeric(78, 0) not null,
  holder           text not null,
  holder_state     numeric(78, 0) not null,
  min_holder_usdc  numeric(78, 0) not null,
  seller_signature text,
  created_at       timestamptz not null,
  constraint signed_once_listed check ((listing_id is null) = (seller_signature is null))
);
create unique index one_draft_per_card on onchain_terms (card_id) where listing_id is null;

-- A listing that is signed stays as it is: its hash is the nonce of payments.
create trigger keep_listed_terms before update or delete on onchain_terms for each row
  when (old.listing_id is not null) execute function refuse_change();

-- A buyer's payment of a listing, and what became of it. The newest is the one of the sale.
create table onchain_payments (
  listing_id   text not null references listings,
  attempt      integer not null check (attempt > 0),
  buyer        text not null,
  valid_after  bigint not null,
  valid_before bigint not null,
  signature    text not null,
  send_ref     text not null unique,
  from_block   bigint not null,   -- the sale is in no earlier block
  created_at   timestamptz not null,
  primary key (listing_id, attempt)
);
create trigger no_change before update or delete or truncate on onchain_payments
  for each statement execute function refuse_change();

-- Sales in the contract's log, approved by this service, that these books did not have: a backup was restored, and an operator looked.
create table missing_sales (
  hash         text primary key check (hash ~ '^0x[0-9a-f]{64}$'),  -- of the listing
  card_id      text,                  -- null if these books do not know whose token was sold
  market       text not null,
  token_id     numeric(78, 0) not null,
  seller       text not null,
  buyer        text not null check (buyer <> seller),
  price        numeric(78, 0) not null check (price > 0),
  tx_hash      text not null,
  block_number bigint not null,
  log_index    integer not null,
  -- found: to be adopted; held: an operator decides; adopted: a sale of these books; dismissed: an operator has said no.
  state        text not null check (state in ('found', 'held', 'adopted', 'dismissed')),
  reason       text,                  -- why it is held
  is_ordered   boolean not null default false,  -- an operator has said that the buyer gets the card, whoever has it
  note         text,
  found_at     timestamptz not null,
  ended_at     timestamptz,
  constraint held_for_a_reason check (state <> 'held' or reason is not null),
  constraint a_card_to_adopt check (state not in ('found', 'adopted') or card_id is not null),
  constraint missing_sale_ended_once check ((state in ('adopted', 'dismissed')) = (ended_at is not null))
);
create index missing_sales_open on missing_sales (block_number, log_index) where state in ('found', 'held');
create trigger no_delete before delete or truncate on missing_sales
  for each statement execute function refuse_change();
