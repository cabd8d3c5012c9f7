import { type Chain, nonceOf } from '../chain/chain.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { authorizationTypedData } from '../protocols/eip3009/authorization.ts'
import { expiryOf } from '../protocols/mpp/challenge.ts'
import { writeCredential } from '../protocols/mpp/credential.ts'
import { challengeNonce, evmPayload, evmSource } from '../protocols/mpp/evm.ts'
import { encodePayment } from '../protocols/x402/payment.ts'
import type { ChainOffer } from './offer.ts'
import type { OutboundPayment } from './store.ts'

/** The header that carries a payment. Its value is as good as money until it has been used: never log it. */
export type Header = { headerName: string; headerValue: string }

/** The longest that a signed authorization stays good, in seconds. */
const VALIDITY_MAX_SECONDS = 120

/** What the authorization for an offer will say, fixed before it is signed. `blockAt` is the time of the newest block. */
export function authorizationTerms(
  priced: ChainOffer,
  of: { id: Id<'txn'>; blockAt: Date },
): { payTo: Address; nonce: Hex; validSeconds: number; validBefore: bigint } {
  const from = unixSeconds(of.blockAt)
  const until = Math.min(endOf(priced, from), from + VALIDITY_MAX_SECONDS)
  return {
    ...(priced.method === 'x402'
      ? { payTo: priced.offer.payTo, nonce: nonceOf('pay', of.id) }
      : {
          payTo: priced.offer.charge.recipient,
          nonce: challengeNonce(priced.offer.challenge),
        }),
    validSeconds: until - from,
    validBefore: BigInt(until),
  }
}

/** Unix seconds by which the seller has to settle: x402 counts from now, a challenge of MPP names its end. */
function endOf(priced: ChainOffer, from: number): number {
  if (priced.method === 'x402') return from + priced.offer.maxTimeoutSeconds
  const expiry = expiryOf(priced.offer.challenge)
  return expiry ? unixSeconds(expiry) : Number.POSITIVE_INFINITY
}

/** Signs the payment's one authorization, and writes it as the offer's protocol wants it. */
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
