import { all, json, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Network } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Safety } from './safety.ts'

/** A token that a wallet wants to be paid in, as read from the chain. */
export type RegisteredToken = {
  id: Id<'tkn'>
  walletAddress: Address
  network: Network
  address: Address
  symbol: string
  name: string
  decimals: number
  type: 'ERC20' | 'B20'
  status: 'ACTIVE' | 'REMOVED'
  safety: Safety
  createdAt: Date
  /** When the token was last read from the chain. */
  checkedAt: Date
}

const COLUMNS = sql.raw(
  'id, wallet_address, network, address, symbol, name, decimals, type, status, safety, created_at, checked_at',
)

/** Registers the token, or updates the findings of a registered one. Returns the stored row. */
export const saveToken = async (
  tx: Tx,
  token: Omit<RegisteredToken, 'status'>,
): Promise<RegisteredToken> => {
  const saved = await one<RegisteredToken>(
    tx,
    sql`insert into registered_tokens (id, wallet_address, network, address, symbol, name, decimals, type, safety,
        created_at, checked_at)
      values (${token.id}, ${token.walletAddress}, ${token.network}, ${token.address}, ${token.symbol}, ${token.name},
        ${token.decimals}, ${token.type}, ${json(token.safety)}, ${token.createdAt}, ${token.checkedAt})
      on conflict (wallet_address, network, address) where status = 'ACTIVE' do update set symbol = excluded.symbol,
        name = excluded.name, decimals = excluded.decimals, type = excluded.type, safety = excluded.safety,
        checked_at = excluded.checked_at
      returning ${COLUMNS}`,
  )
  return saved as RegisteredToken
}

export const countTokens = async (on: Reader, walletAddress: string): Promise<number> => {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from registered_tokens where wallet_address = ${walletAddress} and status = 'ACTIVE'`,
  )
  return Number(row?.n ?? 0n)
}

export const findToken = (on: Reader, id: string): Promise<RegisteredToken | undefined> =>
  one<RegisteredToken>(on, sql`select ${COLUMNS} from registered_tokens where id = ${id}`)

/** The token at the address, as registered by the wallet, or by any wallet if none is given. */
export const findActiveToken = (
  on: Reader,
  of: { network: string; address: string; walletAddress: string | undefined },
): Promise<RegisteredToken | undefined> =>
  one<RegisteredToken>(
    on,
    sql`select ${COLUMNS} from registered_tokens where network = ${of.network} and address = ${of.address}
      and status = 'ACTIVE' and (${of.walletAddress ?? null}::text is null or wallet_address = ${of.walletAddress ?? null})
      order by id limit 1`,
  )

/** The wallet's active tokens, newest first; one more than `limit` if there are more. */
export const listTokens = (
  on: Reader,
  walletAddress: string,
  page: { after: string | undefined; limit: number },
): Promise<RegisteredToken[]> =>
  all<RegisteredToken>(
    on,
    sql`select ${COLUMNS} from registered_tokens where wallet_address = ${walletAddress} and status = 'ACTIVE'
      and (${page.after ?? null}::text is null or id < ${page.after ?? null})
      order by id desc limit ${page.limit + 1}`,
  )

/** Marks a registration of the wallet REMOVED and returns it; undefined if none is active. */
export const removeToken = (
  tx: Tx,
  at: Date,
  of: { id: string; walletAddress: string },
): Promise<RegisteredToken | undefined> =>
  one<RegisteredToken>(
    tx,
    sql`update registered_tokens set status = 'REMOVED', removed_at = ${at}
      where id = ${of.id} and wallet_address = ${of.walletAddress} and status = 'ACTIVE'
      returning ${COLUMNS}`,
  )

/** Tokens on the network that any wallet has registered, the oldest registration of each; at most `limit`. */
export const listKnownTokens = (
  on: Reader,
  of: { network: string; limit: number },
): Promise<RegisteredToken[]> =>
  all<RegisteredToken>(
    on,
    sql`select distinct on (address) ${COLUMNS} from registered_tokens
      where network = ${of.network} and status = 'ACTIVE' order by address, id limit ${of.limit}`,
  )
