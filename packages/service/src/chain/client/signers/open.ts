import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Secret } from '../../../base/kernel/secrets.ts'
import { openKept } from './kept.ts'
import { openKeystore } from './keystore.ts'
import { localSigner } from './local.ts'
import { isPrivateKey, type KeyReference } from './reference.ts'
import type { Signer } from './signer.ts'
import { SignerError } from './signer-error.ts'

/** The process's environment, or a substitute. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens the key that the operator configured. Throws a `SignerError` that says what to do if the key cannot be used.
 */
export async function openSigner(reference: KeyReference, env: Environment): Promise<Signer> {
  switch (reference.kind) {
    case 'hex':
      return localSigner(reference.key)
    case 'file':
      return localSigner(await readKeyFile(reference.path, env))
    case 'keystore':
      return localSigner(await readKeystore(reference.path, env))
    case 'kept':
      return openKept(reference)
  }
}

export const PASSPHRASE_VARIABLE = 'PURSER_KEYSTORE_PASSPHRASE'

async function readKeystore(path: string, env: Environment): Promise<Secret> {
  const passphrase = env[PASSPHRASE_VARIABLE]
  if (!passphrase)
    throw new SignerError(`Set ${PASSPHRASE_VARIABLE}: it opens the keystore ${path}.`)
  try {
    return await openKeystore(await readText(path), new Secret(passphrase))
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    throw new SignerError(`The keystore ${path} cannot be opened. ${error.message}`)
  }
}

async function readKeyFile(path: string, env: Environment): Promise<Secret> {
  const text = (await readText(path)).trim()
  await refuseOthers(path, env)
  if (!isPrivateKey(text))
    throw new SignerError(
      `The file ${path} does not hold a private key as 0x and 64 hex characters.`,
    )
  return new Secret(text)
}

/** Refuses a key file that anyone but its owner may read. A credential of systemd is this process's alone. */
export async function refuseOthers(path: string, env: Environment = {}): Promise<void> {
  if (process.platform === 'win32') return
  const info = await stat(path)
  if (info.mode & 0o077 && !isCredential(path, info, env))
    throw new SignerError(`Others may read ${path}: run chmod 600 "${path}".`)
}

/**
 * systemd gives a credential to root, mode 0440, and lets the service's account read it by an access list. The bits of the group
 * show the list's mask then, not what the group may do.
 */
const isCredential = (path: string, { mode, uid, gid }: Stats, env: Environment): boolean =>
  env.CREDENTIALS_DIRECTORY !== undefined &&
  dirname(resolve(path)) === resolve(env.CREDENTIALS_DIRECTORY) &&
  (mode & 0o777) === 0o440 &&
  uid === 0 &&
  gid === 0

/** The text of a file that holds a secret. Throws a `SignerError` that says what to do. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const isMissing = (cause as { code?: unknown }).code === 'ENOENT'
    throw new SignerError(
      `The file ${path} ${isMissing ? 'does not exist' : 'cannot be read by this account'}: correct the path or its rights.`,
      { cause },
    )
  }
}
