import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { judgeSignature } from '../../../chain/client/accounts/judge-signature.ts'
import type { mine } from '../../../money/cards/controls/own-card.ts'
import { type ListOrder, listCard } from '../list.ts'
import type { Listing } from '../listing.ts'
import { findDraft, signTerms, type Terms } from './store.ts'
import { checkStands, mustSellOnChain } from './terms.ts'

type Signed = ReturnType<typeof mine> & { price: Amount; signature: Hex }
type Asked = { own: ReturnType<typeof mine>; price: Amount; signature: string | undefined }

/** The terms that a seller signed, checked. Throws `missing_field` without a signature. */
export async function readSigned(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  { own, price, signature }: Asked,
): Promise<{ terms: Terms; signature: Hex }> {
  if (signature === undefined)
    throw new Problem(
      'missing_field',
      'A card is sold on chain by your signature: POST /api/listings/prepare answers what to sign.',
      { param: 'seller_signature' },
    )
  const signed = { ...own, price, signature: signature as Hex }
  return { terms: await checkSigned(services, at, signed), signature: signed.signature }
}

/** The prepared terms that this signature is of. Asks the chain, so it commits nothing. */
async function checkSigned(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  signed: Signed,
): Promise<Terms> {
  const { chain, db, settings } = services
  mustSellOnChain(settings)
  const terms = await findDraft(db.reader, signed.cardId)
  if (terms?.seller !== signed.walletAddress || terms.price !== signed.price)
    throw new Problem(
      'invalid_state',
      'Nothing is prepared for this card at this price: POST /api/listings/prepare, and sign what it answers.',
    )
  const digest = {
    signer: terms.seller as Address,
    digest: terms.hash,
    signature: signed.signature,
  }
  if (!(await judgeSignature(chain, digest, [])).ok)
    throw new Problem(
      'invalid_signature',
      'seller_signature is not the signature of your wallet of what was prepared last. Prepare again, and sign that.',
      { param: 'seller_signature' },
    )
  await checkStands(services, at, terms)
  return terms
}

/** Lists a card on chain at terms that its seller signed. */
export async function listOnChain(
  tx: Tx,
  at: Date,
  { order, terms, signature }: { order: ListOrder; terms: Terms; signature: Hex },
): Promise<Listing> {
  const listing = await listCard(tx, at, {
    ...order,
    signed: { hash: terms.hash, expiresAt: new Date(Number(terms.expiry) * 1000) },
  })
  const bound = { hash: terms.hash, listingId: listing.id, sellerSignature: signature }
  if (await signTerms(tx, bound)) return listing
  throw new Problem(
    'invalid_state',
    'Something else was prepared for this card meanwhile. Prepare again, and sign that.',
  )
}
