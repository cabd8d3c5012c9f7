import { type Chain, nonceOf } from '../../chain/chain.ts'
import {
  findMadeTransfer,
  intentDigest,
  intentNonce,
  type MadeTransfer,
} from '../../chain/transfers/made-transfer.ts'
import type { Claim } from '../../http/idempotency.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { unixSeconds } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { authorizationTypedData } from '../../protocols/evm/eip3009/authorization.ts'
import { expiryOf } from '../../protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../protocols/mpp/headers/credential.ts'
import { challengeNonce, evmPayload, evmSource } from '../../protocols/mpp/methods/evm.ts'
import { encodePayment } from '../../protocols/x402/payment/encode.ts'
import type { OutboundPayment } from '../store.ts'
import type { ChainOffer } from './offer.ts'

/** The header that carries a payment. Until used, its value is as good as money: never log it. */
export type Header = { headerName: string; headerValue: string }

/** The longest validity of a signed authorization, in seconds. */
const VALIDITY_MAX_SECONDS = 120

/** The nonce of a keyed payment, and its transfer if the chain has it although the books do not. */
export type PaymentIntent = { nonce: Hex; made: MadeTransfer | undefined }

/**
 * The intent of a keyed x402 payment. After a restore from a backup, the same request computes the same nonce, so the
 * token refuses to pay twice. For MPP the challenge fixes the nonce; without a key the payment's id does.
 */
export async function readIntent(
  chain: Chain,
  claim: Claim | undefined,
  priced: ChainOffer,
): Promise<PaymentIntent | undefined> {
  if (!claim || priced.method !== 'x402') return undefined
  const digest = intentDigest({
    purpose: 'pay',
    walletAddress: claim.walletAddress,
    key: claim.key,
    network: chain.network,
    asset: chain.asset.symbol,
    amount: priced.merchantAmount,
    payee: priced.offer.payTo,
  })
  // A key has one payment for ever, so there is no earlier one in the database.
  const nonce = intentNonce('pay', digest, 0)
  return { nonce, made: await findMadeTransfer(chain, nonce) }
}

/**
 * The terms of the authorization for an offer, fixed before it is signed. `blockAt` is the time of the newest block.
 */
export function authorizationTerms(
  priced: ChainOffer,
  of: { id: Id<'txn'>; blockAt: Date; intent: PaymentIntent | undefined },
): { payTo: Address; nonce: Hex; validSeconds: number; validBefore: bigint } {
  const from = unixSeconds(of.blockAt)
  const until = Math.min(endOf(priced, from), from + VALIDITY_MAX_SECONDS)
  return {
    ...(priced.method === 'x402'
      ? { payTo: priced.offer.payTo, nonce: of.intent?.nonce ?? nonceOf('pay', of.id) }
      : {
          payTo: priced.offer.charge.recipient,
          nonce: challengeNonce(priced.offer.challenge),
        }),
    validSeconds: until - from,
    validBefore: BigInt(until),
  }
}

/** Unix seconds by which the seller has to settle. x402 counts from now; an MPP challenge names its end. */
function endOf(priced: ChainOffer, from: number): number {
  if (priced.method === 'x402') return from + priced.offer.maxTimeoutSeconds
  const expiry = expiryOf(priced.offer.challenge)
  return expiry ? unixSeconds(expiry) : Number.POSITIVE_INFINITY
}

/** Signs the payment's one authorization and encodes it for the offer's protocol. */
export async function sign(
  chain: Chain,
  payment: OutboundPayment,
  priced: ChainOffer,
): Promise<Header> {
  const authorization = {
    from: chain.treasury.address,
    to: payment.payTo,
    value: payment.merchantAmount,
    validAfter: 0n,
    validBefore: payment.validBefore,
    nonce: payment.nonce,
  }
  const typed = authorizationTypedData(chain.asset, authorization)
  const signature = await chain.treasury.signTypedData(typed)
  if (priced.method === 'x402') {
    const { challenge, offer } = priced
    return encodePayment({
      challenge,
      offer,
      authorization,
      signature,
      paymentIdentifier: payment.id,
    })
  }
  return writeCredential({
    challenge: priced.offer.challenge,
    source: evmSource(chain.asset.chainId, authorization.from),
    payload: evmPayload({ authorization, signature }),
  })
}
