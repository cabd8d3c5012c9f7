-- Streams: budgets that are spent tick by tick.

-- The merchant that a card means to pay by streams.
create table mpp_sessions (
  id             text primary key check (id like 'ses\_%'),
  card_id        text not null references cards,
  wallet_address text not null,
  merchant       text not null,
  created_at     timestamptz not null
);

-- While a stream is open only `total_ticked` moves, and only up. Money moves once, at its end.
create table mpp_streams (
  id               text primary key check (id like 'str\_%'),
  wallet_address   text not null,
  card_id          text not null references cards,
  receiver_card_id text references cards check (receiver_card_id <> card_id),
  session_id       text references mpp_sessions,
  merchant         text not null,
  hold_id          text not null unique references ledger_holds,
  network          text not null,
  asset            text not null,
  budget           numeric(78, 0) not null check (budget > 0),
  tick_amount      numeric(78, 0) not null check (tick_amount > 0 and tick_amount <= budget),
  fee_bps          integer not null check (fee_bps between 0 and 10000),  -- the receiver's fee, as it was at the opening
  fee_flat         numeric(78, 0) not null check (fee_flat >= 0),
  total_ticked     numeric(78, 0) not null default 0 check (total_ticked >= 0),
  status           text not null default 'OPEN' check (status in ('OPEN', 'CLOSED', 'EXPIRED')),
  final_amount     numeric(78, 0) check (final_amount in (0, total_ticked)),  -- what left the card at the end
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  ended_at         timestamptz,
  constraint within_budget check (total_ticked <= budget),
  check ((status = 'OPEN') = (ended_at is null)),
  check ((status = 'OPEN') = (final_amount is null))
) with (fillfactor = 70);
create index mpp_streams_by_wallet on mpp_streams (wallet_address, id desc);
create index mpp_streams_by_receiver on mpp_streams (receiver_card_id, id desc) where receiver_card_id is not null;
create index mpp_streams_open on mpp_streams (expires_at) where status = 'OPEN';

create function keep_mpp_stream() returns trigger language plpgsql as $$
begin
  if old.status <> 'OPEN' or new.total_ticked < old.total_ticked
     or (old.id, old.wallet_address, old.card_id, old.receiver_card_id, old.session_id, old.merchant, old.hold_id,
       old.network, old.asset, old.budget, old.tick_amount, old.fee_bps, old.fee_flat, old.created_at, old.expires_at)
     is distinct from (new.id, new.wallet_address, new.card_id, new.receiver_card_id, new.session_id, new.merchant,
       new.hold_id, new.network, new.asset, new.budget, new.tick_amount, new.fee_bps, new.fee_flat, new.created_at,
       new.expires_at)
     or (new.status <> 'OPEN' and new.final_amount is distinct from
       (select captured from ledger_holds where id = new.hold_id and state <> 'open')) then
    raise exception 'stream % only grows, and ends once, like its hold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_mpp_stream before update on mpp_streams for each row execute function keep_mpp_stream();
create trigger no_delete before delete or truncate on mpp_streams
  for each statement execute function refuse_change();
