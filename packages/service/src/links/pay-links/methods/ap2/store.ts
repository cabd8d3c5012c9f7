import { all, type Reader, sql, type Tx } from '../../../../base/db/sql.ts'
import { LINKS, type LinkProtocol, type PayLink } from '../../../link/store.ts'

/** The checkout that the service signed for a link. `checkoutId` is the hash of `checkoutJwt`: AP2's `transaction_id`. */
export type LinkCheckout = {
  payLinkId: string
  checkoutId: string
  checkoutJwt: string
  /** Whether the link accepts only mandates of this checkout. */
  isRequired: boolean
}

/** Inserts the link's checkout, unless it has one. */
export async function insertCheckout(tx: Tx, at: Date, checkout: LinkCheckout): Promise<void> {
  await sql`insert into pay_link_checkouts (pay_link_id, checkout_id, checkout_jwt, is_required, created_at)
    values (${checkout.payLinkId}, ${checkout.checkoutId}, ${checkout.checkoutJwt}, ${checkout.isRequired}, ${at})
    on conflict (pay_link_id) do nothing`.execute(tx)
}

/** The checkouts of these links, by link id. */
export async function findCheckouts(
  on: Reader,
  payLinkIds: string[],
): Promise<Map<string, LinkCheckout>> {
  const checkouts = await all<LinkCheckout>(
    on,
    sql`select pay_link_id, checkout_id, checkout_jwt, is_required from pay_link_checkouts
      where pay_link_id = any(${payLinkIds}::text[])`,
  )
  return new Map(checkouts.map((checkout) => [checkout.payLinkId, checkout]))
}

/** The links of these checkouts: link ids by checkout id. */
export async function findCheckoutLinks(
  on: Reader,
  checkoutIds: string[],
): Promise<Map<string, string>> {
  const checkouts = await all<{ checkoutId: string; payLinkId: string }>(
    on,
    sql`select checkout_id, pay_link_id from pay_link_checkouts where checkout_id = any(${checkoutIds}::text[])`,
  )
  return new Map(checkouts.map(({ checkoutId, payLinkId }) => [checkoutId, payLinkId]))
}

/** The columns of a link that never change. They suffice to judge a mandate before any lock. */
export type LinkTerms = Pick<PayLink, 'code' | 'walletAddress' | 'cardId' | 'amount' | 'asset'> & {
  id: string
  acceptedProtocols: LinkProtocol[]
  checkoutId: string | null
  isRequired: boolean
}

/** The terms of the links of these codes, by code. */
export async function findLinkTerms(on: Reader, codes: string[]): Promise<Map<string, LinkTerms>> {
  const links = await all<LinkTerms>(
    on,
    sql`select l.id, l.code, l.wallet_address, l.card_id, l.amount, l.asset, l.accepted_protocols, c.checkout_id,
        coalesce(c.is_required, false) as is_required
      from ${LINKS} left join pay_link_checkouts c on c.pay_link_id = l.id
      where l.code = any(${codes}::text[])`,
  )
  return new Map(links.map((link) => [link.code, link]))
}
