import {
  migrate,
  NewerSchema,
  readSchema,
  type SchemaState,
  UnreleasedSchema,
} from '../../../base/db/migrate.ts'
import { placesOf } from '../../../base/db/pool/hosts.ts'
import { schemaOf } from '../../../base/db/pool/schema.ts'
import { openDb } from '../../../base/db/sql.ts'
import { within } from '../../../base/kernel/clock.ts'
import type { Config } from '../../config/config.ts'
import type { OwnDatabase } from '../../config/database.ts'
import { sentenceOf } from '../sentence.ts'
import { codeOf, StartError } from '../start-error.ts'
import { readHomes, readServerState, type ServerState } from '../store.ts'
import { refusalOf } from './database-faults.ts'

const LEAST_VERSION = 150_000
const PATIENCE_MS = 10_000

/** The schema of the tables, and that in which a connection without settings of ours finds them. */
export type Home = { schema: string; first: string | null; state: ServerState }

/** Finds the schema of the tables. Throws a sentence if the database does not answer, is too old, or has the tables elsewhere. */
export async function checkDatabase({ url: secret, schema }: OwnDatabase): Promise<Home> {
  const url = secret.reveal()
  // A pooler may share this connection, so do not change its settings.
  const db = openDb(url, 1, 'requests', true)
  try {
    const state = await withinPatience(readServerState(db.reader), url)
    if (state.version < LEAST_VERSION)
      throw new StartError(
        `DATABASE_URL is PostgreSQL ${Math.floor(state.version / 10_000)}: version 15 or later is needed.`,
      )
    const { homes, first, isTaken } = await withinPatience(readHomes(db.reader), url)
    if (isTaken) throw new StartError('A restore fills this database: wait until it has ended.')
    return { schema: chooseHome({ schema, homes, first }), first, state }
  } catch (error) {
    throw explained(error, url)
  } finally {
    // Do not wait for a connection attempt that is still open.
    void db.close().catch(() => undefined)
  }
}

/** Throws a sentence if a service cannot work on this database. */
export function checkServer(state: ServerState): void {
  const refused = refusalOf(state)
  if (refused) throw new StartError(refused)
}

/**
 * The schema to work in. A role's `search_path` decides in a new database alone: once there are tables, a change of it would have
 * the service begin again with empty ones.
 */
export function chooseHome(of: {
  schema?: string | undefined
  homes: readonly string[]
  first: string | null
}): string {
  const { schema, homes, first } = of
  const [only, ...others] = homes
  if (only === undefined) return schema ?? first ?? 'public'
  const chosen = schema ?? (others.length === 0 ? only : first)
  if (chosen !== null && homes.includes(chosen)) return chosen
  if (schema !== undefined && others.length === 0)
    throw new StartError(
      `The tables of this database are in the schema ${only}: set PURSER_SCHEMA=${only}, or use another database. One database serves one Purser.`,
    )
  throw new StartError(
    `Several schemas of this database have tables of Purser: set PURSER_SCHEMA to one of ${homes.join(', ')}.`,
  )
}

/**
 * Brings the database to the newest schema, with `contract` also to what older programs cannot run on. Returns the names of what
 * it applied. Throws a sentence if it refuses.
 */
export async function migrateDatabase(
  url: string,
  config: Config,
  options?: { contract: boolean | undefined },
): Promise<string[]> {
  try {
    return await migrate(url, options)
  } catch (error) {
    throw schemaError(error, config, url)
  }
}

/**
 * Throws a sentence if the database lacks a migration: the role of this service may not change the schema, as
 * `PURSER_MIGRATE=never` says.
 */
export async function checkSchema(url: string, config: Config): Promise<void> {
  const { pending } = await readPending(url, config)
  if (pending.length > 0)
    throw new StartError(
      `The database lacks ${pending.length} migrations, the first ${pending[0]}: run "npx purser migrate" with a role that owns the tables, then start.`,
    )
}

/** Throws a sentence if a command would ask for what a migration has yet to make, or for what none can make. */
export async function checkReadable(url: string, config: Config): Promise<void> {
  const { pending } = await readPending(url, config)
  if (pending.length > 0)
    throw new StartError(
      `The database is of an older version of Purser: it lacks ${pending.length} migrations of ${config.version}, the first ${pending[0]}. Give this command with the older version, or run "npx purser migrate" first.`,
    )
}

