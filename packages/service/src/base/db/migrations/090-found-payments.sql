-- oldest: 043
-- Payments are found among millions of a wallet: those of a link, of an amount, and by the words of a memo or a payee.
create index if not exists settlements_by_link on settlements (number_of(pay_link_id), id) where pay_link_id is not null;
-- Wallet and amount are one number: an index that begins with the wallet alone, as others do, would be read whole as well.
create function number_of_amount(wallet text, amount numeric) returns bigint language sql immutable parallel safe as
  $$ select hashtextextended(wallet || ' ' || amount::text, 0) $$;
create index if not exists settlements_by_amount_sent on settlements (number_of_amount(payer_wallet, amount), id)
  where payer_wallet is not null;
create index if not exists settlements_by_amount_received on settlements (number_of_amount(receiver_wallet, amount - fee), id)
  where receiver_wallet is not null;
create index if not exists card_transactions_by_amount on card_transaction_rows (number_of_amount(wallet_address, amount), id);

-- A word is looked for among those of one wallet, so it stands in the index behind a mark of the wallet.
create function words_as_found(wallet text, said text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array(
    select substr(md5(wallet), 1, 8) || left(w, 40)
    from regexp_split_to_table(lower(said), '[[:space:][:punct:]]+') w where w <> '' limit 40))
$$;
-- Finds what has a word that begins like each of these; nothing if there are none.
create function words_to_find(wallet text, said text) returns tsquery language sql immutable parallel safe as $$
  select string_agg(quote_literal(w) || ':*', ' & ')::tsquery from unnest(tsvector_to_array(words_as_found(wallet, said))) w
$$;
create index if not exists card_transactions_by_words on card_transaction_rows
  using gin (words_as_found(wallet_address, merchant || ' ' || memo));
create index if not exists pay_links_by_words on pay_links using gin (words_as_found(wallet_address, memo));
