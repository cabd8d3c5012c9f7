-- Paid requests of sellers' own routes: who runs the handler for a payment, and what became of it.

-- The link by which cards of this service pay the routes of a card's owner.
create table paywall_links (
  wallet_address text not null,
  card_id        text not null references cards,
  pay_link_id    text not null unique references pay_links,
  created_at     timestamptz not null,
  primary key (wallet_address, card_id)
);

create table paywall_payments (
  id             text primary key check (id like 'pwp\_%'),
  wallet_address text not null,            -- of the seller
  payment_key    text not null check (length(payment_key) <= 400),  -- the same for every presentation of one payment
  method         text not null check (method in ('x402', 'evm', 'agentcard')),
  payer          text not null,
  amount         numeric(78, 0) not null check (amount > 0),        -- for upto the most
  payment_hash   bytea not null,
  request_hash   text not null check (length(request_hash) <= 200),
  resource       text not null check (length(resource) <= 2048),
  -- claimed: its handler runs; settling: the chain does not show it yet; settled: the seller is paid.
  state          text not null default 'claimed' check (state in ('claimed', 'settling', 'settled')),
  -- The one that runs the handler now, and how long nobody else may.
  attempt        text check (length(attempt) between 16 and 100),
  lease_until    timestamptz,
  is_delivered   boolean not null default false,
  answer         bytea check (length(answer) <= 160000),  -- sealed by the seller
  charged        numeric(78, 0) check (charged between 0 and amount),
  tx_hash        text,
  settlement_id  text,
  created_at     timestamptz not null,
  settled_at     timestamptz,
  constraint a_payment_buys_once unique (wallet_address, payment_key),
  constraint settled_for_an_amount check ((state = 'settled') = (settled_at is not null and charged is not null)),
  constraint delivered_only_if_paid check (state = 'settled' or not is_delivered)
) with (fillfactor = 80);
create index paywall_payments_by_age on paywall_payments (created_at);

-- Goods are given once, and what was paid does not change.
create function keep_paywall_payment() returns trigger language plpgsql as $$
begin
  if (old.id, old.wallet_address, old.payment_key, old.method, old.payer, old.amount, old.payment_hash, old.request_hash)
     is distinct from
     (new.id, new.wallet_address, new.payment_key, new.method, new.payer, new.amount, new.payment_hash, new.request_hash)
     or (old.state = 'settled' and (new.state, new.charged, new.settled_at) is distinct from (old.state, old.charged, old.settled_at))
     or (old.is_delivered and not new.is_delivered) then
    raise exception 'paywall payment % is settled and delivered once', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_paywall_payment before update on paywall_payments
  for each row execute function keep_paywall_payment();
