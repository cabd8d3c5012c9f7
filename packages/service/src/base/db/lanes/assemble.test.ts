import { expect, test } from 'vitest'
import { assemble } from './assemble.ts'

const LONG_MS = 60_000

test('a lone caller does not wait', async () => {
  const together = assemble(LONG_MS)
  expect(await together(async () => 1)).toBe(1)
  await expect(together(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('callers at the same work finish together, whether it succeeded or failed', async () => {
  const together = assemble(LONG_MS)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended: string[] = []
  const waits = [
    together(() => first.promise).then(() => ended.push('first')),
    together(() => second.promise).catch(() => ended.push('second')),
  ]
  first.resolve()
  await new Promise(setImmediate)
  expect(ended).toEqual([])
  second.reject(new Error('no'))
  await Promise.all(waits)
  expect(ended.sort()).toEqual(['first', 'second'])
})

test('no caller waits longer than the limit for another', async () => {
  const together = assemble(1)
  const never = Promise.withResolvers<void>()
  const late = together(() => never.promise)
  expect(await together(async () => 'gone on')).toBe('gone on')
  never.resolve()
  await late
})
