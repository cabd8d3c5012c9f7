-- oldest: 043
-- The entries of refunds that were made before there were entries. A refund waits for none of it.
insert into refund_entries select e.* from card_refunds r cross join lateral entries_of_refund(r) e
on conflict do nothing;
alter table card_transaction_rows validate constraint card_transaction_rows_amount_check;
