import type { Db } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import type { Chain } from '../client/chain.ts'
import type { Settler } from './batch/settler.ts'
import type { HeadCache } from './head.ts'
import type { Loop } from './loop.ts'

/** The part of a logger that the relay uses. */
export type RelayLog = {
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export type RelayOptions = {
  /** The address of BatchSettler on this chain. Its code is checked before it is used. */
  settler?: Address | undefined
  /** 5 if not given. */
  replaceAfterBlocks?: number | undefined
  /** Callers wait so many times as long for a block before they answer that it is pending; 1 if not given. */
  patience?: number | undefined
}

/** Delivers calls to the chain in transactions of our relayers. One value a process and database pool. */
export type Relay = {
  readonly db: Db
  readonly chain: Chain
  readonly log: RelayLog | undefined
  /** A transaction that no block has taken after so many blocks is signed again with higher fees. */
  readonly replaceAfterBlocks: number
  readonly patience: number
  /** The contract through which sends share transactions. */
  readonly settler: Settler
  /** The newest block as the relay last saw it. */
  readonly heads: HeadCache
  /** The callers of this process that wait for their sends. */
  readonly waiting: { loop?: Loop }
}

type Parts = { db: Db; chain: Chain; log?: RelayLog | undefined }

/** Makes the relay. Nothing is asked or sent yet. */
export const createRelay = ({ db, chain, log }: Parts, options: RelayOptions = {}): Relay => ({
  db,
  chain,
  log,
  replaceAfterBlocks: options.replaceAfterBlocks ?? 5,
  patience: options.patience ?? 1,
  settler: { address: options.settler },
  heads: {},
  waiting: {},
})
