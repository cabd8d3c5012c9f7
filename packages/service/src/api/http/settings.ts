import type { Address, Network } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Secret } from '../../base/kernel/secrets.ts'

/** `made`: by the first start on the embedded chain, in the data folder. */
export const KEY_SOURCES = ['made', 'environment', 'file', 'keystore', 'kms'] as const
export type KeySource = (typeof KEY_SOURCES)[number]

/** The operator's configuration, read and checked once at the start. */
export type Settings = {
  version: string
  /** The base of every public link, no trailing slash. */
  publicUrl: string
  /** Other names under which browsers may have a session. */
  hosts?: readonly string[]
  network: Network
  /** `live` only on a public mainnet; it is part of every API key. */
  mode: 'live' | 'test'
  /** The embedded chain. Development operations (faucet, clock, mine) exist only with it. */
  embeddedRpcUrl: string | null
  /** Custodial fee on payments and link settlements. */
  fee: { bps: bigint; flat: Amount }
  /** The fee of a withdrawal, and its least amount, in base units of USDC. The amount includes the fee. */
  withdrawal: { fee: Amount; minimum: Amount }
  /** The same for the service token, in its base units; not used without one. */
  tokenWithdrawal: { fee: Amount; minimum: Amount }
  /**
   * The most USDC that withdrawals take in 24 hours, in base units: of one wallet, and of all; null for no cap. And the seconds
   * after which withdrawals may go to an address that was added; null where they may go to any. And the amount of USDC above which
   * an operator approves them first; null for never.
   */
  payouts: {
    walletCap: Amount | null
    treasuryCap: Amount | null
    addressDelay: number | null
    approvalAbove: Amount | null
  }
  /**
   * Which addresses the x402 facilitator pays for a key: `any`, or the key's own `wallet` only. `waitMs` is how long a
   * caller waits for a block before the answer says that the settlement is pending.
   */
  facilitator: { payTo: 'any' | 'wallet'; waitMs: number }
  /**
   * Limits on gas spent for others: the least amount of USDC, in base units, and the most gas that the payments to one
   * seller may use in a UTC day; null for no limit.
   */
  gas: { minimum: Amount; sellerPerDay: bigint | null }
  /** Factories that may deploy a payer's contract wallet (ERC-6492). The relayers pay the gas. */
  accountFactories: readonly Address[]
  /** Limits of deliveries: requests a second to one host that answers; days that bodies are kept, null for ever. */
  webhooks: { hostRate: number; bodyDays: number | null }
  /** How many days events are kept in the feed; null for ever. */
  eventDays: number | null
  /** Every so many days the worker checks all of the books, and in every other hour what came since. */
  verifyDays: number
  /**
   * The CredentialMarket of this chain, and the operator's address that its fees go to, if there is one; null where cards are
   * sold in the books alone.
   */
  onChainSales: { market: Address; feeReceiver: Address | null } | null
  explorerUrl: string | null
  /**
   * The ERC-8004 registry of this network and the vault that holds identity tokens in it; null without a vault. `perDay`
   * bounds the mints, and the moves, that all wallets cause in a UTC day.
   */
  identity: { registry: Address; vault: Address; perDay: number } | null
  /** How many days the part of a token that its creator keeps must be locked. */
  vestingDays: number
  /** Lookups of credentials that a key has in a UTC day. */
  credentialLookups: number
  rateLimitPerMinute: number
  /** Wallets that may read the operator's pages. For others these do not exist. */
  operators: readonly Address[]
  /** Where the keys of this machine's accounts on chain come from. */
  keySources: { treasury: KeySource; relayers: KeySource }
  /** Proxies in front of the service, as addresses or CIDR ranges. The caller's address is read from their headers. */
  trustedProxies?: readonly string[]
  /** The readers of /metrics: callers with this token, everybody, or nobody. Nobody by default. */
  metrics?: Secret | 'open' | 'closed'
}
