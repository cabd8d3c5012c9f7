-- Membership of the plan native_token_rails: what it costs, who has it until when, and what was paid for it.

-- One row is one way to buy a tier. The operator changes prices here: `purser plans`.
create table plans (
  tier           text not null check (tier in ('starter', 'growth')),
  billing_period text not null check (billing_period in ('month', 'year')),
  asset          text not null,                                      -- what it is paid in
  price          numeric(78, 0) not null check (price > 0),          -- base units of the asset
  direct_quota   bigint not null check (direct_quota >= 0),          -- free DIRECT settlements a month
  overage_fee    numeric(78, 0) not null check (overage_fee >= 0),   -- base units of USDC, for each one above
  is_offered     boolean not null default true,                      -- a plan that is not is still renewed
  changed_at     timestamptz not null,
  primary key (tier, billing_period, asset)
);
create trigger no_delete before delete or truncate on plans
  for each statement execute function refuse_change();
create trigger note_seal
  after insert or update of tier, billing_period, asset, price, direct_quota, overage_fee on plans
  for each row execute function note_seal('tier,billing_period,asset', 'tier', 'billing_period', 'asset', 'price',
    'direct_quota', 'overage_fee');
insert into plans (tier, billing_period, asset, price, direct_quota, overage_fee, changed_at) values
  ('starter', 'month', 'USDC',  19000000,  1000, 50000, '2026-01-01T00:00:00Z'),
  ('starter', 'year',  'USDC', 190000000,  1000, 50000, '2026-01-01T00:00:00Z'),
  ('growth',  'month', 'USDC',  99000000, 20000, 20000, '2026-01-01T00:00:00Z'),
  ('growth',  'year',  'USDC', 990000000, 20000, 20000, '2026-01-01T00:00:00Z');

-- One row a wallet. The lock on it orders all that happens to the wallet's membership, also before there is one.
create table membership_wallets (
  wallet_address text primary key check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  due_at         timestamptz  -- when the job looks at it next
);
create index membership_wallets_due on membership_wallets (due_at) where due_at is not null;
create trigger names_a_person before insert on membership_wallets for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();

