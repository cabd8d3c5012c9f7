-- An open mandate is one grant, whichever cards and wallets it is presented with: one row, by its own id. Its uses and what
-- they spent are counted by the database, from the mandates that were paid under it.
set local lock_timeout = '5s';

drop trigger no_delete on ap2_open_mandates;
drop trigger keep_open_mandate on ap2_open_mandates;

-- Cards other than the first on which an open mandate was used or revoked, with the token as that card presented it.
create table ap2_open_mandate_cards (
  open_id    text not null,
  card_id    text not null references cards,
  token      text not null,
  created_at timestamptz not null,
  constraint noted_once_per_card primary key (card_id, open_id)
);
alter table ap2_open_mandate_cards alter column token set storage external;

insert into ap2_open_mandate_cards (open_id, card_id, token, created_at)
select o.open_id, o.card_id, o.token, o.created_at from ap2_open_mandates o
 where exists (
   select from ap2_open_mandates e where e.open_id = o.open_id
      and (not e.issued_here, e.created_at, e.card_id) < (not o.issued_here, o.created_at, o.card_id));
-- A grant that paid more on several cards than it allows is used up.
update ap2_open_mandates o
   set spent = least(d.spent, o.budget_max), uses = least(d.uses, o.max_uses), first_at = d.first_at, last_at = d.last_at,
       revoked_at = d.revoked_at
  from (select open_id, sum(spent) as spent, sum(uses) as uses, min(first_at) as first_at, max(last_at) as last_at,
               min(revoked_at) as revoked_at
          from ap2_open_mandates group by open_id having count(*) > 1) d
 where o.open_id = d.open_id;
delete from ap2_open_mandates o using ap2_open_mandate_cards c where c.open_id = o.open_id and c.card_id = o.card_id;

alter table ap2_open_mandates drop constraint one_open_mandate_per_card;
alter table ap2_open_mandates add constraint one_row_per_grant primary key (open_id);
alter table ap2_open_mandate_cards add constraint noted_of_a_grant foreign key (open_id) references ap2_open_mandates;
create index ap2_open_mandates_by_card on ap2_open_mandates (card_id, created_at, open_id);

-- The open mandates of each card: every card sees its own token, and what all cards have used.
create view ap2_open_mandates_of_cards as
select o.card_id, o.open_id, o.jti, o.issued_here, o.agent_kid, o.currency, o.budget_max, o.max_uses, o.spent, o.uses,
       o.first_at, o.last_at, o.expires_at, o.revoked_at, o.token, o.created_at
  from ap2_open_mandates o
union all
select c.card_id, o.open_id, o.jti, o.issued_here, o.agent_kid, o.currency, o.budget_max, o.max_uses, o.spent, o.uses,
       o.first_at, o.last_at, o.expires_at, o.revoked_at, c.token, c.created_at
  from ap2_open_mandate_cards c join ap2_open_mandates o on o.open_id = c.open_id;

-- The only writer of the counters: the limits are checks of the row, so no statement pays more than a grant allows.
create function count_grant_uses() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  named   bigint;
  counted bigint;
begin
  select count(distinct (open_id, currency)) into named from added where open_id is not null;
  if named = 0 then return null; end if;
  with used as (
    update ap2_open_mandates o
       set spent = o.spent + d.spent, uses = o.uses + d.uses, first_at = coalesce(o.first_at, d.first_at),
           last_at = greatest(o.last_at, d.last_at)
      from (select open_id, currency, sum(amount) as spent, count(*) as uses, min(created_at) as first_at,
                   max(created_at) as last_at
              from added where open_id is not null group by open_id, currency) d
     where o.open_id = d.open_id and o.currency = d.currency
    returning 1)
  select count(*) into counted from used;
  if counted <> named then
    raise exception 'a mandate under an open mandate that is not known, or in another currency'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger count_grant_uses after insert on ap2_mandates
  referencing new table as added for each statement execute function count_grant_uses();

create trigger keep_open_mandate before update on ap2_open_mandates
  for each row execute function keep_open_mandate();
create trigger uses_begin_at_zero before insert on ap2_open_mandates
  for each row when (new.uses <> 0 or new.spent <> 0) execute function refuse_change();
create trigger uses_by_mandates_only after update on ap2_open_mandates
  for each row when (pg_trigger_depth() = 0
    and (old.spent, old.uses, old.first_at, old.last_at) is distinct from (new.spent, new.uses, new.first_at, new.last_at))
  execute function refuse_change();
create trigger no_delete before delete or truncate on ap2_open_mandates
  for each statement execute function refuse_change();
create trigger insert_only before update or delete or truncate on ap2_open_mandate_cards
  for each statement execute function refuse_change();
