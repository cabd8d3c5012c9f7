import { all, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'

export type AccountKind =
  | 'custody'
  | 'treasury'
  | 'card'
  | 'fee_meter'
  | 'autopay'
  | 'fees'
  | 'membership_revenue'
  | 'outbound'
  | 'suspense'
export type AccountKey = { kind: AccountKind; owner: string; network: string; asset: string }
export type AccountId = bigint
export type LockedAccount = { id: AccountId; posted: Amount; held: Amount }

const keyText = (key: AccountKey): string => `${key.kind} ${key.owner} ${key.network} ${key.asset}`

/** The accounts of these keys, in the same order. Creates the ones that do not exist. */
export async function openAccounts(tx: Tx, keys: AccountKey[]): Promise<AccountId[]> {
  const found = await findAccounts(tx, keys)
  const missing = keys
    .filter((key) => !found.has(keyText(key)))
    .sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1))
  if (missing.length > 0) {
    await sql`insert into ledger_accounts (kind, owner, network, asset)
      select distinct * from unnest(${missing.map((k) => k.kind)}::text[], ${missing.map((k) => k.owner)}::text[],
        ${missing.map((k) => k.network)}::text[], ${missing.map((k) => k.asset)}::text[]) order by 1, 2, 3, 4
      on conflict do nothing`.execute(tx)
    for (const [text, id] of await findAccounts(tx, missing)) found.set(text, id)
  }
  return keys.map((key) => {
    const id = found.get(keyText(key))
    if (id === undefined) throw new Error(`account ${keyText(key)} could not be opened`)
    return id
  })
}

/** The same for one key. */
export async function openAccount(tx: Tx, key: AccountKey): Promise<AccountId> {
  const [id] = await openAccounts(tx, [key])
  return id as AccountId
}

async function findAccounts(on: Reader, keys: AccountKey[]): Promise<Map<string, AccountId>> {
  const rows = await all<AccountKey & { id: bigint }>(
    on,
    sql`select a.id, a.kind, a.owner, a.network, a.asset from ledger_accounts a
      join unnest(${keys.map((k) => k.kind)}::text[], ${keys.map((k) => k.owner)}::text[],
        ${keys.map((k) => k.network)}::text[], ${keys.map((k) => k.asset)}::text[]) as k (kind, owner, network, asset)
      on a.kind = k.kind and a.owner = k.owner and a.network = k.network and a.asset = k.asset`,
  )
  return new Map(rows.map((row) => [keyText(row), row.id]))
}

/** Locks the accounts in id order until the transaction ends, and answers their balances. */
export async function lockAccounts(
  tx: Tx,
  ids: Iterable<AccountId>,
): Promise<Map<AccountId, LockedAccount>> {
  const rows = await all<{ id: bigint; posted: bigint; held: bigint }>(
    tx,
    sql`select id, posted, held from ledger_accounts where id = any(${[...new Set(ids)]}::bigint[])
      order by id for update`,
  )
  return new Map(
    rows.map((row) => [row.id, { id: row.id, posted: amount(row.posted), held: amount(row.held) }]),
  )
}

export const availableOn = (account: LockedAccount): Amount => amount(account.posted - account.held)

/** Locks one account and answers what is available on it. */
export async function lockAvailable(tx: Tx, id: AccountId): Promise<Amount> {
  const account = (await lockAccounts(tx, [id])).get(id)
  if (!account) throw new Error(`account ${id} does not exist`)
  return availableOn(account)
}

/** The accounts as `a`, for a join in another room's statement. */
export const ACCOUNTS = sql.raw('ledger_accounts a')
