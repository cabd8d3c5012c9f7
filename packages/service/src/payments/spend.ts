import type { Spend } from '../cards/policy.ts'
import { findCategory } from '../cards/store-merchants.ts'
import type { Services } from '../http/services.ts'
import { payeeOf as payeeOfLink } from '../pay-links/link.ts'
import { findLink } from '../pay-links/store.ts'
import { type PricedOffer, payeeOf, protocolOf } from './offer.ts'

/**
 * What the card's policy decides on: of a seller outside the host that was connected to and the address that is paid, of
 * a pay link what is known of its seller. Our own host is no name of a seller: every link has it.
 */
export async function spendOf(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  { url, priced }: { url: URL; priced: PricedOffer },
): Promise<Spend> {
  const paid = { amount: priced.debit, rail: protocolOf(priced) }
  const payee = payeeOf(priced)
  const link = priced.method === 'agentcard' ? await findLink(db.reader, payee) : undefined
  if (link) return { ...paid, ...payeeOfLink(link) }
  const isOurs = url.host === new URL(settings.publicUrl).host
  return {
    ...paid,
    merchants: isOurs ? [payee] : [url.hostname, payee],
    mcc: await findCategory(db.reader, payee),
  }
}
