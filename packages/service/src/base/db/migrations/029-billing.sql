-- Billing: keys that were prepared for agreements to come.

-- A key waits here until the open mandate that names it comes back signed; then it moves to its agreement.
create table agreement_keys (
  payer_wallet text not null,
  place        integer not null check (place between 1 and 20),
  kid          text not null unique,  -- RFC 7638 thumbprint
  card_id      text not null references cards,
  sealed       bytea not null,        -- the private half
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  constraint twenty_keys_a_wallet primary key (payer_wallet, place)
);
