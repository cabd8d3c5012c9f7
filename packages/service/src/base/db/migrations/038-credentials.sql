-- Lookups of credentials, counted for each key or session and UTC day.
create table credential_lookups (
  key_hash text not null,  -- SHA-256 of the key or session, hex
  day      date not null,
  count    integer not null check (count > 0),
  constraint one_count_a_day primary key (key_hash, day)
) with (fillfactor = 70);
create index credential_lookups_by_day on credential_lookups (day);

-- A proof reads what a card received in the order of references.
create index card_transactions_received on card_transaction_rows (card_id, ref) where direction = 'received';
