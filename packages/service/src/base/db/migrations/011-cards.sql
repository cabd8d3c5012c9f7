-- Cards, their transactions and decisions. Those of a settlement by card are read from the settlement's own row: the views
-- `card_transactions` and `card_decisions` of 014-settlements.sql show both kinds as one list.

create table cards (
  id                text primary key check (id like 'card\_%'),
  wallet_address    text not null,
  account_id        bigint not null unique references ledger_accounts,
  network           text not null,
  asset             text not null,
  -- An autopay card holds the reserve of its wallet's membership. It has no token, and pays renewals alone.
  kind              text not null check (kind in ('spending', 'autopay')),
  token_hash        bytea unique check (length(token_hash) = 32),
  token_hint        text not null,
  purpose           text not null,
  status            text not null check (status in ('PENDING_FUNDING', 'FUNDING_FAILED', 'ACTIVE', 'FROZEN', 'USED',
                      'EXPIRED', 'CLOSED')),
  status_reason     text,
  single_use        boolean not null,
  mcc_locks         text not null default '' check (mcc_locks ~ '^(\d{4}(,\d{4})*)?$'),
  allowed_merchants text[] not null default '{}',
  settlement_mode   text not null check (settlement_mode in ('CUSTODIAL', 'DIRECT')),
  metadata          jsonb not null default '{}',
  limit_amount      numeric(78, 0) not null check (limit_amount > 0),
  spent             numeric(78, 0) not null default 0 check (spent >= 0),
  held              numeric(78, 0) not null default 0 check (held >= 0),
  -- A child card spends within the cards above it, the root first. `delegated` is what all cards below have spent or hold.
  ancestors         text[] not null default '{}' check (cardinality(ancestors) <= 3),
  delegated         numeric(78, 0) not null default 0 check (delegated >= 0),
  received          numeric(78, 0) not null default 0 check (received >= 0),
  max_transaction   numeric(78, 0) check (max_transaction > 0),
  daily_limit       numeric(78, 0) check (daily_limit > 0),
  day               text not null check (day like '____-__-__'),
  day_used          numeric(78, 0) not null default 0 check (day_used >= 0),
  -- The effective limit of the window. A limit lowered below what was already used becomes what was used.
  day_cap           numeric(78, 0),
  hourly_limit      numeric(78, 0) check (hourly_limit > 0),
  hour              text not null check (hour like '____-__-__T__'),
  hour_used         numeric(78, 0) not null default 0 check (hour_used >= 0),
  hour_cap          numeric(78, 0),
  weekly_limit      numeric(78, 0) check (weekly_limit > 0),
  week              text not null check (week like '____-W__'),
  week_used         numeric(78, 0) not null default 0 check (week_used >= 0),
  week_cap          numeric(78, 0),
  monthly_limit     numeric(78, 0) check (monthly_limit > 0),
  month             text not null check (month like '____-__'),
  month_used        numeric(78, 0) not null default 0 check (month_used >= 0),
  month_cap         numeric(78, 0),
  -- Counted by a row of `spending_caps`.
  rolling_limit           numeric(78, 0) check (rolling_limit > 0),
  max_payments_per_minute integer check (max_payments_per_minute > 0),
  -- The card freezes itself before one more payment like the last ones.
  max_like_payments       integer check (max_like_payments > 0),
  -- The rows of `spending_caps` that count what leaves the card, and what leaves the cards below it.
  caps              text[] not null default '{}',
  -- A payment above this amount, or to a payee that nobody has approved yet, waits for a person.
  approval_above    numeric(78, 0) check (approval_above >= 0),
  approval_first_merchant boolean not null default false,
  -- The latest end of a grant of its owner: until then a payment of the card looks for one.
  grants_until      timestamptz,
  -- Rules in shadow: their verdict is recorded with each decision of the card, and changes none.
  draft             jsonb check (starts_with(draft ->> 'id', 'drf_')),
  funding_tx        text,
  -- Counts changes of the card's AP2 keys. A settlement that judged by cached keys compares it once it has the card.
  keys_version      integer not null default 0,
  -- For sale on the market, which hears of the card's end.
  is_listed         boolean not null default false,
  -- Counts its owners. A sale or transfer gives it another, and what the service signed for earlier ones is refused.
  owner_no          integer not null default 0 check (owner_no >= 0),
  refunded          numeric(78, 0) not null default 0 check (refunded >= 0),  -- of what it received
  expires_at        timestamptz,
  created_at        timestamptz not null,
  constraint autopay_has_no_token check (case kind when 'autopay' then token_hash is null and token_hint = ''
    and status in ('ACTIVE', 'CLOSED') and held = 0 and received = 0 and expires_at is null
    else token_hash is not null end),
  constraint within_limit check (spent + held + delegated <= limit_amount),
  constraint a_child_is_custodial check (ancestors = '{}' or (settlement_mode = 'CUSTODIAL' and kind = 'spending' and not is_listed)),
  -- A DIRECT card's payers pay its wallet on chain. The card itself holds no money and spends none.
  constraint a_direct_card_holds_nothing check (
    settlement_mode = 'CUSTODIAL' or (spent = 0 and held = 0 and received = 0)),
  constraint within_day check (day_cap is null or day_used <= day_cap),
  constraint within_hour check (hour_cap is null or hour_used <= hour_cap),
  constraint within_week check (week_cap is null or week_used <= week_cap),
  constraint within_month check (month_cap is null or month_used <= month_cap),
  -- One funding transaction of a wallet funds one card.
  constraint one_card_per_funding unique (network, funding_tx, wallet_address)
) with (fillfactor = 70);
create index cards_by_wallet on cards (wallet_address, id desc);
create index cards_below on cards using gin (ancestors) where ancestors <> '{}';
create index cards_ended_listed on cards (id) where is_listed and status in ('CLOSED', 'EXPIRED', 'USED');
create index cards_pending on cards (created_at) where status = 'PENDING_FUNDING';
create index cards_expiring on cards (expires_at) where status in ('ACTIVE', 'FROZEN');
-- Cards are never deleted and keep their ids, so hot tables that name a card check it once a statement, on insert only.
create trigger no_delete before delete or truncate on cards
  for each statement execute function refuse_change();
