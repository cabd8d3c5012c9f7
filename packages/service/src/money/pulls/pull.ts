import type { Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { keccak } from '../../base/protocols/evm/keccak.ts'
import { insertPull, lockPull, type Pull, renewPull } from './store.ts'
import { carryPullTask } from './tasks.ts'

/** The reference under which the contract moves the money of one period, once. */
export const pullRefOf = (agreementId: string, periodKey: string): Hex =>
  `0x${keccak(Buffer.from(`${agreementId}:${periodKey}`)).toString('hex')}`

export type PullRequest = {
  chargeId: string
  agreementId: string
  periodKey: string
  walletAddress: Address
  amount: Amount
  asset: Asset
}

/**
 * Requests that the wallet's allowance pays one charge. Nothing is sent in this transaction; `pullEnded` tells the end. A
 * charge whose pull failed may be requested again; while a pull is on its way, or has moved money, this changes nothing.
 */
export async function requestPull(tx: Tx, at: Date, request: PullRequest): Promise<void> {
  const { asset, ...rest } = request
  assert(request.amount > 0n, 'a pull moves money')
  const isNew = await insertPull(tx, at, {
    ...rest,
    ref: pullRefOf(request.agreementId, request.periodKey),
    network: asset.network,
    asset: asset.symbol,
    token: asset.contract,
  })
  if (!isNew) {
    const known = await lockPull(tx, request.chargeId)
    assert(
      known?.walletAddress === request.walletAddress && known.token === asset.contract,
      `the charge ${request.chargeId} is of another wallet or token`,
    )
    if (!(await renewPull(tx, request.chargeId, request.amount))) return
  }
  await enqueue(tx, carryPullTask, { charge_id: request.chargeId })
}

/** Why a pull has moved nothing, in a word that callers are shown. */
export type PullReason =
  | 'insufficient_allowance'
  | 'insufficient_balance'
  /** The token refuses the transfer: it is paused, or blocks the wallet. */
  | 'token_refused'
  /** The token moved another amount than it was asked for. */
  | 'other_amount'
  /** The service has no contract by which it could pull. */
  | 'no_operator'
  /** A reorganization took the block, and the transfer was not made again. */
  | 'reorganized'

/** The `ref` of the newest transaction that was queued for the pull. */
export const pullSendRef = ({ chargeId, attempts }: Pick<Pull, 'chargeId' | 'attempts'>): string =>
  `pull:${chargeId}:${attempts}`
