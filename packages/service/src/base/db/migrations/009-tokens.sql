-- Tokens that wallets have registered, as the chain describes them.

create table registered_tokens (
  id             text primary key check (id like 'tkn\_%'),
  wallet_address text not null,
  network        text not null,
  address        text not null,
  -- Symbol and name come from the token itself, cleaned so that they are fit to be shown.
  symbol         text not null check (length(symbol) between 1 and 32 and symbol !~ '[[:cntrl:]]'),
  name           text not null check (length(name) between 1 and 100 and name !~ '[[:cntrl:]]'),
  decimals       integer not null check (decimals between 0 and 36),
  type           text not null check (type in ('ERC20', 'B20')),
  status         text not null default 'ACTIVE' check (status in ('ACTIVE', 'REMOVED')),
  safety         jsonb not null,        -- what the checks found, and how
  created_at     timestamptz not null,
  checked_at     timestamptz not null,  -- when the chain was asked last
  removed_at     timestamptz,
  check ((status = 'REMOVED') = (removed_at is not null))
);
create unique index one_registration_per_token on registered_tokens (wallet_address, network, address)
  where status = 'ACTIVE';
create index registered_tokens_by_wallet on registered_tokens (wallet_address, id desc) where status = 'ACTIVE';
create index registered_tokens_by_address on registered_tokens (network, address) where status = 'ACTIVE';

-- A registration keeps its token and its wallet, and stays removed once it is removed.
create function keep_registered_token() returns trigger language plpgsql as $$
begin
  if (old.id, old.wallet_address, old.network, old.address, old.created_at)
     is distinct from (new.id, new.wallet_address, new.network, new.address, new.created_at)
     or old.status = 'REMOVED' then
    raise exception 'registered token % cannot change', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_registered_token before update on registered_tokens
  for each row execute function keep_registered_token();
create trigger no_delete before delete or truncate on registered_tokens
  for each statement execute function refuse_change();
