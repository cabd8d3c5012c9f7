import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import type { Note } from '../fault.ts'

/** The sealed tables: their keys and the sealed columns. The same as in the triggers `note_seal` of the migrations. */
const SEALED: { table: string; keys: string[]; columns: string[] }[] = [
  {
    table: 'ledger_accounts',
    keys: ['id'],
    columns: ['id', 'kind', 'owner', 'network', 'asset'],
  },
  {
    table: 'cards',
    keys: ['id'],
    columns: [
      ...['id', 'kind', 'wallet_address', 'account_id', 'network', 'asset', 'token_hash'],
      'single_use',
      ...['mcc_locks', 'allowed_merchants', 'max_transaction'],
      ...CARD_LIMITS.map(({ name }) => name),
      ...['rolling_limit', 'max_payments_per_minute', 'max_like_payments', 'caps'],
      ...['approval_above', 'approval_first_merchant'],
    ],
  },
  {
    table: 'spending_caps',
    keys: ['subject'],
    columns: [
      ...['subject', 'network', 'asset'],
      ...CARD_LIMITS.map(({ name }) => name),
      ...['rolling_limit', 'max_payments_per_minute'],
    ],
  },
  {
    table: 'pay_links',
    keys: ['id'],
    columns: [
      ...['id', 'code', 'wallet_address', 'card_id', 'network', 'asset', 'amount'],
      'deposit_address',
      'token',
    ],
  },
  {
    table: 'api_keys',
    keys: ['hash'],
    columns: ['hash', 'wallet_address', 'scopes', 'card_ids', 'max_amount', 'revoked_at'],
  },
  {
    table: 'ap2_card_keys',
    keys: ['card_id', 'kid'],
    columns: ['card_id', 'kid', 'role', 'jwk', 'revoked_at'],
  },
  {
    table: 'fee_rules',
    keys: ['seq'],
    columns: ['seq', 'scope', 'subject', 'kind', 'bps', 'flat', 'effective_at'],
  },
  {
    table: 'plans',
    keys: ['tier', 'billing_period', 'asset'],
    columns: ['tier', 'billing_period', 'asset', 'price', 'direct_quota', 'overage_fee'],
  },
  {
    table: 'listings',
    keys: ['id'],
    columns: ['id', 'card_id', 'seller', 'price', 'mode', 'network', 'status', 'buyer'],
  },
  {
    table: 'audit_acts',
    keys: ['id'],
    columns: [
      ...['id', 'act', 'way', 'actor', 'key_hash', 'subject', 'note', 'request_id', 'created_at'],
    ],
  },
  {
    table: 'archived_months',
    keys: ['month'],
    columns: ['month', 'manifest', 'settlements', 'batches', 'shape', 'digest', 'archived_at'],
  },
  {
    table: 'memberships',
    keys: ['wallet_address'],
    columns: [
      ...['wallet_address', 'tier', 'billing_period', 'asset', 'status', 'current_period_end'],
    ],
  },
]
const PAGE = 1_000

type Sealed = { keys: string[]; subject: string; said: string; digest: Buffer | null }

/** Compares every row of the sealed tables with its newest seal, and looks for sealed rows that are gone. */
export async function checkSeals(
  on: Reader,
  { note, rest }: { note: Note; rest(): Promise<void> },
): Promise<void> {
  // The trigger wrote the times in UTC.
  await sql`set timezone = 'UTC'`.execute(on)
  try {
    for (const each of SEALED) {
      await checkTable(on, each, { note, rest })
    }
    await checkMissing(on, { note, rest })
  } finally {
    await sql`reset timezone`.execute(on)
  }
}

async function checkTable(
  on: Reader,
  { table, keys, columns }: (typeof SEALED)[number],
  { note, rest }: { note: Note; rest(): Promise<void> },
): Promise<void> {
  const name = sql.raw(table)
  const key = sql.raw(keys.map((column) => `t.${column}`).join(', '))
  let after: string[] | undefined
  for (;;) {
    const rows = await all(
      on,
      sql<Sealed>`select array[${sql.raw(keys.map((column) => `t.${column}::text`).join(', '))}] as keys, n.subject,
          (select jsonb_agg(to_jsonb(t) -> c order by i)::text
            from unnest(${columns}::text[]) with ordinality as u (c, i)) as said,
          coalesce(
            (select q.digest from seal_queue q where q.subject = n.subject order by q.seq desc limit 1),
            (select s.digest from seals s where s.subject = n.subject order by s.seq desc limit 1)) as digest
        from (select * from ${name} t where ${after ? afterKeys(table, keys, after) : sql`true`}
          order by ${key} limit ${PAGE}) t
          cross join lateral (select ${table} || ' ' || concat_ws(' ', ${key}) as subject) n
        order by ${key}`,
    )
    for (const { subject, said, digest } of rows)
      if (!digest) note('seals', `${subject} was never sealed: it was added without the triggers`)
      else if (!sha256(said).equals(digest))
        note('seals', `${subject} was changed without the triggers: it is not what was sealed`)
    after = rows.at(-1)?.keys
    if (rows.length < PAGE) return
    await rest()
  }
}

/** Keys are sent as text and compared in their own type. */
const afterKeys = (table: string, keys: string[], after: string[]) =>
  sql`(${sql.raw(keys.map((column) => `t.${column}`).join(', '))}) > (${sql.join(
    keys.map((column, i) => sql`${after[i]}::text::${sql.raw(typeOf(table, column))}`),
  )})`

/** Notes rows that were sealed and are gone. */
async function checkMissing(
  on: Reader,
  { note, rest }: { note: Note; rest(): Promise<void> },
): Promise<void> {
  let after = 0n
  for (;;) {
    const rows = await all(
      on,
      sql<{
        seq: bigint
        subject: string
        isGone: boolean
      }>`select s.seq, s.subject, not (${sql.join(
        SEALED.map(
          ({ table, keys }) => sql`exists (select from ${sql.raw(table)} t
            where split_part(s.subject, ' ', 1) = ${table} and ${sql.join(
              keys.map((column, i) => sql`t.${sql.raw(column)} = ${keyPart(table, column, i)}`),
              sql` and `,
            )})`,
        ),
        sql` or `,
      )}) as is_gone
      from seals s where s.seq > ${after} order by s.seq limit ${PAGE}`,
    )
    for (const { subject, isGone } of rows)
      if (isGone) note('seals', `${subject} was sealed and is missing`)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.seq ?? after
    await rest()
  }
}

/** The part of a subject that is the column's value. Null if the subject is of another table. */
const keyPart = (table: string, column: string, i: number) =>
  sql`case when split_part(s.subject, ' ', 1) = ${table}
    then split_part(s.subject, ' ', ${i + 2}::integer) end::${sql.raw(typeOf(table, column))}`

const TYPES: Readonly<Record<string, string>> = {
  'ledger_accounts.id': 'bigint',
  'fee_rules.seq': 'bigint',
  'api_keys.hash': 'bytea',
}
const typeOf = (table: string, column: string): string => TYPES[`${table}.${column}`] ?? 'text'
