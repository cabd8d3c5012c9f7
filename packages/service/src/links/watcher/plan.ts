import { type CreditLevel, finalityOf } from '../../chain/client/credit-level.ts'
import type { SeenTransfer } from '../../chain/client/watch.ts'
import type { TransferState, WatchedTransfer } from './store.ts'

/** A range of the chain as it was just read. */
export type View = {
  network: string
  from: bigint
  to: bigint
  /** Blocks up to this one no longer change. */
  safe: bigint
  finalized: bigint
  latest: bigint
  /** How long transfers of an asset wait. */
  levelsOf: (asset: string) => readonly CreditLevel[]
  transfers: SeenTransfer[]
}
export type Plan = {
  /** Rows to write unchanged. */
  rows: WatchedTransfer[]
  /** Transfers as deep in the chain as their amount requires, and not credited yet. */
  ready: WatchedTransfer[]
  /** Transfers credited earlier that are now in another block or in none. */
  alarms: WatchedTransfer[]
}

export const keyOf = (log: { txHash: string; logIndex: number }): string =>
  `${log.txHash} ${log.logIndex}`
const GIVEN: readonly TransferState[] = ['credited', 'passed_on', 'alarm']
const isGiven = (row: WatchedTransfer): boolean => GIVEN.includes(row.state)

/** Compares the chain's current transfers with the known ones. */
export function planOf(view: View, known: WatchedTransfer[]): Plan {
  const rows: WatchedTransfer[] = []
  const ready: WatchedTransfer[] = []
  const alarms: WatchedTransfer[] = []
  const before = new Map(known.map((row) => [keyOf(row), row]))
  const given = Map.groupBy(known.filter(isGiven), (row) => row.txHash)
  const shown = new Set(view.transfers.map(keyOf))
  for (const log of view.transfers) {
    const row = { network: view.network, ...log }
    const old = before.get(keyOf(log))
    // In another block the logs may have other numbers, so the whole transaction counts as credited.
    const isMoved = given.get(log.txHash)?.some((other) => other.blockHash !== log.blockHash)
    if (isMoved) {
      if (old?.state !== 'alarm') alarms.push({ ...(old ?? row), state: 'alarm' })
    } else if (old && old.blockHash === log.blockHash && !isOpen(old)) continue
    else if (log.blockNumber <= depthFor(view, log)) ready.push({ ...row, state: 'seen' })
    else rows.push({ ...row, state: 'seen' })
  }
  for (const old of known) {
    const isInRange = old.blockNumber >= view.from && old.blockNumber <= view.to
    if (!isInRange || shown.has(keyOf(old))) continue
    if (old.state === 'alarm' || old.state === 'orphaned') continue
    if (isGiven(old)) alarms.push({ ...old, state: 'alarm' })
    else rows.push({ ...old, state: 'orphaned' })
  }
  return { rows, ready, alarms }
}

/** The newest block from which the transfer may be credited. */
const depthFor = (
  { levelsOf, safe, finalized }: View,
  { asset, value }: Pick<SeenTransfer, 'asset' | 'value'>,
): bigint => (finalityOf(levelsOf(asset), value) === 'finalized' ? finalized : safe)

const isOpen = (row: WatchedTransfer): boolean => row.state === 'seen' || row.state === 'orphaned'
