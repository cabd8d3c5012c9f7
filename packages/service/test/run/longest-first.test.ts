import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONGEST } from './longest-first.ts'
import { testFiles } from './projects.ts'

const ROOT = join(import.meta.dirname, '../../../..')

// A file that was moved would start late again, and end alone on a core.
test('each file that starts early is there, once', () => {
  const files = Object.values(testFiles(ROOT)).flat()
  const misnamed = LONGEST.filter(
    (end) => files.filter((path) => `/${path}`.endsWith(end)).length !== 1,
  )
  expect(misnamed).toEqual([])
})
