import { describe } from 'vitest'
import { stageOfFile, testCosts } from './costs-test.ts'
import { exposed } from './exposed.ts'

const stage = stageOfFile()
// A public route looks at no key: `open-route-costs.test.ts` calls it without one.
const routes = exposed.filter(({ auth }) => auth === 'key')

describe('a hundred calls of a wallet without money cost no more than the route declares', () => {
  testCosts(stage, routes, ({ poor }) => ({ key: poor.key }))
})
