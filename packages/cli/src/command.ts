import { Command } from 'commander'
import { checkNames } from './account/environment.ts'
import type { AccountOptions } from './context.ts'
import { report } from './fault.ts'
import { stopProgress } from './progress.ts'

/** A command with `--json` and an example in its help. A thrown error becomes one sentence and an exit code. */
export function command<Options extends { json?: boolean }>(spec: {
  name: string
  summary: string
  example: string
  options?: (command: Command) => Command
  /** Whether its request may be repeated under the same key; `connect` sends it. */
  isRepeatable?: boolean
  /** Returns the exit code, or nothing for 0. */
  run: (options: Options, ...args: string[]) => Promise<unknown>
}): Command {
  const made = new Command(spec.name)
    .description(spec.summary)
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nExample:\n  ${spec.example}`)
  spec.options?.(made)
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
      })
    } finally {
      stopProgress()
    }
  })
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
