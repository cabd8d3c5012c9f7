import type { Uses } from '../../api/http/services.ts'
import { assert } from '../../base/kernel/assert.ts'
import { addHours, unixSeconds } from '../../base/kernel/clock.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { readHead } from '../../chain/client/head.ts'
import { assetAt } from '../../chain/client/rails.ts'
import { readBlock } from '../../chain/client/reads.ts'
import { readFunds } from '../../chain/client/simulate.ts'
import { type BatchCall, pullCall } from '../../chain/relay/batch/contract.ts'
import { lockAndReserve } from '../../chain/relay/gas/reserve.ts'
import type { Flight } from '../../chain/relay/gas/store.ts'
import { readAllowance } from '../../chain/relay/pull/allowance.ts'
import { findMade, isSpent, type Made } from '../../chain/relay/pull/made.ts'
import { findOperator, type Operator, wouldMove } from '../../chain/relay/pull/operator.ts'
import { findSend, queueSend, sendAndWait, withdrawSend } from '../../chain/relay/send.ts'
import { wouldSettle } from '../../chain/transfers/reads/permit2.ts'
import { REORGANIZATION_BLOCKS } from '../../chain/transfers/reads/schedule.ts'
import { isSendSafe, isUnsent } from '../../chain/transfers/sends.ts'
import { confirmPull, failPull, free, losePull } from './end.ts'
import { type PullReason, pullSendRef } from './pull.ts'
import {
  findPull,
  lockPull,
  type Pull,
  savePullPlace,
  savePullReason,
  savePullSent,
} from './store.ts'

/** The time that one look waits for a block to hold the pull's transaction. */
const WAIT_MS = 6_000
/** Its transaction does not expire; the gas that it reserved is given back after this. */
const FLIGHT_HOURS = 24

/**
 * Advances a pull by one step. The contract's events and its record of spent references alone decide. Returns true once
 * nothing is left to do. Safe to repeat, and to run concurrently.
 */
export async function carryPull(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  chargeId: string,
): Promise<boolean> {
  const { chain, db } = services
  const pull = await findPull(db.reader, chargeId)
  if (!pull || pull.isSafe || pull.state === 'failed' || pull.state === 'missing') return true
  const operator = await findOperator(chain)
  if (!operator) {
    if (pull.state !== 'requested') return false
    await fail(services, at, { pull, from: ['requested'], reason: 'no_operator' })
    return true
  }
  const given = { pull, operator }
  const made = await findMade(chain, operator.contract, pull)
  if (pull.state === 'confirmed') return followConfirmed(services, at, { ...given, made })
  if (made.kind !== 'none') return takeMade(services, at, { ...given, made })
  const isOver = await (pull.state === 'sent' ? followSent : begin)(services, at, given)
  if (isOver) return true
  const now = await findMade(chain, operator.contract, pull)
  return now.kind === 'none' ? false : takeMade(services, at, { ...given, made: now })
}

type Given = { pull: Pull; operator: Operator }

/** Ends a pull whose reference the contract has spent. */
async function takeMade(
  services: Uses<'db' | 'log'>,
  at: Date,
  { pull, made }: { pull: Pull; made: Made },
): Promise<boolean> {
  if (made.kind === 'other') {
    services.log.error(
      { charge: pull.chargeId, token: pull.token },
      'a token moved another amount than a pull asked for: the charge is not paid, and its money is not booked',
    )
    await fail(services, at, { pull, from: ['requested', 'sent'], reason: 'other_amount' })
    return true
  }
  if (made.kind !== 'made') return false
  reach('pulls.before_confirm')
  await services.db.write((tx) => confirmPull(tx, at, { pull, made }))
  reach('pulls.after_confirm')
  return false
}

/** Queues the pull's transaction, unless the chain would refuse it now. */
async function begin(
  services: Uses<'chain' | 'db' | 'relay' | 'settings'>,
  at: Date,
  { pull, operator }: Given,
): Promise<boolean> {
  const { chain, db, settings } = services
  const call = callOf(chain, { pull, operator })
  const refusal = await findRefusal(chain, { pull, operator }, call)
  if (refusal) {
    await fail(services, at, { pull, from: ['requested'], reason: refusal })
    return true
  }
  const [funds, head] = await Promise.all([
    readFunds(chain, pull.token, pull.walletAddress),
    readHead(chain),
  ])
  const sent = { ...pull, attempts: pull.attempts + 1 }
  reach('pulls.before_send')
  const isQueued = await db.write(async (tx) => {
    const now = await lockPull(tx, pull.chargeId)
    if (now?.state !== 'requested' || now.attempts !== pull.attempts) return false
    const flight = flightOf(at, { pull: sent, call, funds })
    const refused = await lockAndReserve(tx, at, { flights: [flight], limits: settings.gas })
    const rationed = refused.get(flight.ref)
    if (rationed) {
      await savePullReason(tx, pull.chargeId, rationed.code)
      return false
    }
    await savePullSent(tx, pull, head.number)
    await queueSend(tx, at, { ref: flight.ref, ...call, onlyRelayer: operator.relayer })
    return true
  })
  if (!isQueued) return false
  reach('pulls.after_send')
  await sendAndWait(services.relay, pullSendRef(sent), WAIT_MS)
  return false
}

