import { createHash } from 'node:crypto'
import { type Id, idOf } from '../../base/kernel/ids.ts'

declare const brand: unique symbol
/** Names a fact of the chain, the same name at every reading. */
export type ChainFact = string & { readonly [brand]: 'chain-fact' }

/** A transfer on the chain, named by its log. */
export const logFact = (log: { network: string; txHash: string; logIndex: number }): ChainFact =>
  `${log.network}:${log.txHash}:${log.logIndex}` as ChainFact

/** Something else on the chain, by the parts of its name there. */
export const chainFact = (...parts: [string, ...string[]]): ChainFact =>
  parts.join(':') as ChainFact

/** The outcome of a signed transfer, by its nonce. */
export const nonceFact = (nonce: string): ChainFact => nonce as ChainFact

/** The id of such an event for a wallet. If a restored service reads the same fact again, the id is the same. */
export const factEventId = (type: string, walletAddress: string, fact: ChainFact): Id<'evt'> =>
  idOf('evt', createHash('sha256').update(`${type}\n${walletAddress}\n${fact}`).digest())
