import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { LINKS } from '../../../links/link/store-addresses.ts'
import { AGREEMENTS, isLiveAgreement } from '../../../members/agreements/store.ts'

type Paying = { id: string; isPaused: boolean; isEnding: boolean }

/**
 * The live agreements that pay the card's links to its owner, in order, and whether they go on: one may be paused or about to
 * end.
 */
export const findPayingAgreements = (
  on: Reader,
  { cardId, wallet }: { cardId: string; wallet: string },
): Promise<Paying[]> =>
  all<Paying>(
    on,
    sql`select a.id, a.status = 'PAUSED' as is_paused, a.cancel_at_period_end as is_ending
      from ${AGREEMENTS} join ${LINKS} on l.code = a.pay_link_code
      where a.merchant_wallet = ${wallet} and l.card_id = ${cardId} and ${isLiveAgreement} order by a.id`,
  )
