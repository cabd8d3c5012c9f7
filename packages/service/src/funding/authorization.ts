import { findAuthorizationUse, isAuthorizationUsed, readTransaction } from '../chain/reads.ts'
import { queueSend, sendAndWait } from '../chain/sender.ts'
import { simulateSend } from '../chain/simulate.ts'
import type { Services } from '../http/services.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import { type Id, newId } from '../kernel/ids.ts'
import { amount, ZERO } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import type { TransferAuthorization } from '../protocols/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../protocols/eip3009/calldata.ts'
import { creditDeposits } from './deposit.ts'
import {
  endAuthorization,
  findAuthorization,
  findAuthorizationByNonce,
  insertAuthorization,
} from './store.ts'
import { type Funding, verifyDeposit } from './verify.ts'

/** What one EIP-3009 transfer may burn; FiatToken needs 86,000 to 103,000. */
export const TRANSFER_GAS = 160_000n
const MARGIN_SECONDS = 6
const WAIT_MS = 8_000
/** How far before our own reverted transaction somebody else's is searched for: some hours on Base. */
const SEARCH_BLOCKS = 5_000n
const sendRef = (id: string): string => `deposit:${id}`

/**
 * A gasless deposit: the wallet's signed EIP-3009 transfer to the treasury, carried to the chain by a relayer and
 * credited once its block is safe. The same authorization again is the same deposit.
 */
export async function depositByAuthorization(
  services: Services,
  at: Date,
  asked: { walletAddress: string; authorization: TransferAuthorization; signature: Hex },
): Promise<Funding> {
  const { chain, db } = services
  const { authorization, signature } = asked
  if (authorization.from !== asked.walletAddress)
    throw new Problem(
      'invalid_field',
      'from must be your own wallet: only its transfers are credited to it.',
      { param: 'from' },
    )
  if (authorization.to !== chain.treasury.address)
    throw new Problem('invalid_field', `to must be the treasury, ${chain.treasury.address}.`, {
      param: 'to',
    })
  if (authorization.value <= 0n)
    throw new Problem('invalid_amount', 'value must be above zero, in base units.', {
      param: 'value',
    })
  const key = {
    walletAddress: asked.walletAddress,
    network: chain.network,
    asset: chain.asset.symbol,
    nonce: authorization.nonce,
  }
  const known = await findAuthorizationByNonce(db.reader, key)
  if (known) return finishAuthorization(services, at, known.id)
  if (authorization.validBefore <= BigInt(unixSeconds(at) + MARGIN_SECONDS))
    throw new Problem(
      'authorization_rejected',
      'The authorization has expired or is about to. Sign one that is valid for a minute or more.',
    )
  const data = transferWithAuthorizationData(authorization, signature)
  const refusal = await simulateSend(chain, { to: chain.asset.contract, data })
  if (refusal)
    throw new Problem('authorization_rejected', `The token refuses this authorization: ${refusal}.`)

  const id = newId('dep', at)
  const taken = await db.write(async (tx) => {
    const row = {
      ...key,
      id,
      amount: amount(authorization.value),
      validBefore: authorization.validBefore,
    }
    if (!(await insertAuthorization(tx, at, row))) return false
    await queueSend(tx, at, { ref: sendRef(id), to: chain.asset.contract, data, gas: TRANSFER_GAS })
    await enqueue(tx, 'finish_deposit', { id }, { key: sendRef(id), delaySeconds: 15 })
    return true
  })
  reach('funding.authorization_stored')
  const other = taken ? undefined : await findAuthorizationByNonce(db.reader, key)
  return finishAuthorization(services, at, other?.id ?? id)
}

/** Carries a taken authorization on from wherever it stands: send, wait for its block to be safe, credit. */
export async function finishAuthorization(
  services: Services,
  at: Date,
  id: Id<'dep'>,
): Promise<Funding> {
  const { chain, db } = services
  const row = await findAuthorization(db.reader, id)
  if (!row) return { status: 'pending', funded: ZERO }
  if (row.state === 'credited') return { status: 'confirmed', funded: row.amount }
  if (row.state === 'failed')
    throw new Problem('authorization_rejected', `The deposit failed: ${row.reason}.`)
  const sent = await sendAndWait(services, sendRef(id), WAIT_MS)
  if (!sent?.hash) return { status: 'pending', funded: ZERO }
  if (!sent.succeeded)
    return settleFailed(services, at, { id: row.id, blockNumber: sent.blockNumber ?? 0n })
  for (let waited = 0; waited < WAIT_MS; waited += 250) {
    const mined = await readTransaction(chain, sent.hash)
    if (mined?.isSafe) {
      reach('funding.before_credit')
      const funded = await db.write(async (tx) => {
        await endAuthorization(tx, id, { state: 'credited', reason: null })
        return creditDeposits(tx, at, { chain, walletAddress: row.walletAddress, mined })
      })
      reach('funding.after_credit')
      return { status: 'confirmed', funded }
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return { status: 'pending', funded: ZERO }
}

/** Our transaction was reverted. Where somebody else carried the same authorization, their transfer is the deposit. */
async function settleFailed(
  services: Services,
  at: Date,
  { id, blockNumber }: { id: Id<'dep'>; blockNumber: bigint },
): Promise<Funding> {
  const { chain, db } = services
  const row = await findAuthorization(db.reader, id)
  if (!row) throw new Error(`deposit authorization ${id} vanished`)
  const authorization = { from: row.walletAddress as Hex, nonce: row.nonce as Hex }
  const isUsed = await isAuthorizationUsed(chain, authorization.from, authorization.nonce)
  // It was not used when it was handed in, and RPCs refuse to search a whole chain.
  const fromBlock = blockNumber > SEARCH_BLOCKS ? blockNumber - SEARCH_BLOCKS : 0n
  const use = isUsed ? await findAuthorizationUse(chain, authorization, fromBlock) : undefined
  if (use) {
    const funding = await verifyDeposit(services, at, {
      walletAddress: row.walletAddress,
      txHash: use.txHash,
    })
    if (funding.status === 'confirmed')
      await db.write((tx) => endAuthorization(tx, id, { state: 'credited', reason: null }))
    return funding
  }
  const reason =
    'the chain reverted the transfer; the balance may have moved or the authorization been cancelled'
  await db.write((tx) => endAuthorization(tx, id, { state: 'failed', reason }))
  throw new Problem('authorization_rejected', `The deposit failed: ${reason}.`)
}
