import { expect, test } from 'vitest'
import { firstId, newId, timeOf } from './ids.ts'

const OF_2026 = new Date('2026-11-27T14:05:00.123Z')
const LAST = new Date('3084-12-12T12:41:28.831Z')

test.each([OF_2026, LAST])('an id of %s names the single cell and its time', (at) => {
  const id = newId('stl', at)
  expect(id).toMatch(/^stl_0[0-9a-hjkmnp-tv-z]{25}$/)
  expect(timeOf('stl', id)).toEqual(at)
  expect(firstId('stl', at) <= id).toBe(true)
})

test('ids from before there were cells are of the single cell, at the same place among the others', () => {
  const before = 'stl_01m8en54ft0y083chnnt3j1gh1'
  const at = timeOf('stl', before)
  expect(at?.getUTCFullYear()).toBe(2026)
  expect(newId('stl', new Date((at?.getTime() ?? 0) - 1)) < before).toBe(true)
  expect(newId('stl', new Date((at?.getTime() ?? 0) + 1)) > before).toBe(true)
})
