import { expect, test } from 'vitest'
import { pause, until } from '../../../test/until.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { openDb } from '../../base/db/sql.ts'
import { type AccountKey, openAccounts } from './accounts.ts'
import { openCrowd } from './crowd.ts'
import { post } from './post.ts'

const AT = new Date('2026-11-01T00:00:00.000Z')
const key = (kind: AccountKey['kind'], owner: string): AccountKey => ({
  ...{ kind, owner, network: 'eip155:84532', asset: 'USDC' },
})

test('a machine that writes finds out how many others write as often, and that they have stopped', async () => {
  const database = await freshDatabase()
  const db = openDb(database.url)
  const [from = 0n, to = 0n] = await db.write((tx) =>
    openAccounts(tx, [key('custody', 'house'), key('treasury', '0xa')]),
  )
  const debugged: unknown[] = []
  const log = { debug: (given: unknown) => void debugged.push(given) }
  const machines = Array.from({ length: 3 }, () => openCrowd({ db, log }))
  let writing = machines
  let n = 0
  const work = (async () => {
    while (writing.length > 0) {
      for (const machine of writing) {
        const ref = `r${n++}`
        const entries = [
          { account: from, amount: -1n },
          { account: to, amount: 1n },
        ]
        await db.write((tx) => post(tx, AT, [{ kind: 'deposit', ref, entries }]))
        machine.wrote()
      }
      await pause(10)
    }
  })()
  const sizes = () => machines.map((machine) => machine.size())
  expect(sizes()).toEqual([1, 1, 1])
  await until(sizes, (all) => all.every((size) => size === 3))
  writing = machines.slice(0, 1)
  // A machine that writes no more forgets the others, too.
  await until(sizes, (all) => all.every((size) => size === 1))
  writing = []
  await work
  expect(debugged).toEqual([])
  await db.close()
  await database.drop()
})