-- The first moment of the period that so many whole months after the anchor begins: a month that lacks its day gives its last.
create function months_after(anchor timestamptz, months integer) returns timestamptz language sql immutable as $$
  select (anchor at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC'
$$;
create function months_of(billing_period text) returns integer language sql immutable as $$
  select case billing_period when 'year' then 12 else 1 end
$$;
-- A renewal is tried for seven days after the period, and its job and its pull have an hour.
create function tried_until(period_end timestamptz) returns timestamptz language sql immutable as $$
  select (period_end at time zone 'UTC' + interval '169 hours') at time zone 'UTC'
$$;

create table memberships (
  wallet_address       text primary key references membership_wallets,
  tier                 text not null,
  billing_period       text not null,
  asset                text not null,
  network              text not null,
  price                numeric(78, 0) not null check (price > 0),  -- paid for the current period
  status               text not null check (status in ('ACTIVE', 'PAST_DUE', 'EXPIRED')),
  anchor               timestamptz not null,
  months               integer not null check (months >= 0),  -- from the anchor to the start of the period
  current_period_start timestamptz not null,
  current_period_end   timestamptz not null,
  cancel_at_period_end boolean not null,
  auto_renew           boolean not null,
  -- It ended in days that nobody paid for. It has no such days again before a renewal is paid.
  lapsed               boolean not null default false,
  -- Its rights end by this alone: by what was paid, whatever its status says and whatever is asked for again.
  counts_until         timestamptz generated always as (case
    when status = 'EXPIRED' then null
    when auto_renew and not cancel_at_period_end and not lapsed then tried_until(current_period_end)
    else current_period_end end) stored,
  last_payment_id      text not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  foreign key (tier, billing_period, asset) references plans,
  constraint periods_from_the_anchor check (current_period_start = months_after(anchor, months)
    and current_period_end = months_after(anchor, months + months_of(billing_period))),
  constraint only_active_is_cancelled check (not cancel_at_period_end or status = 'ACTIVE'),
  constraint past_due_has_an_agreement check (status <> 'PAST_DUE' or auto_renew)
);
create trigger no_delete before delete or truncate on memberships
  for each statement execute function refuse_change();
create trigger note_seal
  after insert or update of wallet_address, tier, billing_period, asset, status, current_period_end on memberships
  for each row execute function note_seal('wallet_address', 'wallet_address', 'tier', 'billing_period', 'asset', 'status',
    'current_period_end');

-- Only a payment makes a membership ACTIVE or moves its period, and its dates stay on their anchor until it has EXPIRED.
create function keep_membership() returns trigger language plpgsql as $$
begin
  if (new.last_payment_id = old.last_payment_id and (new.status = 'ACTIVE' and old.status <> 'ACTIVE'
        or (new.tier, new.billing_period, new.anchor, new.months)
          is distinct from (old.tier, old.billing_period, old.anchor, old.months)))
     or (new.anchor <> old.anchor and old.status <> 'EXPIRED')
     or (old.lapsed and not new.lapsed and (old.status = 'EXPIRED' or new.last_payment_id = old.last_payment_id))
     or (old.status = 'PAST_DUE' and new.status = 'EXPIRED' and not new.lapsed)
     or (new.status = 'PAST_DUE' and old.status = 'EXPIRED') then
    raise exception 'the membership of % cannot change like this', old.wallet_address using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_membership before update on memberships for each row execute function keep_membership();

-- Each paid period. The id is a settlement's, and the cause of the transfer in the books.
create table membership_payments (
  id             text primary key check (id like 'stl\_%'),
  wallet_address text not null references membership_wallets,
  tier           text not null,
  billing_period text not null,
  anchor         timestamptz not null,
  months         integer not null check (months >= 0),  -- from the anchor to the start of the period
  period_start   timestamptz not null,
  period_end     timestamptz not null,
  amount         numeric(78, 0) not null check (amount > 0),
  asset          text not null,
  network        text not null,
  -- The balance, the card with the reserve, or the wallet itself: a pull, which has its own transfer.
  source         text not null check (source in ('treasury', 'autopay', 'wallet')),
  card_id        text references cards,
  charge_id      text references agreement_charges,
  created_at     timestamptz not null,
  undone_at      timestamptz,  -- a reorganization took the pull that paid it
  constraint one_payment_per_charge unique (charge_id),
  constraint periods_from_the_anchor check (period_start = months_after(anchor, months)
    and period_end = months_after(anchor, months + months_of(billing_period))),
  check ((source = 'autopay') = (card_id is not null)),
  check (source = 'treasury' or charge_id is not null)
);
create unique index one_payment_per_period on membership_payments (wallet_address, period_start) where undone_at is null;
create trigger no_delete before delete or truncate on membership_payments
  for each statement execute function refuse_change();
create function keep_membership_payment() returns trigger language plpgsql as $$
begin
  if old.undone_at is not null or old.source <> 'wallet' or to_jsonb(old) - 'undone_at' <> to_jsonb(new) - 'undone_at' then
    raise exception 'payment % stays as it is', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_membership_payment before update on membership_payments
  for each row execute function keep_membership_payment();

-- No moment is paid for twice. The lock on the wallet's row makes this see every other payment.
create function refuse_paid_period() returns trigger language plpgsql as $$
begin
  if exists (select from membership_payments p where p.wallet_address = new.wallet_address
      and p.undone_at is null and p.period_start < new.period_end and p.period_end > new.period_start) then
    raise exception 'the period is paid' using errcode = 'exclusion_violation', constraint = 'no_moment_paid_twice';
  end if;
  return new;
end $$;
create trigger no_moment_paid_twice before insert on membership_payments
  for each row execute function refuse_paid_period();

-- The period that a charge pays has the number of the charge: both count from the membership's anchor.
create function paid_by_its_number() returns trigger language plpgsql as $$
begin
  if not exists (select from agreement_charges c join agreements a on a.id = c.agreement_id
      where c.id = new.charge_id and a.payer_wallet = new.wallet_address and new.months >= a.first_month
        and c.period_no = (new.months - a.first_month) / a.period_months + 1) then
    raise exception 'payment % is not of the period of its charge', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger paid_by_its_number after insert on membership_payments for each row
  when (new.charge_id is not null) execute function paid_by_its_number();

-- A charge names the settlement of a card, or the payment of a membership: a foreign key to either.
create function refuse_unknown_settlement() returns trigger language plpgsql as $$
begin
  if not exists (select from settlements s where s.id = new.settlement_id)
     and not exists (select from membership_payments p where p.id = new.settlement_id and p.charge_id = new.id) then
    raise exception 'charge % names a settlement that does not exist', new.id using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create constraint trigger paid_by_a_settlement after insert or update of settlement_id on agreement_charges
  deferrable initially deferred for each row when (new.settlement_id is not null)
  execute function refuse_unknown_settlement();
