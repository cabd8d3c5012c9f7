import { basename } from 'node:path'
import { followedClock } from './base/kernel/clock.ts'
import { ConfigError, readConfig } from './run/config/config.ts'
import { withSecretFiles } from './run/config/secret-files.ts'
import type { Host } from './run/operate/host.ts'
import { askNamesSparingly } from './run/operate/names.ts'
import { SERVE_COMMAND } from './run/operate/processes/api-processes.ts'
import { answerCheck, CHECK_COMMAND } from './run/operate/processes/check-books.ts'
import { cutOffStart, takeSignals } from './run/operate/processes/signals.ts'
import { BOOKS } from './run/operate/program/books.ts'
import type { Command } from './run/operate/program/command.ts'
import { INSTALLATION } from './run/operate/program/installation.ts'
import { ORDERS } from './run/operate/program/orders.ts'
import { sentenceOf } from './run/operate/sentence.ts'
import { loadEnvFile } from './run/operate/start/env-file.ts'
import { USAGE } from './run/operate/usage.ts'

const host: Host = {
  pid: process.pid,
  program: basename(process.argv[1] ?? 'main.ts'),
  clock: followedClock(),
  env: process.env,
  fetch: globalThis.fetch,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
}

/** Runs until a signal, or until a part of the service is lost. Returns the exit code. */
async function start(): Promise<number> {
  const { stopping, asked } = takeSignals()
  const config = readConfig(host.env)
  // Imported only here, like `serve`: a command or a refused setting need not load the whole service.
  const { startService } = await import('./run/operate/start/start.ts')
  const starting = startService(config, host, stopping).catch((error) => {
    if (stopping.aborted) return undefined
    throw error
  })
  const service = await Promise.race([starting, cutOffStart(asked)])
  if (!service) {
    // Exit code 0 alone would look like a service that had nothing to do.
    host.complain(`The start was stopped by ${await asked} before the service was ready.`)
    return 0
  }
  const { signal, lost } = await Promise.race([
    asked.then((signal) => ({ signal, lost: undefined })),
    service.lost.then((lost) => ({ signal: undefined, lost })),
  ])
  if (lost) host.complain(lost)
  // A person at the terminal does not wait for load balancers.
  if (signal === 'SIGTERM') await Promise.race([service.leave(), service.lost])
  await service.stop(lost ?? 'Stopping')
  return lost ? 1 : 0
}

/**
 * Runs one of several processes on the port. A terminal's Ctrl-C reaches this process too, but only its parent stops
 * it.
 */
async function serve(): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', () => stopping.abort())
  const { serveApi } = await import('./run/operate/start/serve.ts')
  await serveApi(readConfig(host.env), host, stopping.signal)
  process.disconnect?.()
  return 0
}

const COMMANDS: Record<string, Command> = { ...ORDERS, ...BOOKS, ...INSTALLATION }

async function main(): Promise<number> {
  const [command = 'start', ...flags] = process.argv.slice(2)
  // A child process has its environment from its parent.
  if (!process.send) loadEnvFile()
  const isHelp = command === '--help' || flags.includes('--help')
  if (!isHelp) host.env = await withSecretFiles(process.env)
  const asJson = flags.includes('--json')
  const words = flags.filter((flag) => flag !== '--json')
  const code = Object.hasOwn(COMMANDS, command) && COMMANDS[command]?.(words, { host, asJson })
  if (code) return code
  if (words.length === 0) {
    if (command === 'start' && !asJson) return start()
    if (command === SERVE_COMMAND && process.send) return serve()
    if (command === CHECK_COMMAND && process.send) return answerCheck().then(() => 0)
  }
  if (command === '--help' || words[0] === '--help') {
    host.print(USAGE)
    return 0
  }
  host.complain(USAGE)
  return 2
}

/** Does what the command line asks for, and ends the process. */
export async function runProgram(): Promise<never> {
  // A closed terminal takes no more lines, but that is no reason to stop halfway.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  askNamesSparingly()
  try {
    process.exitCode = await main()
  } catch (error) {
    if (error instanceof ConfigError)
      host.complain(
        `The configuration is not right:\n${error.faults.map((f) => `  ${f}`).join('\n')}`,
      )
    else host.complain(sentenceOf(error))
    process.exitCode = 1
  }
  process.exit()
}
