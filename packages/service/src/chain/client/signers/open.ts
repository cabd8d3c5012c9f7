import { readFile, stat } from 'node:fs/promises'
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
      return localSigner(await readKeyFile(reference.path))
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

async function readKeyFile(path: string): Promise<Secret> {
  const text = (await readText(path)).trim()
  await refuseOthers(path)
  if (!isPrivateKey(text))
    throw new SignerError(
      `The file ${path} does not hold a private key as 0x and 64 hex characters.`,
    )
  return new Secret(text)
}

/** Refuses a key file that anyone but its owner may read. */
export async function refuseOthers(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if (mode & 0o077)
    throw new SignerError(`Others may read the key in ${path}: run chmod 600 "${path}".`)
}

async function readText(path: string): Promise<string> {
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
