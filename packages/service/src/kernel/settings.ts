import type { Address, Network } from './assets.ts'
import type { Amount } from './money.ts'
import type { Secret } from './secrets.ts'

/** What the operator decided, read and checked once at the start. */
export type Settings = {
  version: string
  /** The base of every public link, no trailing slash. */
  publicUrl: string
  network: Network
  /** `live` only on a public mainnet; it is part of every API key. */
  mode: 'live' | 'test'
  /** The embedded chain, beside which alone the development operations (faucet, clock, mine) exist. */
  embeddedRpcUrl: string | null
  /** Custodial fee on payments and link settlements. */
  fee: { bps: bigint; flat: Amount }
  /** What a withdrawal costs, and the least that one may be, both in base units of USDC; the fee is part of the amount. */
  withdrawal: { fee: Amount; minimum: Amount }
  /**
   * Whom the x402 facilitator pays for a key: `any` address, or its own `wallet` alone; and how long a caller waits for
   * a block before it is told that its settlement is pending.
   */
  facilitator: { payTo: 'any' | 'wallet'; waitMs: number }
  /**
   * What relayers carry for others: the least amount of USDC, in base units, and the most gas that the payments of one
   * seller may burn in a day (UTC); null is no bound.
   */
  gas: { minimum: Amount; sellerPerDay: bigint | null }
  /** Factories that may deploy the contract of a payer that is not deployed yet (ERC-6492), at our relayers' cost. */
  accountFactories: readonly Address[]
  explorerUrl: string | null
  rateLimitPerMinute: number
  /** Proxies in front of the service, as addresses or CIDR ranges: whom they name as the caller is believed. */
  trustedProxies?: readonly string[]
  /** Who may read /metrics: whoever shows the token, anybody, or nobody (as without it). */
  metrics?: Secret | 'open' | 'closed'
}
