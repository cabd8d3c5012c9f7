import { type Static, Type } from 'typebox'
import { AddressField, BytesField, HashField } from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { amount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import {
  authorizationDigest,
  type TransferAuthorization,
  VALIDITY_MARGIN_SECONDS,
} from '../../../base/protocols/evm/eip3009/authorization.ts'
import { judgeSignature } from '../../../chain/client/accounts/judge-signature.ts'
import type { Rail } from '../../../chain/client/chain.ts'
import { defaultRail, railOf } from '../../../chain/client/rails.ts'
import { personAddress } from '../../../chain/client/reads.ts'
import type { Funds } from '../../../chain/client/simulate.ts'
import { rationProblem } from '../../../chain/relay/gas/relayer-gas.ts'
import { lockAndReserve, type Rationed } from '../../../chain/relay/gas/reserve.ts'
import type { Flight } from '../../../chain/relay/gas/store.ts'
import { queueSend } from '../../../chain/relay/send.ts'
import {
  gasOfTransfer,
  type SignedTransfer,
  simulateTransfer,
  transferCall,
} from '../../../chain/transfers/looks/signed-transfer.ts'
import { searchFrom } from '../../../chain/transfers/reads/schedule.ts'
import { over, runTransfer } from '../../../chain/transfers/run.ts'
import { finishAuthorization, lifeOf, PENDING, sendRef } from './finish-authorization.ts'
import { checkOnChainMinimum } from './minimum.ts'
import {
  type DepositAuthorization,
  deleteAuthorization,
  findAuthorizationByNonce,
  insertAuthorization,
} from './store.ts'
import { finishDepositTask } from './tasks.ts'
import type { Funding } from './verify.ts'

/**
 * A gasless deposit: a relayer submits the wallet's signed EIP-3009 transfer to the treasury, which is credited once
 * its block is safe. The same authorization again is the same deposit.
 */
export async function depositByAuthorization(
  services: Uses<'chain' | 'db' | 'relay' | 'settings'>,
  at: Date,
  asked: { walletAddress: string; authorization: TransferAuthorization; signature: Hex },
): Promise<Funding> {
  const { db } = services
  const rail = defaultRail(services.chain)
  const { authorization, signature } = asked
  if (authorization.from !== asked.walletAddress)
    throw new Problem(
      'invalid_field',
      'from must be your own wallet: only its transfers are credited to it.',
      { param: 'from' },
    )
  if (authorization.to !== rail.treasury.address)
    throw new Problem('invalid_field', `to must be the treasury, ${rail.treasury.address}.`, {
      param: 'to',
    })
  checkOnChainMinimum(services, authorization.value, 'value')
  const digest = authorizationDigest(rail.asset, authorization)
  const presented = { signer: authorization.from, digest, signature }
  const signed = await judgeSignature(rail, presented, [])
  if (!signed.ok)
    throw new Problem(
      'authorization_rejected',
      'The signature is not that of your wallet. Sign the authorization with its key; a contract wallet must be deployed.',
    )
  const key = {
    walletAddress: asked.walletAddress,
    network: rail.network,
    asset: rail.asset.symbol,
    nonce: authorization.nonce,
  }
  const known = await findAuthorizationByNonce(db.reader, key)
  if (known) return finishAuthorization(services, at, known.id)
  if (authorization.validBefore <= BigInt(unixSeconds(at)) + VALIDITY_MARGIN_SECONDS)
    throw new Problem(
      'authorization_rejected',
      'The authorization has expired or is about to. Sign one that is valid for a minute or more.',
    )
  const transfer = { authorization, signed }
  return runTransfer<Funds, Funding>(services, {
    async look() {
      const { revert, funds } = await simulateTransfer(rail, transfer)
      if (revert === undefined) return { kind: 'good', good: funds }
      const detail = `The token refuses this authorization: ${revert}.`
      throw new Problem('authorization_rejected', detail)
    },
    async claim(funds) {
      const row = rowOf(rail, at, { authorization, fromBlock: searchFrom(funds.block) })
      const taken = await take(services, at, { row, funds, transfer })
      if (taken.kind === 'rationed') return taken
      reach('funding.authorization_stored')
      if (taken.kind === 'new') return { kind: 'claimed', life: lifeOf(services, at, row) }
      const other = await findAuthorizationByNonce(db.reader, key)
      return over(other ? await finishAuthorization(services, at, other.id) : PENDING)
    },
    onRationed(rationed) {
      throw rationProblem(rationed)
    },
  })
}

function rowOf(
  { network, asset }: Rail,
  at: Date,
  of: { authorization: TransferAuthorization; fromBlock: bigint },
): DepositAuthorization {
  const { from: walletAddress, nonce, validBefore, value } = of.authorization
  return {
    ...{ id: newId('dep', at), walletAddress, nonce, validBefore, amount: amount(value) },
    ...{ network, asset: asset.symbol, fromBlock: of.fromBlock },
    ...{ state: 'sending', reason: null },
  }
}

type Take = { row: DepositAuthorization; funds: Funds; transfer: SignedTransfer }

/** Stores the deposit with its send, and reserves its gas and its share of the wallet's balance. */
const take = (
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { row, funds, transfer }: Take,
): Promise<{ kind: 'new' | 'known' } | { kind: 'rationed'; rationed: Rationed }> =>
  services.db.write(async (tx) => {
    const { chain, settings } = services
    const { id } = row
    const rail = railOf(chain, row.asset)
    if (!(await insertAuthorization(tx, at, row))) return { kind: 'known' }
    const flight = flightOf(rail, { row, funds, transfer })
    const refused = await lockAndReserve(tx, at, { flights: [flight], limits: settings.gas })
    const rationed = refused.get(flight.ref)
    if (rationed) {
      await deleteAuthorization(tx, id)
      return { kind: 'rationed', rationed }
    }
    await queueSend(tx, at, { ref: flight.ref, ...transferCall(rail, transfer) })
    await enqueue(tx, finishDepositTask, { id }, { delaySeconds: 15 })
    return { kind: 'new' }
  })

const flightOf = (
  { network, asset }: Rail,
  { row, funds, transfer: { authorization, signed } }: Take,
): Flight => ({
  ref: sendRef(row.id),
  network,
  token: asset.contract,
  funds,
  payer: authorization.from,
  seller: authorization.from,
  nonce: authorization.nonce.toLowerCase() as Hex,
  amount: authorization.value,
  gas: gasOfTransfer(signed),
  validBefore: authorization.validBefore,
  isForeignToken: false,
})

const Uint = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'A whole number; in a string where it is large',
})

