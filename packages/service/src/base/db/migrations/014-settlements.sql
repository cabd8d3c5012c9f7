-- Settlements: payments to pay links, to wallets' balances and to the house, and what they cost their payees.

-- The indexes of settlements are nearly half of what one writes, so they hold 8 bytes in place of a wallet's or a card's
-- text. Whoever looks a row up compares the text too, by `is_same`. PostgreSQL writes these functions out where they are called:
-- docs/decisions/0070-a-settlement-repeats-nothing.md.
create function number_of(text) returns bigint language sql immutable parallel safe as
  $$ select hashtextextended($1, 0) $$;
-- The planner takes it for true of every second row. From an equality beside that of the numbers it expects few rows, and would
-- sort all that a wallet ever had instead of reading a page in the order of the index.
create function is_same(text, text) returns boolean language sql immutable parallel safe as
  $$ select coalesce($1 = $2, false) $$;
-- A mandate of a card: enough of a hash that nobody finds two of them.
create function mandate_key(card text, mandate text) returns bytea language sql immutable parallel safe as
  $$ select substr(sha256((card || ' ' || replace(mandate, '\', '\\'))::bytea), 1, 15) $$;

-- The row of a settlement by a card of this service also is its transfer of the ledger, the transactions of both cards, the
-- payer's decision, the events of both sides and the AP2 mandate: one row where there were nine, measured in docs/performance.md. The
-- views below show them.
create table settlements (
  id               text primary key check (id like 'stl\_%'),
  -- The payee: a link, with its card and wallet if a card paid; or a wallet's balance, or an account of the house.
  pay_link_id      text,
  receiver_card_id text,
  receiver_wallet  text,
  -- `fee_meter` is the payer's own: the house takes its fees from there.
  house_account    text check (house_account in ('fees', 'membership_revenue', 'fee_meter')),
  protocol         text not null,
  payer            text not null,  -- a card id, or an address
  payer_wallet     text,           -- set, like decided_on, if a card of this service paid
  amount           numeric(78, 0) not null check (amount > 0),
  fee              numeric(78, 0) not null check (fee >= 0),
  refunded         numeric(78, 0) not null default 0,
  network          text not null,
  asset            text not null,
  decimals         smallint,       -- of the asset; set, like payer_wallet, if a card of this service paid
  state            text not null check (state in ('settling', 'settled', 'failed')),
  reason           text,
  agreement_id     text,           -- the agreement that it is a charge of
  -- The AP2 mandate that authorized it: its `jti`, its amount in minor units, the open mandate that it was closed under, and
  -- itself as it was presented, without that open mandate if that is the stored one: `packToken` of it, which leaves out what
  -- this row says. Such bytes hardly compress, and trying costs more than writing them: so `external`.
  mandate_id       text,
  mandate_currency text,
  mandate_amount   bigint check (mandate_amount > 0),
  open_id          text,
  mandate          bytea storage external,
  decided_on       json,           -- the payer's card as the policy saw it, in the order of `card_settlement_decisions`
  -- The payer's EIP-3009 authorization: one settlement for each, whoever presents it.
  auth_nonce       text,
  from_block       bigint,
  tx_hash          text,
  is_swept         boolean not null default true,
  created_at       timestamptz not null,
  settled_at       timestamptz,
  -- The place of its events among all events, if a card of this service paid. The receiver's has the next number.
  xid              bigint,
  seq              bigint,
  -- Its transfer, if a card of this service paid: the accounts of payer, receiver and fees, the batch that posted it, and the hash
  -- of all that never changes of this row (`settlement_fact`).
  payer_account    bigint,
  receiver_account bigint,
  fees_account     bigint,
  batch            bigint,
  digest           bytea check (length(digest) = 32),
  constraint settled_amounts check (fee <= amount),
  constraint refunded_within_amount check (refunded >= 0 and refunded <= amount - fee),
  check ((state = 'settled') = (settled_at is not null)),
  constraint one_payee check (case
    when pay_link_id is not null then house_account is null and (receiver_card_id is null) = (receiver_wallet is null)
    when house_account is not null then receiver_card_id is null and receiver_wallet is null and fee = 0
    else receiver_card_id is null and receiver_wallet is not null end),
  -- Only a link is paid from the chain.
  constraint whole_where_by_card check (
    (payer_wallet is null) = (decided_on is null) and (payer_wallet is null) = (xid is null)
    and (xid is null) = (seq is null) and (payer_wallet is null) = (decimals is null)
    and (payer_wallet is null) = (batch is null) and (batch is null) = (digest is null)
    and (batch is null) = (payer_account is null) and (batch is null) = (receiver_account is null)
    and (fees_account is null) = (batch is null or fee = 0)
    and (payer_wallet is null) = (pay_link_id is not null and receiver_wallet is null)
    and (payer_wallet is null or (state = 'settled' and settled_at = created_at and is_card_rail(protocol)
      and reason is null and auth_nonce is null and from_block is null and tx_hash is null and is_swept))
    and (mandate_id is null or protocol = 'ap2')),
  constraint whole_mandate check (
    (mandate_id is null) = (mandate is null) and (mandate_id is null) = (mandate_currency is null)
    and (mandate_id is null) = (mandate_amount is null) and (mandate_id is not null or open_id is null))
);
create unique index one_settlement_per_authorization on settlements (network, asset, payer, auth_nonce)
  where auth_nonce is not null;
create unique index one_settlement_per_mandate on settlements (mandate_key(payer, mandate_id)) where mandate_id is not null;
create index settlements_by_payer on settlements (number_of(payer), id);
create index settlements_by_payer_wallet on settlements (number_of(payer_wallet), id) where payer_wallet is not null;
create index settlements_by_receiver on settlements (number_of(receiver_card_id), id)
  where receiver_card_id is not null;
create index settlements_by_receiver_wallet on settlements (number_of(receiver_wallet), id)
  where receiver_wallet is not null;
create index settlements_of_events on settlements (xid, seq) where xid is not null;
create index settlements_of_events_sent on settlements (number_of(payer_wallet), xid, seq) where xid is not null;
create index settlements_of_events_received on settlements (number_of(receiver_wallet), xid, seq)
  where xid is not null and receiver_wallet is not null;
create index settlements_by_batch on settlements (batch) where batch is not null;
create index settlements_settling on settlements (created_at) where state = 'settling';
-- Only settlements that are on their way to the chain are looked up by their link.
create index settlements_settling_by_link on settlements (pay_link_id) where state = 'settling';
create index settlements_unswept on settlements (pay_link_id) where not is_swept;
create index settlements_on_chain on settlements (settled_at) where tx_hash is not null;

-- Foreign keys, checked once a statement instead of once a row. `offset 0` makes the planner look up each row by its key
-- instead of joining with the whole table.
create function settlement_parties() returns trigger language plpgsql as $$
begin
  if exists (
    select from added s where s.pay_link_id is not null and not exists (
      select from pay_links l where l.id = s.pay_link_id and l.token is null
         and (s.receiver_card_id is null or (l.card_id = s.receiver_card_id and l.wallet_address = s.receiver_wallet))
      offset 0)) then
    raise exception 'a settlement names a pay link that does not exist or is DIRECT, or not its receiver'
      using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from added s where s.payer_wallet is not null and not exists (
      select from cards c where c.id = s.payer and c.wallet_address = s.payer_wallet offset 0)) then
    raise exception 'a settlement names a card that does not exist, or not its wallet'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger settlement_parties after insert on settlements
  referencing new table as added for each statement execute function settlement_parties();

-- The hash of all that never changes of a settlement by card. The hash chains of the ledger seal it, its mandate included:
-- docs/decisions/0068-a-settlement-by-card-is-its-transfer.md.
create function settlement_fact(settlements) returns bytea language sql stable as $$
  select sha256(convert_to(array_to_string(array[$1.id, $1.pay_link_id, $1.receiver_card_id, $1.receiver_wallet,
    $1.house_account, $1.protocol, $1.payer, $1.payer_wallet, $1.amount::text, $1.fee::text, $1.network, $1.asset,
    $1.decimals::text, $1.agreement_id, $1.mandate_id, $1.mandate_currency, $1.mandate_amount::text, $1.open_id,
    $1.decided_on::text, to_char($1.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    $1.payer_account::text, $1.receiver_account::text, $1.fees_account::text], E'\n', '-'), 'UTF8') || coalesce($1.mandate, ''))
$$;

-- Posts settlements by card: payer to receiver, less the fee. Their accounts must be those of their parties, so what they move
-- sums to zero, in one asset.
create function post_settlements() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  seen record;
begin
  select min(s.batch) as batch_id, max(s.batch) as last_batch, string_agg(s.digest, ''::bytea order by s.id collate "C") as digests
    into seen from added s where s.batch is not null;
  if seen.batch_id is null then return null; end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'settlements of several batches in one statement' using errcode = 'check_violation';
  end if;
  if exists (
    select from added s
      left join ledger_accounts p on p.id = s.payer_account
      left join ledger_accounts r on r.id = s.receiver_account
      left join ledger_accounts f on f.id = s.fees_account
     where s.batch is not null
       and ((p.kind, p.owner, p.network, p.asset) is distinct from ('card', s.payer, s.network, s.asset)
         or (r.kind, r.owner, r.network, r.asset) is distinct from (
           case when s.pay_link_id is not null then 'card' when s.house_account is null then 'treasury' else s.house_account end,
           case when s.pay_link_id is not null then s.receiver_card_id when s.house_account is null then s.receiver_wallet
             when s.house_account = 'fee_meter' then s.payer_wallet else 'house' end, s.network, s.asset)
         or s.fee > 0 and (f.kind, f.owner, f.network, f.asset) is distinct from ('fees', 'house', s.network, s.asset))) then
    raise exception 'a settlement moves money of other accounts than its parties have' using errcode = 'check_violation';
  end if;
  if exists (select from added s join ledger_transfer_rows t on t.kind = 'settlement' and t.ref = s.id
      where s.batch is not null) then
    raise exception 'a settlement was posted before' using errcode = 'unique_violation', constraint = 'one_transfer_per_cause';
  end if;
  perform ledger_post(seen.batch_id, seen.digests, array_fill('settlement'::text, array[cardinality(v.accounts)]), v.accounts, v.amounts)
    from (select array_agg(l.account_id) as accounts, array_agg(l.amount) as amounts
            from added s cross join lateral (values (s.payer_account, -s.amount), (s.receiver_account, s.amount - s.fee),
              (s.fees_account, s.fee)) as l (account_id, amount)
           where s.batch is not null and l.amount <> 0) v;
  return null;
end $$;
-- The last of the triggers by its name: whatever else refuses a settlement, or locks rows for it, comes before the hash chain.
create trigger settlements_are_posted after insert on settlements
  referencing new table as added for each statement execute function post_settlements();

create function refuse_second_posting() returns trigger language plpgsql as $$
begin
  if exists (select from settlements where id = new.ref and batch is not null) then
    raise exception 'settlement % is its own transfer', new.ref
      using errcode = 'unique_violation', constraint = 'one_transfer_per_cause';
  end if;
  return null;
end $$;
create trigger settlements_are_posted_once after insert on ledger_transfer_rows
  for each row when (new.kind = 'settlement') execute function refuse_second_posting();

-- Settlements by card as transfers, each with the id of its settlement under another prefix.
create view settlement_transfers as
select 'trf_' || substr(s.id, 5) as id, 'settlement' as kind, s.id as ref, null::text as reverses,
       array_remove(array[s.payer_account, case when s.amount > s.fee then s.receiver_account end, s.fees_account], null) as accounts,
       array_remove(array[-s.amount, nullif(s.amount - s.fee, 0), nullif(s.fee, 0)], null)::numeric(78, 0)[] as amounts,
       s.digest, s.batch, s.created_at, true as is_settlement
  from settlements s where s.batch is not null;

-- Every transfer. One with a row has its own digest, a settlement by card that of its settlement.
create view ledger_transfers as
select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, false as is_settlement from ledger_transfer_rows
union all
select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, is_settlement from settlement_transfers;

-- The transfer of this id. The view alone would read all settlements for it.
create function ledger_transfer(text) returns setof ledger_transfers language sql stable as $$
  select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, false from ledger_transfer_rows where id = $1
  union all
  select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, is_settlement from settlement_transfers
   where ref = 'stl_' || substr($1, 5) and id = $1
$$;

create view ledger_entries as
select t.id as transfer_id, (l.line - 1)::smallint as line, l.account_id, l.amount
  from ledger_transfers t, unnest(t.accounts, t.amounts) with ordinality as l (account_id, amount, line);

-- A settlement by card is the only record of its transactions: nothing of them changes except what was refunded.
create trigger facts_stay before update on settlements for each row
  when ((old.id, old.pay_link_id, old.payer, old.amount, old.fee, old.created_at, old.payer_wallet, old.receiver_card_id,
         old.receiver_wallet, old.house_account, old.agreement_id, old.mandate_id, old.mandate_currency,
         old.mandate_amount, old.open_id, old.mandate, old.decimals, old.xid, old.seq, old.payer_account,
         old.receiver_account, old.fees_account, old.batch, old.digest,
         old.decided_on::text)
        is distinct from
        (new.id, new.pay_link_id, new.payer, new.amount, new.fee, new.created_at, new.payer_wallet, new.receiver_card_id,
         new.receiver_wallet, new.house_account, new.agreement_id, new.mandate_id, new.mandate_currency,
         new.mandate_amount, new.open_id, new.mandate, new.decimals, new.xid, new.seq, new.payer_account,
         new.receiver_account, new.fees_account, new.batch, new.digest,
         new.decided_on::text))
  execute function refuse_change();
create trigger no_delete before delete or truncate on settlements
  for each statement execute function refuse_change();
-- The prefix comes first: a payer that is a card costs one comparison.
create trigger names_a_person before insert on settlements for each row
  when (starts_with(new.payer, '0x') and is_system_address(new.payer)) execute function refuse_system_address();

-- Settlements that were credited at their first confirmation, until no reorganization can take them back.
create table settlement_confirmations (
  settlement_id    text primary key references settlements,
  -- Unix seconds; the payer's authorization is good before this.
  valid_before     numeric(78, 0) not null,
  -- The hash of the signature that claimed the authorization. It recognizes the same bytes again after the contract that
  -- signed them has another owner.
  signature_digest bytea check (length(signature_digest) = 32),
  -- waiting: its block may go; final: in a safe block; missing: credited, but no safe block holds the payment.
  state            text not null default 'waiting' check (state in ('waiting', 'final', 'missing')),
  created_at       timestamptz not null
);
create index settlement_confirmations_open on settlement_confirmations (created_at) where state <> 'final';

-- The id of a received transaction: the settlement's, with its last character moved 16 places on in the alphabet. Two
-- such ids are equal only if two settlements of one millisecond differ in that bit alone.
create function other_side(text) returns text language sql immutable strict parallel safe as $$
  select substr($1, 1, 25)
      || translate(substr($1, 26, 1), '0123456789abcdefghjkmnpqrstvwxyz', 'ghjkmnpqrstvwxyz0123456789abcdef')
$$;

-- Each side is shown as its own wallet may see it: a receiver sees the payer's wallet as the merchant, never the card.
-- A card that is sold takes along what it received: `received_by` is the wallet that had it then.
-- Each side of settlements by card has its own view, so that a page of one side is read in order from an index. A page of
-- `card_settlement_sides`, which has both, has to sort all of them.
create view card_settlements_sent as
select s.id as settlement_id, 'txn_' || substr(s.id, 5) as id, s.payer as card_id,
       s.payer_wallet as wallet_address, 'sent' as direction, s.amount, 0::numeric(78, 0) as fee,
       coalesce(l.code, s.receiver_wallet, s.house_account) as merchant,
       s.protocol, case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, null::text as token, null::integer as token_decimals, s.tx_hash, s.refunded, s.id as ref,
       coalesce(l.memo, '') as memo, s.created_at, s.settled_at, null::text as received_by
  from settlements s left join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;

create view card_settlements_received as
select s.id as settlement_id, 'txn_' || other_side(substr(s.id, 5)) as id, s.receiver_card_id as card_id,
       c.wallet_address, 'received' as direction, s.amount - s.fee as amount, s.fee,
       s.payer_wallet as merchant, s.protocol,
       case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, null::text as token, null::integer as token_decimals, s.tx_hash, s.refunded, s.id as ref,
       l.memo, s.created_at, s.settled_at, s.receiver_wallet as received_by
  from settlements s join pay_links l on l.id = s.pay_link_id join cards c on c.id = s.receiver_card_id
 where s.receiver_wallet is not null and s.receiver_card_id is not null and s.amount <> s.fee;

create view card_settlement_sides as
select * from card_settlements_sent union all select * from card_settlements_received;

-- Every transaction of every card.
create view card_transactions as
select r.id, r.card_id, case when r.direction = 'received' then c.wallet_address else r.wallet_address end as wallet_address,
       r.direction, r.amount, r.fee, r.merchant, r.protocol, r.status, r.network, r.asset, r.token, r.token_decimals, r.tx_hash,
       r.refunded, r.ref, r.memo, r.created_at, r.settled_at from card_transaction_rows r join cards c on c.id = r.card_id
union all
select id, card_id, wallet_address, direction, amount, fee, merchant, protocol, status, network, asset, token,
       token_decimals, tx_hash, refunded, ref, memo, created_at, settled_at from card_settlement_sides;

-- The events of both sides. The wallets see the data that `payment` is made into when somebody reads them; `seq` is the number
-- of the payer's event.
create view payment_events_sent as
select s.xid, s.seq, 'evt_' || substr(s.id, 5) as id, 'payment.sent' as type, s.payer_wallet as wallet_address,
       s.id as subject, s.payer as card_id, s.created_at,
       json_build_object('transactionId', 'txn_' || substr(s.id, 5), 'agreementId', s.agreement_id, 'rail', s.protocol,
         'amount', s.amount::text, 'fee', s.fee::text, 'network', s.network, 'asset', s.asset, 'decimals', s.decimals,
         'code', l.code, 'merchant', coalesce(l.code, s.receiver_wallet, s.house_account),
         'memo', coalesce(l.memo, '')) as payment
  from settlements s left join pay_links l on l.id = s.pay_link_id
 where s.xid is not null;

create view payment_events_received as
select s.xid, s.seq, 'evt_' || other_side(substr(s.id, 5)) as id, 'payment.settled' as type,
       s.receiver_wallet as wallet_address, s.id as subject, s.receiver_card_id as card_id, s.created_at,
       json_build_object('transactionId', case when s.receiver_card_id is not null and s.amount > s.fee
           then 'txn_' || other_side(substr(s.id, 5)) end,
         'agreementId', s.agreement_id, 'rail', s.protocol, 'amount', s.amount::text, 'fee', s.fee::text,
         'network', s.network, 'asset', s.asset, 'decimals', s.decimals, 'code', l.code,
         'merchant', coalesce(l.code, s.receiver_wallet), 'memo', coalesce(l.memo, '')) as payment
  from settlements s left join pay_links l on l.id = s.pay_link_id
 where s.xid is not null and s.receiver_wallet is not null;

-- A decision shows the merchant category that it was made on.
create view card_settlement_decisions as
select 'dec_' || substr(s.id, 5) as id, s.payer as card_id, true as allowed,
       coalesce(s.decided_on #>> '{12,rule}', 'within_limits') as rule, s.amount,
       coalesce(l.code, s.receiver_wallet, s.house_account) as merchant,
       array_remove(array[l.code, s.receiver_wallet, s.receiver_card_id, s.house_account], null) as merchants,
       s.decided_on #>> '{12,draft,0}' as draft_id, s.decided_on #>> '{12,draft,1}' as draft_says,
       s.decided_on ->> 0 as mcc, s.protocol as rail,
       jsonb_build_object('status', 'ACTIVE', 'mcc', s.decided_on -> 0, 'expires_at', s.decided_on -> 1,
         'single_use', s.decided_on -> 2, 'limit_amount', s.decided_on -> 3, 'spent', s.decided_on -> 4,
         'held', s.decided_on -> 5, 'available', s.decided_on -> 6, 'max_transaction', s.decided_on -> 7,
         'mcc_locks', s.decided_on -> 8, 'allowed_merchants', s.decided_on -> 9)
         || limit_inputs(s.decided_on) || coalesce((s.decided_on -> 12)::jsonb - '{rule,draft}'::text[], '{}') as inputs, s.id as ref, s.created_at, s.payer_wallet
  from settlements s left join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;

-- Every allow and deny of every card.
create view card_decisions as
select id, card_id, allowed, rule, amount, merchant, merchants, mcc, rail, inputs, ref, created_at, draft_id, draft_says
  from card_decision_rows
union all
select id, card_id, allowed, rule, amount, merchant, merchants, mcc, rail, inputs, ref, created_at, draft_id, draft_says
  from card_settlement_decisions;

-- The fees, as the operator sets them. The newest row of a scope, subject and kind counts, from the next payment on: a rule of
-- the wallet before that of its tier, and that before the default. Without a row the service's configuration counts.
create table fee_rules (
  seq           bigint generated always as identity primary key,
  scope         text not null check (scope in ('default', 'tier', 'wallet')),
  subject       text not null,                                -- the tier, or the wallet; empty for the default
  kind          text not null check (kind in ('settlement', 'payment', 'sale', 'direct_overage')),
  bps           integer check (bps between 0 and 10000),      -- null, like flat: the rule is removed
  flat          numeric(78, 0) check (flat >= 0),             -- base units of USDC
  note          text not null default '',
  database_role text not null default session_user,
  effective_at  timestamptz not null,
  constraint a_rule_is_whole check ((bps is null) = (flat is null)),
  constraint a_subject_for_its_scope check (case scope when 'default' then subject = ''
    when 'tier' then subject in ('starter', 'growth') else subject ~ '^0x[0-9a-fA-F]{40}$' end),
  -- An overage is not a part of an amount, which may be in any token.
  constraint overage_is_flat check (kind <> 'direct_overage' or bps is null or bps = 0)
);
create index fee_rules_newest on fee_rules (subject, kind, scope, seq desc);
create trigger insert_only before update or delete or truncate on fee_rules
  for each statement execute function refuse_change();
create trigger note_seal after insert on fee_rules
  for each row execute function note_seal('seq', 'seq', 'scope', 'subject', 'kind', 'bps', 'flat', 'effective_at');
