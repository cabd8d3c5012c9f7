-- The bazaar lists a resource as its own 402 shows it to this service, and not as a payer described it. What was listed by
-- payers' words goes; it comes back with its next payment.
set local lock_timeout = '5s';

delete from x402_resources;
alter table x402_resources
  drop constraint one_listing_per_seller,
  add primary key (resource),
  add column url      text not null,                                 -- what was asked, and is asked again
  add column method   text not null check (method in ('GET', 'POST')),
  add column pay_to   text not null,                                 -- who was paid by a settlement, as the 402 says too
  add column failures integer not null default 0 check (failures >= 0);
create index x402_resources_by_wallet on x402_resources (wallet_address);
create index x402_resources_by_url on x402_resources (url);

-- Resources to look at, and those that were looked at in the last hour.
create table x402_looks (
  url            text primary key check (length(url) <= 2048),
  host           text not null,
  method         text not null check (method in ('GET', 'POST')),
  wallet_address text not null,                                      -- whose key settled the payment
  pay_to         text not null,
  wished_at      timestamptz not null,
  looked_at      timestamptz
);
create index x402_looks_waiting on x402_looks (wished_at) where looked_at is null;
create index x402_looks_by_host on x402_looks (host);
create index x402_looks_by_wallet on x402_looks (wallet_address);
