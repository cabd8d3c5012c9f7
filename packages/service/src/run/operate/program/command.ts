import { readNow } from '../../../base/db/clock.ts'
import { type Config, readConfig } from '../../config/config.ts'
import type { Host } from '../host.ts'
import { type Attached, attachMigrated } from '../start/attach.ts'

export type Call = { host: Host; asJson: boolean }
/** Gives the exit code, or undefined at once for words that it does not know. `--json` is not among them. */
export type Command = (words: string[], call: Call) => Promise<number> | undefined

/** The books of this configuration for as long as `show` takes, and the service's time. It prints what `show` gives. */
export async function printFrom(
  host: Host,
  show: (books: Attached & { at: Date; config: Config }) => Promise<string>,
  config: Config = readConfig(host.env),
): Promise<0> {
  await using stack = new AsyncDisposableStack()
  const books = await attachMigrated(config, host, stack)
  host.print(await show({ ...books, at: await readNow(books.db.reader), config }))
  return 0
}

/** The words before `--note`, and the note. */
export function splitNote(words: string[]): { words: string[]; note: string } {
  const flag = words.indexOf('--note')
  return flag < 0
    ? { words, note: '' }
    : { words: words.slice(0, flag), note: words[flag + 1] ?? '' }
}
