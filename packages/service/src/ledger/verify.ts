import { all, one, type Reader, sql } from '../db/sql.ts'
import type { Id } from '../kernel/ids.ts'
import { sha256 } from '../kernel/secrets.ts'
import { digestOf } from './post.ts'

/** One thing that should hold and does not, in a sentence that names the row. */
export type Fault = { check: string; fault: string }
export type Liabilities = { network: string; asset: string; custody: bigint; outbound: bigint }

/** Every check of the books that needs no chain. An empty list means that they are in order. */
export async function verifyLedger(on: Reader): Promise<{ transfers: number; faults: Fault[] }> {
  const chained = await verifyChains(on)
  const sums = await Promise.all(
    SUM_CHECKS.map(([check, query]) =>
      all<{ fault: string }>(on, query).then((rows) => rows.map(({ fault }) => ({ check, fault }))),
    ),
  )
  return { transfers: chained.transfers, faults: [...chained.faults, ...sums.flat()] }
}

const SUM_CHECKS = [
  [
    'zero_sum',
    sql<{
      fault: string
    }>`select 'entries of ' || a.network || ' ' || a.asset || ' sum to ' || sum(e.amount) as fault
    from ledger_entries e join ledger_accounts a on a.id = e.account_id
    group by a.network, a.asset having sum(e.amount) <> 0`,
  ],
  [
    'transfer_balance',
    sql<{
      fault: string
    }>`select 'transfer ' || e.transfer_id || ' is off by ' || sum(e.amount) as fault
    from ledger_entries e join ledger_accounts a on a.id = e.account_id
    group by e.transfer_id, a.network, a.asset having sum(e.amount) <> 0 limit 20`,
  ],
  [
    'account_balance',
    sql<{
      fault: string
    }>`select 'account ' || a.id || ' (' || a.kind || ' ' || a.owner || ') shows ' ||
      a.posted || ', its entries make ' || coalesce(e.total, 0) as fault
    from ledger_accounts a left join (select account_id, sum(amount) as total from ledger_entries group by 1) e
      on e.account_id = a.id where not a.is_house and a.posted <> coalesce(e.total, 0) limit 20`,
  ],
  [
    'house_balance',
    sql<{
      fault: string
    }>`select 'house account ' || a.id || ' (' || a.kind || ') shows ' || coalesce(p.total, 0) ||
      ', its entries make ' || coalesce(e.total, 0) as fault
    from ledger_accounts a
    left join (select account_id, sum(posted) as total from ledger_house_parts group by 1) p on p.account_id = a.id
    left join (select account_id, sum(amount) as total from ledger_entries group by 1) e on e.account_id = a.id
    where a.is_house and coalesce(p.total, 0) <> coalesce(e.total, 0)`,
  ],
  [
    'totals',
    sql<{
      fault: string
    }>`select 'account ' || coalesce(s.account_id, e.account_id) || ' shows ' || coalesce(s.gained, 0) || ' in and ' ||
      coalesce(s.gave, 0) || ' out by ' || coalesce(s.kind, e.kind) || ', its entries make ' || coalesce(e.gained, 0) ||
      ' and ' || coalesce(e.gave, 0) as fault
    from ledger_totals s full join (
      select e.account_id, t.kind, coalesce(sum(e.amount) filter (where e.amount > 0), 0) as gained,
        coalesce(-sum(e.amount) filter (where e.amount < 0), 0) as gave
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
        join ledger_accounts a on a.id = e.account_id and a.kind <> 'card' and not a.is_house group by 1, 2) e
      on e.account_id = s.account_id and e.kind = s.kind
    where (s.gained, s.gave) is distinct from (e.gained, e.gave) limit 20`,
  ],
  [
    'held',
    sql<{
      fault: string
    }>`select 'account ' || a.id || ' (' || a.kind || ' ' || a.owner || ') holds ' || a.held ||
      ', its open holds make ' || coalesce(h.total, 0) as fault
    from ledger_accounts a left join (select account_id, sum(amount) as total from ledger_holds where state = 'open' group by 1) h
      on h.account_id = a.id where a.held <> coalesce(h.total, 0) limit 20`,
  ],
] as const

type TransferRow = {
  id: Id<'trf'>
  kind: string
  ref: string
  reverses: Id<'trf'> | null
  digest: Buffer
  createdAt: Date
  accounts: string[]
  amounts: string[]
}
type BatchRow = { id: bigint; seq: bigint; previous: Buffer; hash: Buffer }
const PAGE = 500

