-- Sends under fire: several signed attempts per send, one nonce each relayer at a time, looked at until safe.

alter table chain_sends
  add column is_safe      boolean not null default false, -- its block can be reorganised away no more
  add column block_hash   text,
  add column passed_block bigint;                         -- block by which the chain had used our nonce without a receipt of ours

-- Everything ever signed for a send. Whichever of them is mined ends it, so all are looked for.
create table chain_attempts (
  hash            text primary key,
  send_id         text not null references chain_sends on delete cascade,
  relayer         text not null references chain_relayers,
  nonce           bigint not null,
  raw             bytea not null,
  max_fee         numeric(78) not null check (max_fee >= 0),      -- wei per gas
  max_tip         numeric(78) not null check (max_tip >= 0),      -- wei per gas
  at_block        bigint not null,                             -- the newest block when it was signed
  created_at      timestamptz not null default now()
);
create index chain_attempts_send on chain_attempts (send_id);

-- Fees of what was signed before are in the bytes alone; 0 lets a replacement start at what the block asks.
insert into chain_attempts (hash, send_id, relayer, nonce, raw, max_fee, max_tip, at_block)
  select hash, id, relayer, nonce, raw, 0, 0, 0 from chain_sends where raw is not null;
update chain_sends set is_safe = true where state = 'mined';

alter table chain_relayers
  add column is_resting  boolean not null default false, -- out of gas: it is given nothing until it has some
  add column balance_wei numeric(78),                       -- as last measured
  add column measured_at timestamptz;

drop index chain_sends_open;
create index chain_sends_open on chain_sends (created_at) where state <> 'mined' or not is_safe;
