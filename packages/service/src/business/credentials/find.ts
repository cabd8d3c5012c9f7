import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import type { Reader } from '../../base/db/sql.ts'
import { notFound, type Problem } from '../../base/kernel/problem.ts'
import { asAddress } from '../../chain/client/reads.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { readCards } from '../../money/cards/store.ts'
import { findCardOfHolder } from '../identity/store.ts'
import { type Business, readBusinesses } from '../market/business.ts'
import type { Listing } from '../market/listing.ts'
import { readLatestListings } from '../market/store.ts'

/** A business with its newest listing. */
export type Credential = Business<CardWithMoney> & { listing: Listing | undefined }

/** The card that `ref` names, by its id or by the address of its holder account, as a credential. */
async function findCredential(on: Reader, at: Date, ref: string): Promise<Credential | undefined> {
  const holder = asAddress(ref)
  const id = holder ? await findCardOfHolder(on, holder) : ref
  if (id === undefined) return undefined
  const [businesses, listings] = await Promise.all([
    readBusinesses(on, at, { ids: [id], readCards }),
    readLatestListings(on, [id]),
  ])
  const business = businesses.get(id)
  return business?.card.kind === 'spending' ? { ...business, listing: listings.get(id) } : undefined
}

/**
 * The credential that `ref` names. For everybody a card is one once it has a counted payment, a listing or an identity; its
 * owner sees each card that the key may use. Throws `not_found` for anything else.
 */
export async function readCredential(
  on: Reader,
  at: Date,
  { ref, caller }: { ref: string; caller: Caller | undefined },
): Promise<Credential> {
  const found = await findCredential(on, at, ref)
  if (!found) throw noCredential()
  const { card, stats, identity, listing } = found
  const isPublic = stats.rxCount > 0 || listing !== undefined || identity.status !== 'NONE'
  const isOwn = caller?.walletAddress === card.walletAddress && mayUseCard(caller, card.id)
  if (!isPublic && !isOwn) throw noCredential()
  return found
}

const noCredential = (): Problem =>
  notFound('credential', 'Check the id, or the address of its holder account.')
