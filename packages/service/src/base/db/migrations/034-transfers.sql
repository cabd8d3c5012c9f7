-- Signed transfers: what claims a payer's authorization.

-- The claim of a payer's authorization, whichever way it came: a link, a DIRECT link, or another seller's payment. A
-- token takes an authorization once, so it pays for one thing. A Permit2 nonce belongs to the payer alone, whatever the
-- token; its claim names the contract of Permit2.
create table authorization_claims (
  network text not null,
  token   text not null,
  payer   text not null,
  nonce   text not null,
  kind    text not null check (kind in ('link', 'direct', 'facilitator')),
  ref     text not null,  -- the settlement
  constraint one_claim_per_signed_transfer primary key (network, payer, nonce, token)
);
create trigger facts_stay before update or truncate on authorization_claims
  for each statement execute function refuse_change();