create trigger ids_stay after update of id, kind, settlement_mode, ancestors on cards for each row
  when ((old.id, old.kind, old.settlement_mode, old.ancestors)
    is distinct from (new.id, new.kind, new.settlement_mode, new.ancestors))
  execute function refuse_change();
-- A card that is being sold on chain stays as its buyer has paid for it until it changes hands, or the sale is undone.
create function is_on_sale(status_reason text) returns boolean language sql immutable parallel safe as
  $$ select status_reason is not distinct from 'being sold on chain' $$;
create trigger stays_as_paid_for before update on cards for each row
  when (is_on_sale(old.status_reason) and is_on_sale(new.status_reason) and new.wallet_address = old.wallet_address
    and (new.limit_amount, new.refunded, new.mcc_locks, new.allowed_merchants, new.max_transaction, new.daily_limit,
        new.hourly_limit, new.weekly_limit, new.monthly_limit, new.rolling_limit, new.max_payments_per_minute,
        new.max_like_payments, new.approval_above, new.approval_first_merchant, new.single_use, new.token_hash, new.status)
      is distinct from (old.limit_amount, old.refunded, old.mcc_locks, old.allowed_merchants, old.max_transaction,
        old.daily_limit, old.hourly_limit, old.weekly_limit, old.monthly_limit, old.rolling_limit,
        old.max_payments_per_minute, old.max_like_payments, old.approval_above, old.approval_first_merchant, old.single_use, old.token_hash, old.status))
  execute function refuse_change();
-- Its money stays on it. A payment that was begun before it was frozen is no claim, and ends as it began.
create function keep_money_on_sale() returns trigger language plpgsql as $$
begin
  if exists (select from unnest(new.accounts, new.amounts) as line (account_id, amount)
      join cards c on c.account_id = line.account_id where line.amount < 0 and is_on_sale(c.status_reason)) then
    raise exception 'transfer % takes money off a card that is being sold', new.id
      using errcode = 'check_violation', constraint = 'money_stays_on_sale';
  end if;
  return null;
end $$;
create trigger money_stays_on_sale after insert on ledger_transfer_rows for each row
  when (new.kind in ('card_claim', 'card_slice', 'refund')) execute function keep_money_on_sale();
