/** Settlements by mandate inserted straight into the tables, in rows that verify. A million take a minute or two. */
import { Client } from 'pg'
import { CARD_LIMITS } from '../../packages/service/src/base/kernel/card-limits.ts'
import { newId } from '../../packages/service/src/base/kernel/ids.ts'
import type { Shop } from './shop.ts'

/** The number of settlements in one statement whose rows fit in memory. */
const CHUNK = 10_000
const MONTH_MS = 30 * 86_400_000
/** So little that ten million are paid from the 1,000 USDC of the demo wallet. */
const AMOUNT = 50
const FEE = 1
/** About as long as a mandate of the SDK, of which 16 bytes are a hash. */
const MANDATE_MD5S = 16

const PARTIES = `
  create temp table payers as
    select row_number() over () - 1 as i, c.id, c.wallet_address, c.account_id from cards c where c.id = any ($1);
  create unique index on payers (i)`
const LINKS = `
  create temp table links as
    select row_number() over () - 1 as i, l.id, l.code, l.card_id, l.wallet_address, c.account_id
      from pay_links l join cards c on c.id = l.card_id where l.code = any ($1);
  create unique index on links (i)`

/** Counts what a card spent in its newest window of a limit, as the service does. */
const counted = ({ window, usedName, format }: (typeof CARD_LIMITS)[number]): string => {
  const name = `to_char($3::timestamptz at time zone 'UTC', '${format}')`
  return `${usedName} = case when v.spent = 0 or ${name} < c.${window} then c.${usedName}
      when ${name} = c.${window} then c.${usedName} + v.spent else v.spent end,
    ${window} = case when v.spent = 0 then c.${window} else greatest(c.${window}, ${name}) end`
}

/**
 * $1 the first number and $2 the last, $3::timestamptz the time, $4 the part of ids that encodes it, $5 the account of
 * the fees.
 */
const SETTLE = `
  with paid as materialized (
    select $4 || lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 8) as tail, md5(n::text) as jti, p.id as payer,
           p.wallet_address as payer_wallet, p.account_id as payer_account, l.id as link, l.code, l.card_id as receiver,
           l.wallet_address as receiver_wallet, l.account_id as receiver_account
      from generate_series($1::integer, $2::integer) n
      join payers p on p.i = n::bigint * 7919 % (select count(*) from payers)
      join links l on l.i = n::bigint * 104729 % (select count(*) from links)),
  batch as materialized (select nextval('ledger_batch_ids') as id),
  rows as materialized (
    select jsonb_populate_record(null::settlements, jsonb_build_object('id', 'stl_' || tail, 'pay_link_id', link,
             'protocol', 'ap2', 'payer', payer, 'amount', ${AMOUNT}, 'fee', ${FEE}, 'refunded', 0, 'network', 'eip155:84532',
             'asset', 'USDC', 'decimals', 6, 'state', 'settled', 'is_swept', true, 'created_at', $3::timestamptz,
             'settled_at', $3::timestamptz, 'payer_wallet', payer_wallet, 'receiver_card_id', receiver,
             'receiver_wallet', receiver_wallet, 'mandate_id', jti, 'mandate_currency', 'USDC', 'mandate_amount', ${AMOUNT},
             'mandate', '\\x' || repeat(jti, ${MANDATE_MD5S}),
             'decided_on', '[null, null, false, "100000", "0", "0", "100000", null, "", []]'::jsonb,
             'xid', (select event_xid()), 'seq', nextval('event_numbers'), 'payer_account', payer_account,
             'receiver_account', receiver_account, 'fees_account', $5::bigint, 'batch', batch.id)) as s from paid, batch),
  used as (
    update pay_links l set uses = l.uses + v.uses, confirmed_at = $3::timestamptz
      from (select link, count(*) as uses from paid group by link) v where l.id = v.link),
  counted as (
    update cards c set spent = c.spent + v.spent, received = c.received + v.received, ${CARD_LIMITS.map(counted).join(', ')}
      from (select id, sum(spent) as spent, sum(received) as received from (
              select payer as id, ${AMOUNT} as spent, 0 as received from paid
              union all select receiver, 0, ${AMOUNT - FEE} from paid) one group by id) v where c.id = v.id)
  insert into settlements select r.* from rows
    cross join lateral jsonb_populate_record(s, jsonb_build_object('digest', settlement_fact(s))) r`

type Spread = {
  /** The months that they are spread over, the last of which ends now. Without: all are of this moment. */
  months?: number
  /** How many share a statement, and so a batch of the ledger. */
  batch?: number
}

/** Inserts `count` settlements between the shop's payers and links. Returns the number inserted per second. */
export async function fillSettlements(
  databaseUrl: string,
  { payers, links }: Shop,
  count: number,
  { months = 0, batch = CHUNK }: Spread = {},
): Promise<number> {
  // The service's own connections give up a silent statement after ten seconds. These take longer.
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const prepare = async (script: string, names: string[]) => {
    const [table = '', index = ''] = script.split(';')
    await client.query(table, [names])
    await client.query(index)
  }
  await prepare(
    PARTIES,
    payers.map(({ id }) => id),
  )
  await prepare(
    LINKS,
    links.map(({ code }) => code),
  )
  const { rows } = await client.query(
    `select id from ledger_accounts where kind = 'fees' and network = 'eip155:84532' and asset = 'USDC'`,
  )
  const now = Date.now()
  const startedAt = performance.now()
  for (let from = 0; from < count; from += batch) {
    const last = Math.min(from + batch, count) - 1
    const at = new Date(now - Math.round(months * MONTH_MS * (1 - (last + 1) / count)))
    const head = newId('stl', at).slice(4, 14)
    await client.query(SETTLE, [from, last, at, head, rows[0].id])
  }
  // Otherwise the server would clean up a million new rows during the next measurement. An ordinary day does not add so
  // many.
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
  return Math.round(count / ((performance.now() - startedAt) / 1000))
}
