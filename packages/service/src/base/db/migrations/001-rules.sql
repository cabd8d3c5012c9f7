-- Rules that the tables of every room use.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is insert only', tg_table_name using errcode = 'check_violation';
end $$;

-- A batch reads and decides without locks, and takes locks only to write. If a row it read has changed by then, this
-- error makes `Db.write` run the transaction again, as after any serialization failure.
create function refuse_stale(is_stale boolean) returns void language plpgsql as $$
begin
  if is_stale then
    raise exception 'a row that was read has changed' using errcode = 'serialization_failure';
  end if;
end $$;

-- An address of the chain itself belongs to no person: zero (a failed signature recovery answers it, and a mint comes
-- from it), the precompiles (EIP-1352), and the predeploys of an OP Stack chain. The same as `isSystemAddress` in the code.
create function is_system_address(address text) returns boolean language sql immutable parallel safe as
  $$ select address ~* '^0x(0{36}[0-9a-f]{4}|42000{33}[0-7][0-9a-f]{2})$' $$;

-- The triggers `names_a_person` keep such an address from signing in, owning, paying and being paid. They look at new
-- rows only.
create function refuse_system_address() returns trigger language plpgsql as $$
begin
  raise exception 'an address of the chain itself names nobody in %', tg_table_name
    using errcode = 'check_violation', constraint = 'an_address_of_a_person', table = tg_table_name;
end $$;

-- The ways by which money moves, those that pay a link, those by which a card of this service pays in the books, and those by
-- which payers pay a seller's own wallet. The same as in `base/protocols/rails.ts`.
create function is_rail(rail text) returns boolean language sql immutable parallel safe as
  $$ select rail in ('x402', 'ap2', 'mpp', 'card', 'onchain', 'internal') $$;
create function is_card_rail(rail text) returns boolean language sql immutable parallel safe as
  $$ select rail in ('card', 'ap2', 'x402', 'mpp') $$;
create function are_link_rails(rails text[]) returns boolean language sql immutable parallel safe as
  $$ select rails <@ array['x402', 'ap2', 'mpp', 'card', 'onchain'] $$;
create function are_direct_rails(rails text[]) returns boolean language sql immutable parallel safe as
  $$ select rails <@ array['x402', 'mpp', 'onchain'] $$;
