import { isLost, sqlState } from './sql.ts'

/** Why the database does not do its work, where no statement is at fault: it passes, or the person who runs it has to act. */
export type Outage =
  | 'unreachable'
  | 'connections'
  | 'full'
  | 'memory'
  | 'limits'
  | 'read_only'
  | 'files'
  | 'refused'
  | 'busy'

/** By SQLSTATE; the first that fits. */
const OUTAGES: readonly [RegExp, Outage][] = [
  [/^53300$/, 'connections'],
  [/^53100$/, 'full'],
  [/^53200$/, 'memory'],
  [/^53/, 'limits'],
  [/^25006$/, 'read_only'],
  [/^58/, 'files'],
  // The password, the role, the database or a right was taken away, or connections are not allowed.
  [/^(28|3D000$|42501$|55000$|57P04$)/, 'refused'],
  // A statement or its wait for a lock took longer than its timeout, or somebody cancelled it.
  [/^(55P03|57014)$/, 'busy'],
]

const SENTENCES: Readonly<Record<Outage, string>> = {
  unreachable: 'The database does not answer: see whether it runs, and its log.',
  connections:
    'The database gives no more connections: raise max_connections, or the limit of the role or of the database.',
  full: 'The disk of the database is full: free some space there.',
  memory: 'The server of the database has no memory left: see what takes it.',
  limits: 'The database has reached a limit that was set for it: see its log for which.',
  read_only:
    'The database takes no writes: default_transaction_read_only is on, or it became a standby.',
  files: 'The server of the database cannot read or write its files: see its log.',
  refused:
    'The database refuses the role of DATABASE_URL: see its log for the password or the right that it lacks.',
  busy: 'The database took too long: see in pg_stat_activity what holds it up.',
}

/** Undefined for an error that is none. Nothing was changed, unless it is `unreachable`: then what was in flight may be committed. */
export function outageOf(error: unknown): Outage | undefined {
  const state = sqlState(error)
  const found = state && OUTAGES.find(([states]) => states.test(state))?.[1]
  return found || (isLost(error) ? 'unreachable' : undefined)
}

/** The outage for the person who runs the database, with its SQLSTATE. Undefined for another error. */
export function outageSentence(error: unknown): string | undefined {
  const outage = outageOf(error)
  const state = sqlState(error)
  return outage && SENTENCES[outage].replace(/\.$/, state ? ` (${state}).` : '.')
}

/** Whether the database takes nothing from anybody. One that is busy may take other work. */
export function takesNothing(error: unknown): boolean {
  const outage = outageOf(error)
  return outage !== undefined && outage !== 'busy'
}
