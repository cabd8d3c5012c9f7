import { readHosts } from '../../base/db/pool/hosts.ts'
import { QUEUE_SCHEMA } from '../../base/jobs/tables.ts'
import { Secret } from '../../base/kernel/secrets.ts'
import { readWhole, type Source, type Variable } from './values.ts'

/**
 * `sessionUrl` reaches the same database and keeps a session. It is needed if `url` leads through a pooler. `replica` is a standby
 * that serves public reads while its rows are not older than so many seconds. Without `schema` the tables stay where they are.
 */
export type OwnDatabase = {
  kind: 'url'
  url: Secret
  sessionUrl?: Secret
  replica?: ReplicaChoice
  schema?: string
}
/** `folder` is another than the usual one: that of a restore which is not complete yet. */
export type DatabaseChoice = { kind: 'embedded'; folder?: string } | OwnDatabase
export type ReplicaChoice = { url: Secret; lagSeconds: number }

/** The database of the service. */
export function readDatabase(from: Source): DatabaseChoice {
  const url = readPostgresUrl(from, 'DATABASE_URL', 'leave it out for the embedded database')
  const otherwise = 'leave it out unless DATABASE_URL leads through a pooler in transaction mode'
  const sessionUrl = readPostgresUrl(from, 'PURSER_SESSION_DATABASE_URL', otherwise)
  const replica = readReplica(from)
  const schema = readSchemaName(from)
  if (!url) {
    if (replica)
      from.fault('PURSER_READ_URL needs DATABASE_URL: the embedded database has no standby.')
    if (schema) from.fault('PURSER_SCHEMA needs DATABASE_URL: nobody shares the embedded database.')
    return { kind: 'embedded' }
  }
  return {
    ...{ kind: 'url', url },
    ...(sessionUrl && { sessionUrl }),
    ...(replica && { replica }),
    ...(schema && { schema }),
  }
}

/** The job queue has a schema of its own name, and PostgreSQL keeps the names that begin with `pg_`. */
function readSchemaName(from: Source): string | undefined {
  const name = from.text('PURSER_SCHEMA')
  if (name === undefined) return undefined
  const isTaken = [QUEUE_SCHEMA, 'information_schema'].includes(name)
  if (isTaken || !/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name))
    from.fault(
      'PURSER_SCHEMA must be the name of a schema in small letters, digits and _, e.g. purser; leave it out for the one that has the tables, or the first of the search_path of the role.',
    )
  return name
}

function readReplica(from: Source): ReplicaChoice | undefined {
  const lagSeconds = readWhole(from, 'PURSER_READ_LAG', { least: 1, most: 3_600, otherwise: 10 })
  const text = from.text('PURSER_READ_URL')
  if (text === undefined) return undefined
  const hosts = readHosts(text)
  if (!hosts || hosts.mustAsk)
    from.fault(
      'PURSER_READ_URL must be the PostgreSQL address of one standby, e.g. postgres://user:password@standby:5432/purser, without target_session_attrs; leave it out if there is none.',
    )
  return { url: new Secret(text), lagSeconds }
}

function readPostgresUrl(from: Source, name: Variable, otherwise: string): Secret | undefined {
  const text = from.text(name)
  if (text === undefined) return undefined
  if (!readHosts(text))
    from.fault(
      `${name} must be a PostgreSQL address, e.g. postgres://user:password@host:5432/purser, or of several servers ` +
        `postgres://user:password@a:5432,b:5432/purser?target_session_attrs=read-write; ${otherwise}.`,
    )
  return new Secret(text)
}
