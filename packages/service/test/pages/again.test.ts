import { afterAll, beforeAll, test } from 'vitest'
import { stopPrograms } from '../actors/program.ts'
import { blocksToRun, openPlace, PAGES, runAll, withoutShows } from './pages.ts'

let env: NodeJS.ProcessEnv
beforeAll(async () => {
  env = await openPlace()
}, 600_000)
afterAll(stopPrograms, 600_000)

test.each(PAGES)('%s works again beside what it left', async (page) => {
  const blocks = blocksToRun(page)
  await runAll(env, blocks)
  await runAll(env, blocks.map(withoutShows))
})

test('the books are right after all of it', async () => {
  await runAll(env, [
    { commands: 'npx purser verify', at: 'the end', section: '', output: undefined },
  ])
})
