import { one, type RawBuilder, type Reader, sql } from '../db/sql.ts'
import type { Amount } from '../kernel/money.ts'

/** The most payers, or wallets that the owner paid, that are compared with the others. */
const COMPARED_MAX = 10_000

/** Facts about a card's payers that a buyer should know. */
export type PayerFacts = {
  /** The revenue from the largest payer. */
  largest: Amount | null
  /** Payers that got money from the owner, by a payment or a withdrawal. */
  fundedByHolder: number
}

export async function readPayerFacts(
  on: Reader,
  of: { cardId: string; owner: string },
): Promise<PayerFacts> {
  const row = await one<{ largest: Amount | null; funded: bigint }>(
    on,
    sql`select (select revenue from card_payers where card_id = ${of.cardId} and payments > 0
        order by revenue desc limit 1) as largest,
      (select case when s.payers <= ${COMPARED_MAX} then ${FUNDED_OF_PAYERS(of)} else ${PAYERS_OF_FUNDED(of)} end
        from card_stats s where s.card_id = ${of.cardId}) as funded`,
  )
  return { largest: row?.largest ?? null, fundedByHolder: Number(row?.funded ?? 0n) }
}

type Of = { cardId: string; owner: string }
const FUNDED_OF_PAYERS = ({ cardId, owner }: Of): RawBuilder<unknown> =>
  sql`(select count(*) from card_payers p where p.card_id = ${cardId} and p.payments > 0 and exists (
    select from wallet_payments w where w.from_wallet = ${owner} and w.to_wallet = p.payer))`
const PAYERS_OF_FUNDED = ({ cardId, owner }: Of): RawBuilder<unknown> =>
  sql`(select count(*) from (select to_wallet from wallet_payments where from_wallet = ${owner}
      order by to_wallet limit ${COMPARED_MAX}) w
    where exists (select from card_payers p where p.card_id = ${cardId} and p.payer = w.to_wallet and p.payments > 0))`
