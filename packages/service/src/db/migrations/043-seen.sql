-- What the watcher saw of the chain's head, so that a payer is shown how deep a payment is without asking the chain.
set local lock_timeout = '5s';

alter table watch_cursors
  add column latest    bigint,
  add column finalized bigint;
create index watched_transfers_by_payee on watched_transfers (network, to_address) where state in ('seen', 'passed_on');
