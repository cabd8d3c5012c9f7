import { once } from 'node:events'
import { expect, test } from 'vitest'
import { connect, fillCards, fillPayments } from '../../../../../../bench/stage/fill-cards.ts'
import { world } from '../../../../test/world.ts'
import { readCredential } from '../find.ts'
import { exportLeaves } from './export.ts'
import { newProofs } from './proof.ts'

const SELLER = `card_${'2'.padStart(26, '0')}`
/** More than an export keeps for its reader. */
const LEAVES = 20_000

test('a reader who takes nothing is cut off, and has one export at a time', async () => {
  await using w = await world()
  const client = await connect(w.databaseUrl)
  await fillCards(client, 2)
  const [payers, sellers] = [
    { from: 1, count: 1 },
    { from: 2, count: 1 },
  ]
  await fillPayments(client, { payers, sellers, count: LEAVES, series: 1, batch: null })
  await client.end()
  const at = w.now()
  const credential = await readCredential(w.db.reader, at, { ref: SELLER, caller: undefined })
  const proofs = newProofs()
  const read = (wallet: string) =>
    exportLeaves(w.services, proofs, {
      credential,
      at,
      wallet,
      closing: new AbortController().signal,
    })
  const [slow, other] = [read('slow'), read('other')]
  const isCutOff = once(slow, 'error')
  expect(() => read('slow')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  expect(() => read('third')).toThrow(expect.objectContaining({ code: 'overloaded' }))
  let lines = 0
  for await (const part of other) lines += String(part).split('\n').length - 1
  expect(lines).toBe(LEAVES + 1)
  expect((await isCutOff)[0]).toMatchObject({ message: 'the reader takes nothing' })
  while (proofs.exporting.size > 0) await new Promise((resolve) => setImmediate(resolve))
  expect(read('slow').resume().readableFlowing).toBe(true)
})
