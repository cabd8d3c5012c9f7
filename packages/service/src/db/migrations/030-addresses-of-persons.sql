-- An address of the chain itself names nobody: zero, which a recovery that failed answers and which a mint comes from, the
-- precompiles (EIP-1352), and the predeploys of an OP Stack chain. None signs in, owns, pays or is paid here.
set local lock_timeout = '5s';

-- As `isSystemAddress` in the code.
create function is_system_address(address text) returns boolean language sql immutable parallel safe as
  $$ select address ~* '^0x(0{36}[0-9a-f]{4}|42000{33}[0-7][0-9a-f]{2})$' $$;

-- Whoever came in as one is out; what it owns stays as evidence.
delete from sessions where is_system_address(wallet_address);
delete from auth_challenges where is_system_address(wallet_address);
update api_keys set revoked_at = now() where revoked_at is null and is_system_address(wallet_address);

create function refuse_system_address() returns trigger language plpgsql as $$
begin
  raise exception 'an address of the chain itself names nobody in %', tg_table_name
    using errcode = 'check_violation', constraint = 'an_address_of_a_person', table = tg_table_name;
end $$;

-- Triggers and not checks: rows from before must still come to their end. Each looks at new rows alone.
create trigger names_a_person before insert on auth_challenges for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on sessions for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on api_keys for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on ledger_accounts for each row
  when (new.kind = 'treasury' and is_system_address(new.owner)) execute function refuse_system_address();
create trigger names_a_person before insert on deposits for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on deposit_authorizations for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on cards for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger names_a_person before insert on pay_links for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
-- A payer that is a card is no address: those rows cost one comparison.
create trigger names_a_person before insert on pay_link_settlements for each row
  when (starts_with(new.payer, '0x') and is_system_address(new.payer)) execute function refuse_system_address();
create trigger names_a_person before insert on payment_exceptions for each row
  when (is_system_address(new.payer)) execute function refuse_system_address();
create trigger names_a_person before insert on outbound_payments for each row
  when (is_system_address(new.pay_to)) execute function refuse_system_address();
create trigger names_a_person before insert on withdrawals for each row
  when (is_system_address(new.to_address) or is_system_address(new.wallet_address))
  execute function refuse_system_address();
create trigger names_a_person before insert on x402_settlements for each row
  when (is_system_address(new.payer) or is_system_address(new.pay_to)) execute function refuse_system_address();

-- What such an address sent is credited to nobody and pays no link.
create trigger has_a_depositor before insert on watched_transfers for each row
  when (new.state in ('credited', 'passed_on') and is_system_address(new.from_address))
  execute function refuse_system_address();
create trigger keeps_a_depositor before update on watched_transfers for each row
  when (new.state in ('credited', 'passed_on') and new.state is distinct from old.state
    and is_system_address(new.from_address))
  execute function refuse_system_address();