-- A card changes hands with a new token, and is counted.
create trigger owners_are_counted before update of wallet_address on cards for each row
  when (new.wallet_address <> old.wallet_address and (new.owner_no <> old.owner_no + 1 or new.keys_version <= old.keys_version
    or new.token_hash is not distinct from old.token_hash or new.kind <> 'spending' or new.held <> 0
    or new.ancestors <> '{}'))
  execute function refuse_change();
-- Whether each of the cards is one of `own`, or below one.
create function are_below(ids text[], own text[]) returns boolean language sql stable as $$
  select ids <@ (own || array(select c.id from cards c where c.id = any(ids) and c.ancestors && own))
$$;
-- A child starts within the card above it, and comes right below.
create function refuse_strange_child() returns trigger language plpgsql as $$
begin
  if not exists (select from cards p where p.id = new.ancestors[cardinality(new.ancestors)]
      and p.ancestors || p.id = new.ancestors and p.status = 'ACTIVE' and p.kind = 'spending'
      and p.settlement_mode = 'CUSTODIAL' and not p.single_use
      and (p.wallet_address, p.network, p.asset) = (new.wallet_address, new.network, new.asset)
      and new.limit_amount <= p.limit_amount - p.spent - p.held - p.delegated
      and (p.expires_at is null or new.expires_at <= p.expires_at)) then
    raise exception 'card % is not within the card above it', new.id
      using errcode = 'check_violation', constraint = 'a_child_is_within_its_parent';
  end if;
  return new;
end $$;
create trigger a_child_is_within_its_parent before insert on cards for each row
  when (new.ancestors <> '{}') execute function refuse_strange_child();
-- At the commit a card counts at least what the open cards right below it have taken, and those are its owner's. A closed card
-- has none. They are a hundred at most; `verify` compares with the closed ones too.
create index cards_right_below on cards ((ancestors[cardinality(ancestors)])) where ancestors <> '{}' and status <> 'CLOSED';
create function refuse_uncounted_children() returns trigger language plpgsql as $$
begin
  if exists (select from cards p join cards k on k.ancestors[cardinality(k.ancestors)] = p.id
        and k.ancestors <> '{}' and k.status <> 'CLOSED'
      where p.id in (new.id, new.ancestors[cardinality(new.ancestors)])
      group by p.id
      having p.delegated < sum(k.spent + k.held + k.delegated) or p.status = 'CLOSED'
        or bool_or(k.wallet_address <> p.wallet_address)) then
    raise exception 'card % or the one above it does not count what is below', new.id
      using errcode = 'check_violation', constraint = 'children_are_counted';
  end if;
  return null;
end $$;
create constraint trigger children_are_counted after update of spent, held, delegated on cards
  deferrable initially deferred for each row
  when (new.delegated <> old.delegated or (new.ancestors <> '{}' and new.spent + new.held <> old.spent + old.held))
  execute function refuse_uncounted_children();
create constraint trigger children_end_with_their_parent after update of status, wallet_address on cards
  deferrable initially deferred for each row
  when ((new.status = 'CLOSED' and old.status <> 'CLOSED') or new.wallet_address <> old.wallet_address)
  execute function refuse_uncounted_children();
create trigger names_a_person before insert on cards for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger note_seal
  after insert or update of id, kind, wallet_address, account_id, network, asset, token_hash, single_use, mcc_locks,
    allowed_merchants, max_transaction, hourly_limit, daily_limit, weekly_limit, monthly_limit, rolling_limit,
    max_payments_per_minute, max_like_payments, caps, approval_above, approval_first_merchant on cards
  for each row execute function note_seal('id', 'id', 'kind', 'wallet_address', 'account_id', 'network', 'asset',
    'token_hash', 'single_use', 'mcc_locks', 'allowed_merchants', 'max_transaction', 'hourly_limit', 'daily_limit',
    'weekly_limit', 'monthly_limit', 'rolling_limit', 'max_payments_per_minute', 'max_like_payments', 'caps',
    'approval_above', 'approval_first_merchant');

