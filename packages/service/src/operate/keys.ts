import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, isPrivateKey, type KeySource } from '../config.ts'
import type { Hex } from '../kernel/assets.ts'
import { deriveKey, randomHex, Secret } from '../kernel/secrets.ts'
import { chainStateFile, postgresDir, readJson, writeWhole } from './data-dir.ts'
import { codeOf, StartError } from './start-error.ts'

export type Keys = { secret: Secret; operatorKey: Secret; relayerKeys: Secret[] }
/** What is made on the first start, and kept in the data folder. */
type MadeKeys = { secret: string; operator_key: Hex }

const RELAYERS = 2
export const keysFile = (dataDir: string): string => join(dataDir, 'keys.json')

/** The keys of the service: those configured, and beside the embedded chain those made on the first start. */
export async function loadKeys({ chain, dataDir }: Config): Promise<Keys> {
  if (chain.kind === 'rpc')
    return distinct({
      secret: chain.secret,
      operatorKey: await readKey('PURSER_OPERATOR_KEY', chain.operatorKey),
      relayerKeys: await readRelayerKeys(chain.relayerKeys),
    })
  const isComplete = chain.secret && chain.operatorKey
  const made = isComplete ? undefined : await makeOrReadKeys(dataDir)
  const secret = chain.secret ?? new Secret(made?.secret ?? '')
  return distinct({
    secret,
    operatorKey: chain.operatorKey
      ? await readKey('PURSER_OPERATOR_KEY', chain.operatorKey)
      : new Secret(made?.operator_key ?? ''),
    relayerKeys: chain.relayerKeys
      ? await readRelayerKeys(chain.relayerKeys)
      : Array.from({ length: RELAYERS }, (_, i) => deriveAccount(secret, `relayer ${i}`)),
  })
}

/** The private key of an account of our own; but for odds of 2^-128 any 32 bytes are one. */
export const deriveAccount = (secret: Secret, purpose: string): Secret =>
  new Secret(`0x${deriveKey(secret, purpose).toString('hex')}`)

/** The treasury signs away money and a relayer's key is in every sender's hands: neither may do the other's job. */
function distinct(keys: Keys): Keys {
  const operator = BigInt(keys.operatorKey.reveal())
  if (keys.relayerKeys.some((key) => BigInt(key.reveal()) === operator))
    throw new StartError(
      'PURSER_RELAYER_KEYS must not hold PURSER_OPERATOR_KEY: give the relayers keys of their own.',
    )
  return keys
}

async function makeOrReadKeys(dataDir: string): Promise<MadeKeys> {
  const path = keysFile(dataDir)
  if (existsSync(path)) {
    await refuseOthers(path)
    const kept = await readJson<Partial<MadeKeys>>(path)
    const { secret = '', operator_key = '0x' } = kept ?? {}
    if (/^[0-9a-f]{64}$/.test(secret) && isPrivateKey(operator_key)) return { secret, operator_key }
    throw new StartError(`The keys in ${path} are damaged: restore that file from a backup.`)
  }
  if (existsSync(chainStateFile(dataDir)) || existsSync(join(postgresDir(dataDir), 'cluster')))
    throw new StartError(
      `The keys are gone from ${path}, while the money that they open is still there: restore that file from a backup, or move the data folder away to start afresh.`,
    )
  const made: MadeKeys = { secret: randomHex(32).slice(2), operator_key: randomHex(32) }
  await writeWhole(path, made)
  return made
}

const readRelayerKeys = (sources: readonly KeySource[]): Promise<Secret[]> =>
  Promise.all(sources.map((source) => readKey('PURSER_RELAYER_KEYS', source)))

async function readKey(variable: string, source: KeySource): Promise<Secret> {
  if (source.kind === 'hex') return source.key
  const { path } = source
  const text = await readFile(path, 'utf8').catch((error) => {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be read by this account'
    throw new StartError(
      `${variable} names the file ${path}, which ${why}: correct the path or its rights.`,
      {
        cause: error,
      },
    )
  })
  await refuseOthers(path)
  if (isPrivateKey(text.trim())) return new Secret(text.trim())
  throw new StartError(
    `${variable} names the file ${path}, which does not hold a private key as 0x and 64 hex characters.`,
  )
}

/** Refuses a file with a key that anyone but its owner may read. */
async function refuseOthers(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if (mode & 0o077)
    throw new StartError(`Others may read the key in ${path}: run chmod 600 "${path}".`)
}
