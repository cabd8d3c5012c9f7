import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../kernel/assets.ts'
import type { Secret } from '../../kernel/secrets.ts'
import type { Signer } from './signer.ts'

/** Signs with a private key that this process holds: 0x and 64 hex characters. */
export const localSigner = (key: Secret): Signer => privateKeyToAccount(key.reveal() as Hex)
