import { expect, test } from 'vitest'
import { sha256Hex } from '../kernel/secrets.ts'
import {
  BASELINE,
  fitting,
  isContract,
  type Migration,
  numberOf,
  oldestOf,
  readMigrations,
} from './migrations.ts'

/** The digest of the names and hashes of the baseline. It never changes: databases were made by these files. */
const BASELINE_DIGEST = '263cdbfc21f304b206e9b60d279de984fdb1e022f3c01938876ce0f6c2dc45d5'

/** Takes something away that a program of the version before still uses, or locks a table for as long as a scan takes. */
const FORBIDDEN: [what: string, pattern: RegExp][] = [
  ['drops', /\bdrop\s+(table|column|view|type|function|sequence|schema|trigger|constraint)\b/],
  ['renames', /\brename\b/],
  ['changes a type', /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/],
  ['makes a column mandatory', /\bset\s+not\s+null\b/],
  [
    'adds a mandatory column without a default',
    /\badd\s+(column\s+)?(if\s+not\s+exists\s+)?\w+\s+(?!constraint)[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/,
  ],
  ['adds a constraint that reads the whole table', /\badd\s+constraint\b(?![^;]*\bnot\s+valid\b)/],
  ['rewrites rows', /^\s*(update|delete|truncate)\b/m],
]

/** Names what a later file does that the version before cannot live with; undefined for nothing. */
function faultOf({ name, text }: Pick<Migration, 'name' | 'text'>): string | undefined {
  // A table of the same file has no rows and no older reader, and a function's body runs later.
  const outside = text
    .replaceAll(/\$\$[\s\S]*?\$\$/g, '')
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\bcreate\s+(unlogged\s+)?table\b[\s\S]*?;/gi, '')
    .toLowerCase()
    // A check that is made again under its name, for new rows, takes nothing away.
    .replaceAll(/\bdrop\s+constraint\s+(\w+)(?=\s*;[^;]*\badd\s+constraint\s+\1\b)/g, '')
  const own = new Set(
    [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(\w+)/g)].map((m) => m[1]),
  )
  const of = outside
    .split(';')
    .filter((each) => !own.has(/\balter\s+table\s+(\w+)/.exec(each)?.[1] ?? ''))
    .join(';')
  const [what] = FORBIDDEN.find(([, pattern]) => pattern.test(of)) ?? []
  const oldest = oldestOf(name, text)
  const index = /\bcreate\s+(unique\s+)?index\s+(?!if\s+not\s+exists)\w+\s+on\s+(\w+)/.exec(of)
  if (isContract(text))
    return oldest < numberOf(name)
      ? undefined
      : 'does not say "-- oldest: <number>", what a program must know for it'
  if (/^-- not additive: \S/m.test(text))
    return oldest === numberOf(name) ? undefined : 'is not additive, so no older program may start'
  if (index && !own.has(index[2]))
    return 'makes an index that nobody can make before: if not exists'
  if (what) return what
  return oldest < numberOf(name) && oldest >= BASELINE
    ? undefined
    : 'does not say "-- oldest: <number>", the newest migration of the version before'
}

test('the files of the baseline are as they were', async () => {
  const baseline = (await readMigrations()).filter(({ name }) => numberOf(name) <= BASELINE)
  const digest = sha256Hex(baseline.map(({ name, hash }) => `${name} ${hash}`).join('\n'))
  expect(digest, 'a change of the schema is a new file').toBe(BASELINE_DIGEST)
})

test('later files only add, and say which older program may run beside them', async () => {
  const later = (await readMigrations()).filter(({ name }) => numberOf(name) > BASELINE)
  const faults = later.flatMap((file) => {
    const fault = faultOf(file)
    return fault ? [`${file.name} ${fault}`] : []
  })
  expect(faults).toEqual([])
})

test.each([
  ['alter table cards drop column spent', 'drops'],
  ['alter table cards rename to cards_2', 'renames'],
  ['alter table cards alter column spent type numeric', 'changes a type'],
  ['alter table cards add column kind text not null', 'adds a mandatory column without a default'],
  ['alter table cards add constraint a check (spent > 0)', 'adds a constraint'],
  ['alter table cards alter column x set not null', 'makes a column mandatory'],
  ['update cards set spent = 0', 'rewrites rows'],
  ['create index cards_by_x on cards (x)', 'makes an index'],
])('the rule finds %s', (statement, fault) => {
  expect(faultOf({ name: '044-x.sql', text: `-- oldest: 043\n${statement};\n` })).toContain(fault)
})

test.each([
  'alter table cards add column kind text',
  "alter table cards add column kind text not null default 'x'",
  'alter table cards add constraint a check (spent > 0) not valid',
  'create index if not exists cards_by_x on cards (x)',
  'create table x (id text not null); create index x_by_id on x (id); alter table x add constraint y check (true)',
  'create function f() returns void language sql as $$ delete from job_workers $$',
])('the rule lets %s pass', (statement) => {
  expect(faultOf({ name: '044-x.sql', text: `-- oldest: 043\n${statement};\n` })).toBeUndefined()
  expect(faultOf({ name: '044-x.sql', text: statement })).toContain('oldest')
})

test('what cannot be added is said, and stops every older program', () => {
  const text = '-- not additive: the column held secrets\nalter table cards drop column spent;'
  expect(faultOf({ name: '044-x.sql', text })).toBeUndefined()
  expect(faultOf({ name: '044-x.sql', text: `-- oldest: 043\n${text}` })).toContain('older program')
})

// PostgreSQL 15 takes no `storage` in `create table`; `npm run drill` runs on it.
test('PostgreSQL 15 is given no file that it cannot read, and the same storage', async () => {
  const files = await readMigrations()
  const columns = files.flatMap(({ text }) => [
    ...text.matchAll(/^\s+(\w+)\s+\w+ storage external/gm),
  ])
  expect(columns.length).toBeGreaterThan(0)
  const given = files.map(({ text }) => fitting(text, 150_000)).join('\n')
  expect(given).not.toMatch(/^\s+\w+\s+\w+ storage/m)
  for (const [, name] of columns)
    expect(given).toContain(`alter column ${name} set storage external;`)
  expect(given.match(/set storage external;/g)).toHaveLength(columns.length)
  expect(files.map(({ text }) => fitting(text, 160_000))).toEqual(files.map(({ text }) => text))
})
