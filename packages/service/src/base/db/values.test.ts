import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { all, json, one, openDb, sql } from './sql.ts'
import { columnNameOf } from './values.ts'

const database = await freshDatabase()
const db = openDb(database.url, 2)

afterAll(async () => {
  await db.close()
  await database.drop()
})

const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  '{',
  '}',
  '{a,b}',
  ',',
  '"',
  '\\',
  '\\"',
  "'",
  "\\'",
  '\n\t\r',
]
const MORE = ['é€😀', '\\x61', '\u0001', 'a"b\\c"', '"\\', '\\N', '$1', '%s', '\u2028']

test('the database reads an array as it was sent', async () => {
  const texts = [...TEXTS, ...MORE, null, undefined]
  const back = texts.map((text) => text ?? null)
  const ints = [0n, -1n, 2n ** 62n, null]
  const times = [new Date(0), new Date('2026-11-21T23:59:59.999Z'), new Date('0099-01-01'), null]
  const bytes = [Buffer.from('\\"{},\0'), Buffer.alloc(0), new Uint8Array([1, 255]), null]
  const [row] = await all<Record<string, unknown[]>>(
    db.reader,
    sql`select ${texts}::text[] as texts, ${ints}::bigint[] as ints, ${ints}::numeric[]::text[] as numerics,
      ${times}::timestamptz[] as times, ${bytes}::bytea[] as bytes, ${[true, false, null]}::boolean[] as flags,
      ${[1, -2.5, 1e21, 1e-7]}::float8[] as floats, ${[]}::text[] as none, ${[['a', '"'], ['b', null]]}::text[] as nested,
      ${[{ a: '"\\' }, { b: [1] }]}::jsonb[] as objects`,
  )
  expect(row?.texts).toEqual(back)
  expect(row?.ints?.map(String)).toEqual(ints.map(String))
  expect(row?.numerics).toEqual(ints.map((int) => int?.toString() ?? null))
  expect(row?.times).toEqual(times)
  expect(row?.bytes?.map((value) => value && Buffer.from(value as Buffer).toString('hex'))).toEqual(
    bytes.map((value) => value && Buffer.from(value).toString('hex')),
  )
  expect(row?.flags).toEqual([true, false, null])
  expect(row?.floats).toEqual([1, -2.5, 1e21, 1e-7])
  expect(row?.none).toEqual([])
  expect(row?.nested).toEqual([
    ['a', '"'],
    ['b', null],
  ])
  expect(row?.objects).toEqual([{ a: '"\\' }, { b: [1] }])
})

test('the database reads a value as it was sent, a time to the millisecond in any zone', async () => {
  for (const at of [
    '1970-01-01T00:00:00.000Z',
    '2026-03-29T01:30:00.123Z',
    '9999-12-31T23:59:59.999Z',
  ])
    expect(
      await one(
        db.reader,
        sql`select ${new Date(at)}::timestamptz as at, ${at}::timestamptz = ${new Date(at)}::timestamptz as same`,
      ),
    ).toEqual({ at: new Date(at), same: true })
  expect(
    await one(
      db.reader,
      sql`select ${'a"\\'}::text as text, ${5n}::bigint as int, ${Buffer.from('x')}::bytea as bytes, ${null}::text as none, ${json({ a: 1n })} as object`,
    ),
  ).toEqual({ text: 'a"\\', int: 5n, bytes: Buffer.from('x'), none: null, object: { a: '1' } })
})

test('columns get camelCase names whatever the statement, and the keys inside a value keep theirs', async () => {
  expect(
    ['id', 'wallet_address', 'day_2_cap', 'a__b', 'x_', '?column?', 'alreadyCamel'].map(
      columnNameOf,
    ),
  ).toEqual(['id', 'walletAddress', 'day2Cap', 'aB', 'x', '?column?', 'alreadyCamel'])
  const rows = () =>
    all(
      db.reader,
      sql`select 1 as some_name, '{"kept_as_is": {"a_b": 1}}'::jsonb as an_object where ${true}::boolean`,
    )
  const expected = [{ someName: 1, anObject: { kept_as_is: { a_b: 1 } } }]
  expect(await rows()).toEqual(expected)
  expect(await rows()).toEqual(expected)
  expect(await db.write((tx) => all(tx, sql`select 2 as some_name`))).toEqual([{ someName: 2 }])
})
