import { expect, test } from 'vitest'
import { runChainLoad } from '../../../../bench/chain/load.ts'
import { livedPlace } from '../actors/program.ts'

test('withdrawals and payments of links under a kill -9 all end, once each, and the books agree with the chain', {
  timeout: 900_000,
}, async () => {
  const lines: string[] = []
  const { PURSER_DATA_DIR: folder } = await livedPlace()
  const load = { withdrawals: 40, links: 160, concurrency: 80, folder }
  const outcome = await runChainLoad(load, (line) => void lines.push(line))
  expect(outcome.faults, lines.join('\n')).toEqual([])
  // The payments shared transactions: one for each would have been 200.
  expect(outcome.transactions).toBeLessThan(100)
})
