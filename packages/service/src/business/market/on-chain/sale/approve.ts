import type { Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Hex } from '../../../../base/kernel/assets.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import {
  approvalTypedData,
  fulfilData,
  type ListingPayment,
  NOT_APPROVED,
} from '../../../../base/protocols/evm/credential-market.ts'
import type { Chain } from '../../../../chain/client/chain.ts'
import { simulateSend } from '../../../../chain/client/simulate.ts'
import type { Send } from '../../../../chain/relay/send.ts'
import type { Terms } from '../store.ts'
import { listingOf } from '../terms.ts'

/** Half as much again as a sale takes whose two sides are contracts. */
const FULFIL_GAS = 500_000n
const NO_APPROVAL: Hex = '0x'

/**
 * The call that sells the card, with this service's approval of the buyer. The sale is tried without the approval before, so
 * that no node holds one of a sale that was not accepted: it must be kept until the acceptance is committed.
 */
export async function approvedCall(
  { chain }: Uses<'chain'>,
  terms: Terms,
  payment: ListingPayment,
): Promise<Omit<Send, 'ref'>> {
  assert(terms.sellerSignature, 'a listing on chain is signed')
  const signed = { listing: listingOf(terms), sellerSignature: terms.sellerSignature }
  const call = (approval: Hex) => ({
    to: terms.market,
    data: fulfilData(signed, payment, approval),
    gas: FULFIL_GAS,
  })
  const refusal = await simulateSend(chain, call(NO_APPROVAL))
  if (refusal !== NOT_APPROVED)
    throw new Problem(
      'authorization_rejected',
      `The chain would refuse this sale: ${refusal}. Check the balance and the signature of your wallet.`,
    )
  return call(await approve(chain, terms, payment))
}

const approve = (
  { chainId, treasury }: Chain,
  { market, hash: listingHash }: Terms,
  { buyer, validBefore }: ListingPayment,
): Promise<Hex> =>
  treasury.signTypedData(
    approvalTypedData({ market, chainId }, { listingHash, buyer, validBefore }),
  )