/** Walks every chain from its start, computing each hash again; stops a chain at its first altered row. */
async function verifyChains(on: Reader): Promise<{ transfers: number; faults: Fault[] }> {
  const faults: Fault[] = []
  let transfers = 0
  const chains = await all<{ id: number; seq: bigint; head: Buffer }>(
    on,
    sql`select id, seq, head from ledger_chains order by id`,
  )
  for (const chain of chains) {
    let head = sha256(`purser ledger chain ${chain.id}`)
    let seq = 0n
    walk: for (;;) {
      const batches = await all<BatchRow>(
        on,
        sql`select id, seq, previous, hash from ledger_batches where chain = ${chain.id} and seq > ${seq}
          and seq <= ${chain.seq} order by seq limit ${PAGE}`,
      )
      const rows = await readTransfers(
        on,
        batches.map((batch) => batch.id),
      )
      for (const batch of batches) {
        const inBatch = rows.get(batch.id) ?? []
        const fault = faultOf(chain.id, { batch, rows: inBatch, head, seq })
        if (fault) {
          faults.push({ check: 'hash_chain', fault })
          break walk
        }
        transfers += inBatch.length
        head = batch.hash
        seq = batch.seq
      }
      if (batches.length < PAGE) break
    }
    if (seq === chain.seq && !head.equals(chain.head))
      faults.push({
        check: 'hash_chain',
        fault: `chain ${chain.id}: its head is not the hash of its last batch`,
      })
    else if (seq !== chain.seq && !faults.some((f) => f.fault.startsWith(`chain ${chain.id},`)))
      faults.push({ check: 'hash_chain', fault: `chain ${chain.id}, batch ${seq + 1n} is missing` })
  }
  const stray = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from ledger_transfers t where not exists (select from ledger_batches b where b.id = t.batch)`,
  )
  if (stray && stray.n > 0n)
    faults.push({ check: 'hash_chain', fault: `${stray.n} transfers are in no sealed batch` })
  return { transfers, faults }
}

function faultOf(
  chain: number,
  at: { batch: BatchRow; rows: TransferRow[]; head: Buffer; seq: bigint },
): string | undefined {
  const name = `chain ${chain}, batch ${at.batch.seq}`
  if (at.batch.seq !== at.seq + 1n) return `chain ${chain}, batch ${at.seq + 1n} is missing`
  if (!at.batch.previous.equals(at.head)) return `${name} does not follow the one before it`
  for (const row of at.rows) {
    const entries = row.accounts.map((account, i) => ({
      account: BigInt(account),
      amount: BigInt(row.amounts[i] ?? 0),
    }))
    const { reverses, ...rest } = row
    const transfer = { ...rest, entries, ...(reverses ? { reverses } : {}) }
    if (!digestOf(transfer, row.createdAt).equals(row.digest))
      return `${name}: transfer ${row.id} was altered`
  }
  const sealed = sha256(Buffer.concat([at.batch.previous, ...at.rows.map((row) => row.digest)]))
  return sealed.equals(at.batch.hash)
    ? undefined
    : `${name}: a transfer was altered, added or removed`
}

async function readTransfers(on: Reader, batches: bigint[]): Promise<Map<bigint, TransferRow[]>> {
  const rows = await all<TransferRow & { batch: bigint }>(
    on,
    sql`select id, kind, ref, reverses, digest, batch, created_at, accounts::text[], amounts::text[]
      from ledger_transfers where batch = any(${batches}::bigint[]) order by batch, id collate "C"`,
  )
  const byBatch = new Map<bigint, TransferRow[]>()
  for (const row of rows) {
    const list = byBatch.get(row.batch)
    if (list) list.push(row)
    else byBatch.set(row.batch, [row])
  }
  return byBatch
}

/** What the ledger says stands in custody, and is on its way out, per asset, in base units. */
export async function readLiabilities(on: Reader): Promise<Liabilities[]> {
  return all<Liabilities>(
    on,
    sql`select a.network, a.asset,
        -coalesce(sum(p.posted) filter (where a.kind = 'custody'), 0) as custody,
        coalesce(sum(p.posted) filter (where a.kind = 'outbound'), 0) as outbound
      from ledger_accounts a join ledger_house_parts p on p.account_id = a.id
      where a.kind in ('custody', 'outbound') group by a.network, a.asset`,
  )
}
