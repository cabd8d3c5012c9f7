-- Money that arrives at the address of a pay link.

-- A payment that does not settle its link: late, too little, too much, or one too many. It is kept, or sent back once by a
-- withdrawal.
create table payment_exceptions (
  id             text primary key check (id like 'exc\_%'),
  pay_link_id    text not null references pay_links,
  wallet_address text not null,
  reason         text not null check (reason in ('late', 'short', 'over', 'cancelled', 'completed')),
  amount         numeric(78, 0) not null check (amount > 0),
  fee            numeric(78, 0) not null default 0,  -- the house's part, taken when the money was credited
  payer          text not null,
  tx_hash        text not null,
  log_index      integer,  -- of the transfer that brought it
  status         text not null default 'OPEN' check (status in ('OPEN', 'KEPT', 'REFUNDED')),
  withdrawal_id  text unique references withdrawals,  -- sends it back
  refunds        integer not null default 0 check (refunds >= 0),  -- withdrawals begun for it
  -- DIRECT: the money went to the seller's own wallet, so it is kept from the start and the house has no part in it.
  settlement_mode text not null default 'CUSTODIAL' check (settlement_mode in ('CUSTODIAL', 'DIRECT')),
  created_at     timestamptz not null,
  resolved_at    timestamptz,
  constraint direct_is_kept check (settlement_mode = 'CUSTODIAL' or (status = 'KEPT' and fee = 0)),
  constraint fee_within_amount check (fee >= 0 and fee <= amount),
  constraint resolved_once check ((status = 'OPEN') = (resolved_at is null)),
  constraint refunded_by_withdrawal check ((status = 'REFUNDED') = (withdrawal_id is not null))
);
create index payment_exceptions_by_link on payment_exceptions (pay_link_id, id desc);
create index payment_exceptions_by_wallet on payment_exceptions (wallet_address, id desc);
create index payment_exceptions_by_age on payment_exceptions (created_at);

-- The facts stay. An open exception is kept or refunded, and only a failed refund opens it again. A refund pays the
-- payer, and never more than came in.
create function keep_exception() returns trigger language plpgsql as $$
begin
  if (old.id, old.pay_link_id, old.wallet_address, old.reason, old.amount, old.fee, old.payer, old.tx_hash, old.log_index,
      old.settlement_mode, old.created_at)
     is distinct from
     (new.id, new.pay_link_id, new.wallet_address, new.reason, new.amount, new.fee, new.payer, new.tx_hash, new.log_index,
      new.settlement_mode, new.created_at) then
    raise exception 'the facts of exception % cannot change', old.id using errcode = 'check_violation';
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
create trigger names_a_person before insert on payment_exceptions for each row
  when (is_system_address(new.payer)) execute function refuse_system_address();

-- Every transfer log that paid a link's address. One log settles one thing, once.
create table pay_link_logs (
  network       text not null,
  tx_hash       text not null,
  log_index     integer not null,
  settlement_id text references settlements,
  exception_id  text references payment_exceptions,
  constraint one_use_per_log primary key (network, tx_hash, log_index)
);
