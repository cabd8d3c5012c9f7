import type { LocalAccount } from 'viem/accounts'

/** A key that signs, wherever it is kept. */
export type Signer = Pick<LocalAccount, 'address' | 'signTypedData' | 'signTransaction'> & {
  /** Whether this process holds the key, so that signing takes no time and needs no other service. */
  readonly isInProcess?: boolean
}
