-- Payments of other sellers may be moved by Permit2 too, whose nonces are a payer's own, whatever the token.
set local lock_timeout = '5s';

alter table x402_settlements
  add column method text not null default 'eip3009' check (method in ('eip3009', 'permit2'));
create unique index one_claim_per_permit on x402_settlements (network, payer, nonce) where method = 'permit2';

create or replace function keep_x402_settlement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'settling' then
      raise exception 'x402 settlement % has ended, and stays', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if (old.id, old.wallet_address, old.network, old.token, old.payer, old.nonce, old.pay_to, old.amount,
      old.valid_before, old.payload_hash, old.method)
     is distinct from (new.id, new.wallet_address, new.network, new.token, new.payer, new.nonce, new.pay_to, new.amount,
      new.valid_before, new.payload_hash, new.method)
     or (old.state <> 'settling' and old.state <> new.state)
     or (old.finality <> 'waiting' and old.finality <> new.finality)
     or (old.next_answer_at is null and new.next_answer_at is not null) then
    raise exception 'x402 settlement % ends once, and what it pays stays', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
