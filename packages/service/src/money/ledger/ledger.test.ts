import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { openDb, sql, type Tx } from '../../base/db/sql.ts'
import { amount } from '../../base/kernel/money.ts'
import { Secret } from '../../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../../base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { type AccountKey, lockAccounts, openAccount, openAccounts } from './accounts.ts'
import { readAvailable } from './balance.ts'
import { captureHold, openHolds, releaseHold } from './holds.ts'
import { post } from './post.ts'
import { verifyLedger } from './verify/verify.ts'

const keys = checkpointKeysOf(new Keyring([new Secret('5a'.repeat(32))]))
const AT = new Date('2026-11-01T00:00:00.000Z')
const key = (kind: AccountKey['kind'], owner: string): AccountKey => ({
  kind,
  owner,
  network: 'eip155:84532',
  asset: 'USDC',
})

/** A database with custody, fees, and two wallets' balances. */
async function books() {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const accounts = await db.write((tx) =>
    openAccounts(tx, [
      key('custody', 'house'),
      key('fees', 'house'),
      key('treasury', '0xa'),
      key('treasury', '0xb'),
    ]),
  )
  const [custody, fees, a, b] = accounts as [bigint, bigint, bigint, bigint]
  let n = 0
  const move = (from: bigint, to: bigint, value: bigint) =>
    db.write((tx) =>
      post(tx, AT, [
        {
          kind: 'deposit',
          ref: `r${n++}`,
          entries: [
            { account: from, amount: -value },
            { account: to, amount: value },
          ],
        },
      ]),
    )
  return {
    db,
    custody,
    fees,
    a,
    b,
    move,
    available: (owner: string) => readAvailable(db.reader, key('treasury', owner)),
    /** Runs statements as an attacker who has the database. */
    tamper: (statement: string) =>
      db.write(async (tx: Tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql.raw(statement).execute(tx)
      }),
    async [Symbol.asyncDispose]() {
      await db.close()
      await database.drop()
    },
  }
}

test('a transfer moves money and the books verify', async () => {
  await using w = await books()
  await w.move(w.custody, w.a, 100n)
  await w.move(w.a, w.b, 30n)
  expect(await w.available('0xa')).toBe(70n)
  expect(await w.available('0xb')).toBe(30n)
  expect(await verifyLedger(w.db, { keys })).toEqual({ transfers: 2, faults: [] })
})

test('the code refuses what does not sum to zero', async () => {
  await using w = await books()
  const lopsided = {
    kind: 'x',
    ref: 'x',
    entries: [
      { account: w.custody, amount: -5n },
      { account: w.a, amount: 6n },
    ],
  }
  await expect(w.db.write((tx) => post(tx, AT, [lopsided]))).rejects.toThrow('off by 1')
})

test('the database refuses what does not sum to zero, whoever writes it', async () => {
  await using w = await books()
  const insert = (accounts: (bigint | null)[], amounts: (bigint | null)[]) =>
    w.db.write((tx) =>
      sql`insert into ledger_transfer_rows (id, kind, ref, digest, accounts, amounts, batch, created_at)
        values ('trf_x', 'x', 'x', sha256('x'), ${accounts}::bigint[], ${amounts}::numeric[], 1, now())`.execute(
        tx,
      ),
    )
  await expect(insert([w.custody, w.a], [-5n, 6n])).rejects.toThrow('does not sum to zero')
  await expect(insert([w.custody, -1n], [-5n, 5n])).rejects.toThrow('account that does not exist')
  for (const [accounts, amounts] of [
    [[w.a], [0n]],
    [
      [w.custody, w.a, w.b],
      [-5n, 5n],
    ],
    [
      [w.custody, w.a, w.b],
      [-5n, 5n, 0n],
    ],
    [
      [w.custody, w.a, null],
      [-5n, 4n, 1n],
    ],
    [
      [w.custody, w.a, w.b],
      [-5n, 5n, null],
    ],
    [[], []],
  ] as const)
    await expect(insert([...accounts], [...amounts])).rejects.toThrow('whole_lines')
  expect(await verifyLedger(w.db, { keys })).toEqual({ transfers: 0, faults: [] })
})

test('the database refuses an overdraft, a direct change of a balance, and any change of an entry', async () => {
  await using w = await books()
  await w.move(w.custody, w.a, 10n)
  await expect(w.move(w.a, w.b, 11n)).rejects.toThrow('available_not_negative')
  const run = (statement: string) => w.db.write((tx) => sql.raw(statement).execute(tx))
  await expect(run('update ledger_accounts set posted = posted + 1')).rejects.toThrow('insert only')
  await expect(run('update ledger_transfer_rows set amounts = amounts')).rejects.toThrow(
    'insert only',
  )
  await expect(run('delete from ledger_transfer_rows')).rejects.toThrow('insert only')
  await expect(run('delete from ledger_accounts')).rejects.toThrow('insert only')
  expect(await w.available('0xa')).toBe(10n)
})

