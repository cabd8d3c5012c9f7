import { expect, test } from 'vitest'
import { allowanceOf, crowdSentence, leastOf, shareConnections } from './connections.ts'

const both = { roles: ['api', 'worker'] as const, connections: { all: null, jobs: null } }
const sum = ({ processes, requests, parent, jobs, queue }: ReturnType<typeof shareConnections>) =>
  processes * requests + parent + jobs + queue

test.each([
  // allowed, processes: all, processes, requests, jobs, queue
  [97, 1, [34, 1, 16, 6, 6]],
  [97, 2, [48, 2, 14, 8, 8]],
  [400, 8, [82, 8, 7, 8, 8]],
  [400, 1, [34, 1, 16, 6, 6]],
  [40, 2, [20, 2, 4, 4, 4]],
  [17, 2, [8, 1, 2, 2, 2]],
  [8, 8, [8, 1, 2, 2, 2]],
] as const)(
  'of %i connections a machine with %i processes shares out %o',
  (most, processes, wanted) => {
    const shares = shareConnections({ ...both, processes }, { most, by: 'x' })
    expect([shares.all, shares.processes, shares.requests, shares.jobs, shares.queue]).toEqual(
      wanted,
    )
  },
)

test('whatever is allowed and set, the parts together never open more, and each has what it needs', () => {
  for (const roles of [['api', 'worker'], ['api'], ['worker']] as const)
    for (let processes = 1; processes <= 64; processes *= 2)
      for (let most = leastOf({ roles }); most < 200; most++)
        for (const all of [null, leastOf({ roles }), most])
          for (const jobs of [null, 2, 30]) {
            const given = { roles, processes, connections: { all, jobs } }
            const shares = shareConnections(given, { most, by: 'x' })
            const check = roles.includes('worker' as never) ? 2 : 0
            expect(sum(shares) + check, JSON.stringify(given)).toBeLessThanOrEqual(shares.all)
            expect(shares.all).toBeLessThanOrEqual(most)
            expect(shares.requests).toBeGreaterThanOrEqual(2)
          }
})

test('too few are refused, with who allows no more', () => {
  const limits = { server: 97, ofRole: 5, ofDatabase: -1, isSuperuser: false }
  const allowed = allowanceOf({ limits, role: 'purser' })
  expect(() => shareConnections({ ...both, processes: 1 }, allowed)).toThrow(
    /^The database gives this service 5 connections \(the limit of the role purser\), and it needs 8/,
  )
  expect(allowanceOf({ limits: { ...limits, isSuperuser: true }, role: 'x' }).most).toBe(97)
  expect(allowanceOf({ limits: { ...limits, ofRole: -1, ofDatabase: 7 }, role: 'x' }).most).toBe(7)
  const set = { ...both, processes: 1, connections: { all: 50, jobs: null } }
  expect(() => shareConnections(set, { most: 20, by: 'max_connections of its server' })).toThrow(
    /^PURSER_DATABASE_CONNECTIONS is 50, and must be from 8, .* to 20, .*max_connections/,
  )
})

test('machines that together have more than the database allows are named; lost ones and older versions do not count', () => {
  const machine = (connections: number | null, silentSeconds = 0) => ({
    connections,
    silentSeconds,
  })
  const allowed = { most: 97, by: 'x' }
  expect(crowdSentence([machine(48), machine(48)], allowed)).toBeUndefined()
  expect(crowdSentence([machine(48), machine(null), machine(64, 90)], allowed)).toBeUndefined()
  expect(crowdSentence([machine(48), machine(48), machine(8)], allowed)).toMatch(
    /may open 104 .* allows 97/,
  )
})
