import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../../api/http/services.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { type Id, newId } from '../../../base/kernel/ids.ts'
import { amount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
  VALIDITY_MARGIN_SECONDS,
} from '../../../base/protocols/evm/eip3009/authorization.ts'
import { judgeSignature } from '../../../chain/client/accounts/judge-signature.ts'
import {
  gasOfTransfer,
  type SignedTransfer,
  simulateTransfer,
  transferCall,
} from '../../../chain/client/transfers/signed-transfer.ts'
import type { Funds } from '../../../chain/client/transfers/simulate.ts'
import { rationProblem } from '../../../chain/relay/gas/refusal.ts'
import {
  isMomentary,
  LOOK_AGAIN_MS,
  LOOKS_MOST,
  lockAndReserve,
} from '../../../chain/relay/gas/reserve.ts'
import type { Flight } from '../../../chain/relay/gas/store.ts'
import { queueSend } from '../../../chain/relay/send.ts'
import { finishAuthorization, sendRef } from './finish-authorization.ts'
import { checkOnChainMinimum } from './minimum.ts'
import { deleteAuthorization, findAuthorizationByNonce, insertAuthorization } from './store.ts'
import { finishDepositTask } from './tasks.ts'
import type { Funding } from './verify.ts'

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
  if (authorization.validBefore <= BigInt(unixSeconds(at)) + VALIDITY_MARGIN_SECONDS)
    throw new Problem(
      'authorization_rejected',
      'The authorization has expired or is about to. Sign one that is valid for a minute or more.',
    )
  const id = newId('dep', at)
  const taken = await takeAuthorization(services, at, { id, authorization, signed })
  reach('funding.authorization_stored')
  const other = taken ? undefined : await findAuthorizationByNonce(db.reader, key)
  return finishAuthorization(services, at, other?.id ?? id)
}

type Take = SignedTransfer & { id: Id<'dep'> }

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
  const { id, authorization } = take
  const { revert, funds } = await simulateTransfer(chain, take)
  if (revert)
    throw new Problem('authorization_rejected', `The token refuses this authorization: ${revert}.`)
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
    await queueSend(tx, at, { ref: sendRef(id), ...transferCall(chain, take) })
    await enqueue(tx, finishDepositTask, { id }, { delaySeconds: 15 })
    return 'new'
  })
  if (typeof outcome === 'string') return outcome === 'new'
  if (!isMomentary(outcome) || looks === LOOKS_MOST) throw rationProblem(outcome)
  await sleep(LOOK_AGAIN_MS)
  return takeAuthorization(services, at, take, looks + 1)
}

const flightOf = (
  { chain }: Services,
  { id, authorization, signed }: Take,
  funds: Funds,
): Flight => ({
  ref: sendRef(id),
  network: chain.network,
  token: chain.asset.contract,
  funds,
  payer: authorization.from,
  seller: authorization.from,
  nonce: authorization.nonce.toLowerCase() as Hex,
  amount: authorization.value,
  gas: gasOfTransfer(signed),
  validBefore: authorization.validBefore,
  isForeignToken: false,
})
