-- Pay links, and the checkout that the service signs for the seller of each.

create table pay_links (
  id                 text primary key check (id like 'pl\_%'),
  code               text not null unique check (code ~ '^PL_[0-9A-HJKMNP-TV-Z]{10}$'),
  wallet_address     text not null,
  card_id            text not null references cards,
  network            text not null,
  asset              text not null,
  amount             numeric(78, 0) check (amount > 0),  -- null: the payer chooses
  min_amount         numeric(78, 0) check (min_amount > 0),  -- the least that the payer may choose; null: no least
  memo               text not null default '',
  mcc                text check (mcc ~ '^\d{4}$'),
  link_type          text not null check (link_type in ('SINGLE', 'RECURRING')),
  accepted_protocols text[] not null check (cardinality(accepted_protocols) > 0 and are_link_rails(accepted_protocols)),
  status             text not null default 'ACTIVE' check (status in ('ACTIVE', 'EXPIRED', 'CANCELLED', 'COMPLETED')),
  uses               integer not null default 0 check (uses >= 0),
  -- Uses promised to payments that are on their way to the chain.
  reserved           integer not null default 0 check (reserved >= 0),
  max_uses           integer not null check (max_uses >= 0),  -- 0: no end
  -- Where payers on chain send their money: an address of this link alone, so that no payment is taken for another link's.
  -- Null for a link of a DIRECT card: its payers pay the seller's own wallet, in `token`.
  deposit_address    text unique,
  token              text,
  token_decimals     integer check (token_decimals between 0 and 36),
  token_type         text check (token_type in ('ERC20', 'B20')),
  metadata           jsonb not null default '{}',
  -- Agents, by where their keys are, of which one must have signed a request that pays. Null: anybody pays.
  allowed_agents     text[] check (cardinality(allowed_agents) between 1 and 20),
  -- Where the payer's browser is led after the payment, with the payment's id in place of {PAYMENT_ID}; and without one.
  success_url        text check (success_url ~ '^https?://' and char_length(success_url) <= 2048),
  cancel_url         text check (cancel_url ~ '^https?://' and char_length(cancel_url) <= 2048),
  expires_at         timestamptz,
  confirmed_at       timestamptz,
  cancelled_at       timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz generated always as (
    case when status <> 'ACTIVE' then greatest(created_at, expires_at, confirmed_at, cancelled_at) end) stored,
  check (cancelled_at is null or status = 'CANCELLED'),
  constraint least_is_for_the_payers_choice check (min_amount is null or amount is null),
  -- Only what is paid by a request for the link's URL can be signed.
  -- A wallet that has paid gets its receipt again, by sign-in-with-x of x402.
  payers_return      boolean not null default false,
  constraint agents_pay_at_the_url check (allowed_agents is null or accepted_protocols <@ array['x402', 'mpp']),
  constraint within_uses check (max_uses = 0 or uses + reserved <= max_uses),
  constraint payers_return_by_x402 check (not payers_return or (token is null and 'x402' = any(accepted_protocols))),
  constraint custodial_or_direct check ((deposit_address is null) = (token is not null)
    and (token is null) = (token_decimals is null) and (token is null) = (token_type is null)),
  constraint direct_rails check (token is null or are_direct_rails(accepted_protocols))
) with (fillfactor = 70);
create index pay_links_by_wallet on pay_links (wallet_address, id desc);
create index pay_links_by_card on pay_links (card_id, id);
create index pay_links_expiring on pay_links (expires_at) where status = 'ACTIVE';
-- A payment of a link that stays open touches no index, so that its row is rewritten in place (HOT).
create index pay_links_ended on pay_links (ended_at) where ended_at is not null;
create trigger no_delete before delete or truncate on pay_links
  for each statement execute function refuse_change();
-- Events of its payments are read with its code and memo.
create trigger ids_stay after update of id, code, memo, min_amount on pay_links for each row
  when ((old.id, old.code, old.memo, old.min_amount) is distinct from (new.id, new.code, new.memo, new.min_amount))
  execute function refuse_change();
-- A link is made by the wallet that has the card then, and not while it is being sold on chain. The reference to the card waits for a sale that has it locked, and
-- fires first: triggers fire by name. What was read before the sale is read again.
create function seller_has_card() returns trigger language plpgsql as $$
begin
  perform refuse_stale(not exists (
    select from cards c where c.id = new.card_id and c.wallet_address = new.wallet_address
      and not is_on_sale(c.status_reason)));
  return null;
end $$;
create trigger seller_has_card after insert on pay_links for each row execute function seller_has_card();
-- The buyer of a card has paid for its links too.
create function keep_link_on_sale() returns trigger language plpgsql as $$
begin
  if exists (select from cards c where c.id = new.card_id and is_on_sale(c.status_reason)) then
    raise exception 'link % stays as long as its card is being sold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_link_on_sale before update of status on pay_links for each row
  when (new.status = 'CANCELLED' and old.status <> 'CANCELLED') execute function keep_link_on_sale();
create trigger names_a_person before insert on pay_links for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger note_seal
  after insert or update of id, code, wallet_address, card_id, network, asset, amount, deposit_address, token on pay_links
  for each row execute function note_seal('id', 'id', 'code', 'wallet_address', 'card_id', 'network', 'asset', 'amount',
    'deposit_address', 'token');

-- The checkout that the service signed for the seller of a link: its hash is the transaction_id that a mandate names.
create table pay_link_checkouts (
  pay_link_id  text primary key references pay_links,
  checkout_id  text not null,
  checkout_jwt text not null,
  is_required  boolean not null,  -- the link takes no mandate of another checkout
  created_at   timestamptz not null,
  constraint one_link_per_checkout unique (checkout_id)
);
create trigger insert_only before update or delete or truncate on pay_link_checkouts
  for each statement execute function refuse_change();
