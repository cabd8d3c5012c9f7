import type { Caller } from '../../api/http/caller.ts'
import { all, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'
import { CARDS } from '../../money/cards/store.ts'
import { LINKS } from '../link/store.ts'

export type PayeeName = {
  /** The code, address or id that was asked for. */
  of: string
  /** The name that the wallet gave itself. */
  name: string | null
  /** The purpose of a link or a card, in words. */
  title: string | null
}

/** The names of links by their codes, of wallets by their addresses, and of the caller's own cards by their ids. What has none is left out. */
export const namesOf = (
  on: Reader,
  { walletAddress, cardIds }: Pick<Caller, 'walletAddress' | 'cardIds'>,
  payees: readonly string[],
): Promise<PayeeName[]> =>
  all<PayeeName>(
    on,
    sql`select l.code as of, p.name, nullif(l.memo, '') as title
      from ${LINKS} left join profiles p on p.wallet_address = l.wallet_address where l.code = any(${payees}::text[])
    union all select p.wallet_address, p.name, null
      from profiles p where p.wallet_address = any(${payees}::text[]) and p.name is not null
    union all select c.id, null, c.purpose
      from ${CARDS} where c.id = any(${payees}::text[]) and c.wallet_address = ${walletAddress}
        and (${cardIds}::text[] is null or c.id = any(${cardIds}::text[]))`,
  )

/** Whether the link or wallet in a column is of a wallet that is called so, or has this address. */
export const isCalled = (payee: string, text: string): RawBuilder<boolean> => {
  const column = sql.raw(payee)
  return sql`exists (select from profiles p where p.wallet_address = ${column} and strpos(lower(p.name), lower(${text})) > 0)
    or exists (select from ${LINKS} left join profiles p on p.wallet_address = l.wallet_address
      where l.code = ${column} and (lower(l.wallet_address) = lower(${text}) or strpos(lower(p.name), lower(${text})) > 0))`
}
