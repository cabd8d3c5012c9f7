-- oldest: 043
-- A removed payout address may be deleted once the count of a day does not need it: docs/decisions/0098-payouts-are-capped.md.
create function keep_payout_address_row() returns trigger language plpgsql as $$
begin
  if old.removed_at is null or old.added_at > payout_time() - interval '24 hours' then
    raise exception 'payout address % is in force, or was added in the last day', old.id using errcode = 'check_violation';
  end if;
  return old;
end $$;
create or replace trigger no_delete before delete on payout_addresses
  for each row execute function keep_payout_address_row();
create trigger no_truncate before truncate on payout_addresses for each statement execute function refuse_change();
