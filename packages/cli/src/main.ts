import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { loginCommand, logoutCommand } from './account/login.ts'
import { profileCommands } from './account/profiles.ts'
import { balanceCommand, holdingsCommand } from './commands/balance.ts'
import { cardCommands } from './commands/cards.ts'
import { demoCommand } from './commands/demo.ts'
import { exceptionCommands } from './commands/exceptions.ts'
import { keyCommands, sessionCommands } from './commands/keys.ts'
import { linkCommands } from './commands/links.ts'
import { mcpCommand } from './commands/mcp.ts'
import { operatorCommands, startCommand } from './commands/operate.ts'
import { payCommand } from './commands/pay.ts'
import { tokenCommands } from './commands/tokens.ts'
import { eventsCommand } from './events/events.ts'
import { listenCommand } from './events/listen.ts'
import { triggerCommand } from './events/trigger.ts'
import { webhookCommands } from './events/webhooks.ts'
import { crtCommands } from './markets/crt.ts'
import { marketCommands } from './markets/listings.ts'
import { apiCommand } from './operations/api.ts'
import { mountLines } from './operations/mount.ts'
import { agreementCommands } from './plans/agreements.ts'
import { membershipCommands } from './plans/membership.ts'
import { meterCommands } from './plans/meter.ts'
import { evidenceCommand, verifyEvidenceCommand } from './proof/evidence.ts'
import { verifyProofCommand } from './proof/verify.ts'
import { exportCommand } from './records/export.ts'
import { logsCommand } from './records/logs.ts'
import { completionCommand } from './shell/completion.ts'
import { openCommand } from './shell/open.ts'

const USAGE_EXIT = 2
/** By its name, so that the built program has no second manifest beside it. */
const { version } = createRequire(import.meta.url)('purser/package.json') as { version: string }
const NOTES = `
The service comes from --base-url, --profile, PURSER_BASE_URL,
PURSER_PROFILE, the local one ($PURSER_DATA_DIR/dev.json), or
the profile in use; the API key from --key-file, --profile,
PURSER_API_KEY, the local demo wallet, or a profile of it.

Example:
  npx purser demo`

/**
 * Runs the command in `argv`, which has the form of `process.argv`. Sets the exit code: 0, 1 for a failure, 2 for wrong
 * usage.
 */
export async function main(argv: string[]): Promise<void> {
  endWithReader()
  try {
    await createProgram().parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version are not errors. All other errors have been reported on stderr.
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT
  }
}

/** A reader that has seen enough, as `head`, closes the pipe. That is no failure. */
function endWithReader(): void {
  if (process.stdout.listenerCount('error') > 0) return
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** The commands by what they are for, as the help and docs/cli.md show them. */
const SECTIONS: readonly (readonly [heading: string, commands: readonly Command[]])[] = [
  ['Begin', [demoCommand, startCommand, loginCommand, logoutCommand, profileCommands, openCommand]],
  [
    'Pay',
    [
      balanceCommand,
      holdingsCommand,
      cardCommands,
      payCommand,
      mcpCommand,
      evidenceCommand,
      verifyEvidenceCommand,
      agreementCommands,
    ],
  ],
  ['Be paid', [linkCommands, exceptionCommands, tokenCommands, meterCommands, membershipCommands]],
  ['Trade', [marketCommands, crtCommands, verifyProofCommand]],
  [
    'Watch',
    [logsCommand, exportCommand, eventsCommand, listenCommand, triggerCommand, webhookCommands],
  ],
  ['Give access', [keyCommands, sessionCommands]],
  ['Protocols', [apiCommand]],
  ['Operate', operatorCommands],
]

/** Every command under one program. */
export function createProgram(): Command {
  const program = new Command('purser')
    .description('Payment infrastructure for AI agents, from the command line')
    .version(version)
    .addHelpText('after', NOTES)
  for (const [heading, commands] of SECTIONS) {
    program.commandsGroup(`${heading}:`)
    for (const each of commands) program.addCommand(each)
  }
  program.commandsGroup('Begin:')
  program.addCommand(completionCommand(() => program))
  program.commandsGroup('Watch:')
  mountLines(program)
  // A payment is looked up one at a time.
  for (const one of program.commands) if (one.name() === 'payments') one.alias('payment')
  for (const each of withChildren(program)) each.exitOverride()
  return program
}

const withChildren = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((child) => withChildren(child)),
]
