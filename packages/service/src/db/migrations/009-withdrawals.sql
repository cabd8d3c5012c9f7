-- Money that wallets take out: the one authorization signed for each, and how the chain says it ended.
set local lock_timeout = '5s';

create table withdrawals (
  id             text primary key check (id like 'wd\_%'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78, 0) not null,  -- all that leaves the treasury balance
  fee            numeric(78, 0) not null check (fee >= 0),
  net_amount     numeric(78, 0) not null check (net_amount > 0),
  -- The EIP-3009 authorization of net_amount, valid from 0, its nonce made from the id. Signed once, and stored
  -- before anybody is shown it: the token takes a nonce once, so that there is no second payout.
  from_address   text not null check (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  to_address     text not null check (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  nonce          text not null unique check (nonce ~ '^0x[0-9a-f]{64}$'),
  valid_before   bigint not null,
  signature      text not null check (signature ~ '^0x[0-9a-f]{130}$'),
  from_block     bigint not null,  -- no earlier block can hold its use
  sends          integer not null default 1 check (sends >= 1),  -- transactions made for it, one after the other
  status         text not null default 'PROCESSING' check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
  reason         text,  -- why it failed; while it is processing, what holds it up
  tx_hash        text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  created_at     timestamptz not null,
  ended_at       timestamptz,
  check (amount = net_amount + fee),
  check (to_address <> from_address),
  check ((status = 'PROCESSING') = (ended_at is null)),
  check ((status = 'COMPLETED') = (tx_hash is not null)),
  check (status <> 'COMPLETED' or reason is null),
  check (status <> 'FAILED' or reason is not null)
);
create index withdrawals_by_wallet on withdrawals (wallet_address, id desc);
create index withdrawals_open on withdrawals (created_at) where status = 'PROCESSING';

-- What was signed never changes, and a withdrawal ends once.
create function keep_withdrawal() returns trigger language plpgsql as $$
begin
  if old.status <> 'PROCESSING'
     or (old.id, old.wallet_address, old.network, old.asset, old.amount, old.fee, old.net_amount, old.from_address,
         old.to_address, old.nonce, old.valid_before, old.signature, old.from_block, old.created_at)
        is distinct from
        (new.id, new.wallet_address, new.network, new.asset, new.amount, new.fee, new.net_amount, new.from_address,
         new.to_address, new.nonce, new.valid_before, new.signature, new.from_block, new.created_at) then
    raise exception 'withdrawal % has ended, or its authorization would change', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_withdrawal before update on withdrawals for each row execute function keep_withdrawal();
create trigger no_delete before delete or truncate on withdrawals
  for each statement execute function refuse_change();
