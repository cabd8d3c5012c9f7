-- oldest: 043
-- A refund as an entry of both cards, beside their payments (docs/decisions/0105-a-refund-is-an-entry.md), and the entry of a receiver to whom
-- the fee left nothing.

create table refund_entries (
  id             text primary key check (id like 'txn\_%'),
  refund_of      text not null,  -- the transaction of this side that was given back, in whole or in part
  card_id        text not null,
  wallet_address text not null,  -- of the card at the time; what it gave back of what it received is shown to its present owner
  direction      text not null check (direction in ('sent', 'received')),
  amount         numeric(78, 0) not null check (amount > 0),
  refunded       numeric(78, 0) not null check (refunded >= amount),  -- with the refunds before
  fee_kept       numeric(78, 0) not null check (fee_kept >= 0),       -- the fee of the payment
  merchant       text not null,
  protocol       text not null check (is_rail(protocol)),
  network        text not null,
  asset          text not null,
  ref            text not null,  -- the settlement or payment
  memo           text not null,
  created_at     timestamptz not null,
  constraint one_entry_from_each_standing unique (refund_of, refunded)
);
create index refund_entries_by_card on refund_entries (card_id, id desc);
create index refund_entries_by_wallet on refund_entries (wallet_address, id desc);
create trigger insert_only before update or delete or truncate on refund_entries
  for each statement execute function refuse_change();

-- Begins with the time, as the ids of all transactions do, and says the same for the same refund.
create function refund_entry_id(at timestamptz, of text) returns text language sql immutable parallel safe as $$
  select 'txn_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
      || left(encode(sha256(convert_to(of, 'UTF8')), 'hex'), 16)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;

-- The entries of a refund, one for each side of its payment.
create function entries_of_refund(made card_refunds) returns setof refund_entries language sql stable as $$
  select refund_entry_id(made.created_at, t.id || ' ' || made.refunded), t.id, t.card_id, t.wallet_address,
         case t.direction when 'sent' then 'received' else 'sent' end, made.amount, made.refunded, max(t.fee) over (),
         t.merchant, t.protocol, t.network, t.asset, made.ref, t.memo, made.created_at
    from card_transactions t where t.ref = made.ref
$$;

-- A trigger, since the program of the version before refunds as well.
create function add_refund_entries() returns trigger language plpgsql as $$
begin
  insert into refund_entries select * from entries_of_refund(new);
  return null;
end $$;
create trigger add_refund_entries after insert on card_refunds for each row execute function add_refund_entries();

-- A payment of one base unit may be all fee. Its receiver gained nothing, and sees it all the same: amounts and fees of what a card received
-- are what was sent to it.
alter table card_transaction_rows drop constraint card_transaction_rows_amount_check;
alter table card_transaction_rows add constraint card_transaction_rows_amount_check
  check (amount > 0 or amount = 0 and fee > 0 and direction = 'received') not valid;

create or replace view card_settlements_received as
select s.id as settlement_id, 'txn_' || other_side(substr(s.id, 5)) as id, s.receiver_card_id as card_id,
       c.wallet_address, 'received' as direction, s.amount - s.fee as amount, s.fee,
       s.payer_wallet as merchant, s.protocol,
       case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, null::text as token, null::integer as token_decimals, s.tx_hash, s.refunded, s.id as ref,
       l.memo, s.created_at, s.settled_at, s.receiver_wallet as received_by
  from settlements s join pay_links l on l.id = s.pay_link_id join cards c on c.id = s.receiver_card_id
 where s.receiver_wallet is not null and s.receiver_card_id is not null;

create or replace view payment_events_received as
select s.xid, s.seq, 'evt_' || other_side(substr(s.id, 5)) as id, 'payment.settled' as type,
       s.receiver_wallet as wallet_address, s.id as subject, s.receiver_card_id as card_id, s.created_at,
       json_build_object('transactionId', case when s.receiver_card_id is not null
           then 'txn_' || other_side(substr(s.id, 5)) end,
         'agreementId', s.agreement_id, 'rail', s.protocol, 'amount', s.amount::text, 'fee', s.fee::text,
         'network', s.network, 'asset', s.asset, 'decimals', s.decimals, 'code', l.code,
         'merchant', coalesce(l.code, s.receiver_wallet), 'memo', coalesce(l.memo, '')) as payment
  from settlements s left join pay_links l on l.id = s.pay_link_id
 where s.xid is not null and s.receiver_wallet is not null;

-- Figures leave it out, as before.
create or replace view incoming_payments as
select s.id as ref, null::text as transaction_id, s.receiver_card_id as card_id, s.receiver_wallet as wallet,
       s.payer_wallet as payer, false as is_from_chain, s.amount, s.refunded, s.protocol, s.network, s.asset,
       null::text as token, true as is_settled, s.settled_at
  from settlements s where s.receiver_card_id is not null and s.amount <> s.fee
union all
select r.ref, r.id, r.card_id, r.wallet_address, coalesce(p.wallet_address, c.wallet_address, r.merchant),
       p.wallet_address is null and c.wallet_address is null,
       r.amount + r.fee, r.refunded, r.protocol, r.network, r.asset, r.token, r.status <> 'FAILED', r.settled_at
  from card_transaction_rows r
  left join lateral (select s.wallet_address from card_transaction_rows s
    where s.ref = r.ref and s.direction = 'sent' limit 1) p on true
  left join lateral (
    select s.payer, s.auth_nonce as nonce from settlements s where s.id = r.ref
    union all
    select d.payer, d.nonce from direct_settlements d where d.id = r.ref) a on true
  left join outbound_payments o on o.nonce = a.nonce and lower(o.payer) = lower(a.payer)
  left join card_transaction_rows c on c.id = o.id
 where r.direction = 'received' and r.amount > 0;
