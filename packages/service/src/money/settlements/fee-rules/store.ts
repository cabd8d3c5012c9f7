import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { FeeKind, FeeScope, SetRule } from '../fees.ts'

/** A subquery of a room above: the tier of the wallet in this column while its membership counts, or null. */
export type TierOf = (walletColumn: string) => RawBuilder<string | null>

/** The newest row of a scope and subject. Null if there is none, or if it removed the rule. */
const newest = (scope: FeeScope, subject: RawBuilder<unknown>, kind: FeeKind) =>
  sql`(select case when f.bps is not null then jsonb_build_array(f.bps, f.flat::text) end from fee_rules f
    where f.subject = ${subject} and f.kind = ${sql.lit(kind)} and f.scope = ${sql.lit(scope)} order by f.seq desc limit 1)`

/** An expression for another room's statement: the rule that counts for the wallet in this column. */
export const feeRuleOf = (
  walletColumn: string,
  { kind, tierOf }: { kind: FeeKind; tierOf: TierOf },
): RawBuilder<SetRule> =>
  sql`(case when exists (select from fee_rules) then coalesce(
    ${newest('wallet', sql.ref(walletColumn), kind)},
    ${newest('tier', tierOf(walletColumn), kind)},
    ${newest('default', sql.lit(''), kind)}) end)`

/** The rules that count for these wallets, by address. A wallet that pays by the service's configuration is missing. */
export async function findFeeRules(
  on: Reader,
  { wallets, ...of }: { wallets: readonly string[]; kind: FeeKind; tierOf: TierOf },
): Promise<Map<string, SetRule>> {
  const rows = await all<{ walletAddress: string; feeRule: SetRule }>(
    on,
    sql`select w.wallet_address, ${feeRuleOf('w.wallet_address', of)} as fee_rule
      from unnest(${wallets}::text[]) as w (wallet_address)`,
  )
  return new Map(rows.map((row) => [row.walletAddress, row.feeRule]))
}

/** The default that was set for this kind. */
export async function findDefaultRule(on: Reader, kind: FeeKind): Promise<SetRule> {
  const row = await one<{ rule: SetRule }>(
    on,
    sql`select ${newest('default', sql.lit(''), kind)} as rule`,
  )
  return row?.rule ?? null
}

/** A row of the table. `bps` and `flat` are null if it removed the rule. */
export type FeeRuleRow = {
  scope: FeeScope
  subject: string
  kind: FeeKind
  bps: number | null
  flat: Amount | null
  note: string
  databaseRole: string
  effectiveAt: Date
}

export async function insertFeeRule(tx: Tx, rule: Omit<FeeRuleRow, 'databaseRole'>): Promise<void> {
  await sql`insert into fee_rules (scope, subject, kind, bps, flat, note, effective_at)
    values (${rule.scope}, ${rule.subject}, ${rule.kind}, ${rule.bps}, ${rule.flat}, ${rule.note}, ${rule.effectiveAt})`.execute(
    tx,
  )
}

/** The newest row of each scope, subject and kind. */
export const listFeeRules = (on: Reader): Promise<FeeRuleRow[]> =>
  all<FeeRuleRow>(
    on,
    sql`select distinct on (scope, subject, kind) scope, subject, kind, bps, flat, note, database_role, effective_at
      from fee_rules order by scope, subject, kind, seq desc`,
  )

/** All changes, newest first. */
export const listFeeChanges = (on: Reader): Promise<FeeRuleRow[]> =>
  all<FeeRuleRow>(
    on,
    sql`select scope, subject, kind, bps, flat, note, database_role, effective_at from fee_rules order by seq desc`,
  )
