import type { Db } from '../../base/db/sql.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import type { Chain } from '../client/chain.ts'
import type { MinedTransaction, TransferLogAt } from '../client/reads.ts'
import type { Started } from '../relay/batch/store.ts'
import type { Ending } from '../relay/loop.ts'
import type { Relay } from '../relay/relay.ts'
import { findMinedHash, findSend, type SendState, transferLogOf } from '../relay/send.ts'
import { waitForSend } from '../relay/wait/wait-for-send.ts'
import { type ClaimedTransfer, readClaimedEnd, readClaimedStanding } from './reads/claimed.ts'

/** The parts of the service that carry a transfer. */
export type Here = { db: Db; chain: Chain; relay: Relay }

/** A claimed transfer, and what its room makes of each end. Every end is stored by a conditional update: one winner. */
export type Life<Outcome> = {
  /** The `ref` of its send. */
  ref: string
  transfer: ClaimedTransfer
  /** This caller claimed it, so the relay's last read counts. Others read again: a reorganization may have come since. */
  isOurs: boolean
  waitMs: number
  /** The transaction that was started with the claim. */
  started?: Started | undefined
  /** Ends it in the transaction that stores its block. An undefined outcome leaves the end to `onPaid` and the others. */
  withBlock?: Ending<string, Outcome | undefined> | undefined
  /** Asks the chain in its place; undefined for a chain that is silent, which leaves the transfer open. */
  ask?: (<T>(read: () => Promise<T>) => Promise<T | undefined>) | undefined
  onPaid(paid: Paid): Promise<Outcome>
  /** The chain will not make the transfer any more. */
  onRefused(): Promise<Outcome>
  /** No block has ended it in time. */
  onOpen(): Promise<Outcome>
}

/** A block holds the transfer in `log`. */
export type Paid = { kind: 'paid'; log: TransferLogAt; sent: SendState & { hash: Hex } } & (
  | { readBy: 'relay' }
  /** `own` is our transaction, if a block holds it. */
  | { readBy: 'chain'; own: MinedTransaction | undefined }
)

/** Submits a claimed transfer, waits for its block, and has its room store the end. Safe to run twice and at once. */
export async function followTransfer<Outcome>(here: Here, life: Life<Outcome>): Promise<Outcome> {
  const ask = life.ask ?? ((read) => read())
  const end = await ask(() => waitForEnd(here, life))
  if (!end) return life.onOpen()
  if (end.kind === 'stored') return end.outcome
  return end.kind === 'paid' ? life.onPaid(end) : life.onRefused()
}

async function waitForEnd<Outcome>(
  here: Here,
  life: Life<Outcome>,
): Promise<{ kind: 'stored'; outcome: Outcome } | Paid | { kind: 'refused' } | undefined> {
  const { ref, waitMs: timeoutMs, started, withBlock: ending, transfer } = life
  const waited = await waitForSend(here.relay, { ref, timeoutMs, started, ending })
  if ('outcome' in waited && waited.outcome) return { kind: 'stored', outcome: waited.outcome }
  const send = 'send' in waited ? waited.send : await findSend(here, ref)
  if (!send?.hash) return undefined
  const sent = { ...send, hash: send.hash }
  const log = life.isOurs ? transferLogOf(sent) : undefined
  if (log) return { kind: 'paid', log, sent, readBy: 'relay' }
  const end = await readClaimedEnd(here.chain, transfer, sent.hash)
  if (end.kind === 'paid') return { ...end, sent, readBy: 'chain' }
  return end.kind === 'refused' ? { kind: 'refused' } : undefined
}

/** A transfer that a block has shown, and what its room makes of what the safe block shows. */
export type Unconfirmed = Pick<Life<unknown>, 'ref' | 'transfer'> & {
  /** Unix seconds. */
  validBefore: bigint
  onFinal(log: TransferLogAt): Promise<void>
  /** A reorganization took it, and it can not be made any more. */
  onMissing(): Promise<void>
}

/** Looks once whether a safe block holds the transfer. True once that is known for good. */
export async function confirmTransfer(
  here: Here,
  { ref, transfer, validBefore, onFinal, onMissing }: Unconfirmed,
): Promise<boolean> {
  const sentHash = await findMinedHash(here, ref)
  const standing = await readClaimedStanding(here.chain, transfer, { sentHash, validBefore })
  if (standing.kind === 'open') return false
  await (standing.kind === 'paid' ? onFinal(standing.log) : onMissing())
  return true
}
