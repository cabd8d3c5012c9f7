import { findCategory } from '../cards/merchants/store.ts'
import type { Spend } from '../cards/policy.ts'
import type { Services } from '../http/services.ts'
import { type ChainOffer, payeeOf, protocolOf } from './offer/offer.ts'

/**
 * The facts that the card's policy decides on for a payment by the chain: the host that was connected to and the
 * address that is paid. Our own host does not identify a seller, since every link shares it.
 */
export async function spendOf(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  { url, priced }: { url: URL; priced: ChainOffer },
): Promise<Spend> {
  const payee = payeeOf(priced)
  const isOurs = url.host === new URL(settings.publicUrl).host
  return {
    amount: priced.debit,
    rail: protocolOf(priced),
    merchants: isOurs ? [payee] : [url.hostname, payee],
    mcc: await findCategory(db.reader, payee),
  }
}
