import { setTimeout as sleep } from 'node:timers/promises'
import { judgeSignature } from '../../chain/accounts/judge-signature.ts'
import { findAuthorizationUse, isAuthorizationUsed, readTransaction } from '../../chain/reads.ts'
import { transferCall } from '../../chain/transfers/signed-transfer.ts'
import { type Funds, readFunds, simulateSend } from '../../chain/transfers/simulate.ts'
import type { Services } from '../../http/services.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Hex } from '../../kernel/assets.ts'
import { unixSeconds } from '../../kernel/clock.ts'
import { reach } from '../../kernel/fault-points.ts'
import { type Id, newId } from '../../kernel/ids.ts'
import { amount, ZERO } from '../../kernel/money.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
} from '../../protocols/evm/eip3009/authorization.ts'
import { rationProblem } from '../../relay/gas/refusal.ts'
import {
  isMomentary,
  LOOK_AGAIN_MS,
  LOOKS_MOST,
  lockAndReserve,
  release,
} from '../../relay/gas/reserve.ts'
import type { Flight, FlightOutcome } from '../../relay/gas/store.ts'
import { queueSend, sendAndWait } from '../../relay/send.ts'
import { creditDeposits } from './deposit.ts'
import { checkOnChainMinimum } from './minimum.ts'
import {
  deleteAuthorization,
  endAuthorization,
  findAuthorization,
  findAuthorizationByNonce,
  insertAuthorization,
} from './store.ts'
import { finishDepositTask } from './tasks.ts'
import { type Funding, verifyDeposit } from './verify.ts'

/** The most gas for one EIP-3009 transfer; FiatToken needs 86,000 to 103,000. */
export const TRANSFER_GAS = 160_000n
const MARGIN_SECONDS = 6
const WAIT_MS = 8_000
/**
 * The number of blocks before our own reverted transaction in which another sender's is searched: some hours on Base.
 */
const SEARCH_BLOCKS = 5_000n
const sendRef = (id: string): string => `deposit:${id}`

/**
 * A gasless deposit: a relayer submits the wallet's signed EIP-3009 transfer to the treasury, which is credited once
 * its block is safe. The same authorization again is the same deposit.
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
  checkOnChainMinimum(services, authorization.value, 'value')
  const digest = authorizationDigest(chain.asset, authorization)
  const presented = { signer: authorization.from, digest, signature }
  const signed = await judgeSignature(chain, presented, [])
  if (!signed.ok)
    throw new Problem(
      'authorization_rejected',
      'The signature is not that of your wallet. Sign the authorization with its key; a contract wallet must be deployed.',
    )
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
  const { data } = transferCall(chain, { authorization, signed })
  const id = newId('dep', at)
  const taken = await takeAuthorization(services, at, { id, authorization, data })
  reach('funding.authorization_stored')
  const other = taken ? undefined : await findAuthorizationByNonce(db.reader, key)
  return finishAuthorization(services, at, other?.id ?? id)
}

type Take = { id: Id<'dep'>; authorization: TransferAuthorization; data: Hex }

/**
 * Stores the deposit with its send, and reserves its gas and its share of the wallet's balance. Answers false if it was
 * taken before.
 */
async function takeAuthorization(
  services: Services,
  at: Date,
  take: Take,
  looks = 1,
): Promise<boolean> {
  const { chain, db, settings } = services
  const { id, authorization, data } = take
  const call = { to: chain.asset.contract, data, gas: TRANSFER_GAS }
  const [refusal, funds] = await Promise.all([
    simulateSend(chain, call),
    readFunds(chain, chain.asset.contract, authorization.from),
  ])
  if (refusal)
    throw new Problem('authorization_rejected', `The token refuses this authorization: ${refusal}.`)
  const flight = flightOf(services, take, funds)
  const { from: walletAddress, nonce, validBefore } = authorization
  const outcome = await db.write(async (tx) => {
    const { network, asset } = chain
    const row = { id, walletAddress, network, asset: asset.symbol, nonce, validBefore }
    const value = amount(authorization.value)
    if (!(await insertAuthorization(tx, at, { ...row, amount: value }))) return 'taken'
    const refused = await lockAndReserve(tx, at, { flights: [flight], limits: settings.gas })
    const rationed = refused.get(flight.ref)
    if (rationed) {
      await deleteAuthorization(tx, id)
      return rationed
    }
    await queueSend(tx, at, { ref: sendRef(id), ...call })
    await enqueue(tx, finishDepositTask, { id }, { delaySeconds: 15 })
    return 'new'
  })
  if (typeof outcome === 'string') return outcome === 'new'
  if (!isMomentary(outcome) || looks === LOOKS_MOST) throw rationProblem(outcome)
  await sleep(LOOK_AGAIN_MS)
  return takeAuthorization(services, at, take, looks + 1)
}

const flightOf = ({ chain }: Services, { id, authorization }: Take, funds: Funds): Flight => ({
  ...{ ref: sendRef(id), network: chain.network, token: chain.asset.contract, funds },
  ...{ payer: authorization.from, seller: authorization.from },
  nonce: authorization.nonce.toLowerCase() as Hex,
  amount: authorization.value,
  ...{ gas: TRANSFER_GAS, validBefore: authorization.validBefore, isForeignToken: false },
})

const releaseDeposit = (services: Services, at: Date, id: string, outcome: FlightOutcome) =>
  services.db.write((tx) => release(tx, at, [{ ref: sendRef(id), outcome }]))

/** Continues a taken authorization from its current state: send, wait for its block to be safe, credit. */
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
  const sent = await sendAndWait(services.relay, sendRef(id), WAIT_MS)
  if (!sent?.hash) return { status: 'pending', funded: ZERO }
  if (!sent.succeeded)
    return settleFailed(services, at, { id: row.id, blockNumber: sent.blockNumber ?? 0n })
  // From this block on the chain's balance shows the transfer. The rest only waits until the block is safe.
  await releaseDeposit(services, at, id, 'settled')
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

/** Our transaction was reverted. If somebody else submitted the same authorization, their transfer is the deposit. */
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
  // The authorization was unused when it arrived, and RPCs refuse to search a whole chain.
  const fromBlock = blockNumber > SEARCH_BLOCKS ? blockNumber - SEARCH_BLOCKS : 0n
  const use = isUsed ? await findAuthorizationUse(chain, authorization, fromBlock) : undefined
  if (use) {
    const funding = await verifyDeposit(services, at, {
      walletAddress: row.walletAddress,
      txHash: use.txHash,
    })
    await releaseDeposit(services, at, id, 'over')
    if (funding.status === 'confirmed')
      await db.write((tx) => endAuthorization(tx, id, { state: 'credited', reason: null }))
    return funding
  }
  const reason =
    'the chain reverted the transfer; the balance may have moved or the authorization been cancelled'
  await db.write(async (tx) => {
    await endAuthorization(tx, id, { state: 'failed', reason })
    await release(tx, at, [{ ref: sendRef(id), outcome: 'failed' }])
  })
  throw new Problem('authorization_rejected', `The deposit failed: ${reason}.`)
}
