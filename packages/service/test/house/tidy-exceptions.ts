/** Exceptions to the rules of `tidy.test.ts`. A list only shrinks: an entry that is no longer needed fails its test. */

/** Rooms, packages and folders that still use a word of `old-words.ts`. */
export const USES_OF_OLD_WORDS: Record<string, string[]> = {}

/** Tables that the SQL of another room names, and why. No room is exempt. */
export const FOREIGN_TABLES: Record<string, string> = {
  ...named('operate reads', 'measures what a backup and an archive hold', [
    ...['cards', 'ledger_batches', 'ledger_chains', 'pay_links', 'settlements'],
  ]),
  ...named('reconcile reads', 'explains each transfer by the row that caused it', [
    ...['agent_card_tokens', 'agreements', 'card_payers', 'card_stats', 'card_stats_days', 'cards'],
    ...['deposits', 'direct_fees', 'direct_settlements', 'direct_usage', 'incoming_payments'],
    ...['ledger_accounts', 'ledger_batches', 'ledger_holds', 'ledger_transfer_rows'],
    ...['ledger_transfers', 'membership_payments', 'memberships', 'meter_topups', 'mpp_streams'],
    ...['outbound_payments', 'own_payments', 'paid_mandates', 'pay_link_logs', 'pay_links'],
    ...['payment_exceptions', 'pulls', 'refund_entries', 'settlement_transfers', 'settlements'],
    ...['spending_caps', 'spending_days', 'spending_weeks', 'stats_cursors', 'stats_queue'],
    ...['watched_transfers', 'withdrawal_requests', 'withdrawals'],
  ]),
  'db reads dev_clock':
    'tells the time to a command, also in a database that waits for its migrations',
  'link reads watch_cursors': 'shows a transfer that the watcher has seen and not passed on yet',
  'link reads watched_transfers': 'the same',
  'treasury reads card_spending': 'sums what the cards of a wallet have spent',
}

function named(use: string, why: string, tables: string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [`${use} ${table}`, why]))
}
