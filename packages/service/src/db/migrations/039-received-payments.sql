-- What a settled payment was used for: the first time that the wallet that was paid has asked for it.
set local lock_timeout = '5s';

create table received_payments (
  settlement_id  text primary key check (settlement_id like 'stl\_%' or settlement_id like 'fst\_%'),
  wallet_address text not null,                                      -- who was paid, and asked
  resource       text not null check (length(resource) <= 2048),
  received_at    timestamptz not null
);

-- Only whom a payment was paid to may use it up.
create function received_by_the_paid() returns trigger language plpgsql as $$
begin
  if not exists (
      select from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
       where s.id = new.settlement_id and s.state = 'settled' and l.wallet_address = new.wallet_address)
    and not exists (
      select from x402_settlements s
       where s.id = new.settlement_id and s.state = 'settled' and s.finality <> 'missing'
         and s.pay_to = new.wallet_address) then
    raise exception 'payment % was not paid to %', new.settlement_id, new.wallet_address
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger received_by_the_paid before insert on received_payments
  for each row execute function received_by_the_paid();
create trigger no_change before update or delete or truncate on received_payments
  for each statement execute function refuse_change();
