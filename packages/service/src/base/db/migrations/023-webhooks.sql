-- Endpoints that wallets register for their events, and the log of deliveries to them.

-- The processes that send deliveries. One that is not seen for ten seconds is deleted, and leaves its webhooks to others.
create table webhook_senders (
  id      text primary key,
  seen_at timestamptz not null default now()
);

create table webhooks (
  id              text primary key check (id like 'wh\_%'),
  wallet_address  text not null,
  -- Five active endpoints for a wallet: each takes one of five slots.
  slot            smallint not null check (slot between 1 and 5),
  url             text not null check (length(url) <= 2048),
  host            text not null,
  description     text check (length(description) <= 500),
  events          text[] check (cardinality(events) > 0),  -- null: every type, later ones too
  status          text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  disabled_at     timestamptz,
  -- Sealed with the service's key, since each delivery is signed with it.
  secret          bytea not null,
  previous_secret bytea,
  previous_until  timestamptz,
  -- It receives events of later transactions than the one that made it active.
  active_xid      bigint not null default event_xid(),
  failures        integer not null default 0 check (failures >= 0),  -- in a row, since the last 2xx
  failing_since   timestamptz,
  breaker_until   timestamptz,  -- after five failures in a row: the next probe
  breaker_step    smallint not null default 0 check (breaker_step >= 0),  -- how many probes failed
  -- No later than the first delivery that waits; null: none waits.
  due_at          timestamptz,
  -- Sends its deliveries, and nobody else does.
  sender          text references webhook_senders on delete set null,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  check ((status = 'DISABLED') = (disabled_reason is not null)),
  check ((status = 'DISABLED') = (disabled_at is not null)),
  check ((failures = 0) = (failing_since is null)),
  check ((previous_secret is null) = (previous_until is null)),
  check (deleted_at is null or status = 'DISABLED')
);
create trigger no_delete before delete on webhooks for each statement execute function refuse_change();
create trigger no_truncate before truncate on webhooks
  for each statement execute function refuse_change();
create unique index five_active_webhooks on webhooks (wallet_address, slot) where status = 'ACTIVE';
create index webhooks_by_wallet on webhooks (wallet_address, created_at desc, id desc) where deleted_at is null;
create index webhooks_due on webhooks (due_at) where due_at is not null and sender is null;
create index webhooks_by_host on webhooks (host) where due_at is not null;
create index webhooks_by_sender on webhooks (sender) where sender is not null;
insert into event_cursors (name, xid, seq) values ('webhooks', 0, 0);

-- The bytes that every attempt of an event sends, whichever endpoint it goes to.
create table webhook_payloads (
  event_id   text primary key check (event_id like 'evt\_%'),
  body       bytea not null,
  created_at timestamptz not null
);
create index webhook_payloads_by_age on webhook_payloads using brin (created_at);

create table webhook_deliveries (
  webhook_id     text not null,  -- of webhooks, which `tally_new` checks for all rows of a statement at once
  event_id       text not null,
  wallet_address text not null,  -- owned the webhook when the event was recorded
  seq            bigint not null,
  subject        text not null,
  status         text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED')),
  status_code    smallint check (status_code between 0 and 999),  -- of the last answer, whatever it wrote
  attempts       integer not null default 0 check (attempts >= 0),
  step           smallint not null default 0 check (step between 0 and 10),  -- of the schedule; recovery starts it anew
  url            text not null,  -- where the last attempt went
  next_at        timestamptz,
  sending_until  timestamptz,    -- a replay sends it until then
  response_head  text check (length(response_head) <= 1024),
  error          text check (length(error) <= 500),
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (webhook_id, event_id),
  check ((status in ('PENDING', 'FAILED')) = (next_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at, seq) where next_at is not null;
create index webhook_deliveries_by_wallet on webhook_deliveries (wallet_address, created_at desc, webhook_id, event_id);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at desc, event_id);
create trigger no_truncate before truncate on webhook_deliveries
  for each statement execute function refuse_change();

-- How many deliveries of a webhook are in each state, so that a page of the log needs no count.
create table webhook_tallies (
  webhook_id text not null references webhooks,
  status     text not null,
  count      bigint not null check (count >= 0),
  primary key (webhook_id, status)
);

create function tally_changed_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_tallies (webhook_id, status, count)
  select distinct webhook_id, status, 0 from new_rows order by webhook_id, status on conflict do nothing;
  -- In one order for all, so that no two transactions wait for each other.
  perform from webhook_tallies t where exists (select from new_rows n where n.webhook_id = t.webhook_id)
    order by webhook_id, status for update;
  update webhook_tallies t set count = t.count + changed.by
  from (select webhook_id, status, sum(change) as by from (
      select webhook_id, status, 1 as change from new_rows
      union all select webhook_id, status, -1 from old_rows) one
    group by webhook_id, status having sum(change) <> 0) changed
  where (t.webhook_id, t.status) = (changed.webhook_id, changed.status);
  return null;
end $$;
create function tally_new_deliveries() returns trigger language plpgsql as $$
begin
  if exists (select from (select distinct webhook_id from new_rows) n
      where not exists (select from webhooks w where w.id = n.webhook_id)) then
    raise exception 'a delivery is of a webhook' using errcode = 'foreign_key_violation';
  end if;
  insert into webhook_tallies (webhook_id, status, count)
  select webhook_id, status, count(*) from new_rows group by webhook_id, status order by webhook_id, status
  on conflict (webhook_id, status) do update set count = webhook_tallies.count + excluded.count;
  return null;
end $$;
create trigger tally_new after insert on webhook_deliveries referencing new table as new_rows
  for each statement execute function tally_new_deliveries();
create trigger tally_changed after update on webhook_deliveries referencing new table as new_rows old table as old_rows
  for each statement execute function tally_changed_deliveries();
create trigger no_delete before delete on webhook_deliveries
  for each statement execute function refuse_change();

-- How fast a host, or an address that hosts resolve to, may be sent to, by all wallets together.
create table webhook_hosts (
  name      text primary key,  -- a host name, or an IP address
  proven_at timestamptz,       -- the last 2xx
  next_at   timestamptz not null
);
