-- The identity of a card on chain: an ERC-8004 token that the vault holds for the card's owner, its ERC-6551 account, and the
-- attestation of that account. The chain decides; a row says what is wanted, and what was last seen there.

create table identities (
  card_id         text primary key,
  network         text not null,
  registry        text not null check (registry ~ '^0x[0-9a-fA-F]{40}$'),
  -- The owner of the card: the vault's owner of record follows it.
  owner_wallet    text not null,
  -- The wallet that asked for the newest mint or move: its ration is used. Null for one that a sale has paid for.
  asked_by        text,
  base_url        text not null,    -- of the registration file that the token should name
  state           text not null check (state in ('PENDING', 'MINTED', 'FINAL', 'TRANSFERRING', 'DETACHED', 'FAILED')),
  -- assign: the owner of record follows a sale; release: the token goes to the owner's wallet; outside: it is sold on chain.
  move            text check (move in ('assign', 'release', 'outside')),
  custody         text not null default 'CUSTODIAL' check (custody in ('CUSTODIAL', 'WITHDRAWN')),
  token_id        numeric(78, 0) check (token_id >= 0),
  holder_address  text check (holder_address ~ '^0x[0-9a-fA-F]{40}$'),
  attestation_uid text check (attestation_uid ~ '^0x[0-9a-f]{64}$'),
  -- As last seen on the chain.
  is_attested     boolean not null default false,
  is_deployed     boolean not null default false,
  is_named        boolean not null default false,  -- the vault holds the token, and it names that file
  attempts        integer not null default 0 check (attempts >= 0),  -- transactions made for it, one after the other
  send_ref        text,             -- the newest of them
  tx_hash         text check (tx_hash ~ '^0x[0-9a-f]{64}$'),  -- the newest that a block held
  reason          text,             -- why the mint, the newest move or the newest change of its URI failed
  created_at      timestamptz not null,
  checked_at      timestamptz not null,
  constraint one_token_per_card unique (network, registry, token_id),
  constraint one_holder_per_card unique (holder_address),
  constraint a_token_once_final check (
    (token_id is null) = (state in ('PENDING', 'MINTED', 'FAILED')) and (token_id is null) = (holder_address is null)),
  constraint a_move_while_transferring check ((move is not null) = (state = 'TRANSFERRING')),
  constraint only_what_is_out_is_detached check (state <> 'DETACHED' or custody = 'WITHDRAWN'),
  constraint asked_for_at_rest check (asked_by is not null or state in ('PENDING', 'MINTED', 'TRANSFERRING')),
  constraint a_reason_for_failure check (state <> 'FAILED' or reason is not null)
);
create index identities_open on identities (checked_at) where state in ('PENDING', 'MINTED', 'TRANSFERRING');
create index identities_at_rest on identities (custody, checked_at) where state in ('FINAL', 'DETACHED');
create trigger names_a_person before insert or update of owner_wallet on identities for each row
  when (is_system_address(new.owner_wallet)) execute function refuse_system_address();

-- A token, once final, is the card's for ever. A mint that is final is never made again.
create function keep_identity() returns trigger language plpgsql as $$
begin
  if (old.card_id, old.network, old.registry, old.created_at) is distinct from
     (new.card_id, new.network, new.registry, new.created_at)
     or (old.token_id is not null
         and (old.token_id, old.holder_address) is distinct from (new.token_id, new.holder_address))
     or new.attempts < old.attempts
     or (new.state = 'FAILED' and old.state not in ('FAILED', 'PENDING', 'MINTED'))
     or (new.state = 'DETACHED' and old.state not in ('DETACHED', 'FINAL', 'TRANSFERRING')) then
    raise exception 'the identity of % is %, and does not become %', old.card_id, old.state, new.state
      using errcode = 'check_violation', constraint = 'keep_identity';
  end if;
  return new;
end $$;
create trigger keep_identity before update on identities for each row execute function keep_identity();
create trigger no_delete before delete or truncate on identities for each statement execute function refuse_change();

-- Gas is the operator's: a wallet causes ten mints and ten moves in a UTC day, and all together as many as is configured.
create table identity_rations (
  scope text not null,              -- a wallet, or `all`
  day   date not null,
  mints integer not null default 0 check (mints >= 0),
  moves integer not null default 0 check (moves >= 0),
  uris  integer not null default 0 check (uris >= 0),  -- changes of the registration files that tokens name; of `all` only
  primary key (scope, day),
  constraint ten_a_day check (scope = 'all' or (mints <= 10 and moves <= 10))
);
