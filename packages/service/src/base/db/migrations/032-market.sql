-- The market: cards for sale, and their sales.

create table listings (
  id          text primary key check (id like 'lst\_%'),
  card_id     text not null references cards,
  seller      text not null,
  price       numeric(78, 0) not null check (price > 0),  -- never changes
  mode        text not null check (mode in ('custodial', 'onchain')),
  network     text not null,
  asset       text not null,
  -- An on-chain payment names it as its nonce.
  hash        text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  status      text not null check (status in ('LISTED', 'SETTLING', 'SOLD', 'CANCELLED')),
  reason      text,  -- why it was cancelled
  version     text,  -- the card's version at its sale
  buyer       text,
  fee         numeric(78, 0),
  settled_tx  text,  -- the transaction that moved the identity token
  created_at  timestamptz not null,
  expires_at  timestamptz,  -- the last moment at which the chain would sell it
  checked_at  timestamptz,  -- the newest look at whether it is cancelled on chain
  settled_at  timestamptz,
  ended_at    timestamptz,
  constraint one_listing_per_hash unique (hash),
  constraint expires_on_chain check ((mode = 'onchain') = (expires_at is not null)),
  constraint ended_once check ((status in ('SOLD', 'CANCELLED')) = (ended_at is not null)),
  constraint cancelled_with_reason check ((status = 'CANCELLED') = (reason is not null)),
  constraint sold_to_a_buyer check (status <> 'SOLD' or num_nonnulls(buyer, fee, settled_at, version) = 4),
  constraint not_to_its_seller check (buyer is null or buyer <> seller),
  constraint fee_within_price check (fee between 0 and price),
  constraint custodial_sales_settle_at_once check (status <> 'SETTLING' or mode = 'onchain')
);
create unique index one_live_listing_per_card on listings (card_id) where status in ('LISTED', 'SETTLING');
create index listings_by_card on listings (card_id, id desc);
-- Browsing reads an index in its order: newest, cheapest, dearest. Ties are ordered by id, descending.
-- New ids come last, so that index is read backward: with them first its pages were half empty.
create index listings_newest on listings (network, id) where status = 'LISTED';
create index listings_cheapest on listings (network, price, id desc) where status = 'LISTED';
create index listings_dearest on listings (network, price desc, id desc) where status = 'LISTED';
create index listings_expiring on listings (expires_at) where status = 'LISTED' and expires_at is not null;
create index listings_unseen on listings (checked_at nulls first) where status = 'LISTED' and mode = 'onchain';

-- The terms stay, and a listing ends once. One that the chain has sold was not cancelled: a restored backup did not know it yet.
create function keep_listing() returns trigger language plpgsql as $$
begin
  if (old.id, old.card_id, old.seller, old.price, old.mode, old.network, old.asset, old.hash, old.created_at,
      old.expires_at)
     is distinct from
     (new.id, new.card_id, new.seller, new.price, new.mode, new.network, new.asset, new.hash, new.created_at,
      new.expires_at)
     or (old.status <> new.status and not (old.status, new.status) in (
       ('LISTED', 'SOLD'), ('LISTED', 'SETTLING'), ('LISTED', 'CANCELLED'), ('SETTLING', 'SOLD'), ('SETTLING', 'LISTED'),
       ('CANCELLED', 'SETTLING')))
     or (old.status in ('SOLD', 'CANCELLED') and new.status <> 'SETTLING' and (old.buyer, old.fee, old.version, old.reason, old.settled_at, old.ended_at)
       is distinct from (new.buyer, new.fee, new.version, new.reason, new.settled_at, new.ended_at))
     or (old.settled_tx is not null and new.settled_tx is distinct from old.settled_tx) then
    raise exception 'listing % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_listing before update on listings for each row execute function keep_listing();
create trigger begins_listed before insert on listings for each row when (new.status <> 'LISTED')
  execute function refuse_change();
create trigger no_delete before delete or truncate on listings
  for each statement execute function refuse_change();
create trigger note_seal after insert or update of id, card_id, seller, price, mode, network, status, buyer on listings
  for each row execute function note_seal('id', 'id', 'card_id', 'seller', 'price', 'mode', 'network', 'status', 'buyer');

-- How many are LISTED on each network. A count would read every row of the index; the parts let listings begin and end side
-- by side.
create table listing_counts (
  network text not null,
  part    smallint not null check (part between 0 and 15),
  listed  bigint not null,
  primary key (network, part)
) with (fillfactor = 50);

-- Deferred, so that a transaction takes this lock last.
create function count_listing() returns trigger language plpgsql as $$
declare
  change integer := (new.status = 'LISTED')::integer;
begin
  if tg_op = 'UPDATE' then change := (new.status = 'LISTED')::integer - (old.status = 'LISTED')::integer; end if;
  if change <> 0 then
    insert into listing_counts as c (network, part, listed) values (new.network, abs(hashtext(new.id)) % 16, change)
      on conflict (network, part) do update set listed = c.listed + excluded.listed;
  end if;
  return null;
end $$;
create constraint trigger count_listing after insert or update of status on listings deferrable initially deferred
  for each row execute function count_listing();
create trigger counted_by_listings_only before insert or update or delete on listing_counts
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();

-- One sale for each listing that was bought. `transfer_id` moved the money of a custodial sale.
create table sales (
  listing_id  text primary key references listings,
  card_id     text not null references cards,
  seller      text not null,
  buyer       text not null check (buyer <> seller),
  price       numeric(78, 0) not null check (price > 0),
  fee         numeric(78, 0) not null check (fee between 0 and price),
  mode        text not null check (mode in ('custodial', 'onchain')),
  state       text not null check (state in ('frozen', 'relayed', 'done', 'undone')),
  transfer_id text unique references ledger_transfer_rows,
  send_ref    text,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  constraint sale_ended_once check ((state in ('done', 'undone')) = (ended_at is not null)),
  constraint custodial_sale_is_paid check ((mode = 'custodial') = (transfer_id is not null)
    and (mode = 'onchain' or state = 'done'))
);
create index sales_under_way on sales (created_at) where state in ('frozen', 'relayed');
create trigger no_delete before delete or truncate on sales
  for each statement execute function refuse_change();
