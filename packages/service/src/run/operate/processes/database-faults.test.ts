import { expect, test } from 'vitest'
import { lossOf, refusalOf, warningsOf } from './database-faults.ts'

const FIT = {
  ...{ version: 180_000, role: 'purser', isStandby: false, encoding: 'UTF8' },
  ...{ fsync: 'on', fullPageWrites: 'on', replicationRole: 'origin' },
}

test.each([
  [{ isStandby: true }, /in recovery/],
  [{ encoding: 'LATIN1' }, /has the encoding LATIN1.*--encoding UTF8/],
  [{ encoding: 'SQL_ASCII' }, /has the encoding SQL_ASCII/],
  [{ replicationRole: 'replica' }, /alter role purser reset session_replication_role/],
])('a database with %o is refused', (given, sentence) => {
  expect(refusalOf({ ...FIT, ...given })).toMatch(sentence)
})

test('a server that may lose what was answered is refused where money is real, and named elsewhere', () => {
  expect([refusalOf(FIT), lossOf(FIT, 'live'), warningsOf(FIT)]).toEqual([undefined, undefined, []])
  const unsafe = { ...FIT, fsync: 'off', fullPageWrites: 'off' }
  expect(lossOf(unsafe, 'live')).toMatch(/Set fsync = on/)
  expect([refusalOf(unsafe), lossOf(unsafe, 'test')]).toEqual([undefined, undefined])
  expect(warningsOf(unsafe)).toEqual([
    expect.stringMatching(/fsync = off/),
    expect.stringMatching(/full_page_writes = off/),
  ])
})
