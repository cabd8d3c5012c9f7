import type { Address, Network } from './assets.ts'
import type { Amount } from './money.ts'
import type { Secret } from './secrets.ts'

/** The operator's settings, read and checked once at start. */
export type Settings = {
  version: string
  /** The base of every public link, without a trailing slash. */
  publicUrl: string
  network: Network
  /** `live` only on a public mainnet; it is part of every API key. */
  mode: 'live' | 'test'
  /** The embedded chain. The development operations (faucet, clock, mine) exist only with it. */
  embeddedRpcUrl: string | null
  /** Custodial fee on payments and link settlements. */
  fee: { bps: bigint; flat: Amount }
  /** The fee of a withdrawal, which is part of its amount, and the least amount. In base units of USDC. */
  withdrawal: { fee: Amount; minimum: Amount }
  /**
   * Which address the x402 facilitator pays for a key: `any`, or only the `wallet` of the key. After `waitMs` without a
   * block the caller is answered that its settlement is pending.
   */
  facilitator: { payTo: 'any' | 'wallet'; waitMs: number }
  /**
   * Limits of what relayers submit for others: the least amount of USDC, in base units, and the most gas that the payments
   * of one seller may burn in a day (UTC). Null is no limit.
   */
  gas: { minimum: Amount; sellerPerDay: bigint | null }
  /** Factories that may deploy the contract of a payer that is not deployed yet (ERC-6492), at our relayers' cost. */
  accountFactories: readonly Address[]
  explorerUrl: string | null
  rateLimitPerMinute: number
  /** Proxies in front of the service, as addresses or CIDR ranges. The caller that they report is trusted. */
  trustedProxies?: readonly string[]
  /** Who may read /metrics: callers with this token, everybody, or nobody. Nobody by default. */
  metrics?: Secret | 'open' | 'closed'
}
