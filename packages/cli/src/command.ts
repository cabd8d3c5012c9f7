import { Command, InvalidArgumentError } from 'commander'
import { checkNames } from './account/environment.ts'
import type { AccountOptions } from './context.ts'
import { report } from './fault.ts'
import { stopProgress } from './progress.ts'
import { type Column, columnName } from './table.ts'

/** A command with `--json` and an example in its help. A thrown error becomes one sentence and an exit code. */
export function command<Options extends { json?: boolean }>(spec: {
  name: string
  summary: string
  example: string
  /** The help of `--json`, where that is not one object. */
  json?: string
  options?: (command: Command) => Command
  /** Whether its request may be repeated under the same key; `connect` sends it. */
  isRepeatable?: boolean
  /** The flags for names of the service that no option is named after. */
  names?: Readonly<Record<string, string>>
  /** The columns of the list that it prints: `--columns` chooses among them. */
  columns?: readonly Column<never>[]
  /** Returns the exit code, or nothing for 0. */
  run: (options: Options, ...args: string[]) => Promise<unknown>
}): Command {
  const made = new Command(spec.name)
    .description(spec.summary)
    .option('--json', spec.json ?? 'print one JSON object')
    .addHelpText('after', `\nExample:\n  ${spec.example}`)
  spec.options?.(made)
  if (spec.columns) withColumns(made, spec.columns)
  return made.action(async (...given: unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const options = given.at(-2) as Options
    const args = given.slice(0, -2).flat() as string[]
    try {
      checkNames()
      const code = await spec.run(options, ...args)
      process.exitCode = typeof code === 'number' ? code : 0
    } catch (error) {
      process.exitCode = report(error, {
        asJson: options.json ?? false,
        takesKey: made.options.some(({ long }) => long === '--idempotency-key'),
        // In a whole body a person has typed the names of the service.
        flags: 'body' in options ? new Map() : flagsOf(made, spec.names),
      })
    } finally {
      stopProgress()
    }
  })
}

/** The flag for each name of the service: `--max-uses` is its `max_uses`, and `<amount>` its `amount`. */
function flagsOf(made: Command, names: Readonly<Record<string, string>> = {}): Map<string, string> {
  const options = made.options.flatMap((option) => {
    const flag = option.long ?? option.flags
    return [
      [option.attributeName(), flag],
      [flag.slice(2).replaceAll('-', '_'), flag],
    ] as const
  })
  const words = made.registeredArguments.map((one) => [one.name(), `<${one.name()}>`] as const)
  return new Map([...words, ...options, ...Object.entries(names)])
}

/** A command that acts for an account of a service. */
export const accountCommand = <Options extends AccountOptions>(
  spec: Parameters<typeof command<Options>>[0],
): Command =>
  command({
    ...spec,
    options: (made) => {
      spec.options?.(made)
      if (spec.isRepeatable) withKey(made)
      return made
        .option('--base-url <url>', 'the service (else PURSER_BASE_URL, else the local one)')
        .option('--key-file <file>', 'a 0600 file with the API key (else PURSER_API_KEY)')
        .option('--profile <name>', 'a sign-in of `purser login` (else PURSER_PROFILE)')
    },
  })

/** The option that names a request, so that it can be repeated. */
export const withKey = (made: Command): Command =>
  made.option('--idempotency-key <key>', 'repeat with the same key, and it is not done twice')

/** Commands under one noun. */
export function group(name: string, summary: string, commands: Command[]): Command {
  const made = new Command(name).description(summary)
  for (const each of commands) made.addCommand(each)
  return made
}

/** The option that chooses columns, and checks their names before anything is asked. */
function withColumns(made: Command, columns: readonly Column<never>[]): void {
  const known = columns.map(([title]) => columnName(title))
  const read = (text: string): string[] => {
    const names = text.split(',').map(columnName)
    const unknown = names.find((name) => !known.includes(name))
    if (unknown === undefined) return names
    throw new InvalidArgumentError(
      `There is no column "${unknown}". Choose from ${known.join(', ')}.`,
    )
  }
  made.option('--columns <names>', `only these columns, in this order: ${known.join(',')}`, read)
}

/** The options of a list that comes in pages. */
export const withPages = (made: Command, most = 100): Command =>
  made
    .option('--limit <n>', `at most so many, up to ${most.toLocaleString('en')}`, wholeNumber)
    .option('--after <id>', 'go on after this one, as the page before ends')

/** For commander: a whole number from the command line. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** For commander: a time, or the midnight (UTC) at which a day begins. */
export function time(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text)
  if (isTime && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
  throw new InvalidArgumentError('It must be a time, such as 2026-11-01 or 2026-11-01T08:00:00Z.')
}

/** Drops the fields of options that were left out. */
export function given<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
