/** Exceptions to the rules of `tidy.test.ts`. A list only shrinks: an entry that is no longer needed fails its test. */

/** Rooms, packages and folders that still use a word of `old-words.ts`. */
export const USES_OF_OLD_WORDS: Record<string, string[]> = {
  told: ['bench', 'cli', 'conformance', 'contracts', 'examples', 'test'],
}

/** Tables that the SQL of another room names, and why. */
export const FOREIGN_TABLES: Record<string, string> = {
  'ap2 reads cards': "lists a wallet's mandates and keys by the owner of their cards",
  'ap2 reads settlements': 'shows what a mandate paid in the same read as the mandate',
  'cards reads card_decisions': "a view: the cards' own decisions and those of settlements",
  'cards reads card_settlement_decisions': 'the same, for the newest decisions alone',
  'cards reads deposits': 'a card waits for its deposit until the deposit is credited',
  'cards reads ledger_accounts': 'a card and its balance are read, and locked, in one statement',
  'facilitator reads chain_sends': 'finds settlements by the state of their transaction',
  'pay-links reads merchant_categories': "reads a link with its owner's category",
  'pay-links reads watch_cursors':
    'shows a transfer that the watcher has seen and not passed on yet',
  'pay-links reads watched_transfers': 'the same',
  'spending reads agent_card_tokens': 'finds a payment by a token that is still held',
  'spending reads card_transaction_rows': 'finds payments whose outcome is unknown',
  'streams reads cards': "reads a stream with its cards' owners",
  'treasury reads cards': 'sums what the cards of a wallet have spent',
  'treasury reads chain_sends': 'finds withdrawals by the state of their transaction',
  'watcher reads api_keys': 'a transfer is credited to a wallet that has signed in',
  'watcher reads deposits': 'passes over transfers that are credited already',
  'watcher reads ledger_accounts': 'a transfer is credited to a wallet that has a balance',
  'watcher reads pay_link_logs': 'passes over transfers that paid a link already',
  'watcher reads pay_links': "tells links' addresses from others",
  'watcher reads sessions': 'a transfer is credited to a wallet that has signed in',
}
