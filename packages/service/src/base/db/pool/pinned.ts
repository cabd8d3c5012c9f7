/**
 * Settings that each session needs, whatever its role, database or server were given: values as the driver reads them, times in UTC, the
 * isolation that transactions are written for, and the warning of a commit that no standby has confirmed.
 */
export const PINNED: Readonly<Record<string, string>> = {
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  client_min_messages: 'notice',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  idle_session_timeout: '0',
  standard_conforming_strings: 'on',
}

/** For one connection that works without limits: a migration and a backup take as long as they take. */
export const UNLIMITED: Readonly<Record<string, string>> = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/**
 * The settings that depend on what is there. An answered payment is on disk; `remote_apply` promises more and is kept. PostgreSQL 17 has a
 * limit for whole transactions.
 */
export const pinTheRest = (isLocal: boolean): string =>
  `select set_config('synchronous_commit', 'on', ${isLocal}) where current_setting('synchronous_commit') <> 'remote_apply';
   select set_config('transaction_timeout', '0', ${isLocal}) where current_setting('transaction_timeout', true) is not null`
