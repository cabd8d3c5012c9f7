-- The sides of settlements by card, each alone: a list of one side is then read along its index, in order, and ends with
-- its page. Of `card_settlement_sides`, which is both, a page would be the end of a sort of all.
set local lock_timeout = '5s';

create view card_settlements_sent as
select s.id as settlement_id, 'txn_' || substr(s.id, 5) || 's' as id, s.payer as card_id,
       s.payer_wallet as wallet_address, 'sent' as direction, s.amount, 0::numeric(78, 0) as fee, l.code as merchant,
       s.protocol, case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, s.tx_hash, s.refunded, s.id as ref, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;

create view card_settlements_received as
select s.id as settlement_id, 'txn_' || substr(s.id, 5) || 'r' as id, s.receiver_card_id as card_id,
       s.receiver_wallet as wallet_address, 'received' as direction, s.amount - s.fee as amount, s.fee,
       s.payer as merchant, s.protocol,
       case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, s.tx_hash, s.refunded, s.id as ref, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.receiver_wallet is not null and s.amount <> s.fee;

create or replace view card_settlement_sides as
select * from card_settlements_sent union all select * from card_settlements_received;
