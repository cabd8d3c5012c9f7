/** Exceptions to the rules of `tidy.test.ts`. A list only shrinks: an entry that is no longer needed fails its test. */

/** Rooms, packages and folders that still use a word of `old-words.ts`. */
export const USES_OF_OLD_WORDS: Record<string, string[]> = {}

/** Tables that the SQL of another room names, and why. */
export const FOREIGN_TABLES: Record<string, string> = {
  'db reads dev_clock':
    'tells the time to a command, also in a database that waits for its migrations',
  'link reads watch_cursors': 'shows a transfer that the watcher has seen and not passed on yet',
  'link reads watched_transfers': 'the same',
  'treasury reads card_spending': 'sums what the cards of a wallet have spent',
}
