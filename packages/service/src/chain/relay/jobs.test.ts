import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { readQueue } from '../../base/jobs/queue.ts'
import { relayTasks } from './jobs.ts'
import { findSend, maintainTask, queueSend } from './send.ts'

test('a send that nobody waits for is carried by its job until it is safe, and the job ends', async () => {
  await using w = await world()
  await w.withGas()
  const to = w.chain.treasury.address
  await w.write((tx) => queueSend(tx, w.now(), { ref: 'test:left', to, data: '0x', gas: 30_000n }))
  const { rows } =
    await sql`select 1 from graphile_worker.jobs where key = ${maintainTask.name}`.execute(
      w.db.reader,
    )
  expect(rows).toHaveLength(1)
  await w.advance(15)
  const isSafe = async () => {
    await w.runJobs()
    await w.advance(4)
    return (await findSend(w.services, 'test:left'))?.isSafe
  }
  await until(isSafe, (seen) => expect(seen).toBe(true), { everyMs: 200 })
  await w.runJobs()
  expect(await readQueue(w.db.reader)).toMatchObject({ failed: 0 })
  const left =
    await sql`select 1 from graphile_worker.jobs where key = ${maintainTask.name}`.execute(
      w.db.reader,
    )
  expect(left.rows).toEqual([])
})

test('relayers low on gas are named in the log and shown in the metrics', async () => {
  await using w = await world()
  const logged: object[] = []
  const log = Object.create(w.services.log, {
    warn: { value: (fields: object) => void logged.push(fields) },
  })
  const measure = relayTasks.find(({ name }) => name === 'measure_relayer_gas')!
  await measure.handle({ ...w.services, log }, {}, w.now())
  const relayer = w.chain.relayers[0]!.address
  expect(logged).toEqual([{ relayer, balance_wei: '0', sends: '0' }])
  const { text } = await w.call('GET', '/metrics')
  expect(text).toContain(`purser_relayer_wei{relayer="${relayer}"} 0`)
  expect(text).toContain(`purser_relayer_resting{relayer="${relayer}"} 0`)
  await w.withGas()
  logged.length = 0
  await measure.handle({ ...w.services, log }, {}, w.now())
  expect(logged).toEqual([])
})
