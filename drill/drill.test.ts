import { afterAll, expect, test } from 'vitest'
import { cleanUp } from './programs.ts'
import { drill } from './run.ts'

afterAll(cleanUp)

// The rest is `npm run drill`.
test('no answered payment is lost or doubled when the primary of the database dies', async () => {
  const lines: string[] = []
  const { 'kill-primary': outcome } = await drill(['kill-primary'], (line) => lines.push(line))
  expect(outcome, lines.join('\n')).toMatchObject({ lost: 0, doubled: 0, faults: [] })
  expect(outcome?.answered).toBeGreaterThan(100)
})