function parseUint(value: string | number, param: string): bigint {
  if (!/^(0|[1-9]\d{0,77})$/.test(String(value)))
    throw new Problem(
      'invalid_field',
      `${param} must be a whole number, as in the signed message.`,
      { param },
    )
  return BigInt(value)
}

/** A signed EIP-3009 authorization in a body. */
export const AuthorizationFields = {
  from: AddressField,
  to: AddressField,
  value: Uint,
  valid_after: Uint,
  valid_before: Uint,
  nonce: HashField,
  signature: BytesField({
    min: 65,
    max: 4096,
    description: 'The signature of the authorization (EIP-712), by `from`',
  }),
}
const Body = Type.Object(AuthorizationFields)

/** The authorization of a body, and its signature. Throws for what no person could sign. */
export const readAuthorization = (
  body: Static<typeof Body>,
): { authorization: TransferAuthorization; signature: Hex } => ({
  authorization: {
    from: personAddress(body.from, 'from'),
    to: personAddress(body.to, 'to'),
    value: parseUint(body.value, 'value'),
    validAfter: parseUint(body.valid_after, 'valid_after'),
    validBefore: parseUint(body.valid_before, 'valid_before'),
    nonce: body.nonce.toLowerCase() as Hex,
  },
  signature: body.signature as Hex,
})