-- A cap counts what leaves several cards, and all below them, or what a card's own counters do not tell. Its subject is a
-- wallet's address (all its cards), an API key's hash (the cards that the key may use), or a card's id. It is never deleted: a
-- limit that is set again finds what was used.
create table spending_caps (
  subject         text primary key check (subject ~ '^(0x[0-9a-fA-F]{40}|[0-9a-f]{64}|card_[0-9a-z]{26})$'),
  network         text not null,
  asset           text not null,
  hourly_limit    numeric(78, 0) check (hourly_limit > 0),
  daily_limit     numeric(78, 0) check (daily_limit > 0),
  weekly_limit    numeric(78, 0) check (weekly_limit > 0),
  monthly_limit   numeric(78, 0) check (monthly_limit > 0),
  rolling_limit   numeric(78, 0) check (rolling_limit > 0),
  max_payments_per_minute integer check (max_payments_per_minute > 0),
  hour            text not null,
  hour_used       numeric(78, 0) not null check (hour_used >= 0),
  day             text not null,
  day_used        numeric(78, 0) not null check (day_used >= 0),
  week            text not null,
  week_used       numeric(78, 0) not null check (week_used >= 0),
  month           text not null,
  month_used      numeric(78, 0) not null check (month_used >= 0),
  -- The amounts that left on the thirty days that end with `day`, the last day first.
  days            numeric(78, 0)[] not null check (cardinality(days) = 30 and 0 <= all (days)),
  minute          text not null default '',
  minute_payments integer not null default 0 check (minute_payments >= 0)
) with (fillfactor = 70);
create trigger no_delete before delete or truncate on spending_caps for each statement execute function refuse_change();
create trigger subjects_stay before update of subject, network, asset on spending_caps for each row
  when ((old.subject, old.network, old.asset) is distinct from (new.subject, new.network, new.asset))
  execute function refuse_change();
create trigger note_seal
  after insert or update of subject, hourly_limit, daily_limit, weekly_limit, monthly_limit, rolling_limit,
    max_payments_per_minute on spending_caps
  for each row execute function note_seal('subject', 'subject', 'network', 'asset', 'hourly_limit', 'daily_limit',
    'weekly_limit', 'monthly_limit', 'rolling_limit', 'max_payments_per_minute');

-- The sums of thirty days that end with `to_day`, out of those that end with `from_day`.
create function days_until(days numeric[], from_day text, to_day text) returns numeric[] language sql immutable as $$
  select case when to_day <= from_day then days
    else (array_fill(0::numeric, array[least(to_day::date - from_day::date, 30)]) || days)[1:30] end
$$;
-- The sums with an amount more on one of their days. `last_day` is the day of the first sum.
create function days_with(days numeric[], last_day text, on_day text, more numeric) returns numeric[] language sql immutable as $$
  select array(select case when n = last_day::date - on_day::date + 1 then greatest(d + more, 0) else d end
    from unnest(days) with ordinality as u (d, n) order by n)
$$;

-- Begins to count for a subject, with what its cards and those below them have used. Does nothing if it counts already.
create function begin_cap(of_subject text, of_network text, of_asset text, ids text[], at_windows text[])
returns void language plpgsql as $$
begin
  if exists (select from spending_caps where subject = of_subject) then
    return;
  end if;
  insert into spending_caps (subject, network, asset, hour, hour_used, day, day_used, week, week_used, month, month_used, days)
  select of_subject, of_network, of_asset,
    at_windows[1], coalesce(sum(c.hour_used) filter (where c.hour = at_windows[1]), 0),
    at_windows[2], coalesce(sum(c.day_used) filter (where c.day = at_windows[2]), 0),
    at_windows[3], coalesce(sum(c.week_used) filter (where c.week = at_windows[3]), 0),
    at_windows[4], coalesce(sum(c.month_used) filter (where c.month = at_windows[4]), 0),
    (select array_agg(case n when 0 then coalesce(
          (select sum(day_used) from cards where id = any(ids) and day = at_windows[2]), 0) else coalesce(s.sent, 0) end order by n)
      from generate_series(0, 29) as n left join (
        select at_windows[2]::date - (t.created_at at time zone 'UTC')::date as ago, sum(t.amount) as sent
          from card_transactions t join cards k on k.id = t.card_id
         where t.direction = 'sent' and t.status <> 'FAILED' and (k.id = any(ids) or k.ancestors && ids)
           and t.created_at >= (at_windows[2]::date - 29)::timestamp at time zone 'UTC'
         group by 1) s on s.ago = n)
  from cards c where c.id = any(ids);
end $$;

