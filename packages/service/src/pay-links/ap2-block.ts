import { Type } from 'typebox'
import { gather } from '../db/lanes/gather.ts'
import { perServices, type Services } from '../http/services.ts'
import type { Asset } from '../kernel/assets.ts'
import { addHours } from '../kernel/clock.ts'
import { type Amount, amount } from '../kernel/money.ts'
import { randomToken } from '../kernel/secrets.ts'
import { makeCheckout } from '../protocols/ap2/judge/checkout.ts'
import type { Price } from '../protocols/ap2/judge/evaluate.ts'
import type { Merchant } from '../protocols/ap2/read/fields.ts'
import type { ServiceSigner } from '../signing-keys/signing-keys.ts'
import { findCheckouts, insertCheckout, type LinkCheckout } from './checkouts.ts'
import type { PayLink } from './store.ts'

/** All that an agent needs to close an AP2 mandate for a link. */
export const Ap2Block = Type.Union(
  [
    Type.Object(
      {
        payee: Type.Object({ id: Type.String(), name: Type.String(), website: Type.String() }),
        payment_amount: Type.Object({
          amount: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Minor units of the currency; null: the payer chooses',
          }),
          currency: Type.String({
            description: '`USD` in cents; `USDC` in millionths, where cents are too coarse',
          }),
        }),
        audience: Type.String({ description: 'The `aud` of a mandate that an agent closes' }),
        transaction_id: Type.String({ description: 'SHA-256 of `checkout_jwt`, base64url' }),
        checkout_jwt: Type.String({ description: 'Signed by a key of our JWKS' }),
      },
      { title: 'Ap2Block' },
    ),
    Type.Null(),
  ],
  { description: 'What a mandate for this link must say; null where it takes no AP2' },
)
export type Ap2Block = Type.Static<typeof Ap2Block>

const checkoutsOf = perServices(({ db }) => gather((ids) => findCheckouts(db.reader, ids)))

/** The block of a link's views; null for one that takes no AP2. Signs the checkout of a link that has none yet. */
export async function ap2Block(services: Services, at: Date, link: PayLink): Promise<Ap2Block> {
  if (!link.acceptedProtocols.includes('ap2')) return null
  const checkout = (await checkoutsOf(services)(link.id)) ?? (await signLater(services, at, link))
  const price = askedPrice(link, services.chain.asset)
  const { publicUrl } = services.settings
  return {
    payee: payeeOf(link, publicUrl),
    payment_amount: {
      amount: price.amount === null ? null : Number(price.amount),
      currency: price.currency,
    },
    audience: publicUrl,
    transaction_id: checkout.checkoutId,
    checkout_jwt: checkout.checkoutJwt,
  }
}

/** Of several readers at once one signs, and all are shown that. */
async function signLater(services: Services, at: Date, link: PayLink): Promise<LinkCheckout> {
  const signer = await services.signing.current(at)
  const made = await signCheckout(link, {
    signer,
    at,
    publicUrl: services.settings.publicUrl,
    asset: services.chain.asset,
    isRequired: false,
  })
  return services.db.write(async (tx) => {
    await insertCheckout(tx, at, made)
    return (await findCheckouts(tx, [link.id])).get(link.id) ?? made
  })
}

/** Who signs a checkout, and what it says beside the link. */
export type CheckoutTerms = {
  signer: ServiceSigner
  at: Date
  publicUrl: string
  asset: Asset
  isRequired: boolean
}

/** A link without an end: its checkout is good for as long as anybody will ask. */
const FOREVER_HOURS = 24 * 365 * 100

/** Signs what the link sells (AP2 v0.2, checkout_jwt). */
export async function signCheckout(link: PayLink, of: CheckoutTerms): Promise<LinkCheckout> {
  const price = askedPrice(link, of.asset)
  const { checkoutJwt, transactionId } = await makeCheckout(
    {
      issuer: of.publicUrl,
      id: link.code,
      jti: randomToken(),
      merchant: payeeOf(link, of.publicUrl),
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

/** The payee that a mandate names; the wallet's address is taken as its `id` too. */
const payeeOf = (
  link: Pick<PayLink, 'code' | 'walletAddress'>,
  publicUrl: string,
): Required<Merchant> => ({
  id: link.code,
  name: link.walletAddress,
  website: `${publicUrl}/pay/${link.code}`,
})

/** Decimals of the minor unit in which mandates count dollars. */
const CENT_DECIMALS = 2
/** The most that a payer may choose, in whole units. */
const CHOSEN_MAX_UNITS = 1_000_000_000n

const unitsPerCent = (asset: Asset): bigint => 10n ** BigInt(asset.decimals - CENT_DECIMALS)

/** What the link asks for: whole cents as `USD`, all else as `USDC`; an amount that the payer chooses as `USD`. */
export function askedPrice(
  link: Pick<PayLink, 'amount'>,
  asset: Asset,
): { amount: bigint | null; currency: string } {
  const cent = unitsPerCent(asset)
  if (link.amount === null) return { amount: null, currency: 'USD' }
  return link.amount % cent === 0n
    ? { amount: link.amount / cent, currency: 'USD' }
    : { amount: link.amount, currency: asset.symbol }
}

/** Every price at which a mandate pays the link, in minor units of its currency. */
export function pricesOf(link: Pick<PayLink, 'amount'>, asset: Asset): Price[] {
  const cent = unitsPerCent(asset)
  const base = 10n ** BigInt(asset.decimals)
  if (link.amount === null)
    return [
      { currency: 'USD', min: 1n, max: (CHOSEN_MAX_UNITS * base) / cent },
      { currency: asset.symbol, min: 1n, max: CHOSEN_MAX_UNITS * base },
    ]
  const exact = { currency: asset.symbol, min: link.amount, max: link.amount }
  if (link.amount % cent !== 0n) return [exact]
  const cents = link.amount / cent
  return [{ currency: 'USD', min: cents, max: cents }, exact]
}

/** Minor units of a mandate's currency in base units of the asset; undefined for a currency that pays no link. */
export function baseUnitsOf(
  money: { amount: bigint; currency: string },
  asset: Asset,
): Amount | undefined {
  if (money.currency === 'USD') return amount(money.amount * unitsPerCent(asset))
  return money.currency === asset.symbol ? amount(money.amount) : undefined
}
