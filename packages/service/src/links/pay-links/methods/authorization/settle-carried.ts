import { setTimeout as sleep } from 'node:timers/promises'
import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import type { TransferAuthorization } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { assetOf, railOf } from '../../../../chain/client/rails.ts'
import { readLatest } from '../../../../chain/client/read-latest.ts'
import type { TransferLogAt } from '../../../../chain/client/reads.ts'
import { OTHERS_BLOCKS, searchFrom } from '../../../../chain/transfers/reads/schedule.ts'
import { findTransfer } from '../../../../chain/transfers/reads/standing.ts'
import { findSettlement } from '../../../../money/settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { exceptionProblem } from '../../../link/arrivals/exceptions.ts'
import { findException } from '../../../link/arrivals/store-exceptions.ts'
import type { AuthorizedOutcome, AuthorizedPayment } from '../../../link/signed-payment.ts'
import { findLinkById, type PayLink } from '../../../link/store.ts'
import { findLogUse } from '../../../link/store-logs.ts'
import { settleOnChain } from '../on-chain/settle.ts'

const WAIT_SECONDS = 12
const STEP_MS = 250

/**
 * Settles an authorization that was never claimed here but that the token has used. If it paid this link, someone else has
 * submitted it, and the money counts like any transfer: a demand for a new payment would make the client pay twice.
 * Undefined if it paid nothing here.
 */
export async function settleCarried(
  services: Uses<'chain' | 'clock' | 'db' | 'settings'>,
  at: Date,
  payment: AuthorizedPayment,
): Promise<AuthorizedOutcome | undefined> {
  const { clock } = services
  const log = await findCarriedLog(services, payment)
  if (!log) return undefined
  const end = addSeconds(clock.now(), WAIT_SECONDS)
  for (;;) {
    const outcome = await settleLog(services, at, { payment, log })
    if (outcome.kind !== 'pending' || clock.now() >= end) return outcome
    await sleep(STEP_MS)
  }
}

/** The settlement that such an authorization has made. Nothing is settled by it. */
export async function findCarriedSettlement(
  services: Uses<'chain' | 'db'>,
  link: PayLink,
  authorization: TransferAuthorization,
): Promise<LinkSettlement | undefined> {
  const { number: head } = await readLatest(services.chain)
  const log = await findCarriedLog(services, { link, authorization, head })
  const use = log && (await findLogUse(services.db.reader, { network: link.network, ...log }))
  return use?.settlementId ? findSettlement(services.db.reader, use.settlementId) : undefined
}

/** The transfer to the link that another sender has submitted. */
async function findCarriedLog(
  { chain }: Uses<'chain'>,
  { link, authorization, head }: Pick<AuthorizedPayment, 'link' | 'authorization' | 'head'>,
): Promise<TransferLogAt | undefined> {
  const { from, to, value, nonce } = authorization
  if (to !== link.payTo) return undefined
  const agreed = { from, to, value, nonce: nonce.toLowerCase() as typeof nonce }
  return findTransfer(railOf(chain, link.asset), agreed, searchFrom(head, OTHERS_BLOCKS))
}

type Carried = { payment: AuthorizedPayment; log: TransferLogAt }

/** The settlement that the log made, now or before; pending until its block is safe. */
async function settleLog(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  carried: Carried,
): Promise<AuthorizedOutcome> {
  const before = await findSettled(services, carried)
  if (before) return before
  const { link, authorization } = carried.payment
  const { txHash } = carried.log
  try {
    const outcome = await settleOnChain(services, at, { link, txHash, from: authorization.from })
    if (outcome.kind === 'exception')
      throw exceptionProblem(outcome.exception, assetOf(services.chain, link).decimals)
  } catch (error) {
    // The watcher was faster: what it made of the log is seen now.
    if (!(error instanceof Problem && error.code === 'already_settled')) throw error
  }
  return (await findSettled(services, carried)) ?? { kind: 'pending', settlement: null }
}

async function findSettled(
  services: Uses<'chain' | 'db'>,
  { payment, log }: Carried,
): Promise<AuthorizedOutcome | undefined> {
  const { db } = services
  const { link } = payment
  const use = await findLogUse(db.reader, { network: link.network, ...log })
  if (!use) return undefined
  if (use.exceptionId) {
    const exception = await findException(db.reader, use.exceptionId)
    assert(exception, 'exceptions stay')
    throw exceptionProblem(exception, assetOf(services.chain, link).decimals)
  }
  assert(use.settlementId, 'a log that was taken settled something or is an exception')
  const settlement = await findSettlement(db.reader, use.settlementId)
  const linkNow = await findLinkById(db.reader, link.id)
  assert(settlement && linkNow, 'settlements and links stay')
  return { kind: 'settled', settlement, link: linkNow }
}