-- Every amount that leaves a card or comes back to it changes the counter of its month: here it is counted on the card's caps
-- too, whatever rail it took.
create function count_on_caps() returns trigger language plpgsql as $$
declare
  of_hour  numeric := new.hour_used - case new.hour when old.hour then old.hour_used else 0 end;
  of_day   numeric := new.day_used - case new.day when old.day then old.day_used else 0 end;
  of_week  numeric := new.week_used - case new.week when old.week then old.week_used else 0 end;
  of_month numeric := new.month_used - case new.month when old.month then old.month_used else 0 end;
begin
  update spending_caps c set
    hour = greatest(c.hour, new.hour),
    hour_used = case when c.hour > new.hour then c.hour_used
      else greatest(case c.hour when new.hour then c.hour_used else 0 end + of_hour, 0) end,
    day = greatest(c.day, new.day),
    day_used = case when c.day > new.day then c.day_used
      else greatest(case c.day when new.day then c.day_used else 0 end + of_day, 0) end,
    week = greatest(c.week, new.week),
    week_used = case when c.week > new.week then c.week_used
      else greatest(case c.week when new.week then c.week_used else 0 end + of_week, 0) end,
    month = greatest(c.month, new.month),
    month_used = case when c.month > new.month then c.month_used
      else greatest(case c.month when new.month then c.month_used else 0 end + of_month, 0) end,
    days = days_with(days_until(c.days, c.day, new.day), greatest(c.day, new.day), new.day, of_day)
  where c.subject = any(new.caps);
  -- A payment that was decided on an older count is decided again.
  if of_month > 0 then
    perform refuse_stale(exists (select from spending_caps c where c.subject = any(new.caps) and (
      c.hour_used > c.hourly_limit or c.day_used > c.daily_limit or c.week_used > c.weekly_limit
      or c.month_used > c.monthly_limit or c.rolling_limit < (select sum(d) from unnest(c.days) d))));
  end if;
  return null;
end $$;
create trigger count_on_caps after update of month_used on cards for each row
  when (new.caps <> '{}' and (new.month, new.month_used) is distinct from (old.month, old.month_used))
  execute function count_on_caps();

-- A card is under the cap of its wallet, and under one of its own if it has limits that need it. Of a new owner it is under
-- his. The lock is that of `begin_wallet_cap`: a card that is issued meanwhile is not missed.
create function card_is_capped() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.wallet_address <> old.wallet_address then
    perform pg_advisory_xact_lock_shared(hashtextextended(new.wallet_address, 11));
    new.caps := array(select c.subject from spending_caps c where c.network = new.network and c.asset = new.asset
      and (c.subject = new.wallet_address and new.ancestors = '{}' or c.subject = new.id));
  end if;
  if new.rolling_limit is not null or new.max_payments_per_minute is not null then
    perform begin_cap(new.id, new.network, new.asset, array[new.id], array[new.hour, new.day, new.week, new.month]);
    new.caps := array(select unnest(new.caps) union select new.id);
  end if;
  update spending_caps set rolling_limit = new.rolling_limit, max_payments_per_minute = new.max_payments_per_minute
    where subject = new.id;
  return new;
end $$;
create trigger new_card_is_capped before insert on cards for each row
  when (new.kind = 'spending' and new.settlement_mode = 'CUSTODIAL') execute function card_is_capped();
create trigger changed_card_is_capped before update of wallet_address, rolling_limit, max_payments_per_minute on cards
  for each row when (new.settlement_mode = 'CUSTODIAL'
    and (new.wallet_address, new.rolling_limit, new.max_payments_per_minute)
      is distinct from (old.wallet_address, old.rolling_limit, old.max_payments_per_minute))
  execute function card_is_capped();

-- Puts cards under the cap of their wallet, or of a key that may use them: those that have no card above them among them.
create function begin_cap_of(of_subject text, of_wallet text, ids text[], of_network text, of_asset text, at_windows text[])
returns void language plpgsql as $$
declare
  own text[];
begin
  perform pg_advisory_xact_lock(hashtextextended(of_wallet, 11));
  own := array(select id from cards where wallet_address = of_wallet and kind = 'spending' and settlement_mode = 'CUSTODIAL'
    and (network, asset) = (of_network, of_asset)
    and case when ids is null then ancestors = '{}' else id = any(ids) and not ancestors && ids end);
  perform begin_cap(of_subject, of_network, of_asset, own, at_windows);
  update cards set caps = caps || of_subject where id = any(own) and of_subject <> all (caps);
end $$;

