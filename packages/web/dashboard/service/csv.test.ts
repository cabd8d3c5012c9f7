import { expect, test } from 'vitest'
import { line } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; @cmd', "a; '@cmd"],
  ['\t=1', "\t'=1"],
  ['first\n+1', `"first\n'+1"`],
  ['5 - 3; four', '5 - 3; four'],
  ['PL_0000000000', 'PL_0000000000'],
])('%j is no formula in the file, wherever a program parts the cells', (text, cell) => {
  expect(line([text])).toBe(`${cell}\r\n`)
})

test('an amount that is a number stays one', () => {
  expect(line([-1.5, null])).toBe('-1.5,\r\n')
})
