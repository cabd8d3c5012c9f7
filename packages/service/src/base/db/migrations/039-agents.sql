-- Nonces of signed requests that were used, until their signatures have expired: a signature proves one request.

create table agent_nonces (
  scope      text not null,  -- a pay link, or a wallet that asked for a verification
  key_id     text not null,
  nonce      text not null,
  expires_at timestamptz not null,
  primary key (scope, key_id, nonce)
);
create index agent_nonces_by_end on agent_nonces (expires_at);
