import { createRequire } from 'node:module'
import { StartError } from './start-error.ts'

/**
 * Throws a sentence unless secp256k1 was built for this machine. Without its native build the package silently falls
 * back to JavaScript, which is many times slower at recovering a signer.
 */
export function checkNativeBuild(): void {
  try {
    createRequire(import.meta.url)('secp256k1/bindings')
  } catch (cause) {
    throw new StartError(
      'The native build of secp256k1, which checks signatures, is missing for this machine: run "npm ci" again without --ignore-scripts, or "npm rebuild secp256k1" where a C++ compiler and Python are installed.',
      { cause },
    )
  }
}
