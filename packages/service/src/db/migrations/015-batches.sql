-- Many sends in one transaction: who rides in which, and what its logs said of each.
set local lock_timeout = '5s';

alter table chain_sends
  add column batch_id    text references chain_sends,    -- the send whose transaction carries this one
  add column is_alone    boolean not null default false, -- failed in a batch: it goes by itself
  -- Where the block's logs show the transfer of each of its authorizations, in order; null for one that moved nothing.
  add column log_indexes integer[];
create index chain_sends_batch on chain_sends (batch_id) where batch_id is not null;

-- Those that ride share their carrier's hash and have no bytes and no nonce of their own.
alter table chain_sends
  drop constraint chain_sends_hash_key,
  drop constraint chain_sends_check,
  add constraint bytes_once_signed check ((state = 'queued') = (raw is null) or batch_id is not null),
  add constraint a_rider_has_no_nonce check (batch_id is null or (relayer is null and nonce is null and raw is null)),
  add constraint a_rider_is_not_signed check (batch_id is null or state <> 'signed'),
  add constraint who_rides_is_not_alone check (batch_id is null or not is_alone);
create unique index one_send_per_hash on chain_sends (hash) where batch_id is null;