test('one cause posts once', async () => {
  await using w = await books()
  const deposit = {
    kind: 'deposit',
    ref: 'dep_1',
    entries: [
      { account: w.custody, amount: -5n },
      { account: w.a, amount: 5n },
    ],
  }
  await w.db.write((tx) => post(tx, AT, [deposit]))
  await expect(w.db.write((tx) => post(tx, AT, [deposit]))).rejects.toThrow(
    'one_transfer_per_cause',
  )
  expect(await w.available('0xa')).toBe(5n)
})

test('a hold lowers what is available at once, and is closed once', async () => {
  await using w = await books()
  await w.move(w.custody, w.a, 10n)
  const hold = (value: bigint, ref: string) =>
    w.db.write(async (tx) => {
      await lockAccounts(tx, [w.a])
      return openHolds(tx, AT, [{ account: w.a, amount: amount(value), ref }])
    })
  const [first] = await hold(6n, 'p1')
  await expect(hold(5n, 'p2')).rejects.toThrow('available_not_negative')
  expect(await w.available('0xa')).toBe(4n)
  const close = () => w.db.write((tx) => captureHold(tx, AT, first!, amount(4n)))
  expect((await Promise.all([close(), close(), close()])).filter(Boolean)).toHaveLength(1)
  expect(await w.db.write((tx) => releaseHold(tx, AT, first!))).toBe(false)
  expect(await w.available('0xa')).toBe(10n)
  await expect(
    w.db.write((tx) =>
      sql`update ledger_holds set state = 'open', closed_at = null, captured = 0`.execute(tx),
    ),
  ).rejects.toThrow('closed once')
})

test('house accounts take postings from many transactions at once without waiting, and add up', async () => {
  await using w = await books()
  await w.move(w.custody, w.a, 1_000n)
  await w.move(w.custody, w.b, 1_000n)
  await Promise.all(Array.from({ length: 60 }, (_, i) => w.move(i % 2 ? w.a : w.b, w.fees, 7n)))
  const { rows } = await sql<{
    total: bigint
  }>`select sum(posted) as total from ledger_house_parts where account_id = ${w.fees}`.execute(
    w.db.reader,
  )
  expect(rows[0]?.total).toBe(420n)
  expect(await verifyLedger(w.db, { keys })).toEqual({ transfers: 62, faults: [] })
})

test('opening the same accounts from many transactions gives the same accounts', async () => {
  await using w = await books()
  const open = () => w.db.write((tx) => openAccount(tx, key('treasury', '0xnew')))
  expect(new Set(await Promise.all(Array.from({ length: 20 }, open))).size).toBe(1)
})

test.each([
  [
    'an amount',
    `update ledger_transfer_rows set amounts = array[amounts[1] * 2, amounts[2] * 2]`,
    /transfer trf_\w+ was altered/,
  ],
  ['the cause', `update ledger_transfer_rows set ref = ref || 'x'`, /transfer trf_\w+ was altered/],
  [
    'a digest and its amount',
    `update ledger_transfer_rows set amounts = array[amounts[1] * 2, amounts[2] * 2], digest = sha256('forged')`,
    /altered/,
  ],
  ['a missing batch', `delete from ledger_batches where seq = 2`, /batch 2 is missing/],
  ['a missing last batch', `delete from ledger_batches where seq = 3`, /batch 3 is missing/],
  [
    'a balance',
    `update ledger_accounts set posted = posted + 5 where kind = 'treasury'`,
    /account \d+ \(treasury 0xa\) shows/,
  ],
  [
    'a total',
    `update ledger_totals set gained = gained + 1`,
    /account \d+ shows 19 in and 0 out by \w+, its entries make 18 and 0/,
  ],
  [
    'a hold',
    `update ledger_accounts set held = 1 where owner = '0xa'`,
    /holds 1, its open holds make 0/,
  ],
])('verify names the first altered row: %s', async (_, statement, fault) => {
  await using w = await books()
  for (const value of [5n, 6n, 7n]) await w.move(w.custody, w.a, value)
  await w.tamper(statement)
  const { faults } = await verifyLedger(w.db, { keys })
  expect(faults.map((f) => f.fault).join('\n')).toMatch(fault)
})