/** Names what `migrateDatabase` would apply. Throws a sentence if it would. */
export async function readPending(url: string, config: Config): Promise<SchemaState> {
  try {
    return await readSchema(url)
  } catch (error) {
    throw schemaError(error, config, url)
  }
}

const FORBIDDEN = '42501'
/** An object of a migration is there already, or the table of migrations has other columns. */
const TAKEN = ['42P07', '42710', '42723', '42703']

function schemaError(error: unknown, config: Config, url: string): StartError {
  if (codeOf(error) === FORBIDDEN)
    return new StartError(
      `The role of DATABASE_URL may not make tables here (${(error as Error).message}): run grant create on schema ${schemaOf(url)} and grant create on database for it, or "npx purser migrate" with a role that may, and the service with PURSER_MIGRATE=never (docs/operate/managed-postgres.md).`,
      { cause: error },
    )
  const taken = TAKEN.includes(codeOf(error))
    ? `The schema ${schemaOf(url)} has tables of another program (${sentenceOf(error)}): set PURSER_SCHEMA to a schema of its own, e.g. purser.`
    : undefined
  const sentence = schemaSentence(error, config) ?? taken
  return new StartError(sentence ?? `The database could not be migrated: ${sentenceOf(error)}`, {
    cause: error,
  })
}

/** Says that this version cannot work with the schema of the database; undefined for another error. */
export function schemaSentence(error: unknown, config: Config): string | undefined {
  if (error instanceof UnreleasedSchema) return unreleasedSentence(config)
  if (!(error instanceof NewerSchema)) return undefined
  return (
    `The database has the schema of a newer version of Purser (${error.migrations.join(', ')}), on which this one, ${config.version}, must not start: ` +
    `install ${error.version === null ? 'that version' : `version ${error.version} or later`}. A schema never goes back; to return to this version, restore a backup that it made.`
  )
}

/** Says that no migration leads from this database to the present schema, and what to do. */
const unreleasedSentence = ({ database, dataDir }: Config): string =>
  'The database was made by an unreleased version of Purser, older than all in docs/versioning.md, and no version can migrate it: ' +
  (database.kind === 'embedded'
    ? `move ${dataDir} away, or set PURSER_DATA_DIR to a new folder.`
    : 'create a new database and set DATABASE_URL to it.')

const withinPatience = <T>(answer: Promise<T>, url: string): Promise<T> =>
  within(answer, PATIENCE_MS, () => {
    throw new StartError(`${placeOf(url)} did not answer within 10 s: check DATABASE_URL.`)
  })

/** The server's address without user and password, safe to show. */
function placeOf(url: string): string {
  return `The database at ${placesOf(url)}`
}

function explained(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error
  const place = placeOf(url)
  const say = (text: string) => new StartError(`${place} ${text}`, { cause: error })
  switch (codeOf(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say('cannot be found: check the host in DATABASE_URL.')
    case 'ECONNREFUSED':
      return say('refuses connections: start it, or check host and port in DATABASE_URL.')
    case 'ECONNREADONLY':
      return say('takes no writes, it is a standby: wait for the failover, or check DATABASE_URL.')
    case 'ECONNSEVERAL':
      return say(
        'has several servers that take writes, and only one of them may: stop the other, or name the right one in DATABASE_URL.',
      )
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return say('cannot be reached: check the host in DATABASE_URL, and the network.')
    case '28P01':
      return say('refuses this user or password: check them in DATABASE_URL.')
    case '28000':
      return say(
        /no encryption|SSL off/.test((error as Error).message)
          ? 'takes no connection without TLS: add ?sslmode=verify-full&sslrootcert=/path/to/ca.pem to DATABASE_URL, with the CA of its host.'
          : `does not let this user in (${(error as Error).message}): check the user in DATABASE_URL, and pg_hba.conf of the server.`,
      )
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return say(
        'has a certificate of a CA that is not known here: add sslrootcert=/path/to/ca.pem to DATABASE_URL, with the CA of its host.',
      )
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return say('has a certificate for another name: name it in DATABASE_URL as its host does.')
    case 'CERT_HAS_EXPIRED':
      return say('has a certificate that has expired: renew it.')
    case '3D000':
      return say('has no database of that name: create it, or change the name in DATABASE_URL.')
    default:
      if (/does not support SSL/.test(String(error)))
        return say('offers no TLS: switch it on there, or leave sslmode out of DATABASE_URL.')
      return say(`could not be used: ${sentenceOf(error)}`)
  }
}
