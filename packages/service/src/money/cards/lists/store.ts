import { all, type RawBuilder, type Reader, sql } from '../../../base/db/sql.ts'
import { ACCOUNTS } from '../../ledger/accounts.ts'
import type { CardWithMoney } from '../card.ts'
import { CARDS, WITH_MONEY } from '../store.ts'

/** The orders of a list, each with its direction. Cards that are equal stand by their ids, the newest first. */
const ORDERS = {
  newest: { by: sql`c.id`, isDown: true },
  spent: { by: sql`c.spent`, isDown: true },
  balance: { by: sql`(a.posted - a.held)`, isDown: true },
  purpose: { by: sql`lower(c.purpose)`, isDown: false },
} satisfies Record<string, { by: RawBuilder<unknown>; isDown: boolean }>
export type CardOrder = keyof typeof ORDERS
export const CARD_ORDERS = Object.keys(ORDERS) as CardOrder[]

export type CardFilter = {
  /** The only cards a restricted key may see; null for all. */
  ids: readonly string[] | null
  status?: string | undefined
  /** A part of the purpose, in any case, or the id. */
  search?: string | undefined
  sort?: CardOrder | undefined
  after?: string | undefined
  limit: number
}

/** A wallet's cards, newest first. Reads one more than `limit`, so that the caller sees whether there are more. */
export const listCards = (
  on: Reader,
  walletAddress: string,
  { ids, status, search, sort = 'newest', after, limit }: CardFilter,
): Promise<CardWithMoney[]> => {
  const { by, isDown } = ORDERS[sort]
  const last = sql`(select ${by} from ${CARDS} join ${ACCOUNTS} on a.id = c.account_id where c.id = ${after})`
  const isLater = isDown
    ? sql`(${by}, c.id) < (${last}, ${after})`
    : sql`(${by} > ${last} or ${by} = ${last} and c.id < ${after})`
  return all<CardWithMoney>(
    on,
    sql`${WITH_MONEY} where c.wallet_address = ${walletAddress}
      and (${status ?? null}::text is null or c.status = ${status ?? null})
      and (${ids}::text[] is null or c.id = any(${ids}::text[]))
      ${search === undefined ? sql`` : sql`and (strpos(lower(c.purpose), lower(${search})) > 0 or c.id = ${search})`}
      ${after === undefined ? sql`` : sort === 'newest' ? sql`and c.id < ${after}` : sql`and ${isLater}`}
      order by ${sort === 'newest' ? sql`` : sql`${by} ${sql.raw(isDown ? 'desc' : '')},`} c.id desc limit ${limit + 1}`,
  )
}
