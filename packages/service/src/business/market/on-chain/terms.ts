import type { Uses } from '../../../api/http/services.ts'
import type { Settings } from '../../../api/http/settings.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { type Address, type Hex, NOBODY } from '../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { type Amount, amount, formatAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { hashListing, type SignedListing } from '../../../base/protocols/evm/credential-market.ts'
import { approvalOf, readSaleSight, type SaleSight } from '../../../chain/client/sales/sale.ts'
import { isWorthCarrying } from '../../../links/pay-links/methods/minimum.ts'
import { tierAt } from '../../../members/membership/store.ts'
import { findFeeRules } from '../../../money/settlements/fee-rules/store.ts'
import { feeRuleFor } from '../../../money/settlements/fees.ts'
import { findIdentityRow, type IdentityRow } from '../../identity/store.ts'
import { priceAsset, priceRail } from '../money.ts'
import type { Terms } from './store.ts'

/** The contract refuses a higher fee. */
const MOST_BPS = 1_000n
const LISTED_SECONDS = 90 * 86_400

/** The market of this deployment. Throws where cards are sold in its books alone. */
export function mustSellOnChain({ onChainSales }: Settings): NonNullable<Settings['onChainSales']> {
  if (onChainSales) return onChainSales
  throw new Problem(
    'invalid_field',
    'This deployment sells in its books alone: send mode custodial, and no seller_signature.',
    { param: 'mode' },
  )
}

/** Everything that a seller signs follows from the card and the chain: of the caller's words only the price counts. */
export async function makeTerms(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  of: { card: { id: Id<'card'>; walletAddress: string }; price: Amount },
): Promise<{ terms: Terms; sight: SaleSight }> {
  const { chain, db, settings } = services
  const { market, feeReceiver } = mustSellOnChain(settings)
  const { card, price } = of
  checkWorth(services, price)
  const seller = card.walletAddress as Address
  const sold = checkOutside(await findIdentityRow(db.reader, card.id))
  const sight = await readSaleSight(priceRail(chain), market, {
    ...sold,
    seller,
  })
  if (sight.owner !== seller) throw notInWallet()
  assert(sight.holderState !== undefined && sight.holderUsdc !== undefined, 'a holder is readable')
  const listing: SignedListing = {
    ...sold,
    seller,
    buyer: NOBODY,
    operator: chain.treasury.address,
    price,
    feeBps: feeReceiver === null ? 0 : await readFeeBps(db.reader, at, { seller, settings }),
    feeReceiver: feeReceiver ?? NOBODY,
    expiry: BigInt(unixSeconds(at) + LISTED_SECONDS),
    nonce: BigInt(randomHex(16)),
    holderState: sight.holderState,
    minHolderUsdc: sight.holderUsdc,
  }
  const hash = hashListing({ market, chainId: chain.chainId }, listing)
  const { buyer: _, ...signed } = listing
  const stored = { hash, cardId: card.id, listingId: null, market, sellerSignature: null }
  return { terms: { ...signed, ...stored, price, createdAt: at }, sight }
}

/** Relayers pay the gas of a sale, as of any payment on chain. */
function checkWorth({ chain, settings }: Uses<'chain' | 'settings'>, price: Amount): void {
  if (isWorthCarrying({ settings }, price)) return
  const asset = priceAsset(chain)
  const least = formatAmount(settings.gas.minimum, asset.decimals)
  throw new Problem(
    'amount_below_minimum',
    `A card is sold on chain for ${least} ${asset.symbol} at least. Ask more, or sell it in the books.`,
    { param: 'price' },
  )
}

/** The transaction that is still needed before the market may move the token; none if it may. */
export const approvalFor = (
  { registry, market }: Pick<Terms, 'registry' | 'market'>,
  { isApproved }: SaleSight,
): { to: Address; data: Hex }[] => (isApproved ? [] : [approvalOf(registry, market)])

/** The message that was signed. */
export const listingOf = (terms: Terms): SignedListing => ({ ...terms, buyer: NOBODY })

/** The fee as the contract divides the price: rounded down. */
export const feeOfTerms = ({ price, feeBps }: Pick<Terms, 'price' | 'feeBps'>): Amount =>
  amount((price * BigInt(feeBps)) / 10_000n)

function checkOutside(row: IdentityRow | undefined) {
  if (row?.state !== 'FINAL' || row.custody !== 'WITHDRAWN') throw notInWallet()
  const { registry, tokenId, holderAddress: holder } = row
  assert(tokenId !== null && holder !== null, 'a final identity has its token and account')
  return { registry, tokenId, holder }
}

const notInWallet = (): Problem =>
  new Problem(
    'invalid_state',
    'A card is sold on chain only while its identity token is in your wallet: POST /api/cards/{id}/identity/withdraw sends it there.',
  )

/** The contract takes a rate alone, so a flat part of the fee is not asked for. */
async function readFeeBps(
  on: Reader,
  at: Date,
  { seller, settings }: { seller: string; settings: Settings },
): Promise<number> {
  const rules = await findFeeRules(on, { wallets: [seller], kind: 'sale', tierOf: tierAt(at) })
  const { bps } = feeRuleFor(rules.get(seller) ?? null, settings.fee)
  return Number(bps > MOST_BPS ? MOST_BPS : bps)
}

/** Refuses terms that the chain does not bear out any more, in words for the buyer and the seller. */
export async function checkStands({ chain }: Uses<'chain'>, at: Date, terms: Terms): Promise<void> {
  const sight = await readSaleSight(priceRail(chain), terms.market, terms)
  const reason =
    terms.operator !== chain.treasury.address
      ? 'its seller signed it when this service had another key'
      : terms.expiry < BigInt(unixSeconds(at))
        ? 'it has expired'
        : reasonOf(terms, sight)
  if (reason)
    throw new Problem(
      'listing_stale',
      `This listing cannot be bought: ${reason}. The seller may approve the market, or list the card again.`,
    )
}

const reasonOf = (terms: Terms, sight: SaleSight): string | undefined =>
  sight.owner !== terms.seller
    ? 'the identity token has left the wallet of its seller'
    : !sight.isApproved
      ? 'the seller has not approved the market, or not any more'
      : sight.holderState !== terms.holderState
        ? 'the account of the identity token has acted since it was listed'
        : (sight.holderUsdc ?? 0n) < terms.minHolderUsdc
          ? 'money has left the account of the identity token since it was listed'
          : undefined
