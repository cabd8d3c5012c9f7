import { expect, test } from 'vitest'
import { tasks } from '../src/run/app.ts'

// The queue refuses a whole crontab for one such name, and the service does not start.
test('every task has a name that a crontab takes, and that no other task has', () => {
  const names = tasks.map(({ name }) => name)
  expect(names.filter((name) => !/^[a-z]+(_[a-z0-9]+)*$/.test(name))).toEqual([])
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})
