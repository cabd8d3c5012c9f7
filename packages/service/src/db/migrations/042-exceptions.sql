-- What becomes of money that fits no payment of its link: kept, or sent back by a withdrawal, once.
set local lock_timeout = '5s';

alter table payment_exceptions
  add column fee           numeric(78, 0) not null default 0,  -- the house's part, taken when the money was credited
  add column log_index     integer,  -- of the transfer that brought it; null: credited before this was kept
  add column status        text not null default 'OPEN' check (status in ('OPEN', 'KEPT', 'REFUNDED')),
  add column withdrawal_id text unique references withdrawals,  -- what sends it back
  add column refunds       integer not null default 0 check (refunds >= 0),  -- withdrawals begun for it
  add column resolved_at   timestamptz,
  add constraint fee_within_amount check (fee >= 0 and fee <= amount),
  add constraint resolved_once check ((status = 'OPEN') = (resolved_at is null)),
  add constraint refunded_by_withdrawal check ((status = 'REFUNDED') = (withdrawal_id is not null));
drop index payment_exceptions_by_link;
create index payment_exceptions_by_link on payment_exceptions (pay_link_id, id desc);
create index payment_exceptions_by_wallet on payment_exceptions (wallet_address, id desc);

-- The facts stay. An open exception is kept or refunded, and only a refund that failed opens it again. A refund pays the
-- payer, and never more than came in.
create function keep_exception() returns trigger language plpgsql as $$
begin
  if (old.id, old.pay_link_id, old.wallet_address, old.reason, old.amount, old.fee, old.payer, old.tx_hash, old.log_index,
      old.created_at)
     is distinct from
     (new.id, new.pay_link_id, new.wallet_address, new.reason, new.amount, new.fee, new.payer, new.tx_hash, new.log_index,
      new.created_at) then
    raise exception 'exception % stays as it came', old.id using errcode = 'check_violation';
  end if;
  if not (
    (old.status = 'OPEN' and new.status = 'KEPT' and new.refunds = old.refunds)
    or (old.status = 'OPEN' and new.status = 'REFUNDED' and new.refunds = old.refunds + 1 and exists (
      select from withdrawals w where w.id = new.withdrawal_id and w.wallet_address = new.wallet_address
         and w.to_address = new.payer and w.net_amount <= new.amount and w.status = 'PROCESSING'))
    or (old.status = 'REFUNDED' and new.status = 'OPEN' and new.refunds = old.refunds and exists (
      select from withdrawals w where w.id = old.withdrawal_id and w.status = 'FAILED'))) then
    raise exception 'exception % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_exception before update on payment_exceptions for each row execute function keep_exception();
create trigger no_delete before delete or truncate on payment_exceptions
  for each statement execute function refuse_change();

-- A card of this service pays a link in the name of any protocol that the link takes.
alter table pay_link_settlements
  drop constraint whole_where_by_card,
  add constraint whole_where_by_card check (
    (receiver_card_id is null) = (decided_on is null) and (receiver_card_id is null) = (payer_wallet is null)
    and (receiver_card_id is null) = (receiver_wallet is null)
    and (receiver_card_id is null or (state = 'settled' and protocol in ('card', 'ap2', 'x402', 'mpp')))
    and (mandate_id is null or receiver_card_id is null or protocol = 'ap2'));
