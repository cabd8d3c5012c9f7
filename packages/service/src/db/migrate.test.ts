import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/postgres.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { migrate } from './migrate.ts'

const DIRECTORY = new URL('./migrations/', import.meta.url)

/** An empty schema as it was before the migration of this name. */
async function schemaBefore(client: pg.Client, name: string): Promise<void> {
  await client.query('drop schema public cascade; create schema public')
  await client.query(`create table schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  for (const file of readdirSync(DIRECTORY).sort()) {
    if (file >= name) break
    const text = readFileSync(new URL(file, DIRECTORY), 'utf8')
    await client.query(`begin; ${text}; commit`)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      file,
      sha256Hex(text),
    ])
  }
}

/** A settlement by mandate and a refunded payment, in the rows in which they were written before migration 024. */
const OLD_ROWS = `
  insert into ledger_accounts (kind, owner, network, asset) values ('custody', 'house', 'n', 'USDC'),
    ('treasury', '0xa', 'n', 'USDC'), ('card', 'card_a', 'n', 'USDC'), ('card', 'card_b', 'n', 'USDC');
  insert into ledger_transfers (id, kind, ref, digest, batch, created_at)
    values ('trf_1', 'deposit', 'dep_1', sha256('1'), 1, now());
  insert into ledger_entries values ('trf_1', 0, 1, -70), ('trf_1', 1, 2, 70);
  insert into ledger_transfers (id, kind, ref, digest, batch, created_at)
    values ('trf_2', 'card_funding', 'card_a', sha256('2'), 2, now());
  insert into ledger_entries values ('trf_2', 0, 2, -30), ('trf_2', 1, 3, 30);
  insert into cards (id, wallet_address, account_id, network, asset, token_hash, token_hint, purpose, status, single_use,
      settlement_mode, limit_amount, day, created_at)
    values ('card_a', '0xa', 3, 'n', 'USDC', sha256('a'), 'a', 'a', 'ACTIVE', false, 'CUSTODIAL', 30, now(), now()),
      ('card_b', '0xb', 4, 'n', 'USDC', sha256('b'), 'b', 'b', 'ACTIVE', false, 'CUSTODIAL', 1, now(), now());
  insert into pay_links (id, code, wallet_address, card_id, network, asset, link_type, accepted_protocols, max_uses,
      deposit_address, created_at)
    values ('pl_1', 'PL_0000000000', '0xb', 'card_b', 'n', 'USDC', 'RECURRING', '{ap2}', 0, '0xc', now());
  insert into pay_link_settlements (id, pay_link_id, protocol, payer, amount, fee, network, asset, state, created_at,
      settled_at)
    values ('stl_1', 'pl_1', 'ap2', 'card_a', 10, 1, 'n', 'USDC', 'settled', now(), now());
  insert into ap2_mandates (card_id, mandate_id, settlement_id, pay_link_id, payee_id, currency, amount, fee,
      transaction_id, reference, mandate_sd_hash, mandate, created_at)
    values ('card_a', 'mandate', 'stl_1', 'pl_1', 'PL_0000000000', 'USD', 1, 1, 'x', 'r', 'h', 'm', now());
  insert into card_transactions (id, card_id, wallet_address, direction, amount, fee, merchant, protocol, status, network,
      asset, ref, refunded, created_at)
    values ('txn_1', 'card_a', '0xa', 'sent', 10, 0, 'PL_0000000000', 'ap2', 'SETTLED', 'n', 'USDC', 'stl_1', 4, now()),
      ('txn_2', 'card_b', '0xb', 'received', 9, 1, 'card_a', 'ap2', 'SETTLED', 'n', 'USDC', 'stl_1', 4, now());
  insert into card_decisions (id, card_id, allowed, rule, amount, merchant, rail, inputs, ref, created_at)
    values ('dec_1', 'card_a', true, 'within_limits', 10, 'PL_0000000000', 'ap2', '{}', 'stl_1', now())`

test('what was settled and posted before one row told all of it is read as before', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const read = async (query: string) => (await client.query(query)).rows
  try {
    await schemaBefore(client, '024')
    await client.query(OLD_ROWS)
    const transactions = await read('select * from card_transactions order by id')
    const decisions = await read('select * from card_decisions')
    const entries = await read('select * from ledger_entries order by transfer_id, line')

    await migrate(database.url)

    expect(transactions).toHaveLength(2)
    expect(await read('select * from card_transactions order by id')).toEqual(transactions)
    expect(entries).toHaveLength(4)
    expect(await read('select * from ledger_entries order by transfer_id, line')).toEqual(entries)
    expect(await read('select * from card_decisions')).toEqual(decisions)
    expect(await read('select mandate_id from pay_link_settlements')).toEqual([
      { mandate_id: 'mandate' },
    ])
    expect(
      await read('select account_id, kind, gained, gave from ledger_totals order by kind'),
    ).toEqual([
      { account_id: '2', kind: 'card_funding', gained: '0', gave: '30' },
      { account_id: '2', kind: 'deposit', gained: '70', gave: '0' },
    ])
  } finally {
    await client.end()
    await database.drop()
  }
})

const OLD_GRANTS = `
  insert into ledger_accounts (kind, owner, network, asset) values ('card', 'card_a', 'n', 'USDC'),
    ('card', 'card_b', 'n', 'USDC');
  insert into cards (id, wallet_address, account_id, network, asset, token_hash, token_hint, purpose, status, single_use,
      settlement_mode, limit_amount, day, created_at)
    select owner, '0xa', id, 'n', 'USDC', sha256(owner::bytea), 'a', 'a', 'ACTIVE', false, 'CUSTODIAL', 30, now(), now()
      from ledger_accounts;
  insert into ap2_open_mandates (card_id, open_id, issued_here, agent_kid, currency, budget_max, max_uses, spent, uses,
      first_at, last_at, revoked_at, token, created_at)
    values ('card_a', 'both', false, 'k', 'USD', 500, null, 400, 2, '2026-01-02', '2026-01-05', null, 'a', '2026-01-02'),
      ('card_b', 'both', false, 'k', 'USD', 500, null, 300, 1, '2026-01-01', '2026-01-01', null, 'b', '2026-01-01'),
      ('card_a', 'ended', false, 'k', 'USD', null, 1, 0, 0, null, null, null, 'a', '2026-01-01'),
      ('card_b', 'ended', false, 'k', 'USD', null, 1, 0, 0, null, null, '2026-01-03', 'b', '2026-01-02'),
      ('card_a', 'one', true, 'k', 'USD', null, 1, 7, 1, '2026-01-04', '2026-01-04', null, 'a', '2026-01-04')`

test('an open mandate that was counted on each card is one grant after: what all have used, revoked on all', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await schemaBefore(client, '034')
    await client.query(OLD_GRANTS)
    await migrate(database.url)

    const grants = await client.query(
      `select open_id, card_id, spent::integer, uses, first_at < '2026-01-02' as is_early, revoked_at is not null as is_over
        from ap2_open_mandates order by open_id`,
    )
    expect(grants.rows).toMatchObject([
      { open_id: 'both', card_id: 'card_b', spent: 500, uses: 3, is_early: true, is_over: false },
      { open_id: 'ended', card_id: 'card_a', spent: 0, uses: 0, is_over: true },
      { open_id: 'one', card_id: 'card_a', spent: 7, uses: 1, is_over: false },
    ])
    const cards = await client.query(
      'select open_id, card_id, token from ap2_open_mandate_cards order by open_id',
    )
    expect(cards.rows).toEqual([
      { open_id: 'both', card_id: 'card_a', token: 'a' },
      { open_id: 'ended', card_id: 'card_b', token: 'b' },
    ])
  } finally {
    await client.end()
    await database.drop()
  }
})