-- The limits by window among the inputs of a decision. A settlement keeps what each window had counted, and of the limits
-- those that the card had.
create function limit_inputs(listed json) returns jsonb language sql immutable parallel safe as
  $$ select jsonb_build_object('hourly_limit', null, 'daily_limit', null, 'weekly_limit', null, 'monthly_limit', null,
      'hour_used', split_part(listed ->> 10, ' ', 1), 'day_used', split_part(listed ->> 10, ' ', 2),
      'week_used', split_part(listed ->> 10, ' ', 3), 'month_used', split_part(listed ->> 10, ' ', 4))
    || coalesce((listed -> 11)::jsonb, '{}') $$;

-- Each change of a card's owner. `batch` is taken while the card is locked, as the batches of transfers of its money are: so
-- it tells which transfers were the earlier owner's.
create table card_handovers (
  card_id     text not null references cards,
  owner_no    integer not null check (owner_no > 0),
  from_wallet text not null,
  to_wallet   text not null check (to_wallet <> from_wallet),
  spent       numeric(78, 0) not null check (spent >= 0),  -- of the card, by all owners before
  listing_id  text unique,
  batch       bigint not null default nextval('ledger_batch_ids'),
  created_at  timestamptz not null,
  constraint one_owner_after_another primary key (card_id, owner_no)
);
create index card_handovers_by_buyer on card_handovers (to_wallet, card_id);
create index card_handovers_by_seller on card_handovers (from_wallet, card_id);
create trigger insert_only before update or delete or truncate on card_handovers
  for each statement execute function refuse_change();

-- A transfer that takes another back gives to the account that gave, or to the balance of the wallet that the giving card had
-- then. A card gets nothing back that it spent before its newest change of hands.
create function refuse_return_to_others() returns trigger language plpgsql as $$
declare
  paid record;
begin
  select * into paid from ledger_transfer(new.reverses);
  if not found then
    raise exception 'transfer % takes back %, which does not exist', new.id, new.reverses
      using errcode = 'foreign_key_violation', constraint = 'what_comes_back_was_given';
  end if;
  if exists (
    select from unnest(new.accounts, new.amounts) as gain (account_id, amount)
      join ledger_accounts a on a.id = gain.account_id and not a.is_house
     where gain.amount > 0 and not exists (
       select from unnest(paid.accounts, paid.amounts) as gift (account_id, amount)
         left join cards c on c.account_id = gift.account_id
         left join lateral (
           select from_wallet from card_handovers where card_id = c.id and batch > paid.batch order by batch limit 1) h on true
        where gift.amount < 0 and (gift.account_id = a.id and h.from_wallet is null
          or a.kind = 'treasury' and a.owner = coalesce(h.from_wallet, c.wallet_address)))) then
    raise exception 'transfer % gives to others than the payer of %', new.id, new.reverses
      using errcode = 'check_violation', constraint = 'returns_to_whoever_paid';
  end if;
  return null;
end $$;
create constraint trigger returns_to_whoever_paid after insert on ledger_transfer_rows
  for each row when (new.reverses is not null) execute function refuse_return_to_others();

-- The spending of each wallet: of its cards, less what earlier owners of a card have spent with it, and less what came back
-- to its balance because the card that had paid was another's by then.
create view card_spending as
select wallet_address, network, asset, spent from cards
union all select h.from_wallet, c.network, c.asset, h.spent from card_handovers h join cards c on c.id = h.card_id
union all select h.to_wallet, c.network, c.asset, -h.spent from card_handovers h join cards c on c.id = h.card_id
union all select a.owner, a.network, a.asset, -t.gained from ledger_accounts a join ledger_totals t on t.account_id = a.id
  where a.kind = 'treasury' and t.kind in ('refund', 'payment_undone');

