-- Fills what 051 made from the settlements that were there before. A payment waits for none of it.
-- oldest: 043

insert into paid_mandates select mandate_key(payer, mandate_id), id from settlements where mandate_id is not null
on conflict do nothing;
insert into settled_authorizations
select network, asset, payer, auth_nonce, id from settlements where auth_nonce is not null
on conflict do nothing;
create trigger written_by_settlements_only before insert on paid_mandates
  for each statement when (pg_trigger_depth() = 0) execute function refuse_change();
