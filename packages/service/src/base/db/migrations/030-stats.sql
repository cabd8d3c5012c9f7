-- Figures of cards: rows that follow the payments that cards received. `business/stats/README.md` says how.

-- Each payment that a card received: its payer's wallet, or the payer's address on chain, and the wallet that the card had.
-- A settlement by card has no row of its own for its receiver. A payment that is all fee was not received. A card that pays
-- on chain pays from the address of the service; its authorization names the card.
create view incoming_payments as
select s.id as ref, null::text as transaction_id, s.receiver_card_id as card_id, s.receiver_wallet as wallet,
       s.payer_wallet as payer, false as is_from_chain, s.amount, s.refunded, s.protocol, s.network, s.asset,
       null::text as token, true as is_settled, s.settled_at
  from settlements s where s.receiver_card_id is not null and s.amount <> s.fee
union all
select r.ref, r.id, r.card_id, r.wallet_address, coalesce(p.wallet_address, c.wallet_address, r.merchant),
       p.wallet_address is null and c.wallet_address is null,
       r.amount + r.fee, r.refunded, r.protocol, r.network, r.asset, r.token, r.status <> 'FAILED', r.settled_at
  from card_transaction_rows r
  left join lateral (select s.wallet_address from card_transaction_rows s
    where s.ref = r.ref and s.direction = 'sent' limit 1) p on true
  left join lateral (
    select s.payer, s.auth_nonce as nonce from settlements s where s.id = r.ref
    union all
    select d.payer, d.nonce from direct_settlements d where d.id = r.ref) a on true
  left join outbound_payments o on o.nonce = a.nonce and lower(o.payer) = lower(a.payer)
  left join card_transaction_rows c on c.id = o.id
 where r.direction = 'received';

-- The figures of each card: one row, made by its first payment or listing. Amounts are gross, less refunds.
create table card_stats (
  card_id       text primary key references cards,
  network       text not null,
  listing_id    text,  -- the LISTED listing of the card
  rx_lifetime   numeric(78, 0) not null default 0 check (rx_lifetime >= 0),
  rx_count      bigint not null default 0,
  -- Payments by protocol.
  by_card       bigint not null default 0 check (by_card >= 0),
  by_ap2        bigint not null default 0 check (by_ap2 >= 0),
  by_mpp        bigint not null default 0 check (by_mpp >= 0),
  by_x402       bigint not null default 0 check (by_x402 >= 0),
  by_onchain    bigint not null default 0 check (by_onchain >= 0),
  first_active  timestamptz,
  last_active   timestamptz,
  payers        bigint not null default 0 check (payers >= 0),
  repeat_payers bigint not null default 0 check (repeat_payers between 0 and payers),
  largest       numeric(78, 0) not null default 0 check (largest >= 0),  -- the revenue from the largest payer
  refunded      numeric(78, 0) not null default 0 check (refunded >= 0),
  -- Left out of the figures: payments of the card's own wallet, payments that did not settle their link, other tokens.
  self_payments bigint not null default 0 check (self_payments >= 0),
  self_amount   numeric(78, 0) not null default 0 check (self_amount >= 0),
  exceptions    bigint not null default 0 check (exceptions >= 0),
  other_assets  bigint not null default 0 check (other_assets >= 0),
  constraint each_payment_has_a_protocol check (rx_count = by_card + by_ap2 + by_mpp + by_x402 + by_onchain),
  constraint active_once_paid check ((rx_count > 0) = (first_active is not null)
    and (first_active is null) = (last_active is null))
) with (fillfactor = 70);
-- For listings sorted by revenue. Cards that are not listed cost it nothing.
create index card_stats_by_revenue on card_stats (network, rx_lifetime desc, listing_id desc)
  where listing_id is not null;

