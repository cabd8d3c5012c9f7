-- Transfers to our addresses that the watcher has seen, and how far it has read.

create table watch_cursors (
  network     text primary key,
  first_block bigint not null check (first_block >= 0),
  -- Every transfer up to and including this block has been processed.
  block       bigint not null,
  -- Counts writes. A pass that read before another pass wrote may not write.
  version     bigint not null default 0,
  -- The newest, safe and finalized block of the watcher's last pass. They show a payer how deep a payment is without asking
  -- the chain.
  latest      bigint,
  safe        bigint,
  finalized   bigint,
  -- The cursor's block when it fell behind; null while it keeps up.
  behind_from bigint,
  check (block >= first_block - 1)
);

create table watched_transfers (
  network      text not null,
  asset        text not null,  -- the symbol; other assets than USDC are seen at the treasury only
  tx_hash      text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index    integer not null check (log_index >= 0),
  block_number bigint not null,
  block_hash   text not null check (block_hash ~ '^0x[0-9a-f]{64}$'),
  from_address text not null,
  to_address   text not null,
  amount       numeric(78, 0) not null check (amount > 0),
  -- seen: not safe yet; orphaned: its block is gone; passed_on: a job settles its link; own: moved by the house itself; pulled: pays a charge;
  -- unclaimed: from an unknown wallet; alarm: credited, and then the chain showed something else.
  state        text not null check (state in ('seen', 'orphaned', 'credited', 'passed_on', 'own', 'pulled', 'unclaimed', 'alarm')),
  seen_at      timestamptz not null,
  primary key (network, tx_hash, log_index)
);
create index watched_transfers_by_block on watched_transfers (network, block_number);
create index watched_transfers_open on watched_transfers (network, state)
  where state in ('seen', 'passed_on', 'unclaimed', 'alarm');
create index watched_transfers_by_payee on watched_transfers (network, to_address) where state in ('seen', 'passed_on');

-- A credit is never taken back here: it can only become an alarm, which a person looks at.
create function keep_watched_transfer() returns trigger language plpgsql as $$
begin
  if (old.network, old.asset, old.tx_hash, old.log_index, old.from_address, old.to_address, old.amount)
     is distinct from (new.network, new.asset, new.tx_hash, new.log_index, new.from_address, new.to_address, new.amount)
     and old.state in ('credited', 'passed_on', 'alarm') then
    raise exception 'transfer % % was credited and cannot change', old.tx_hash, old.log_index
      using errcode = 'check_violation';
  end if;
  if (old.state = 'credited' and new.state not in ('credited', 'alarm'))
     or (old.state = 'passed_on' and new.state not in ('passed_on', 'credited', 'alarm'))
     or (old.state = 'alarm' and new.state <> 'alarm') then
    raise exception 'transfer % % was % and cannot become %', old.tx_hash, old.log_index, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_watched_transfer before update on watched_transfers
  for each row execute function keep_watched_transfer();

-- Money from an address of the chain itself is credited to nobody and pays no link.
create trigger has_a_depositor before insert on watched_transfers for each row
  when (new.state in ('credited', 'passed_on') and is_system_address(new.from_address))
  execute function refuse_system_address();
create trigger keeps_a_depositor before update on watched_transfers for each row
  when (new.state in ('credited', 'passed_on') and new.state is distinct from old.state
    and is_system_address(new.from_address))
  execute function refuse_system_address();
