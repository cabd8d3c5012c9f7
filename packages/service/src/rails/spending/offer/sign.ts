import type { Claim } from '../../../api/http/idempotency.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../../base/protocols/evm/eip3009/authorization.ts'
import { permitTypedData } from '../../../base/protocols/evm/permit2/permit.ts'
import { uptoTypedData } from '../../../base/protocols/evm/permit2/upto.ts'
import { writeCredential } from '../../../base/protocols/mpp/headers/credential.ts'
import { evmPayload, evmSource } from '../../../base/protocols/mpp/methods/evm.ts'
import { encodePayment, encodePermitPayment } from '../../../base/protocols/x402/payment/encode.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { assetOf, railOf } from '../../../chain/client/rails.ts'
import {
  findMadeTransfer,
  intentDigest,
  intentNonce,
  type MadeTransfer,
} from '../../../chain/transfers/reads/made-transfer.ts'
import { findMadePermit } from '../../../chain/transfers/reads/permit-use.ts'
import { spentAsset } from '../money.ts'
import type { OutboundPayment } from '../store.ts'
import type { ChainOffer } from './offer.ts'

/** The header that carries a payment. Until used, its value is as good as money: never log it. */
export type Header = { headerName: string; headerValue: string }

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
  const rail = railOf(chain, spentAsset(chain).symbol)
  const { asset } = rail
  const digest = intentDigest({
    purpose: 'pay',
    walletAddress: claim.walletAddress,
    key: claim.key,
    network: chain.network,
    asset: asset.symbol,
    amount: priced.merchantAmount,
    payee: priced.offer.payTo,
  })
  // A key has one payment for ever, so there is no earlier one in the database.
  const nonce = intentNonce('pay', digest, 0)
  const { mechanism, payTo: to } = priced.offer
  const made = await (mechanism === 'eip3009'
    ? findMadeTransfer(rail, nonce)
    : findMadePermit(chain, {
        mechanism,
        nonce,
        to,
        token: asset.contract,
        value: priced.merchantAmount,
      }))
  return { nonce, made }
}

/** Signs the payment's one authorization or permit and encodes it for the offer's protocol. */
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
  if (priced.method === 'x402' && priced.offer.mechanism !== 'eip3009')
    return signPermit(chain, { payment, priced, authorization })
  const typed = authorizationTypedData(assetOf(chain, payment), authorization)
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
    source: evmSource(chain.chainId, authorization.from),
    payload: evmPayload({ authorization, signature }),
  })
}

/** Signs the payment's one permit. Permit2 takes its last second as valid, EIP-3009 not. */
async function signPermit(
  chain: Chain,
  of: {
    payment: OutboundPayment
    priced: Extract<ChainOffer, { method: 'x402' }>
    authorization: TransferAuthorization
  },
): Promise<Header> {
  const { challenge, offer } = of.priced
  const permit = { ...of.authorization, token: assetOf(chain, of.payment).contract }
  const { facilitator } = offer
  const { chainId, treasury } = chain
  const signature = await (facilitator === undefined
    ? treasury.signTypedData(permitTypedData(chainId, permit))
    : treasury.signTypedData(uptoTypedData(chainId, { permit, facilitator })))
  return encodePermitPayment({
    challenge,
    offer,
    permit,
    signature,
    paymentIdentifier: of.payment.id,
  })
}
