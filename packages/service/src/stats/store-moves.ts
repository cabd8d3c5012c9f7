import { CARDS } from '../cards/store.ts'
import { type RawBuilder, sql } from '../db/sql.ts'
import type { Asset } from '../kernel/assets.ts'
import { transfersOf } from '../ledger/follow.ts'
import { LINKS } from '../pay-links/store-addresses.ts'

/** The next things to count: batches of the ledger, and facts of the queue. */
export type Page = {
  batches: readonly bigint[]
  direct: readonly string[]
  missing: readonly string[]
}

/** The kinds of transfers that bring money to a card from a payer, and the one that takes it back. */
const RECEIVED = ['settlement', 'stream']
const REFUND = 'refund'

const COLUMNS = sql.raw(
  `p.ref, p.card_id, p.wallet, p.payer, p.is_from_chain, p.protocol, p.network, p.token, p.settled_at`,
)
const paymentsOf = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`cross join lateral (select * from incoming_payments p where ${condition} offset 0) p`

/**
 * The reference of a refund names the transaction that is refunded. The received side of a settlement by card has no row
 * of its own: its id is made from the settlement's. Such ids once had one letter more.
 */
const REFUNDED = sql`cross join lateral (
    select * from incoming_payments p where p.transaction_id = split_part(t.ref, ' ', 1)
    union all
    select * from incoming_payments p where p.transaction_id is null
      and p.ref = 'stl_' || case length(split_part(t.ref, ' ', 1)) when 31 then substr(t.ref, 5, 26)
        else other_side(substr(t.ref, 5, 26)) end
    offset 0) p`

/**
 * Every payment and refund of a page as a change of the figures: rows of payment, `count` and `amount`. A payment counts
 * 1 and its amount before fees, a refund only lowers the amount, and a payment that a reorganization took counts -1.
 */
const changesOf = ({ batches, direct, missing }: Page): RawBuilder<unknown> =>
  sql`select ${COLUMNS}, 1 as count, p.amount from ${transfersOf(batches, RECEIVED)} t
      ${paymentsOf(sql`p.ref = t.ref`)}
    union all select ${COLUMNS}, 0, -t.most from ${transfersOf(batches, [REFUND])} t ${REFUNDED}
    union all select ${COLUMNS}, f.count, f.count * p.amount
      from unnest(${[...direct, ...missing]}::text[],
        ${[...direct.map(() => 1), ...missing.map(() => -1)]}::integer[]) as f (ref, count)
      ${paymentsOf(sql`p.ref = f.ref`)}`

/** A payment that was counted before was judged then: addresses and cards change hands. */
const WAS_OWN = sql`exists (select from own_payments o where o.ref = m.ref)`
/** A payment from a link's address, or from the account of a card, that the receiver's wallet owns now. */
const IS_OWN = sql`m.count = 1 and (
  exists (select from ${LINKS} where l.deposit_address = m.payer and l.wallet_address = m.wallet)
  or exists (select from holder_accounts h join ${CARDS} on c.id = h.card_id
    where h.address = m.payer and c.wallet_address = m.wallet))`

/**
 * The changes with what decides whether they count: `is_own`, the payer is the receiver's own wallet; `is_noted`, that was
 * found by its address, and must be noted; `is_other`, the money is not the service's asset.
 */
export const judgeNew = (page: Page, asset: Asset): RawBuilder<unknown> =>
  judge(page, asset, sql`m.is_from_chain and ${IS_OWN}`)

/** The same of changes that were counted before. */
export const judgeCounted = (page: Page, asset: Asset): RawBuilder<unknown> =>
  judge(page, asset, sql`false`)

const judge = (page: Page, asset: Asset, isNoted: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select j.*, j.is_noted or lower(j.payer) = lower(j.wallet) or (j.is_from_chain and j.was_own) as is_own
    from (select m.*, (m.settled_at at time zone 'UTC')::date as day,
        m.token is not null and lower(m.token) <> lower(${asset.contract}) as is_other,
        ${isNoted} as is_noted, ${WAS_OWN} as was_own
      from (${changesOf(page)}) m) j`