-- A foreign key, checked once a statement instead of once a row: measured in docs/performance.md.
create function refuse_unknown_cards() returns trigger language plpgsql as $$
begin
  if exists (select from added r where not exists (select from cards c where c.id = r.card_id)) then
    raise exception 'a row of % names a card that does not exist', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create table card_transaction_rows (
  id             text primary key check (id like 'txn\_%'),
  card_id        text not null,
  wallet_address text not null,  -- of the card at the time; what it received is shown to its present owner
  direction      text not null check (direction in ('sent', 'received')),
  amount         numeric(78, 0) not null check (amount > 0),  -- what the card gave or gained
  fee            numeric(78, 0) not null check (fee >= 0),
  merchant       text not null,
  protocol       text not null check (is_rail(protocol)),
  status         text not null check (status in ('PENDING', 'SETTLED', 'FAILED', 'REFUNDED', 'UNKNOWN')),
  network        text not null,
  asset          text not null,
  -- The contract and the decimals of the asset, where the money is not on the books: a payment to a DIRECT card.
  token          text,
  token_decimals integer,
  tx_hash        text,
  refunded       numeric(78, 0) not null default 0 check (refunded >= 0),
  ref            text not null,  -- the settlement or payment it belongs to
  memo           text not null default '',
  created_at     timestamptz not null,
  settled_at     timestamptz,
  failure        text,  -- why it came to nothing
  failed_at      timestamptz,
  constraint refund_within_amount check (refunded <= amount),
  check ((failure is null) = (failed_at is null) and (failure is null or status = 'FAILED'))
);
create index card_transactions_by_card on card_transaction_rows (card_id, id desc);
create index card_transactions_by_wallet on card_transaction_rows (wallet_address, id desc);
create index card_transactions_by_ref on card_transaction_rows (ref);
create index card_transactions_by_hash on card_transaction_rows (tx_hash) where tx_hash is not null;
create trigger known_cards after insert on card_transaction_rows
  referencing new table as added for each statement execute function refuse_unknown_cards();
create trigger parents_stay before update of card_id, wallet_address on card_transaction_rows for each row
  when ((old.card_id, old.wallet_address) is distinct from (new.card_id, new.wallet_address)) execute function refuse_change();

-- Each refund of a payment, in full or in part. Both sides of the payment share it.
create table card_refunds (
  ref        text not null,  -- the settlement or payment
  amount     numeric(78, 0) not null check (amount > 0),
  refunded   numeric(78, 0) not null,  -- with the refunds before
  created_at timestamptz not null,
  constraint one_refund_from_each_standing primary key (ref, refunded),
  check (refunded >= amount)
);
create trigger insert_only before update or delete or truncate on card_refunds
  for each statement execute function refuse_change();

-- Every allow and deny, with the inputs of the decision.
create table card_decision_rows (
  id         text not null check (id like 'dec\_%'),
  card_id    text not null,
  allowed    boolean not null,
  rule       text not null,
  amount     numeric(78, 0) not null,
  merchant   text not null,
  merchants  text[] not null,  -- every name of the payee that the policy knew
  request    text not null,    -- names what was bought; empty where the payee says it all
  mcc        text,
  rail       text not null,
  inputs     jsonb not null,
  ref        text not null,
  owner_no   integer not null,  -- of the card as it was decided
  created_at timestamptz not null,
  -- The verdict of the card's draft, if it had one.
  draft_id   text,
  draft_says text,
  constraint a_verdict_is_of_a_draft check ((draft_id is null) = (draft_says is null)),
  -- A decision is always looked up by its card.
  primary key (card_id, id)
);
create index card_declines on card_decision_rows (id) where not allowed;
create trigger known_cards after insert on card_decision_rows
  referencing new table as added for each statement execute function refuse_unknown_cards();
create trigger insert_only before update or delete or truncate on card_decision_rows
  for each statement execute function refuse_change();

-- The merchant category that the operator assigned to a wallet. The one that a seller writes on a link is a label only.
create table merchant_categories (
  wallet_address text primary key check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  mcc            text check (mcc ~ '^\d{4}$'),  -- null: it was taken away
  note           text not null,
  assigned_at    timestamptz not null
);

-- Every change, written by the database, so that it also shows a change made outside the service.
create table merchant_category_changes (
  id             bigint generated always as identity primary key,
  wallet_address text not null,
  previous       text,
  mcc            text,
  note           text not null,
  database_role  text not null,
  changed_at     timestamptz not null
);
create function note_category_change() returns trigger language plpgsql as $$
begin
  insert into merchant_category_changes (wallet_address, previous, mcc, note, database_role, changed_at)
  values (new.wallet_address, case when tg_op = 'UPDATE' then old.mcc end, new.mcc, new.note, session_user,
    new.assigned_at);
  return null;
end $$;
create trigger note_category_change after insert or update on merchant_categories
  for each row execute function note_category_change();
create trigger wallets_stay before update on merchant_categories
  for each row when (old.wallet_address <> new.wallet_address) execute function refuse_change();
