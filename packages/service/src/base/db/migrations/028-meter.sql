-- The fee meter: DIRECT settlements are counted by month, and those above the quota cost a fee that the wallet has prepaid.

-- One row a wallet: its lock comes before the wallet's usage, fees and meter account.
create table fee_meters (
  wallet_address text primary key,
  is_low         boolean not null default false  -- the event of a low balance was recorded, and the balance is still low
) with (fillfactor = 70);
create trigger no_delete before delete or truncate on fee_meters
  for each statement execute function refuse_change();

create table direct_usage (
  wallet_address text not null references fee_meters,
  month          date not null check (extract(day from month) = 1),
  used           integer not null,
  primary key (wallet_address, month),
  constraint used_not_negative check (used >= 0)
) with (fillfactor = 70);
create trigger no_delete before delete or truncate on direct_usage
  for each statement execute function refuse_change();

-- A settlement that a reorganization took is reversed; if the chain brings it back it is metered once more, in a new row.
create table direct_fees (
  id             text primary key check (id like 'fee\_%'),
  settlement_id  text not null,
  wallet_address text not null,
  month          date not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78, 0) not null check (amount >= 0),
  state          text not null check (state in ('free', 'paid', 'owed')),
  created_at     timestamptz not null,
  paid_at        timestamptz,
  reversed_at    timestamptz,
  foreign key (wallet_address, month) references direct_usage,
  constraint free_costs_nothing check ((state = 'free') = (amount = 0)),
  constraint paid_has_its_time check ((state = 'paid') = (paid_at is not null))
);
create unique index one_fee_per_settlement on direct_fees (settlement_id) where reversed_at is null;
create index direct_fees_by_wallet on direct_fees (wallet_address, id);
create index direct_fees_owed on direct_fees (wallet_address, id) where state = 'owed' and reversed_at is null;
create trigger no_delete before delete or truncate on direct_fees
  for each statement execute function refuse_change();
-- Two things happen to a fee, each once and never after the other way round: it is paid, and it is reversed.
create trigger paid_or_reversed_once before update on direct_fees for each row
  when ((new.id, new.settlement_id, new.wallet_address, new.month, new.network, new.asset, new.amount, new.created_at)
          is distinct from
        (old.id, old.settlement_id, old.wallet_address, old.month, old.network, old.asset, old.amount, old.created_at)
        or old.reversed_at is not null
        or new.state is distinct from old.state and not (old.state = 'owed' and new.state = 'paid' and new.reversed_at is null)
        or old.paid_at is not null and new.paid_at is distinct from old.paid_at)
  execute function refuse_change();

create table meter_topups (
  id             text primary key check (id like 'fee\_%'),
  wallet_address text not null references fee_meters,
  network        text not null,
  asset          text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  agreement_id   text,         -- the threshold agreement that paid; null if the wallet did, from its treasury balance
  settlement_id  text unique references settlements,  -- its settlement
  created_at     timestamptz not null,
  check ((agreement_id is null) = (settlement_id is null))
);
create index meter_topups_by_wallet on meter_topups (wallet_address, id);
create trigger insert_only before update or delete or truncate on meter_topups
  for each statement execute function refuse_change();
