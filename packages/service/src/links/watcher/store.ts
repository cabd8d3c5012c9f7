import { hasSignedIn } from '../../api/keys/store.ts'
import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { hasBalance } from '../../money/ledger/balance.ts'
import { isDeposit } from '../../money/treasury/deposits/store.ts'
import { LINKS } from '../link/store-addresses.ts'
import { isLogTaken } from '../link/store-logs.ts'

export type TransferState =
  | 'seen'
  | 'orphaned'
  | 'credited'
  | 'passed_on'
  | 'own'
  | 'pulled'
  | 'unclaimed'
  | 'alarm'

/** A transfer to one of our addresses, as the chain last showed it. One row for each log. */
export type WatchedTransfer = {
  network: string
  /** The symbol of its token. */
  asset: string
  txHash: Hex
  logIndex: number
  blockNumber: bigint
  blockHash: Hex
  from: Address
  to: Address
  value: Amount
  state: TransferState
  /** As in `TransferLog`; known only of a log that was just read. */
  pullRef?: Hex
}
/** The watcher's progress. `version` counts its writes. */
export type Cursor = {
  firstBlock: bigint
  block: bigint
  version: bigint
  /** The safe block at the watcher's last look; null before the first. */
  safe: bigint | null
  /** The cursor's block when it fell behind; null while it keeps up. */
  behindFrom: bigint | null
}

const COLUMNS =
  sql.raw(`network, asset, tx_hash, log_index, block_number, block_hash, from_address as "from",
  to_address as "to", amount as value, state`)

export const findCursor = (on: Reader, network: string): Promise<Cursor | undefined> =>
  one<Cursor>(
    on,
    sql`select first_block, block, version, safe, behind_from from watch_cursors where network = ${network}`,
  )

/** Sets the first block to read. The first of several concurrent callers wins. */
export async function startCursor(tx: Tx, network: string, firstBlock: bigint): Promise<void> {
  await sql`insert into watch_cursors (network, first_block, block)
    values (${network}, ${firstBlock}, ${firstBlock - 1n}) on conflict do nothing`.execute(tx)
}

/**
 * Takes the right to write what was read at `version`, and moves the cursor forward to `block`. Returns false if
 * another pass has written since.
 */
export async function moveCursor(
  tx: Tx,
  network: string,
  to: { version: bigint; block: bigint } & Record<'safe' | 'finalized' | 'latest', bigint>,
): Promise<boolean> {
  const moved = await run(
    tx,
    sql`update watch_cursors set block = greatest(block, ${to.block}::bigint), version = version + 1,
        safe = ${to.safe}::bigint, finalized = ${to.finalized}::bigint, latest = ${to.latest}::bigint,
        behind_from = case when greatest(block, ${to.block}::bigint) < ${to.safe}::bigint
          then coalesce(behind_from, block) end
      where network = ${network} and version = ${to.version}`,
  )
  return moved === 1
}

/** The lowest finished block with a transfer to these addresses that still waits for its amount's depth. */
export async function findLowestWaiting(
  on: Reader,
  network: string,
  of: { addresses: readonly string[]; block: bigint },
): Promise<bigint | undefined> {
  const row = await one<{ lowest: bigint | null }>(
    on,
    sql`select min(block_number) as lowest from watched_transfers where network = ${network} and state = 'seen'
      and block_number <= ${of.block} and to_address = any(${[...of.addresses]}::text[])`,
  )
  return row?.lowest ?? undefined
}

/** The known transfers of these assets in these transactions, and those to these addresses in these blocks. */
export const findKnown = (
  on: Reader,
  network: string,
  of: {
    assets: readonly string[]
    txHashes: string[]
    addresses: readonly string[]
    from: bigint
    to: bigint
  },
): Promise<WatchedTransfer[]> =>
  all<WatchedTransfer>(
    on,
    sql`with watched as (select * from watched_transfers where network = ${network} and asset = any(${[...of.assets]}::text[]))
      select ${COLUMNS} from watched where tx_hash = any(${of.txHashes}::text[])
      union select ${COLUMNS} from watched where block_number between ${of.from} and ${of.to} and to_address = any(${[...of.addresses]}::text[])`,
  )

export async function saveTransfers(tx: Tx, at: Date, rows: WatchedTransfer[]): Promise<void> {
  if (rows.length === 0) return
  const column = (pick: (row: WatchedTransfer) => unknown) => rows.map(pick)
  await sql`insert into watched_transfers as w
      (network, asset, tx_hash, log_index, block_number, block_hash, from_address, to_address, amount, state, seen_at)
    select r.*, ${at}::timestamptz from unnest(${column((r) => r.network)}::text[],
      ${column((r) => r.asset)}::text[], ${column((r) => r.txHash)}::text[],
      ${column((r) => r.logIndex)}::integer[], ${column((r) => r.blockNumber)}::bigint[],
      ${column((r) => r.blockHash)}::text[], ${column((r) => r.from)}::text[], ${column((r) => r.to)}::text[],
      ${column((r) => r.value)}::numeric[], ${column((r) => r.state)}::text[]) as r
    on conflict (network, tx_hash, log_index) do update set block_number = excluded.block_number,
      block_hash = excluded.block_hash, from_address = excluded.from_address, to_address = excluded.to_address,
      amount = excluded.amount, state = excluded.state`.execute(tx)
}

