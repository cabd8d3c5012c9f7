import type { Asset } from '../../../../base/kernel/assets.ts'
import { addHours } from '../../../../base/kernel/clock.ts'
import { randomToken } from '../../../../base/kernel/secrets.ts'
import { makeCheckout } from '../../../../base/protocols/ap2/issue/checkout.ts'
import type { Merchant } from '../../../../base/protocols/ap2/read/fields.ts'
import type { ServiceSigner } from '../../../../base/signing-keys/signing-keys.ts'
import type { PayLink } from '../../../link/store.ts'
import { askedPrice } from './prices.ts'
import type { LinkCheckout } from './store.ts'

/** The signer of a checkout, and its terms that the link does not have. */
export type CheckoutTerms = {
  signer: ServiceSigner
  at: Date
  publicUrl: string
  asset: Asset
  isRequired: boolean
}

/** A checkout must end; that of a link without an end lasts this long. */
const FOREVER_HOURS = 24 * 365 * 100

/** Signs the link's checkout (AP2 v0.2, `checkout_jwt`). */
export async function signCheckout(link: PayLink, of: CheckoutTerms): Promise<LinkCheckout> {
  const price = askedPrice(link, of.asset)
  const { checkoutJwt, transactionId } = await makeCheckout(
    {
      issuer: of.publicUrl,
      id: link.code,
      jti: randomToken(),
      merchant: merchantOf(link, of.publicUrl),
      currency: price.currency,
      ...(price.amount !== null && { amount: price.amount }),
      lineItems: [{ title: link.memo || `Pay link ${link.code}`, quantity: 1 }],
      issuedAt: of.at,
      expiresAt: link.expiresAt ?? addHours(link.createdAt, FOREVER_HOURS),
    },
    of.signer,
  )
  return {
    payLinkId: link.id,
    checkoutId: transactionId,
    checkoutJwt,
    isRequired: of.isRequired,
  }
}

/** The payee that a mandate names. A mandate may also name the wallet's address as its `id`. */
export const merchantOf = (
  link: Pick<PayLink, 'code' | 'walletAddress'>,
  publicUrl: string,
): Required<Merchant> => ({
  id: link.code,
  name: link.walletAddress,
  website: `${publicUrl}/pay/${link.code}`,
})
