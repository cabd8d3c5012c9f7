-- Transactions that are read from a settlement have ids of the documented length: 26 characters after the prefix. What
-- was sent has the settlement's own; of what was received the last character is another, 16 places on in the alphabet.
-- Two settlements would have to be made in one millisecond and differ in that bit alone for two ids to be one.
set local lock_timeout = '5s';

create function other_side(text) returns text language sql immutable strict parallel safe as $$
  select substr($1, 1, 25)
      || translate(substr($1, 26, 1), '0123456789abcdefghjkmnpqrstvwxyz', 'ghjkmnpqrstvwxyz0123456789abcdef')
$$;

create or replace view card_settlements_sent as
select s.id as settlement_id, 'txn_' || substr(s.id, 5) as id, s.payer as card_id,
       s.payer_wallet as wallet_address, 'sent' as direction, s.amount, 0::numeric(78, 0) as fee, l.code as merchant,
       s.protocol, case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, s.tx_hash, s.refunded, s.id as ref, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.payer_wallet is not null;

create or replace view card_settlements_received as
select s.id as settlement_id, 'txn_' || other_side(substr(s.id, 5)) as id, s.receiver_card_id as card_id,
       s.receiver_wallet as wallet_address, 'received' as direction, s.amount - s.fee as amount, s.fee,
       s.payer as merchant, s.protocol,
       case when s.refunded > 0 and s.refunded = s.amount - s.fee then 'REFUNDED' else 'SETTLED' end as status,
       s.network, s.asset, s.tx_hash, s.refunded, s.id as ref, l.memo, s.created_at, s.settled_at
  from pay_link_settlements s join pay_links l on l.id = s.pay_link_id
 where s.receiver_wallet is not null and s.amount <> s.fee;
