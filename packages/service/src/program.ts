import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Db } from './base/db/sql.ts'
import { createEgress } from './base/egress/egress.ts'
import { armFault } from './base/kernel/fault-points.ts'
import { ConfigError, readConfig } from './run/config/config.ts'
import { settingsOf } from './run/config/settings.ts'
import { readClockOffset } from './run/embedded/dev/clock.ts'
import {
  acknowledgeAlarm,
  alarmsJson,
  alarmsText,
  listAlarms,
} from './run/operate/commands/alarms.ts'
import { type AnchorTo, anchorBooks, checkAnchor } from './run/operate/commands/anchor.ts'
import {
  backUp,
  backupText,
  isBackupOrder,
  isRestoreOrder,
  restore,
  restoredText,
} from './run/operate/commands/backup.ts'
import { doctorJson, doctorText, examine } from './run/operate/commands/doctor.ts'
import { feesJson, feesText, isFeesOrder, readFees, setFees } from './run/operate/commands/fees.ts'
import { makeFirstKey } from './run/operate/commands/first-key.ts'
import {
  identitiesJson,
  identitiesText,
  readNamedTokens,
  renameTokens,
} from './run/operate/commands/identities.ts'
import {
  isMerchantsOrder,
  merchantsJson,
  merchantsText,
  readMerchants,
  setMerchant,
} from './run/operate/commands/merchants.ts'
import {
  orderPayouts,
  PAYOUT_VERBS,
  type PayoutVerb,
  payoutsJson,
  payoutsText,
  readPayouts,
} from './run/operate/commands/payouts.ts'
import { isPlansOrder, orderPlans, plansJson, plansText } from './run/operate/commands/plans.ts'
import { isSalesOrder, orderSales, salesJson, salesText } from './run/operate/commands/sales.ts'
import {
  listSigningKeys,
  revoke,
  rotate,
  signingKeysJson,
  signingKeysText,
} from './run/operate/commands/signing-keys.ts'
import { verificationJson, verificationText, verifyBooks } from './run/operate/commands/verify.ts'
import type { Host } from './run/operate/host.ts'
import { SERVE_COMMAND } from './run/operate/processes/api-processes.ts'
import { answerCheck, CHECK_COMMAND } from './run/operate/processes/check-books.ts'
import { migrateDatabase } from './run/operate/processes/database.ts'
import { cutOffStart, takeSignals } from './run/operate/processes/signals.ts'
import {
  acceptSettings,
  compareSettings,
  settingsHere,
  settingsJson,
  settingsText,
} from './run/operate/start/agreed-settings.ts'
import { atRunningPort, attach } from './run/operate/start/attach.ts'
import { loadEnvFile } from './run/operate/start/env-file.ts'
import { sentenceOf } from './run/operate/start-error.ts'
import { USAGE } from './run/operate/usage.ts'

const host: Host = {
  pid: process.pid,
  program: basename(process.argv[1] ?? 'main.ts'),
  clock: { now: () => new Date() },
  env: process.env,
  fetch: globalThis.fetch,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
}

/** Runs until a signal, or until a part of the service is lost. Returns the exit code. */
async function start(): Promise<number> {
  const { stopping, asked } = takeSignals()
  const config = readConfig(process.env)
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
  await serveApi(readConfig(process.env), host, stopping.signal)
  process.disconnect?.()
  return 0
}

async function migrate(): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const { databaseUrl } = await attach(config, host, stack)
  await migrateDatabase(databaseUrl, config)
  host.print('The database is migrated.')
  return 0
}

async function verify(asJson: boolean, anchor: string | undefined): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const books = await attach(config, host, stack)
  const { db, chain, checkpointKeys: keys } = books
  const isEmbedded = config.chain.kind === 'embedded'
  const verification = await verifyBooks({ db, chain, keys, isEmbedded, at: await nowOf(db) })
  if (anchor !== undefined)
    verification.faults.push(
      ...(await checkAnchor(books, { where: anchor, read: (path) => readFile(path, 'utf8') })),
    )
  host.print(asJson ? verificationJson(verification) : verificationText(verification))
  const [first] = verification.faults
  if (first) host.complain(`${first.check}: ${first.fault}`)
  return first ? 1 : 0
}

