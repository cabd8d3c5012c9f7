import { readdir, readFile } from 'node:fs/promises'
import { PACKAGE } from '../../places.ts'
import { sha256Hex } from '../kernel/secrets.ts'

const DIRECTORY = new URL('src/base/db/migrations/', PACKAGE)
/** The last file of the schema that the first versions had. All later ones say which older programs may run on them. */
export const BASELINE = '043'

export type Migration = {
  name: string
  text: string
  hash: string
  /**
   * The number of the newest migration that a program must know to start on a database that has this one. A program that
   * knows less is refused.
   */
  oldest: string
  /** Older programs cannot run beside it: it waits until `purser migrate --contract` is run, except in a new database. */
  isContract: boolean
  /** The names of the tables and sequences that it makes, but for the parts of a table. */
  makes: string[]
}

/** The number in a migration's name, which all are compared by. */
export const numberOf = (name: string): string => name.slice(0, 3)

/** The names of the numbered files, oldest first. */
export const migrationNames = async (): Promise<string[]> =>
  (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()

/** The numbered files, oldest first. */
export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(new URL(name, DIRECTORY), 'utf8')
      return {
        name,
        text,
        hash: sha256Hex(text),
        oldest: oldestOf(name, text),
        isContract: isContract(text),
        makes: madeBy(text),
      }
    }),
  )
}

/** As the line `-- oldest: 043` says. Without it only a program that has the file itself may start. */
export const oldestOf = (name: string, text: string): string =>
  /^-- oldest: (\d{3})$/m.exec(text)?.[1] ?? numberOf(name)

/** Whether the line `-- contract: <why>` says so. */
export const isContract = (text: string): boolean => /^-- contract: \S/m.test(text)

const madeBy = (text: string): string[] =>
  [...text.matchAll(/^create (?:unlogged )?(?:table|sequence) (\w+)/gm)].map(
    ([, name = '']) => name,
  )

/** PostgreSQL 16 was the first that takes `storage` in `create table`. */
const KNOWS_STORAGE = 160_000
/** Asks for the version that `fitting` takes. */
export const VERSION = `select current_setting('server_version_num')::integer as version`

/** The text as this version of the server takes it: for 15 the storage of columns is set after their table is made. */
export function fitting(text: string, version: number): string {
  if (version >= KNOWS_STORAGE) return text
  return text.replace(/^create table (\w+) \([\s\S]*?^\).*;$/gm, (made, table: string) => {
    const later: string[] = []
    const plain = made.replace(
      /^(\s+(\w+)\s+\w+) storage (\w+)/gm,
      (_, column: string, name: string, storage: string) => {
        later.push(`\nalter table ${table} alter column ${name} set storage ${storage};`)
        return column
      },
    )
    return plain + later.join('')
  })
}
