import { readNow } from '../../../base/db/clock.ts'
import { readConfig } from '../../config/config.ts'
import { doctorJson, doctorText, examine } from '../commands/doctor.ts'
import { makeFirstKey } from '../commands/first-key.ts'
import {
  identitiesJson,
  identitiesText,
  readNamedTokens,
  renameTokens,
} from '../commands/identities.ts'
import { isSecretOrder, orderSecret } from '../commands/secret.ts'
import {
  acceptSettings,
  compareSettings,
  settingsHere,
  settingsJson,
  settingsText,
} from '../start/agreed-settings.ts'
import { atRunningPort, attachAnyhow } from '../start/attach.ts'
import { type Call, type Command, printFrom } from './command.ts'

async function firstKey(wallet: string, { host }: Call): Promise<number> {
  const config = await atRunningPort(readConfig(host.env))
  return printFrom(
    host,
    async (books) => JSON.stringify(await makeFirstKey(books, books.at, wallet, config)),
    config,
  )
}

async function identities(verb: string | undefined, { host, asJson }: Call): Promise<number> {
  const config = await atRunningPort(readConfig(host.env))
  const { publicUrl } = config
  return printFrom(
    host,
    async (books) => {
      const shown = await (verb === 'rename'
        ? renameTokens(books, books.at, publicUrl)
        : readNamedTokens(books))
      return asJson ? identitiesJson(shown, publicUrl) : identitiesText(shown, publicUrl)
    },
    config,
  )
}

async function settings([verb, flag]: string[], { host, asJson }: Call): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(host.env)
  const { db, chain, secrets, checkpointKeys } = await attachAnyhow(config, host, stack)
  const here = settingsHere(config, { ...chain, secrets })
  const isSecretLost = flag === '--secret-lost'
  const given = { here, secrets, checkpointKeys, isSecretLost }
  const different =
    verb === 'accept'
      ? await acceptSettings(db, await readNow(db.reader), given)
      : await compareSettings(db, here)
  const title = verb === 'accept' ? 'Accepted for every machine:' : 'This machine differs:'
  host.print(asJson ? settingsJson(different) : settingsText(different, title))
  return verb === 'accept' || different.length === 0 ? 0 : 1
}

const secret: Command = (args, { host, asJson }) => {
  if (!isSecretOrder(args)) return undefined
  return printFrom(host, (books) =>
    orderSecret(books, () => readNow(books.db.reader), { args, asJson, terminal: process.stderr }),
  )
}

async function doctor({ host, asJson }: Call): Promise<number> {
  const self = { ...host, nodeVersion: process.versions.node }
  const checks = await examine(() => readConfig(host.env), self)
  host.print(asJson ? doctorJson(checks) : doctorText(checks))
  return checks.some(({ status }) => status === 'fail') ? 1 : 0
}

/** Commands about this installation: its settings, secrets, addresses and health. */
export const INSTALLATION: Record<string, Command> = {
  doctor: (words, call) => (words.length === 0 ? doctor(call) : undefined),
  'first-key': (words, call) => (words.length === 1 ? firstKey(words[0] ?? '', call) : undefined),
  identities([verb, ...more], call) {
    if (verb !== undefined && (verb !== 'rename' || more.length > 0)) return undefined
    return identities(verb, call)
  },
  settings(words, call) {
    const [verb, flag, ...more] = words
    const isAccept = verb === 'accept' && (!flag || flag === '--secret-lost') && more.length === 0
    return words.length === 0 || isAccept ? settings(words, call) : undefined
  },
  secret,
}
