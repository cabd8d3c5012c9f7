import type { KeyObject } from 'node:crypto'
import type { Uses } from '../../../api/http/services.ts'
import { mayDecideUnlocked, type Tx } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import { findLinkTerms, type LinkTerms } from '../../../links/pay-links/methods/ap2/store.ts'
import { readLinkRows } from '../../../links/pay-links/settle.ts'
import type { Agreement } from '../../../members/agreements/agreement.ts'
import { tierAt } from '../../../members/membership/store.ts'
import { lockMeter } from '../../../members/meter/store.ts'
import { meterKey } from '../../../money/ledger/account-keys.ts'
import { readAvailable } from '../../../money/ledger/balance.ts'
import { readBatch } from '../../../money/settlements/batch.ts'
import { type Payee, readMeterPayees, readWalletPayees } from '../../../money/settlements/payee.ts'
import { findPayerCards, type PayerCard } from '../../ap2/keys/store.ts'
import { findOpenMandates, lockOpenMandates } from '../../ap2/mandates/open/store.ts'
import { type Books, newBooks } from '../../ap2/settle/settle.ts'

/** The rows that the charges of a batch are judged and decided on. */
export type ChargeRows = {
  books: Books
  links: ReadonlyMap<string, LinkTerms>
  cards: ReadonlyMap<string, PayerCard>
  serviceKeys: ReadonlyMap<string, KeyObject>
  /** Merchants that are paid to their balance, by address. */
  wallets: ReadonlyMap<string, Payee>
  /** Fee meters, by the address of their wallet. */
  meters: ReadonlyMap<string, Payee>
  /** The balances of these meters. They are locked, so a charge finds the same. */
  balances: ReadonlyMap<string, Amount>
}

const isThreshold = ({ triggerType }: Agreement): boolean => triggerType === 'threshold'

/**
 * Reads the rows of these agreements, which are locked or new. On the first attempt nothing more is locked, and the write
 * compares what it decided on; on a further one links, meters, cards and open mandates are locked, in that order.
 */
export async function readChargeRows(
  tx: Tx,
  at: Date,
  of: {
    services: Uses<'chain' | 'signing'>
    agreements: readonly Agreement[]
    rootKids: readonly string[]
  },
): Promise<ChargeRows> {
  const { services, agreements, rootKids } = of
  // Agreements with a card are made in the default asset.
  const asset = defaultAsset(services.chain)
  const codes = [...new Set(agreements.flatMap(({ payLinkCode }) => payLinkCode ?? []))]
  const openIds = agreements.flatMap(({ openId }) => openId ?? [])
  const payers = agreements.flatMap(({ payerCardId }) => payerCardId ?? [])
  const topped = agreements.filter(isThreshold).map(({ payerWallet }) => payerWallet)
  const paid = agreements.filter((one) => one.payLinkCode === null && !isThreshold(one))
  const readOpens = mayDecideUnlocked(tx) ? findOpenMandates : lockOpenMandates
  const links = await readLinkRows(tx, at, codes)
  const balances = new Map<string, Amount>()
  for (const wallet of topped.toSorted()) {
    await lockMeter(tx, wallet)
    balances.set(wallet, await readAvailable(tx, meterKey(asset, wallet)))
  }
  const cardIds = [...payers, ...[...links.values()].map(({ cardId }) => cardId)]
  const [batch, opens, terms, serviceKeys, wallets, meters] = await Promise.all([
    readBatch(tx, at, { cardIds, assets: [asset] }),
    readOpens(tx, openIds),
    findLinkTerms(tx, codes),
    services.signing.keysOf(tx, [...new Set(rootKids)]),
    readWalletPayees(tx, {
      wallets: paid.map((one) => one.merchantWallet),
      asset,
      tierOf: tierAt(at),
    }),
    readMeterPayees(tx, { wallets: topped, asset }),
  ])
  // After the cards: keys that changed since show in the card's version.
  const cards = await findPayerCards(tx, payers)
  const books = newBooks(at, { links, batch, mandates: [], gone: [], opens })
  return { books, links: terms, cards, serviceKeys, wallets, meters, balances }
}
