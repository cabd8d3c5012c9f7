import type { Services } from '../../../../api/http/services.ts'
import type { Reader } from '../../../../base/db/sql.ts'
import type { Task } from '../../../../base/jobs/worker.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import { reportTroubles } from '../../../../links/reconcile/alarms.ts'
import type { Trouble } from '../../../../links/reconcile/store.ts'
import { adoptSale } from './adopt.ts'
import { findForgottenSales } from './find.ts'
import { type ForgottenSale, findHeld, findToAdopt } from './store.ts'

const AT_ONCE = 100

export const forgottenSaleTasks: Task<Services>[] = [
  {
    name: 'follow_sales',
    cron: '* * * * *',
    handle: async (services, _, at) => {
      await findForgottenSales(services, at)
      await adoptSales(services, at)
      const troubles = await heldTroubles(services.db.reader)
      await reportTroubles(services, at, { kinds: ['forgotten_sale'], troubles })
    },
  },
]

/** Adopts what was found, in the order of the chain. One that cannot be adopted keeps no other. */
async function adoptSales(services: Services, at: Date): Promise<void> {
  const { db, log } = services
  for (const sale of await findToAdopt(db.reader, AT_ONCE))
    try {
      await adoptSale(services, at, sale)
    } catch (error) {
      if (error instanceof Problem && error.code === 'chain_unavailable') throw error
      log.error({ err: error, listing_hash: sale.hash }, 'a forgotten sale is not adopted')
    }
}

const heldTroubles = async (on: Reader): Promise<Trouble[]> =>
  (await findHeld(on, AT_ONCE)).map((sale) => ({
    kind: 'forgotten_sale',
    subject: sale.hash,
    sentence:
      `The chain has sold the identity token ${sale.tokenId} to ${sale.buyer}, which the restored backup does not know: ` +
      `${whyHeld(sale)} Look with purser sales, then order give or dismiss.`,
    details: { card: sale.cardId ?? '', buyer: sale.buyer, tx_hash: sale.txHash },
  }))

const whyHeld = ({ cardId, reason, seller }: ForgottenSale): string =>
  reason === 'other_owner'
    ? `the card ${cardId} is not of its seller ${seller} here. It is frozen.`
    : 'these books have no card of that token.'