async function anchor(to: AnchorTo, asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const books = await attach(config, host, stack)
  const egress = createEgress({ allow: config.egressAllow })
  const { seq, createdAt, mac } = await anchorBooks(books, await nowOf(books.db), { to, egress })
  const at = createdAt.toISOString()
  host.print(
    asJson
      ? JSON.stringify({ checkpoint: Number(seq), at, mac: mac.toString('hex') })
      : `Checkpoint ${seq} of ${at} is anchored.${to.chain ? ' A relayer writes it to the chain.' : ''}`,
  )
  return 0
}

/** The service's time. With the embedded chain its clock may have been moved. */
const nowOf = async ({ reader }: Db): Promise<Date> =>
  new Date(host.clock.now().getTime() + (await readClockOffset(reader)))

async function alarms(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const books = await attach(readConfig(process.env), host, stack)
  const [verb, id = '', flag, note = ''] = args
  const shown =
    verb === 'ack'
      ? [
          await acknowledgeAlarm(books, await nowOf(books.db), {
            id,
            note: flag === '--note' ? note : '',
          }),
        ]
      : await listAlarms(books)
  host.print(asJson ? alarmsJson(shown) : alarmsText(shown))
  return 0
}

async function payouts(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const books = await attach(readConfig(process.env), host, stack)
  const [verb, flag, note = ''] = args
  const states = verb
    ? await orderPayouts(books, await nowOf(books.db), {
        kind: verb as PayoutVerb,
        note: flag === '--note' ? note : '',
      })
    : await readPayouts(books)
  host.print(asJson ? payoutsJson(states) : payoutsText(states))
  return 0
}

async function signingKeys(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const books = await attach(readConfig(process.env), host, stack)
  const [verb, kid = ''] = args
  const at = await nowOf(books.db)
  const keys =
    verb === 'rotate'
      ? await rotate(books, at)
      : verb === 'revoke'
        ? await revoke(books, at, kid)
        : await listSigningKeys(books)
  host.print(asJson ? signingKeysJson(keys) : signingKeysText(keys))
  return 0
}

async function merchants(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const books = await attach(readConfig(process.env), host, stack)
  const flag = args.indexOf('--note')
  const note = flag < 0 ? '' : (args[flag + 1] ?? '')
  const [verb, wallet = '', mcc] = flag < 0 ? args : args.slice(0, flag)
  const shown =
    verb === undefined
      ? await readMerchants(books)
      : await setMerchant(books, await nowOf(books.db), { wallet, mcc: mcc ?? null, note })
  host.print(asJson ? merchantsJson(shown) : merchantsText(shown))
  return 0
}

async function fees(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const books = await attach(config, host, stack)
  const flag = args.indexOf('--note')
  const note = flag < 0 ? '' : (args[flag + 1] ?? '')
  const [verb, ...words] = flag < 0 ? args : args.slice(0, flag)
  const shown =
    verb === undefined
      ? await readFees(books, config.fee)
      : await setFees(books, await nowOf(books.db), { words, note }, config.fee)
  host.print(asJson ? feesJson(shown) : feesText(shown))
  return 0
}

async function plans(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const books = await attach(readConfig(process.env), host, stack)
  const shown = await orderPlans(books, await nowOf(books.db), args)
  host.print(asJson ? plansJson(books, shown) : plansText(books, shown))
  return 0
}

async function sales(args: string[], asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  if (config.fault) armFault(config.fault)
  const { db, chain } = await attach(config, host, stack)
  const books = { db, chain, settings: settingsOf(config, null) }
  const shown = await orderSales(books, await nowOf(db), args)
  host.print(asJson ? salesJson(shown) : salesText(shown))
  return 0
}

async function backup(file: string, asJson: boolean): Promise<number> {
  const written = await backUp(readConfig(process.env), host, file)
  host.print(asJson ? JSON.stringify(written) : backupText(written))
  return 0
}

async function firstKey(wallet: string): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = await atRunningPort(readConfig(process.env))
  const books = await attach(config, host, stack)
  host.print(JSON.stringify(await makeFirstKey(books, await nowOf(books.db), wallet, config)))
  return 0
}

async function restoreFrom([file = '', flag]: string[], asJson: boolean): Promise<number> {
  const order = { file, isReplacing: flag === '--replace' }
  const restored = await restore(readConfig(process.env), host, order)
  host.print(asJson ? JSON.stringify(restored) : restoredText(restored))
  return 0
}

async function identities(verb: string | undefined, asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = await atRunningPort(readConfig(process.env))
  const books = await attach(config, host, stack)
  const { publicUrl } = config
  const shown = await (verb === 'rename'
    ? renameTokens(books, await nowOf(books.db), publicUrl)
    : readNamedTokens(books))
  host.print(asJson ? identitiesJson(shown, publicUrl) : identitiesText(shown, publicUrl))
  return 0
}

