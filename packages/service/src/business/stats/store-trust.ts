import { one, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { handedBy, ownersOf } from '../../money/cards/owners/store.ts'

/** The most wallets that are compared with the payers, and the most payers that are looked up one by one. */
const COMPARED_MAX = 10_000
/** A card that had more owners is compared as one with many payers is. */
const OWNERS_MAX = 20

/** Facts about a card's payers that a buyer should know. */
export type PayerFacts = {
  /** The revenue from the largest payer. */
  largest: Amount | null
  /** Payers that are an owner of the card, now or earlier, or got money or a card from one. */
  fundedByHolder: number
  /** Other payers, which got money or a card from a wallet that got some from an owner. */
  fundedThroughOthers: number
}

/**
 * All owners count as the holder: else a card that is given to a second wallet would have clean figures. Above the limits
 * the numbers are the least that they can be.
 */
export async function readPayerFacts(
  on: Reader,
  { cardId }: { cardId: string },
): Promise<PayerFacts> {
  const row = await one<{ largest: Amount | null; funded: bigint; through: bigint }>(
    on,
    sql`with owners as materialized (select wallet from ${ownersOf(cardId)} o),
      payers as materialized (select payer from card_payers where card_id = ${cardId} and payments > 0
        order by payer limit ${COMPARED_MAX + 1}),
      sizes as (select (select count(*) from owners) as owners, (select count(*) from payers) as payers),
      given as materialized (select distinct g.wallet from (
        select g.wallet from owners o cross join lateral ${GIVEN} limit ${COMPARED_MAX}) g),
      funded as materialized (
        select p.payer from payers p, sizes s where s.payers <= ${COMPARED_MAX} and s.owners <= ${OWNERS_MAX}
          and (p.payer in (select wallet from owners)
            or exists (select from owners o cross join lateral ${GIVEN} where g.wallet = p.payer))
        union
        select p.payer from (select wallet from given union select wallet from owners) w, lateral ${PAYER(cardId)}),
      passed as materialized (select distinct g.wallet from (select g.wallet from
        (select wallet as wallet from given except select wallet from owners) o cross join lateral ${GIVEN}
          limit ${COMPARED_MAX}) g)
      select (select largest from card_stats where card_id = ${cardId} and payers > 0) as largest,
        (select count(*) from funded) as funded,
        (select count(*) from passed w, lateral ${PAYER(cardId)}
          where not exists (select from funded f where f.payer = p.payer)) as through`,
  )
  return {
    largest: row?.largest ?? null,
    fundedByHolder: Number(row?.funded ?? 0n),
    fundedThroughOthers: Number(row?.through ?? 0n),
  }
}

/** The wallets `g` that the wallet `o` gave money, by a payment or a withdrawal, or a card, or the price of one. */
const GIVEN = sql`(select w.to_wallet as wallet from wallet_payments w where w.from_wallet = o.wallet
  union all select h.wallet from ${handedBy(sql.raw('o.wallet'))} h) g`

/** The payer `p` of the card that is the wallet `w`. */
const PAYER = (cardId: string): RawBuilder<unknown> =>
  sql`(select p.payer from card_payers p where p.card_id = ${cardId} and p.payer = w.wallet and p.payments > 0 offset 0) p`
