import { expect, type TestContext } from 'vitest'
import { type Measured, required } from './modes.ts'

declare module 'vitest' {
  interface TaskMeta {
    measured?: Measured[]
  }
}

/** Expects what a case must end with, and leaves it with the test for `npm run battery`. */
export function expectCase({ task }: Pick<TestContext, 'task'>, measured: Measured): void {
  task.meta.measured = [...(task.meta.measured ?? []), measured]
  const transfers = required(measured.mode, measured.side)
  expect(measured).toEqual({ ...measured, transfers, heard: 'paid' })
}