async function settings(verb: string | undefined, asJson: boolean): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const { db, chain, secret } = await attach(config, host, stack)
  const here = settingsHere(config, { ...chain, secret })
  const different =
    verb === 'accept'
      ? await acceptSettings(db, await nowOf(db), here)
      : await compareSettings(db, here)
  const title = verb === 'accept' ? 'Accepted for every machine:' : 'This machine differs:'
  host.print(asJson ? settingsJson(different) : settingsText(different, title))
  return verb === 'accept' || different.length === 0 ? 0 : 1
}

async function doctor(asJson: boolean): Promise<number> {
  const self = { ...host, nodeVersion: process.versions.node }
  const checks = await examine(() => readConfig(process.env), self)
  host.print(asJson ? doctorJson(checks) : doctorText(checks))
  return checks.some(({ status }) => status === 'fail') ? 1 : 0
}

async function main(): Promise<number> {
  const [command = 'start', ...flags] = process.argv.slice(2)
  // A child process has its environment from its parent.
  if (!process.send) loadEnvFile()
  const asJson = flags.includes('--json')
  const rest = flags.filter((flag) => flag !== '--json')
  const [unknown] = rest
  if (command === 'alarms' && (rest.length === 0 || (unknown === 'ack' && rest.length <= 4)))
    return alarms(rest, asJson)
  const isSigningVerb =
    (unknown === 'rotate' && rest.length === 1) || (unknown === 'revoke' && rest.length === 2)
  if (command === 'signing-keys' && (rest.length === 0 || isSigningVerb))
    return signingKeys(rest, asJson)
  if (command === 'merchants' && isMerchantsOrder(rest)) return merchants(rest, asJson)
  if (command === 'fees' && isFeesOrder(rest)) return fees(rest, asJson)
  if (command === 'first-key' && rest.length === 1) return firstKey(rest[0] ?? '')
  if (command === 'backup' && isBackupOrder(rest)) return backup(rest[0] ?? '', asJson)
  if (command === 'restore' && isRestoreOrder(rest)) return restoreFrom(rest, asJson)
  if (command === 'plans' && isPlansOrder(rest)) return plans(rest, asJson)
  if (command === 'sales' && isSalesOrder(rest)) return sales(rest, asJson)
  const isPayoutVerb = PAYOUT_VERBS.some((verb) => verb === unknown) && rest.length <= 3
  if (command === 'payouts' && (rest.length === 0 || isPayoutVerb)) return payouts(rest, asJson)
  if (command === 'anchor') {
    const to = readAnchorTo(rest)
    if (to) return anchor(to, asJson)
  }
  if (command === 'verify' && unknown === '--anchor' && rest.length === 2)
    return verify(asJson, rest[1])
  if (command === 'identities' && (rest.length === 0 || (unknown === 'rename' && !rest[1])))
    return identities(unknown, asJson)
  if (command === 'settings' && (rest.length === 0 || (unknown === 'accept' && rest.length === 1)))
    return settings(unknown, asJson)
  if (unknown === undefined) {
    if (command === 'start' && !asJson) return start()
    if (command === SERVE_COMMAND && process.send) return serve()
    if (command === 'migrate' && !asJson) return migrate()
    if (command === CHECK_COMMAND && process.send) return answerCheck().then(() => 0)
    if (command === 'verify') return verify(asJson, undefined)
    if (command === 'doctor') return doctor(asJson)
  }
  if (command === '--help') {
    host.print(USAGE)
    return 0
  }
  host.complain(USAGE)
  return 2
}

/** Undefined if no place is named, or if there are other arguments. */
function readAnchorTo(args: string[]): AnchorTo | undefined {
  const to: AnchorTo = { chain: false }
  for (let i = 0; i < args.length; i++) {
    const value = args[i + 1]
    if (args[i] === '--chain') to.chain = true
    else if (args[i] === '--file' && value) to.file = value
    else if (args[i] === '--url' && value) to.url = value
    else return undefined
    if (args[i] !== '--chain') i++
  }
  return to.chain || to.file || to.url ? to : undefined
}

/** Does what the command line asks for, and ends the process. */
export async function runProgram(): Promise<never> {
  // A closed terminal takes no more lines, but that is no reason to stop halfway.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
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