/** The wallets, of those given, that this service knows: by a key, a session or a balance. */
export async function findKnownWallets(on: Reader, wallets: string[]): Promise<Set<string>> {
  const rows = await all<{ wallet: string }>(
    on,
    sql`select w.wallet from unnest(${wallets}::text[]) as w (wallet)
      where ${hasSignedIn('w.wallet')} or ${hasBalance('w.wallet')}`,
  )
  return new Set(rows.map((row) => row.wallet))
}

/** Locks deposits of wallets that were unknown when the deposits came and are known now. */
export const lockClaimable = (
  tx: Tx,
  { network, assets }: { network: string; assets: readonly string[] },
  limit: number,
): Promise<WatchedTransfer[]> =>
  all<WatchedTransfer>(
    tx,
    sql`select ${COLUMNS} from watched_transfers w where network = ${network} and asset = any(${[...assets]}::text[]) and state = 'unclaimed'
      and not is_system_address(from_address) and (${hasSignedIn('w.from_address')} or ${hasBalance('w.from_address')})
      order by from_address, block_number limit ${limit} for update skip locked`,
  )

/** Marks transfers that a link's job has taken as credited. */
export async function markTaken(tx: Tx, network: string): Promise<void> {
  await sql`update watched_transfers w set state = 'credited' where network = ${network} and state = 'passed_on'
    and ${isLogTaken('w')}`.execute(tx)
}

/** Payments of links that were passed on before `before` and that no job has taken. */
export const findUntaken = (
  on: Reader,
  network: string,
  before: Date,
): Promise<{ id: string; code: string; txHash: Hex }[]> =>
  all(
    on,
    sql<{ id: string; code: string; txHash: Hex }>`select distinct l.id, l.code, w.tx_hash
      from watched_transfers w join ${LINKS} on l.deposit_address = w.to_address
      where w.network = ${network} and w.state = 'passed_on' and w.seen_at < ${before} limit 500`,
  )

/** Credited transfers that are no longer in their block, newest first. */
export const findMoved = (
  on: Reader,
  { network, asset }: { network: string; asset: string },
  limit: number,
): Promise<WatchedTransfer[]> =>
  all<WatchedTransfer>(
    on,
    sql`select ${COLUMNS} from watched_transfers where network = ${network} and asset = ${asset} and state = 'alarm'
      order by block_number desc, log_index desc limit ${limit}`,
  )

/** Counts transfers of an asset from the chain's own addresses, which are credited to nobody. */
/** Whether a transfer that has settled nothing yet was sent by the wallet, or comes to a link of it. */
export const isComing = async (
  on: Reader,
  { network, txHash, wallet }: { network: string; txHash: string; wallet: string },
): Promise<boolean> =>
  (await one(
    on,
    sql`select 1 from watched_transfers w
      where w.network = ${network} and w.tx_hash = ${txHash} and w.state in ('seen', 'orphaned', 'passed_on')
        and (w.from_address = ${wallet}
          or exists (select from ${LINKS} where l.deposit_address = w.to_address and l.wallet_address = ${wallet})) limit 1`,
  )) !== undefined

export const countUnowned = (
  on: Reader,
  { network, asset }: { network: string; asset: string },
): Promise<{ transfers: bigint; sum: bigint; newest: Hex } | undefined> =>
  one(
    on,
    sql<{
      transfers: bigint
      sum: bigint
      newest: Hex
    }>`select count(*) as transfers, sum(amount) as sum,
        (array_agg(tx_hash order by block_number desc, log_index desc))[1] as newest
      from watched_transfers w where network = ${network} and asset = ${asset}
        and state = 'unclaimed' and is_system_address(from_address)
        and not ${isDeposit('w')}`,
  )

/** States that still need a job or a person to end them. */
export const OPEN_STATES = ['seen', 'passed_on', 'unclaimed', 'alarm'] as const
export type WatchedCount = { state: TransferState; transfers: bigint }

/** The number of unfinished transfers, for metrics. */
export const countOpen = (on: Reader, network: string): Promise<WatchedCount[]> =>
  all<WatchedCount>(
    on,
    sql`select state, count(*) as transfers from watched_transfers
      where network = ${network} and state = any(${[...OPEN_STATES]}::text[]) group by state`,
  )
