import { type Static, Type } from 'typebox'
import { perServices, type Uses } from '../../../../api/http/services.ts'
import { gather } from '../../../../base/db/lanes/gather.ts'
import { assetOfLink } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'
import type { Prepare } from '../method.ts'
import { merchantOf, signCheckout } from './checkout.ts'
import { askedPrice } from './prices.ts'
import { findCheckouts, insertCheckout, type LinkCheckout } from './store.ts'

/** The terms that an AP2 mandate for a link must have. */
export const Ap2Block = Type.Union(
  [
    Type.Object(
      {
        payee: Type.Object(
          {
            id: Type.String({ description: 'Id of the pay link' }),
            name: Type.String({ description: 'Name of the payee' }),
            website: Type.String({ description: 'Website of the payee' }),
          },
          { description: 'The payee' },
        ),
        payment_amount: Type.Object(
          {
            amount: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Minor units of the currency; null: the payer chooses',
            }),
            currency: Type.String({
              description: '`USD` in cents; `USDC` in millionths, where cents are too coarse',
            }),
          },
          { description: 'The amount to pay, in minor units of the currency' },
        ),
        audience: Type.String({ description: 'The `aud` of a mandate that an agent closes' }),
        transaction_id: Type.String({ description: 'SHA-256 of `checkout_jwt`, base64url' }),
        checkout_jwt: Type.String({ description: 'Signed by a key of our JWKS' }),
      },
      { title: 'Ap2Block' },
    ),
    Type.Null(),
  ],
  { description: 'The required content of a mandate for this link; null if it takes no AP2' },
)
export type Ap2Block = Static<typeof Ap2Block>

const checkoutsOf = perServices(({ db }: Uses<'db'>) =>
  gather((ids) => findCheckouts(db.reader, ids)),
)

/** The AP2 block of a link's views; null if the link does not accept AP2. Signs the link's checkout if it has none yet. */
export async function ap2Block(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  link: PayLink,
): Promise<Ap2Block> {
  if (!link.acceptedProtocols.includes('ap2')) return null
  const checkout = (await checkoutsOf(services)(link.id)) ?? (await signLater(services, at, link))
  const price = askedPrice(link, assetOfLink(services.chain, link))
  const { publicUrl } = services.settings
  return {
    payee: merchantOf(link, publicUrl),
    payment_amount: {
      amount: price.amount === null ? null : Number(price.amount),
      currency: price.currency,
    },
    audience: publicUrl,
    transaction_id: checkout.checkoutId,
    checkout_jwt: checkout.checkoutJwt,
  }
}

/** If several requests sign at once, all of them show the checkout that was stored first. */
async function signLater(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  link: PayLink,
): Promise<LinkCheckout> {
  const signer = await services.signing.current(at)
  const made = await signCheckout(link, {
    signer,
    at,
    publicUrl: services.settings.publicUrl,
    asset: assetOfLink(services.chain, link),
    isRequired: false,
  })
  return services.db.write(async (tx) => {
    await insertCheckout(tx, at, made)
    return (await findCheckouts(tx, [link.id])).get(link.id) ?? made
  })
}

export const ap2Prepare: Prepare = { field: 'ap2', schema: Ap2Block, read: ap2Block }
