/** The house, ground floor first. A file may import from its own room and from rooms named before it; never after. */
export const ROOMS = [
  'kernel',
  'protocols',
  'db',
  'signing-keys',
  'jobs',
  'egress',
  'chain',
  'http',
  'events',
  'ledger',
  'keys',
  'tokens',
  'treasury',
  'cards',
  'pay-links',
  'ap2',
  'spending',
  'streams',
  'facilitator',
  'relaying',
  'watcher',
  'reconcile',
  'status',
  'embedded',
  'app.ts',
  'config',
  'operate',
  'main.ts',
]

/** The room of a file: its first folder, or the file itself where it stands beside the rooms. */
export const roomOf = (file: string): string => file.split('/')[0] ?? ''
