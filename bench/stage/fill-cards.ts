/** Cards with figures and listings, and payments between wallets, written straight into the tables. */
import { Client } from 'pg'

const NETWORK = 'eip155:84532'
const CHUNK = 10_000

/** An SQL expression for the id, wallet or payer of a number. */
const cardId = (n: string) => `('card_' || lpad(${n}::text, 26, '0'))`
const wallet = (n: string) => `('0x' || md5('w' || ${n}) || substr(md5('v' || ${n}), 1, 8))`

/** A connection without the service's timeouts. */
export async function connect(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl })
  // When the service stops first, a failed statement has said why.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const CARDS = `
  with opened as (
    insert into ledger_accounts (kind, owner, network, asset)
    select 'card', ${cardId('n')}, '${NETWORK}', 'USDC' from generate_series($1::bigint, $2::bigint) n
    returning id, owner),
  issued as (
    insert into cards (id, wallet_address, account_id, network, asset, kind, token_hash, token_hint, purpose, status,
      single_use, settlement_mode, limit_amount, day, hour, week, month, created_at)
    select owner, ${wallet('substr(owner, 6)::bigint')}, id, '${NETWORK}', 'USDC', 'spending', sha256(owner::bytea),
      'tok', 'bench', 'ACTIVE', false, 'CUSTODIAL', 1000000, current_date, to_char(now(), 'YYYY-MM-DD"T"HH24'),
      to_char(now(), 'IYYY-"W"IW'), to_char(now(), 'YYYY-MM'), now() - interval '90 days' from opened
    returning id, wallet_address)
  insert into listings (id, card_id, seller, price, mode, network, asset, hash, status, created_at)
  select 'lst_' || substr(id, 6), id, wallet_address, 1000000 + substr(id, 6)::bigint % 977 * 1000, 'custodial',
    '${NETWORK}', 'USDC', '0x' || md5(id) || md5('x' || id), 'LISTED', now() from issued`

/** Inserts listed cards with these numbers, each of a wallet of its own. */
export async function fillCards(client: Client, count: number): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK)
    await client.query(CARDS, [from, Math.min(from + CHUNK - 1, count)])
}

const FIGURES = [
  `insert into card_stats (card_id, network, listing_id, rx_lifetime, rx_count, by_ap2, by_x402, first_active,
     last_active, payers, repeat_payers, largest)
   select ${cardId('n')}, '${NETWORK}', 'lst_' || substr(${cardId('n')}, 6), $3::numeric * (1000 + n * 7919 % 100003), $3, $3 - $3 / 4, $3 / 4,
     now() - interval '60 days', now(), least($3, 10), least($3, 10) / 2, 1000 * (least($3, 10) + 1) from generate_series($1::bigint, $2::bigint) n`,
  `insert into card_stats_days (card_id, day, payments, revenue, payments_before, revenue_before)
   select ${cardId('n')}, current_date - d, greatest($3 / 60, 1), greatest($3 / 60, 1)::numeric * (1000 + n * 7919 % 100003),
     $3 - greatest($3 / 60, 1) * (d + 1), ($3 - greatest($3 / 60, 1) * (d + 1))::numeric * (1000 + n * 7919 % 100003)
   from generate_series($1::bigint, $2::bigint) n, generate_series(0, 29) d`,
  `insert into card_payers (card_id, payer, payments, revenue)
   select ${cardId('n')}, ${wallet('(n * 31 + p)')}, greatest($3 / 10, 1), 1000 * (p + 1)
   from generate_series($1::bigint, $2::bigint) n, generate_series(1, least($3, 10)) p`,
]

/** Gives each card the figures of `each` payments, without their settlements. */
export async function fillFigures(
  client: Client,
  of: { cards: number; each: number },
): Promise<void> {
  for (let from = 1; from <= of.cards; from += CHUNK)
    for (const statement of FIGURES)
      await client.query(statement.replaceAll('$3', `${of.each}::bigint`), [
        from,
        Math.min(from + CHUNK - 1, of.cards),
      ])
}

const LINKS = `
  insert into pay_links (id, code, wallet_address, card_id, network, asset, link_type, accepted_protocols, max_uses,
    deposit_address, created_at)
  select 'pl_' || substr(id, 6), 'PL_' || upper(lpad(to_hex(substr(id, 6)::bigint), 10, '0')), wallet_address, id,
    network, asset, 'RECURRING', array['card'], 0, '0x' || md5(id) || substr(md5('l' || id), 1, 8), now()
  from cards where id = any ($1)`

/** Settlements between cards by their numbers. */
const SETTLED = `
  with paid as materialized (
    select lpad(to_hex($5::bigint), 10, '0') || lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 8) as tail,
      ${cardId('($1::bigint + n * 7919 % $2::bigint)')} as payer, ${cardId('($3::bigint + n * 104729 % $4::bigint)')} as seller
    from generate_series($6::bigint, $7::bigint) n)
  insert into settlements (id, pay_link_id, protocol, payer, amount, fee, network, asset, state, created_at, settled_at,
    payer_wallet, receiver_card_id, receiver_wallet, decided_on, decimals, xid, seq, payer_account, receiver_account,
    fees_account, batch, digest)
  select 'stl_' || p.tail, 'pl_' || substr(s.id, 6), 'card', b.id, 1000, 5, '${NETWORK}', 'USDC', 'settled', now(), now(),
    b.wallet_address, s.id, s.wallet_address, '{}', 6, (select event_xid()), nextval('event_numbers'), b.account_id,
    s.account_id, $8::bigint, $9::bigint, sha256(p.tail::bytea)
  from paid p join cards b on b.id = p.payer join cards s on s.id = p.seller`

export type Payments = {
  payers: { from: number; count: number }
  sellers: { from: number; count: number }
  count: number
  /** The first part of their ids, so that a second filling has others. */
  series: number
  /** Payments in one batch of the ledger; null moves no money. */
  batch: number | null
}

/** Inserts settlements. Those that move no money are for reads alone: the books do not know them. */
export async function fillPayments(client: Client, of: Payments): Promise<void> {
  const { payers, sellers, count, series, batch } = of
  const ids = (part: Payments['payers']) =>
    Array.from({ length: part.count }, (_, i) => `card_${String(part.from + i).padStart(26, '0')}`)
  await client.query(LINKS.replace('$1)', '$1) on conflict do nothing'), [ids(sellers)])
  const fees = await feesAccount(client)
  const step = batch ?? CHUNK
  if (batch === null) await client.query('set session_replication_role = replica')
  for (let from = 0; from < count; from += step)
    await client.query(SETTLED, [
      ...[payers.from, payers.count, sellers.from, sellers.count, series],
      ...[from, Math.min(from + step, count) - 1, fees, await nextBatch(client)],
    ])
  await client.query('reset session_replication_role')
}

async function feesAccount(client: Client): Promise<string> {
  await client.query(
    `insert into ledger_accounts (kind, owner, network, asset) values ('fees', 'house', '${NETWORK}', 'USDC')
     on conflict do nothing`,
  )
  const { rows } = await client.query(
    `select id from ledger_accounts where kind = 'fees' and network = '${NETWORK}' and asset = 'USDC'`,
  )
  return rows[0].id
}

const nextBatch = async (client: Client): Promise<string> =>
  (await client.query(`select nextval('ledger_batch_ids') as id`)).rows[0].id

/** Puts money on the payers' cards, so that they can pay. */
export async function fund(
  client: Client,
  payers: Payments['payers'],
  each: number,
): Promise<void> {
  await client.query(
    `insert into ledger_accounts (kind, owner, network, asset) values ('custody', 'house', '${NETWORK}', 'USDC')
     on conflict do nothing`,
  )
  await client.query(
    `insert into ledger_transfer_rows (id, kind, ref, digest, accounts, amounts, batch, created_at)
      select 'trf_f' || lpad(c.account_id::text, 25, '0'), 'bench', c.account_id::text, sha256('f'),
        array[a.id, c.account_id], array[-$1::numeric, $1::numeric], $2::bigint, now()
      from cards c, ledger_accounts a where a.kind = 'custody' and a.network = '${NETWORK}' and a.asset = 'USDC'
        and c.id >= ${cardId(String(payers.from))} and c.id < ${cardId(String(payers.from + payers.count))}`,
    [each, await nextBatch(client)],
  )
}
