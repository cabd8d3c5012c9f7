import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from '../../base/kernel/assets.ts'
import { deriveKey, randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { localSigner } from '../../chain/client/signers/local.ts'
import { type Environment, openSigner, refuseOthers } from '../../chain/client/signers/open.ts'
import { isPrivateKey, type KeyReference } from '../../chain/client/signers/reference.ts'
import type { Signer } from '../../chain/client/signers/signer.ts'
import { SignerError } from '../../chain/client/signers/signer-error.ts'
import type { Config } from '../config/config.ts'
import { chainStateFile, postgresDir, readJson, writeWhole } from './data-dir.ts'
import { StartError } from './start-error.ts'

export type Keys = {
  secrets: Keyring
  treasury: Signer
  relayers: Signer[]
  /** The key of the demo wallet of a development service. */
  demo: Secret
  /** The keys from which links' addresses were derived whose secrets were replaced. */
  depositRoots: readonly Buffer[]
}
/** Accounts of the embedded chain that are derived from the service's secret. */
export type Accounts = { relayers: Secret[]; demo: Secret }
/** The keys that the first start makes and keeps in the data folder. */
type MadeKeys = { secret: string; operator_key: Hex }

/** Each relayer has its own sequence of nonces. */
const RELAYERS = 4
export const keysFile = (dataDir: string): string => join(dataDir, 'keys.json')

/**
 * The keys of the service: the configured ones, and with the embedded chain those made on the first start. Throws an
 * error for an unusable key; its message says what to do.
 */
export async function loadKeys(
  { chain, dataDir }: Config,
  { env }: { env: Environment },
): Promise<Keys> {
  const needsMade = chain.kind === 'embedded' && !(chain.secrets && chain.operatorKey)
  const made = needsMade ? await makeOrReadKeys(dataDir) : undefined
  const secrets = new Keyring(chain.secrets ?? [new Secret(made?.secret ?? '')])
  const accounts = accountsOf(secrets.current)
  const openRelayer = (key: KeyReference) => openKey('PURSER_RELAYER_KEYS', key, env)
  return distinct({
    secrets,
    treasury: chain.operatorKey
      ? await openKey('PURSER_OPERATOR_KEY', chain.operatorKey, env)
      : localSigner(new Secret(made?.operator_key ?? '')),
    relayers: chain.relayerKeys
      ? await Promise.all(chain.relayerKeys.map(openRelayer))
      : accounts.relayers.map(localSigner),
    demo: accounts.demo,
    depositRoots: [],
  })
}

export const accountsOf = (secret: Secret): Accounts => ({
  relayers: Array.from({ length: RELAYERS }, (_, i) => deriveAccount(secret, `relayer ${i}`)),
  demo: deriveAccount(secret, 'demo wallet'),
})

/** A new private key. Any 32 bytes are one, except with a probability of 2^-128. */
const deriveAccount = (secret: Secret, purpose: string): Secret =>
  new Secret(`0x${deriveKey(secret, purpose).toString('hex')}`)

/** The treasury's key signs money away, and every sender has the relayers' keys: the two must differ. */
function distinct(keys: Keys): Keys {
  if (keys.relayers.some(({ address }) => address === keys.treasury.address))
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

async function openKey(
  variable: string,
  reference: KeyReference,
  env: Environment,
): Promise<Signer> {
  try {
    return await openSigner(reference, env)
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    throw new StartError(`${variable}: ${error.message}`, { cause: error })
  }
}
