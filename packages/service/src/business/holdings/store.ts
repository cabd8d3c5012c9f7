import { all, type Reader, sql } from '../../base/db/sql.ts'
import type { Address, Network } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { CARDS } from '../../money/cards/store.ts'
import { ACCOUNTS } from '../../money/ledger/accounts.ts'

export type WalletMoney = { kind: 'treasury' | 'fee_meter'; asset: string; posted: bigint }
export type CardMoney = { id: Id<'card'>; asset: string; posted: bigint }

/** The wallet's own accounts on the network, held money included. */
export const readWalletMoney = (
  on: Reader,
  of: { wallet: Address; network: Network },
): Promise<WalletMoney[]> =>
  all<WalletMoney>(
    on,
    sql`select a.kind, a.asset, a.posted from ${ACCOUNTS} where a.owner = ${of.wallet}
      and a.kind in ('treasury', 'fee_meter') and a.network = ${of.network} order by a.kind desc, a.id`,
  )

/** The wallet's cards with their money, held money included, newest first; one more than `limit` if there are more. */
export const listCardMoney = (
  on: Reader,
  of: {
    wallet: Address
    network: Network
    /** The only cards that the caller may see; null for all. */
    ids: readonly string[] | null
    after: string | undefined
    limit: number
  },
): Promise<CardMoney[]> =>
  all<CardMoney>(
    on,
    sql`select c.id, a.asset, a.posted from ${CARDS} join ${ACCOUNTS} on a.id = c.account_id
      where c.wallet_address = ${of.wallet} and a.network = ${of.network}
      and (${of.ids}::text[] is null or c.id = any(${of.ids}::text[]))
      and (${of.after ?? null}::text is null or c.id < ${of.after ?? null})
      order by c.id desc limit ${of.limit + 1}`,
  )
