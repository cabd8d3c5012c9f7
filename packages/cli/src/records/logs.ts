import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { variable } from '../account/environment.ts'
import { command, wholeNumber } from '../command.ts'
import { Fault } from '../fault.ts'
import { print } from '../output.ts'
import { type Column, printList } from '../table.ts'

type Options = {
  json?: boolean
  columns?: string[]
  minutes: number
  status?: string
  path?: string
}

/** A request as the service logs it. */
type Request = {
  time: string
  id: string
  method: string
  path: string
  status: number
  ms: number
}

const COLUMNS: readonly Column<Request>[] = [
  ['TIME', (one) => one.time],
  ['STATUS', (one) => one.status],
  ['MS', (one) => one.ms],
  ['METHOD', (one) => one.method],
  ['PATH', (one) => one.path],
  ['REQUEST', (one) => one.id],
]

export const logsCommand = command<Options>({
  name: 'logs',
  summary: 'the requests of the last hour to the service of this machine, newest first',
  example: 'npx purser logs req_01k9…',
  columns: COLUMNS,
  options: (made) =>
    made
      .argument('[request]', 'the id of one request, as an error has it: all that was logged of it')
      .option('--minutes <n>', 'so far back', wholeNumber, 60)
      .option('--status <status>', 'only these, such as 404 or 5xx')
      .option('--path <path>', 'only paths that begin so')
      .addHelpText(
        'after',
        '\nReads purser.log of the data folder ($PURSER_DATA_DIR), as its operator may. A service on a\nserver of its own logs to standard output: ask there for the same ids.',
      ),
  run: async ({ json, columns, minutes, status, path }, id) => {
    const since = Date.now() - minutes * 60_000
    const entries = await readEntries(since)
    if (typeof id === 'string') {
      const found = entries.filter((entry) => entry.id === id || entry.requestId === id)
      if (found.length === 0)
        throw new Fault(`Nothing is logged of ${id} in the last ${minutes} minutes.`)
      return print({ entries: found }, json, (it) =>
        it.entries.map((entry) => JSON.stringify(entry)).join('\n'),
      )
    }
    if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status))
      throw new Fault('--status must be a status such as 404, or a class such as 5xx.')
    const requests = entries
      .filter((entry) => entry.msg === 'request')
      .map(requestOf)
      .filter((one) => status === undefined || matches(one.status, status))
      .filter((one) => path === undefined || one.path.startsWith(path))
      .reverse()
    const none = `No request was logged in the last ${minutes} minutes.`
    printList({ requests }, { json, columns }, { rows: requests, columns: COLUMNS, none })
  },
})

const matches = (status: number, wanted: string): boolean =>
  [...wanted].every((digit, i) => digit === 'x' || String(status)[i] === digit)

type Entry = Record<string, unknown> & { time: number }

const requestOf = (entry: Entry): Request => ({
  time: new Date(entry.time).toISOString(),
  id: String(entry.id ?? ''),
  method: String(entry.method ?? ''),
  path: String(entry.path ?? ''),
  status: Number(entry.status),
  ms: Number(entry.ms),
})

/** The entries since a time, oldest first. The service keeps one file before the one that it writes. */
async function readEntries(since: number): Promise<Entry[]> {
  const file = join(resolve(variable('PURSER_DATA_DIR')?.value ?? './data'), 'purser.log')
  const entries: Entry[] = []
  let isFound = false
  for (const path of [`${file}.1`, file]) {
    const info = await stat(path).catch(() => undefined)
    isFound ||= info !== undefined
    // A file that was last written before then has nothing of after.
    if (!info || info.mtimeMs < since) continue
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const entry = readEntry(line)
      if (entry && entry.time >= since) entries.push(entry)
    }
  }
  if (!isFound)
    throw new Fault(`There is no log at ${file}: start the service here, or set PURSER_DATA_DIR.`)
  return entries
}

/** The last line may be half written. */
function readEntry(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Entry
    return typeof entry.time === 'number' ? entry : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
