-- Money that the service takes out of a wallet, within the allowance that the wallet gave to BatchSettler. Written before
-- anything is sent; the contract moves money at most once for each ref, whatever is sent.

create table pulls (
  id             text primary key,  -- of the charge that it pays
  agreement_id   text not null,
  period_key     text not null,
  ref            text not null unique check (ref ~ '^0x[0-9a-f]{64}$'),
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  token          text not null check (token ~ '^0x[0-9a-fA-F]{40}$'),
  amount         numeric(78, 0) not null check (amount > 0),
  -- requested: nothing is on its way; sent: a transaction may move it; confirmed: a block holds the transfer; failed: proven
  -- not to have moved; missing: confirmed, and then a reorganization took it.
  state          text not null default 'requested'
                   check (state in ('requested', 'sent', 'confirmed', 'failed', 'missing')),
  attempts       integer not null default 0 check (attempts >= 0),  -- transactions made for it, one after the other
  reason         text,             -- why it failed; before that, what holds it up
  from_block     bigint,           -- the newest block when the first transaction was queued
  tx_hash        text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index      integer check (log_index >= 0),  -- of the token's transfer
  block_number   bigint,
  block_hash     text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  is_safe        boolean not null default false,  -- no reorganization can take the transfer away any more
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint one_pull_per_period unique (agreement_id, period_key),
  constraint one_pull_per_log unique (network, tx_hash, log_index),
  constraint a_place_once_confirmed check (
    (state in ('confirmed', 'missing')) = (tx_hash is not null)
    and (tx_hash is null) = (log_index is null) and (tx_hash is null) = (block_number is null)
    and (tx_hash is null) = (block_hash is null)),
  constraint ended_once check ((state in ('confirmed', 'failed', 'missing')) = (ended_at is not null)),
  constraint a_reason_for_failure check (state not in ('failed', 'missing') or reason is not null),
  constraint safe_only_if_confirmed check (not is_safe or state = 'confirmed'),
  constraint sent_in_a_transaction check (state <> 'sent' or (attempts > 0 and from_block is not null))
);
create index pulls_open on pulls (created_at) where not is_safe and state in ('requested', 'sent', 'confirmed');
create index pulls_by_block on pulls (network, block_number) where state = 'confirmed';
create index pulls_missing on pulls (ended_at) where state = 'missing';
create trigger names_a_person before insert on pulls for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

-- The terms never change, but for a price that changed between two tries, or before a backup. A pull that has moved money is never made again.
create function keep_pull() returns trigger language plpgsql as $$
begin
  if (old.id, old.agreement_id, old.period_key, old.ref, old.wallet_address, old.network, old.asset, old.token,
      old.created_at)
     is distinct from
     (new.id, new.agreement_id, new.period_key, new.ref, new.wallet_address, new.network, new.asset, new.token,
      new.created_at)
     or (new.amount <> old.amount and not (old.state = 'failed' and new.state = 'requested')
         and not (old.state in ('requested', 'sent') and new.state = 'confirmed'))
     or old.is_safe or old.state = 'missing' or new.attempts < old.attempts
     or (old.state = 'confirmed' and new.state not in ('confirmed', 'missing'))
     or (old.state = 'failed' and new.state <> 'requested')
     or (new.state = 'missing' and old.state <> 'confirmed') then
    raise exception 'pull % is %, or its terms would change', old.id, old.state
      using errcode = 'check_violation', constraint = 'keep_pull';
  end if;
  return new;
end $$;
create trigger keep_pull before update on pulls for each row execute function keep_pull();
create trigger no_delete before delete or truncate on pulls for each statement execute function refuse_change();

-- One transfer on chain is a pull or a deposit, never both.
create function refuse_second_use() returns trigger language plpgsql as $$
begin
  if (tg_table_name = 'deposits' and exists (select from pulls p where p.network = new.network
        and p.tx_hash = new.tx_hash and p.log_index = new.log_index))
     or (tg_table_name = 'pulls' and new.tx_hash is not null and exists (select from deposits d
        where d.network = new.network and d.tx_hash = new.tx_hash and d.log_index = new.log_index)) then
    raise exception 'transfer % % was used before', new.tx_hash, new.log_index
      using errcode = 'unique_violation', constraint = 'one_use_per_transfer', table = tg_table_name;
  end if;
  return new;
end $$;
create trigger one_use_per_transfer before insert on deposits for each row execute function refuse_second_use();
create trigger one_use_per_transfer before insert or update of tx_hash, log_index on pulls
  for each row execute function refuse_second_use();
