-- Agreements: a card or a wallet that pays again and again, for a service or for a membership, and each charge.

create table agreements (
  id                   text primary key check (id like 'agr\_%'),
  purpose              text not null check (purpose in ('billing', 'membership')),
  payer_wallet         text not null,
  payer_card_id        text references cards,  -- null: the wallet itself pays
  merchant_wallet      text not null,
  pay_link_code        text references pay_links (code),
  plan_ref             text check (length(plan_ref) <= 255),
  description          text check (length(description) <= 500),
  amount               numeric(78, 0) not null check (amount > 0),
  network              text not null,
  asset                text not null,
  trigger_type         text not null check (trigger_type in ('interval', 'threshold')),
  period_days          integer check (period_days between 1 and 366),
  period_months        integer check (period_months between 1 and 12),
  threshold_metric     text check (threshold_metric = 'svc_fee_balance'),
  threshold_floor      numeric(78, 0) check (threshold_floor > 0),
  is_armed             boolean not null default false,  -- the next balance below the floor is charged for
  funding_source       text not null check (funding_source in ('CARD', 'WALLET')),
  funding_spender      text,
  status               text not null check (status in ('ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'COMPLETED')),
  status_reason        text,
  paused_by            text check (paused_by in ('payer', 'merchant')),
  cancel_at_period_end boolean not null default false,
  cancelled_by         text check (cancelled_by in ('payer', 'merchant')),  -- the party that asked for its end
  ends_at              timestamptz,           -- the end of the last period, once an end with it was asked for
  anchor               timestamptz,           -- of a billing agreement: the start of period 1
  -- For a membership: whole months from its anchor to the start of period 1, so that both count from one moment.
  first_month          integer check (first_month >= 0),
  next_charge_at       timestamptz,           -- the start of the next period to be charged
  next_attempt_at      timestamptz,           -- when the job looks at it again
  first_failed_at      timestamptz,           -- the first failure since the last success: the retries count from it
  last_charge_at       timestamptz,
  charges_made         integer not null default 0 check (charges_made >= 0),
  total_charged        numeric(78, 0) not null default 0 check (total_charged >= 0),
  failure_count        integer not null default 0 check (failure_count >= 0),
  -- The open mandate that funds it, sealed, and the sealed key that alone may close payments under it.
  open_id              text references ap2_open_mandates deferrable initially deferred,
  sealed_mandate       bytea,
  kid                  text,
  sealed_key           bytea,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  constraint one_agreement_per_open_mandate unique (open_id),
  constraint one_agreement_per_key unique (kid),
  constraint one_cadence check (case trigger_type
    when 'interval' then num_nonnulls(period_days, period_months) = 1 and threshold_metric is null and threshold_floor is null
    else num_nonnulls(period_days, period_months) = 0 and threshold_metric is not null and threshold_floor is not null end),
  constraint funded_by_mandate check (purpose <> 'billing'
    or num_nonnulls(payer_card_id, open_id, sealed_mandate, kid, sealed_key) = 5 and funding_source = 'CARD'),
  constraint one_count_of_periods check ((purpose = 'billing') = (anchor is not null)
    and (purpose = 'membership') = (first_month is not null)),
  constraint two_parties check (payer_wallet <> merchant_wallet),
  check (cancel_at_period_end = (ends_at is not null)),
  check (ends_at is null or cancelled_by is not null),
  check ((status = 'PAUSED') = (paused_by is not null)),
  -- A pause keeps what has failed: resumed, the agreement is PAST_DUE again, and its retries count on.
  constraint past_due_since_a_failure check (case status when 'PAST_DUE' then first_failed_at is not null
    when 'PAUSED' then true else first_failed_at is null end),
  constraint a_failure_is_counted check (first_failed_at is null or failure_count > 0),
  check ((charges_made = 0) = (last_charge_at is null) and (charges_made = 0) = (total_charged = 0)),
  check (status not in ('CANCELLED', 'COMPLETED')
    or (next_charge_at is null and next_attempt_at is null and status_reason is not null))
) with (fillfactor = 70);
create unique index one_live_membership_agreement on agreements (payer_wallet)
  where purpose = 'membership' and status in ('ACTIVE', 'PAST_DUE', 'PAUSED');
create index agreements_by_payer on agreements (payer_wallet, id desc);
create index agreements_by_merchant on agreements (merchant_wallet, id desc);
create index agreements_by_payer_card on agreements (payer_card_id) where payer_card_id is not null;
create index agreements_by_link on agreements (pay_link_code) where pay_link_code is not null;
create index agreements_due on agreements (purpose, next_attempt_at) where next_attempt_at is not null;
create index agreements_live on agreements (purpose, status) where status in ('ACTIVE', 'PAST_DUE', 'PAUSED');
create unique index one_live_threshold_agreement on agreements (payer_wallet)
  where trigger_type = 'threshold' and status in ('ACTIVE', 'PAST_DUE', 'PAUSED');
create trigger no_delete before delete or truncate on agreements
  for each statement execute function refuse_change();
-- As for links: its parties have the card and the link when it is made, also if one is being sold.
create function parties_have_cards() returns trigger language plpgsql as $$
begin
  perform refuse_stale(
    (new.payer_card_id is not null and not exists (
      select from cards c where c.id = new.payer_card_id and c.wallet_address = new.payer_wallet))
    or (new.pay_link_code is not null and not exists (
      select from pay_links l where l.code = new.pay_link_code and l.wallet_address = new.merchant_wallet)));
  return null;
end $$;
create trigger parties_have_cards after insert on agreements for each row execute function parties_have_cards();
create trigger names_a_person before insert on agreements for each row
  when (is_system_address(new.payer_wallet)) execute function refuse_system_address();

-- The terms never change, what was charged only grows, and an ended agreement stays as it ended. The merchant of a link
-- changes when its card is sold.
create function keep_agreement() returns trigger language plpgsql as $$
begin
  if (old.id, old.purpose, old.payer_wallet, old.payer_card_id, old.pay_link_code, old.amount, old.network, old.asset,
      old.trigger_type, old.period_days, old.period_months, old.threshold_metric, old.threshold_floor, old.anchor,
      old.first_month, old.funding_source, old.open_id, old.kid, old.created_at)
     is distinct from
     (new.id, new.purpose, new.payer_wallet, new.payer_card_id, new.pay_link_code, new.amount, new.network, new.asset,
      new.trigger_type, new.period_days, new.period_months, new.threshold_metric, new.threshold_floor, new.anchor,
      new.first_month, new.funding_source, new.open_id, new.kid, new.created_at)
     or (old.merchant_wallet <> new.merchant_wallet and old.pay_link_code is null)
     or new.charges_made < old.charges_made or new.total_charged < old.total_charged
     -- Nothing moves the first failure: it stays, or it is settled.
     or (new.first_failed_at <> old.first_failed_at)
     or (old.status = 'PAUSED' and new.status in ('PAUSED', 'ACTIVE') and old.first_failed_at is distinct from new.first_failed_at)
     or (old.status <> new.status and not (old.status, new.status) in (
          ('ACTIVE', 'PAST_DUE'), ('PAST_DUE', 'ACTIVE'), ('ACTIVE', 'PAUSED'), ('PAST_DUE', 'PAUSED'),
          ('PAUSED', 'ACTIVE'), ('PAUSED', 'PAST_DUE'), ('ACTIVE', 'CANCELLED'), ('PAST_DUE', 'CANCELLED'), ('PAUSED', 'CANCELLED'),
          ('ACTIVE', 'COMPLETED'), ('PAST_DUE', 'COMPLETED'))) then
    raise exception 'agreement % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_agreement before update on agreements for each row execute function keep_agreement();

-- The buyer of a card has paid for the agreements that pay its links: until the sale is over their merchant changes none.
create function keep_agreement_on_sale() returns trigger language plpgsql as $$
begin
  if exists (select from pay_links l join cards c on c.id = l.card_id
      where l.code = new.pay_link_code and is_on_sale(c.status_reason)) then
    raise exception 'agreement % stays as long as the card it pays is being sold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_agreement_on_sale before update of status, paused_by, cancelled_by on agreements for each row
  when (new.cancelled_by is distinct from old.cancelled_by and new.cancelled_by = 'merchant'
    or new.paused_by is distinct from old.paused_by and new.paused_by = 'merchant'
    or old.paused_by = 'merchant' and new.status in ('ACTIVE', 'PAST_DUE'))
  execute function keep_agreement_on_sale();

create table agreement_charges (
  id            text primary key check (id like 'chg\_%'),
  agreement_id  text not null references agreements,
  period_no     integer not null check (period_no > 0),
  amount        numeric(78, 0) not null check (amount > 0),
  status        text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  attempts      integer not null default 1 check (attempts > 0),
  error         text,
  settlement_id text,  -- paid_by_a_settlement, in 025-membership.sql
  pull_ref      text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint one_charge_per_period unique (agreement_id, period_no),
  constraint one_charge_per_settlement unique (settlement_id),
  constraint one_charge_per_pull unique (pull_ref),
  check ((status = 'FAILED') = (error is not null)),
  check (status <> 'SUCCEEDED' or settlement_id is not null)
) with (fillfactor = 80);
create index agreement_charges_newest on agreement_charges (agreement_id, id desc);
create trigger no_delete before delete or truncate on agreement_charges
  for each statement execute function refuse_change();

-- A charge that was paid stays paid, and its amount and period never change.
create function keep_charge() returns trigger language plpgsql as $$
begin
  if (old.id, old.agreement_id, old.period_no, old.amount, old.created_at)
     is distinct from (new.id, new.agreement_id, new.period_no, new.amount, new.created_at)
     or old.status = 'SUCCEEDED' or new.attempts < old.attempts then
    raise exception 'charge % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_charge before update on agreement_charges for each row execute function keep_charge();
