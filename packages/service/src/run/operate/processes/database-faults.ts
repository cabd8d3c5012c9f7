import type { Settings } from '../../../api/http/settings.ts'
import type { ServerState } from '../store.ts'

type State = Omit<ServerState, 'limits'>

/** Says why the service cannot work on a database, by what it cannot mend for its own sessions; undefined if it can. */
export function refusalOf({
  encoding,
  isStandby,
  replicationRole,
  role,
}: State): string | undefined {
  if (isStandby)
    return 'DATABASE_URL leads to a standby, or to a server that is being restored (it is in recovery): wait until it takes writes, or name the primary.'
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, and names and memos are UTF8: create it with createdb --template template0 --encoding UTF8 --locale C.UTF-8, and set DATABASE_URL to it.`
  if (replicationRole === 'replica')
    return `The role ${role} has session_replication_role = replica, by which the rules of the books are switched off: run alter role ${role} reset session_replication_role.`
  return undefined
}

/** Says that real money may be lost on this server. */
export const lossOf = ({ fsync }: State, mode: Settings['mode']): string | undefined =>
  mode === 'live' && fsync === 'off' ? LOSES : undefined

const LOSES =
  'The server of the database has fsync = off: answered payments are lost when its machine fails. Set fsync = on.'

/** Faults that the service starts with, and that an operator should mend. */
export const warningsOf = ({ fsync, fullPageWrites }: State): string[] => [
  ...(fsync === 'off' ? [LOSES] : []),
  ...(fullPageWrites === 'off'
    ? [
        'The server of the database has full_page_writes = off: a crash in the middle of a write damages it, except on a file system that never writes half a page (ZFS).',
      ]
    : []),
]
