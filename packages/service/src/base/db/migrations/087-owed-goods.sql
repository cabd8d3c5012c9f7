-- oldest: 043
-- The goods of a settled payment are owed until they are given: the attempt that was to give them may say that it did not.

create function keep_settled_paywall_payment() returns trigger language plpgsql as $$
begin
  if (old.id, old.wallet_address, old.payment_key, old.method, old.payer, old.amount, old.payment_hash, old.request_hash)
     is distinct from
     (new.id, new.wallet_address, new.payment_key, new.method, new.payer, new.amount, new.payment_hash, new.request_hash)
     or (old.state = 'settled' and (new.state, new.charged, new.settled_at) is distinct from (old.state, old.charged, old.settled_at))
     or (old.is_delivered and new.attempt is distinct from old.attempt) then
    raise exception 'paywall payment % is settled once, and delivered by one attempt', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger keep_paywall_payment before update on paywall_payments
  for each row execute function keep_settled_paywall_payment();

-- A request without a key means the payment that its seller owes an answer for.
create index if not exists outbound_payments_without_key on outbound_payments (card_id, created_at) where idempotency_key is null;
