-- Tokens by which cards of this service pay MPP challenges. Each has its money on hold until it is redeemed or expires.

create table agent_card_tokens (
  challenge_id   text not null,
  card_id        text not null references cards,
  hold_id        text not null unique references ledger_holds,
  transaction_id text not null unique references card_transaction_rows,  -- what the payer's card sent
  settlement_id  text not null unique check (settlement_id like 'stl\_%'),  -- the id that its settlement has
  recipient      text not null,
  amount         numeric(78, 0) not null check (amount > 0),
  fee            numeric(78, 0) not null check (fee >= 0),  -- of the payee, as it was when the money was held
  network        text not null,
  asset          text not null,
  state          text not null default 'held' check (state in ('held', 'redeemed', 'released')),
  expires_at     timestamptz not null,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint one_token_per_challenge primary key (challenge_id),
  check (fee <= amount),
  check ((state = 'held') = (ended_at is null))
) with (fillfactor = 80);
create index agent_card_tokens_held on agent_card_tokens (expires_at) where state = 'held';

-- A token ends once, the same way as its hold. Nothing else of it changes.
create function keep_agent_card_token() returns trigger language plpgsql as $$
begin
  if old.state <> 'held' or new.state = 'held'
     or (old.challenge_id, old.card_id, old.hold_id, old.transaction_id, old.settlement_id, old.recipient, old.amount,
       old.fee, old.network, old.asset, old.expires_at, old.created_at)
     is distinct from (new.challenge_id, new.card_id, new.hold_id, new.transaction_id, new.settlement_id, new.recipient,
       new.amount, new.fee, new.network, new.asset, new.expires_at, new.created_at)
     or (select state from ledger_holds where id = new.hold_id)
     is distinct from (case new.state when 'redeemed' then 'captured' else 'released' end) then
    raise exception 'card token for challenge % ends once, like its hold', old.challenge_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_agent_card_token before update on agent_card_tokens
  for each row execute function keep_agent_card_token();
create trigger no_delete before delete or truncate on agent_card_tokens
  for each statement execute function refuse_change();
