/** Rows that are over are deleted in small pieces, by its job and by the command, and no others. */
import { expect, test } from 'vitest'
import { type World, world } from '../../../../test/world.ts'
import { one, sql } from '../../../base/db/sql.ts'
import { DAY, forget, HOUR } from '../../../base/jobs/kept.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { KEPT } from './kinds.ts'
import { applyRetention, keptText, readRetention } from './retention.ts'
import { retentionJson, retentionText } from './show.ts'

const settings = { webhooks: { hostRate: 1, bodyDays: 30 }, eventDays: null }

/** Answers that were stored so many hours ago. */
const answers = (w: World, hours: number, n: number) =>
  w.write((tx) =>
    sql`insert into idempotency_keys (wallet_address, key, route, request_hash, locked_until, created_at)
      select 'wallet', ${`${hours}h `} || i, '/x', sha256('x'), ${w.now()}, ${addSeconds(w.now(), -hours * HOUR)}
      from generate_series(1, ${n}::integer) i`.execute(tx),
  )
const stored = async (w: World) =>
  Number(
    (await one(w.db.reader, sql<{ n: bigint }>`select count(*) as n from idempotency_keys`))?.n,
  )
const stateOf = async (w: World, kind: string) =>
  (await readRetention(w.db.reader, settings, w.now())).kept.find((one) => one.kind === kind)

test('what is over is counted, deleted by the command, and written down', async () => {
  await using w = await world()
  await answers(w, 49, 4_500)
  await answers(w, 47, 3)
  expect(await stateOf(w, 'idempotency_answers')).toMatchObject({ rows: 4_503n, due: 4_500n })
  const shown = await applyRetention(w.db, settings, w.now())
  expect(await stored(w)).toBe(3)
  expect(retentionText(shown)).toContain('Deleted now: 4500 of idempotency_answers.')
  expect(retentionText(shown)).toContain('Nothing is over.')
  const { kept, settlements } = JSON.parse(retentionJson(shown))
  expect(kept).toContainEqual(
    expect.objectContaining({ kind: 'idempotency_answers', rows: 3, due: 0, deleted: 4_500 }),
  )
  expect(kept).toContainEqual(expect.objectContaining({ kind: 'events', seconds: null }))
  expect(settlements.map(({ month }: { month: string }) => month)).toContain(
    w.now().toISOString().slice(0, 7),
  )
  const act = await one(
    w.db.reader,
    sql<{ note: string }>`select note from audit_acts where act = 'retention.applied'`,
  )
  expect(act?.note).toBe('4500 of idempotency_answers')
})

test('a run that is cut off keeps what it has done, and the next one goes on', async () => {
  await using w = await world()
  await answers(w, 49, 4_500)
  const kept = KEPT.find(({ kind }) => kind === 'idempotency_answers')!
  const before = addSeconds(w.now(), -48 * HOUR)
  let pieces = 0
  const cut: Parameters<typeof forget>[0] = {
    write: (work) => {
      if (++pieces > 1) throw new Error('cut off')
      return w.db.write(work)
    },
  }
  await expect(forget(cut, kept, before)).rejects.toThrow('cut off')
  expect(await stored(w)).toBe(2_500)
  expect(await forget(w.db, kept, before)).toBe(2_500)
})

test('the job deletes what the command would', async () => {
  await using w = await world()
  await answers(w, 49, 2)
  await w.runJobs()
  expect(await stored(w)).toBe(0)
})

test('each kind can be counted, and has a name of its own', async () => {
  await using w = await world()
  const { kept, forEver } = await readRetention(w.db.reader, settings, w.now())
  const names = [...kept, ...forEver].map(({ kind }) => kind)
  expect(new Set(names).size).toBe(names.length)
  for (const { bytes, kind } of forEver) expect(bytes, kind).toBeGreaterThan(0n)
})

test('how long something is kept is said in words', () => {
  const said = (seconds: number | null) => keptText({ seconds })
  expect([null, 0, HOUR, 48 * HOUR, 30 * DAY].map(said)).toEqual([
    ...['for ever', 'no longer', '1 hour', '2 days', '30 days'],
  ])
})