/** Looks after a pull whose transaction was queued and has moved nothing so far. */
async function followSent(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
  given: Given,
): Promise<boolean> {
  const { chain, db, relay } = services
  const { pull, operator } = given
  const ref = pullSendRef(pull)
  const send = await findSend(services, ref)
  assert(send, `a transaction of the pull of ${pull.chargeId} was queued`)
  if (send.state === 'mined') {
    if (!(await isSendSafe(chain, send)) || (await isSpentAtSafe(chain, given))) return false
    const reason = (await findRefusal(chain, given, callOf(chain, given))) ?? 'token_refused'
    await db.write(async (tx) => {
      if (await failPull(tx, at, { pull, from: ['sent'], reason }))
        await free(tx, at, pull, 'failed')
    })
    return true
  }
  if (isUnsent(send)) {
    const reason = await findRefusal(chain, { pull, operator }, callOf(chain, given))
    const isWithdrawn =
      reason !== undefined &&
      (await db.write(async (tx) => {
        if (!(await withdrawSend(tx, ref))) return false
        await free(tx, at, pull, 'unsent')
        return failPull(tx, at, { pull, from: ['sent'], reason })
      }))
    if (isWithdrawn) return true
  }
  await sendAndWait(relay, ref, WAIT_MS)
  return false
}

/** Looks after a booked pull until its block is safe. */
async function followConfirmed(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  at: Date,
  { pull, operator, made }: Given & { made: Made },
): Promise<boolean> {
  const { chain, db, relay, log } = services
  const { number: safe } = await readBlock(chain, 'safe')
  if (made.kind === 'made') {
    const { place } = made
    const isSafe = place.blockNumber <= safe && (await isSpentAtSafe(chain, { pull, operator }))
    if (isSafe || place.blockHash !== pull.blockHash)
      await db.write((tx) => savePullPlace(tx, { chargeId: pull.chargeId, place, isSafe }))
    if (isSafe) reach('pulls.after_safe')
    return isSafe
  }
  if (made.kind !== 'none') return false
  const send = await findSend(services, pullSendRef(pull))
  const isGone = send
    ? await isSendSafe(chain, send)
    : safe > (pull.blockNumber ?? 0n) + REORGANIZATION_BLOCKS
  if (isGone && !(await isSpentAtSafe(chain, { pull, operator }))) {
    log.error(
      { charge: pull.chargeId, txHash: pull.txHash },
      'a reorganization took a pull that was booked, and the wallet does not pay it any more',
    )
    return db.write((tx) => losePull(tx, at, pull))
  }
  if (send && send.state !== 'mined') await sendAndWait(relay, send.ref, WAIT_MS)
  return false
}

const fail = (
  services: Uses<'db'>,
  at: Date,
  of: Parameters<typeof failPull>[2],
): Promise<boolean> => services.db.write((tx) => failPull(tx, at, of))

const isSpentAtSafe = (chain: Chain, { pull, operator }: Given): Promise<boolean> =>
  isSpent(chain, operator.contract, { ref: pull.ref, blockTag: 'safe' })

const callOf = (chain: Chain, { pull, operator }: Given): BatchCall =>
  pullCall(operator.contract, pull.token, [
    {
      ...{ from: pull.walletAddress, to: chain.treasury.address },
      ...{ value: pull.amount, ref: pull.ref },
    },
  ])

/** Why the pull would move nothing now; undefined if it would. Nothing is sent that the chain would refuse. */
async function findRefusal(
  chain: Chain,
  { pull, operator }: Given,
  call: BatchCall,
): Promise<PullReason | undefined> {
  const made = { ...call, by: operator.relayer }
  const agreed = { from: pull.walletAddress, to: chain.treasury.address, value: pull.amount }
  // USDC's answer is enough. Another token may take a fee that neither its answer nor its log shows.
  const isGood = await (assetAt(chain, pull.token)
    ? wouldMove(chain, made)
    : wouldSettle(chain, made, { ...agreed, token: pull.token }))
  if (isGood) return undefined
  const [{ allowance }, { balance }] = await Promise.all([
    readAllowance(chain, pull.walletAddress, { contract: pull.token }),
    readFunds(chain, pull.token, pull.walletAddress),
  ])
  if (allowance < pull.amount) return 'insufficient_allowance'
  return balance < pull.amount ? 'insufficient_balance' : 'token_refused'
}

const flightOf = (
  at: Date,
  { pull, call, funds }: { pull: Pull; call: BatchCall; funds: Flight['funds'] },
): Flight => ({
  ...{ ref: pullSendRef(pull), network: pull.network, token: pull.token, funds },
  ...{ payer: pull.walletAddress, seller: pull.walletAddress, nonce: pull.ref },
  ...{ amount: pull.amount, gas: call.gas, isForeignToken: false },
  validBefore: BigInt(unixSeconds(addHours(at, FLIGHT_HOURS))),
})
