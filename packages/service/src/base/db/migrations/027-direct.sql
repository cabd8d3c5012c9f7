-- DIRECT settlement: payers pay the seller's own wallet on chain. The service looks at the chain and holds nothing.

create table direct_settlements (
  id               text primary key check (id like 'stl\_%'),
  pay_link_id      text not null references pay_links,
  card_id          text not null,
  wallet_address   text not null,  -- the seller, whom the payer paid
  protocol         text not null check (are_direct_rails(array[protocol])),
  -- How the transfer is known to be meant for the link: a signed transfer that was claimed for it, a memo beside the
  -- transfer, or the sender's signature over link and transaction.
  bound_by         text not null check (bound_by in ('eip3009', 'permit2', 'memo', 'signature')),
  payer            text not null,
  network          text not null,
  token            text not null,
  amount           numeric(78, 0) not null check (amount > 0),
  nonce            text,
  valid_before     numeric(78, 0),  -- Unix seconds
  signature_digest bytea check (length(signature_digest) = 32),
  from_block       bigint not null check (from_block >= 0),
  state            text not null default 'settling' check (state in ('settling', 'settled', 'failed', 'missing')),
  reason           text,
  tx_hash          text,
  log_index        integer,
  -- The part of the transfer that the seller's balance confirmed, and its block.
  arrived          numeric(78, 0),
  arrived_block    bigint,
  -- Whether a safe block holds the transfer: after that nothing of it changes.
  is_final         boolean not null default false,
  -- The money does not settle the link, and why; it is with the seller all the same.
  exception_id     text unique references payment_exceptions,
  transaction_id   text unique,     -- what the seller's card received
  metered_fee      numeric(78, 0),  -- base units of the service's asset
  created_at       timestamptz not null,
  settled_at       timestamptz,
  constraint claimed_by_nonce check ((bound_by in ('eip3009', 'permit2')) = (nonce is not null)
    and (nonce is null) = (valid_before is null)),
  constraint settled_by_a_log check (state in ('settling', 'failed') or (tx_hash is not null and log_index is not null)),
  constraint settled_in_time check ((state in ('settled', 'missing')) = (settled_at is not null)),
  constraint a_failure_has_a_reason check ((state in ('failed', 'missing')) = (reason is not null)),
  constraint metered_once_settled check (metered_fee is null or state in ('settled', 'missing')),
  constraint final_is_settled check (not is_final or state = 'settled')
) with (fillfactor = 80);
create unique index one_direct_settlement_per_log on direct_settlements (network, tx_hash, log_index)
  where tx_hash is not null and state <> 'failed';
create unique index one_direct_settlement_per_authorization on direct_settlements (network, token, payer, nonce)
  where nonce is not null;
create index direct_settlements_by_link on direct_settlements (pay_link_id, id desc);
create index direct_settlements_settling_by_card on direct_settlements (card_id) where state = 'settling';
create index direct_settlements_open on direct_settlements (created_at)
  where state = 'settling' or (state = 'settled' and not is_final);

-- A settlement is for a link of a DIRECT card, and pays its seller in its token. A transfer that its payer made may have paid
-- the seller of its time, before the card was sold.
create function direct_settlement_parties() returns trigger language plpgsql as $$
begin
  if not exists (select from pay_links l where l.id = new.pay_link_id and l.token = new.token
      and l.card_id = new.card_id and l.network = new.network
      and (l.wallet_address = new.wallet_address or (new.nonce is null and exists (
        select from card_handovers h where h.card_id = l.card_id and h.from_wallet = new.wallet_address)))) then
    raise exception 'direct settlement % does not pay the seller of its link', new.id using errcode = 'check_violation';
  end if;
  if new.nonce is not null and not exists (select from authorization_claims c where c.network = new.network
      and c.payer = new.payer and c.nonce = new.nonce and c.ref = new.id) then
    raise exception 'the authorization of direct settlement % is not claimed for it', new.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger direct_settlement_parties before insert on direct_settlements
  for each row execute function direct_settlement_parties();
create trigger names_a_person before insert on direct_settlements for each row
  when (is_system_address(new.payer)) execute function refuse_system_address();

-- Settling ends as settled or failed, settled may go missing, and a final one stays. What it pays never changes, except
-- that the amount of a settlement that has not ended becomes what arrived.
create function keep_direct_settlement() returns trigger language plpgsql as $$
begin
  if (old.id, old.pay_link_id, old.card_id, old.wallet_address, old.protocol, old.bound_by, old.payer, old.network,
      old.token, old.nonce, old.valid_before, old.created_at)
     is distinct from (new.id, new.pay_link_id, new.card_id, new.wallet_address, new.protocol, new.bound_by, new.payer,
      new.network, new.token, new.nonce, new.valid_before, new.created_at)
     or (old.amount <> new.amount and old.state <> 'settling')
     or (old.state = 'settled' and new.state not in ('settled', 'missing'))
     or (old.state in ('failed', 'missing') and new.state <> old.state)
     or (old.is_final and (not new.is_final or old.state <> new.state or old.tx_hash <> new.tx_hash)) then
    raise exception 'direct settlement % cannot change so', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_direct_settlement before update on direct_settlements
  for each row execute function keep_direct_settlement();
create trigger no_delete before delete or truncate on direct_settlements
  for each statement execute function refuse_change();

-- A log that a DIRECT settlement took settles nothing else.
alter table pay_link_logs add column direct_id text references direct_settlements;
