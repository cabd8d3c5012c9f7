import { inSchema } from '../../../base/db/pool/schema.ts'
import type { Config } from '../../config/config.ts'
import type { OwnDatabase } from '../../config/database.ts'
import type { Host } from '../host.ts'
import { checkDatabase, checkServer, migrateDatabase, readPending } from '../processes/database.ts'
import { attach } from '../start/attach.ts'

export type MigrateOptions = { dryRun: boolean; contract: boolean }

/** The options of the command; undefined for others. */
export function readMigrateOrder(words: readonly string[]): MigrateOptions | undefined {
  const known = ['--dry-run', '--contract']
  if (new Set(words).size < words.length || !words.every((word) => known.includes(word)))
    return undefined
  return { dryRun: words.includes('--dry-run'), contract: words.includes('--contract') }
}

/**
 * Brings the database of this configuration to the newest schema, or with `dryRun` names what that would apply. With `contract` it
 * applies also what no older program can run beside.
 */
export async function migrate(
  config: Config,
  host: Host,
  { dryRun, contract }: MigrateOptions,
): Promise<0> {
  await using stack = new AsyncDisposableStack()
  // A database of the operator's own is there before the first start, without keys and a chain.
  const databaseUrl =
    config.database.kind === 'url'
      ? await findOwn(config.database)
      : (await attach(config, host, stack)).databaseUrl
  const before = await readPending(databaseUrl, config)
  const waiting = contract ? [] : before.waiting
  const names = dryRun
    ? [...before.pending, ...(contract ? before.waiting : [])].sort()
    : await migrateDatabase(databaseUrl, config, { contract: contract || undefined })
  for (const name of names) host.print(`${dryRun ? 'To be applied' : 'Applied'}: ${name}`)
  for (const name of waiting) host.print(`Waits for --contract: ${name}`)
  if (waiting.length > 0)
    host.print('Run "purser migrate --contract" when no machine runs an older version any more.')
  host.print(dryRun ? `${names.length} to be applied.` : 'The database is migrated.')
  return 0
}

async function findOwn(database: OwnDatabase): Promise<string> {
  const { schema, state } = await checkDatabase(database)
  checkServer(state)
  return inSchema(database.url.reveal(), schema)
}
