import { expect, test } from 'vitest'
import { readMeanings } from '../../../docs/compose/errors.ts'
import { PROBLEM_CODES, type ProblemCode, statusOf } from '../../src/base/kernel/problem.ts'

test('docs/errors.md has the cause and the mend of every code, under its status, and of no other', async () => {
  const meanings = await readMeanings()
  expect([...meanings.keys()].sort()).toEqual([...PROBLEM_CODES].sort())
  for (const [code, { status, cause, mend }] of meanings) {
    expect([code, status]).toEqual([code, statusOf(code as ProblemCode)])
    for (const text of [cause, mend]) expect(text, code).toMatch(/^\S.{8,}[.]$/)
  }
})