-- Payments by their UTC day, and all before it: the last days are the lifetime less what was before the first of them. A
-- refund lowers the day of its payment.
create table card_stats_days (
  card_id         text not null,
  day             date not null,
  payments        bigint not null check (payments >= 0),
  revenue         numeric(78, 0) not null check (revenue >= 0),
  payments_before bigint not null check (payments_before >= 0),
  revenue_before  numeric(78, 0) not null check (revenue_before >= 0),
  primary key (card_id, day)
) with (fillfactor = 80);

-- Payers by their wallet, or by their address on chain. No index has a column that a payment changes.
create table card_payers (
  card_id  text not null,
  payer    text not null,
  payments bigint not null check (payments >= 0),
  revenue  numeric(78, 0) not null check (revenue >= 0),
  primary key (card_id, payer)
) with (fillfactor = 80);

-- Money that left the accounts of cards for payments, and came back to them, by its UTC day and the wallet that had the card then.
-- A row without a card is of the wallet's whole day.
create table spending_days (
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  day            date not null,
  card_id        text not null,
  payments       bigint not null check (payments >= 0),
  spent          numeric(78, 0) not null check (spent >= 0),
  returned       numeric(78, 0) not null check (returned >= 0),
  primary key (wallet_address, network, asset, day, card_id)
) with (fillfactor = 80);

-- Wallets that gave money to other wallets, by a payment or a withdrawal.
create table wallet_payments (
  from_wallet text not null,
  to_wallet   text not null,
  primary key (from_wallet, to_wallet)
);

-- Accounts on chain that belong to the owner of a card.
create table holder_accounts (
  address text primary key check (address ~ '^0x[0-9a-fA-F]{40}$'),
  card_id text not null references cards
);

-- Payments from an address of the receiver's own: a link's, or the account of a card. Judged once, as they are counted.
create table own_payments (
  ref text primary key
);
create trigger insert_only before update or delete or truncate on own_payments
  for each statement execute function refuse_change();

-- How far the rows follow each chain of the ledger. Chains have no gaps, and a batch is seen after those before it.
create table stats_cursors (
  chain integer primary key references ledger_chains,
  seq   bigint not null default 0 check (seq >= 0)
);
insert into stats_cursors (chain) select id from ledger_chains;
create function only_forward() returns trigger language plpgsql as $$
begin
  if new.chain <> old.chain or new.seq <= old.seq then
    raise exception 'the cursor of chain % only moves forward', old.chain using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger only_forward before update on stats_cursors for each row execute function only_forward();

-- Facts that move no money of the books, until they are counted: DIRECT payments, and exceptions.
create table stats_queue (
  seq  bigint generated always as identity primary key,
  kind text not null check (kind in ('direct', 'direct_missing', 'exception')),
  ref  text not null
);
create function queue_direct_payment() returns trigger language plpgsql as $$
begin
  insert into stats_queue (kind, ref)
  values (case new.state when 'settled' then 'direct' else 'direct_missing' end, new.id);
  return null;
end $$;
create trigger queue_direct_payment after update on direct_settlements for each row
  when (new.transaction_id is not null and new.state in ('settled', 'missing') and new.state <> old.state)
  execute function queue_direct_payment();
create function queue_exception() returns trigger language plpgsql as $$
begin
  insert into stats_queue (kind, ref) values ('exception', new.id);
  return null;
end $$;
create trigger queue_exception after insert on payment_exceptions
  for each row execute function queue_exception();

insert into stats_queue (kind, ref)
select 'direct', id from direct_settlements where transaction_id is not null and state = 'settled'
union all select 'exception', id from payment_exceptions;

-- How far the rows go. Its lock makes one process at a time count.
create table stats_progress (
  is_one   boolean primary key default true check (is_one),
  batches  numeric(78, 0) not null default 0,  -- of the ledger, of all chains
  facts    bigint not null default 0,          -- of the queue
  block    bigint,                             -- of the chain, as the watcher had read it
  at       timestamptz
);
insert into stats_progress default values;