create trigger no_delete before delete or truncate on merchant_categories
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on merchant_category_changes
  for each statement execute function refuse_change();
create trigger written_by_changes_only before insert on merchant_category_changes
  for each row when (pg_trigger_depth() = 0) execute function refuse_change();

-- Questions to the owners of cards about one payment each, with their answers. An approved row is a grant: it lets one payment of this payee, rail
-- and request pass, once, of this amount at most.
create table card_approvals (
  id             text primary key check (id like 'apr\_%'),
  card_id        text not null,
  wallet_address text not null,
  owner_no       integer not null,  -- of the card as it was asked: no grant outlives its owner
  kind           text not null check (kind in ('asked', 'allowed_once')),
  reason         text not null,     -- why a person is asked, or the rule of the decline that was allowed
  rail           text not null check (is_rail(rail)),
  amount         numeric(78, 0) not null check (amount > 0),
  merchants      text[] not null,
  mcc            text,
  request        text not null,
  decision_id    text unique,       -- the decline that its owner allowed once
  status         text not null check (status in ('PENDING', 'APPROVED', 'DENIED', 'USED', 'EXPIRED')),
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  decided_at     timestamptz,
  used_at        timestamptz,
  used_by        text unique,       -- the settlement, transaction or stream that it let pass
  constraint used_in_time check ((used_at is null) = (status <> 'USED') and (used_at is null) = (used_by is null)
    and (used_at is null or used_at < expires_at)),
  constraint a_decline_is_allowed_once check ((decision_id is null) = (kind = 'asked')),
  constraint decided_by_somebody check (status in ('PENDING', 'EXPIRED') or decided_at is not null)
);
create index card_approvals_by_wallet on card_approvals (wallet_address, id desc);
create index card_approvals_by_card on card_approvals (card_id, expires_at) where status in ('PENDING', 'APPROVED', 'DENIED');
create index card_approvals_open on card_approvals (expires_at) where status in ('PENDING', 'APPROVED');
create trigger known_cards after insert on card_approvals
  referencing new table as added for each statement execute function refuse_unknown_cards();
-- The card is locked, so one of two requests sees the other.
create function bound_requests() returns trigger language plpgsql as $$
begin
  if (select count(*) from card_approvals where card_id = new.card_id and status = 'PENDING' and expires_at > new.created_at) > 20
  then
    raise exception 'twenty payments of card % wait for a person', new.card_id
      using errcode = 'check_violation', constraint = 'twenty_requests_a_card';
  end if;
  if exists (select from card_approvals a where a.card_id = new.card_id and a.status = 'PENDING' and a.id <> new.id
      and a.expires_at > new.created_at and (a.owner_no, a.rail, a.request, a.merchants) = (new.owner_no, new.rail, new.request, new.merchants)
      and a.amount = new.amount) then
    raise exception 'payment of card % waits for a person already', new.card_id
      using errcode = 'check_violation', constraint = 'one_request_a_payment';
  end if;
  return null;
end $$;
create trigger requests_are_bounded after insert on card_approvals for each row when (new.status = 'PENDING')
  execute function bound_requests();
create trigger the_payment_stays before update on card_approvals for each row
  when ((old.id, old.card_id, old.wallet_address, old.owner_no, old.kind, old.rail, old.amount, old.merchants, old.request, old.created_at)
    is distinct from (new.id, new.card_id, new.wallet_address, new.owner_no, new.kind, new.rail, new.amount, new.merchants, new.request,
      new.created_at)
    or not case old.status when 'PENDING' then new.status in ('APPROVED', 'DENIED', 'EXPIRED')
      when 'APPROVED' then new.status in ('USED', 'DENIED', 'EXPIRED') else false end)
  execute function refuse_change();
create trigger no_delete before delete or truncate on card_approvals
  for each statement execute function refuse_change();

-- The payees that a card with `approval_first_merchant` has paid with its owner's approval, or that its owner allowed.
create table card_payees (
  card_id    text not null,
  owner_no   integer not null,
  payee      text not null,
  created_at timestamptz not null,
  primary key (card_id, owner_no, payee)
);
create trigger known_cards after insert on card_payees
  referencing new table as added for each statement execute function refuse_unknown_cards();
create trigger insert_only before update or delete or truncate on card_payees
  for each statement execute function refuse_change();
