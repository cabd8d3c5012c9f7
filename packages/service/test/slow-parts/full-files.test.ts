/** A disk that is full under the data folder, or under the folder of archived months: a sentence says so, and nothing is half done. */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeWhole } from '../../src/run/operate/data-dir.ts'
import { livedPlace, query, run, start, stopPrograms } from '../actors/program.ts'
import { runsNow } from '../crash/acts/dates.ts'
import { until } from '../until.ts'

const DAY = 86_400
const disks: string[] = []
afterAll(async () => {
  await stopPrograms()
  for (const disk of disks) {
    execFileSync('umount', ['--lazy', disk])
    await rm(disk, { recursive: true })
  }
})

async function smallDisk(size: string) {
  const disk = await mkdtemp(join(tmpdir(), 'purser-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', disk])
  disks.push(disk)
  const filler = join(disk, 'filler')
  return {
    disk,
    free: () => rm(filler),
    fill() {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' })
      } catch {
        // It ends where the disk does.
      }
    },
  }
}

test('a service whose data folder is full says so at its start, keeps its files whole, and starts once there is room', async () => {
  const lived = await livedPlace()
  const { disk, fill, free } = await smallDisk('400m')
  const dataDir = join(disk, 'data')
  await cp(lived.PURSER_DATA_DIR, dataDir, { recursive: true })
  const env = { ...lived, PURSER_DATA_DIR: dataDir }
  const { program } = await start(env)
  expect(await program.stop()).toBe(0)
  // An empty lock is left where there was no room for its content. The next start finds it stale.
  const names = async () => (await readdir(dataDir)).filter((name) => name !== 'service.lock')
  const dev = () => readFile(join(dataDir, 'dev.json'), 'utf8')
  const [before, named] = [await dev(), await names()]
  fill()
  const refused = run([], env)
  expect(await refused.exited).toBe(1)
  expect(refused.complaint).toMatch(/^The disk is full: free some space/)
  await expect(writeWhole(join(dataDir, 'dev.json'), { pid: 1 })).rejects.toThrow('ENOSPC')
  expect(await dev()).toBe(before)
  expect(await names()).toEqual(named)
  await free()
  const again = await start(env)
  expect(again.dev.base_url).toBeTruthy()
  expect(await again.program.stop()).toBe(0)
}, 600_000)

test('a month stays where it is while the disk of its file is full, and leaves once there is room', async () => {
  const env = { ...(await livedPlace()), PURSER_EVENT_DAYS: '30' }
  const { dev } = await start(env)
  const call = async (path: string, body: object) => {
    const answer = await fetch(dev.base_url + path, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${dev.demo.api_key}`, 'content-type': 'application/json' },
    })
    const text = await answer.text()
    expect(answer.status, text).toBeLessThan(300)
    return JSON.parse(text) as any
  }
  const issue = async () => (await call('/api/issue', { purpose: 'test', limit_amount: 5 })).card
  const [till, card] = [await issue(), await issue()]
  const link = await call('/api/paylinks', {
    ...{ card_id: till.id, amount: 1, type: 'RECURRING', max_uses: 0 },
  })
  await call(`/api/pay/${link.code}/settle`, {
    ...{ protocol: 'card', payer_card_id: card.id, payer_card_token: card.token },
  })
  const month = new Date().toISOString().slice(0, 7)
  await call('/api/dev/clock', { advance_seconds: 150 * DAY })
  await query(dev.database_url, `${runsNow('keep_stats_following')}; ${runsNow('seal_books')}`)
  const { disk, fill, free } = await smallDisk('1m')
  const archive = async (...how: string[]) => {
    const asked = run(['retention', 'archive', '--month', month, ...how], env)
    const code = await asked.exited
    return { code, said: asked.out + asked.complaint }
  }
  expect(await run(['retention', 'apply'], env).exited).toBe(0)
  // The figures are counted and the books sealed by jobs.
  await until(
    () => archive('--dry-run'),
    ({ code, said }) => expect(code, said).toBe(0),
  )
  const settlements = () =>
    query(dev.database_url, 'select count(*)::int as n from settlements').then(([row]) => row.n)
  fill()
  const refused = await archive('--to', disk)
  expect([refused.code, refused.said]).toEqual([
    1,
    expect.stringMatching(/^Nothing was put away: the disk of .* is full/),
  ])
  expect([await settlements(), await readdir(disk)]).toEqual([1, ['filler']])
  await free()
  // The service's own check of the books may run just then.
  await until(
    () => archive('--to', disk),
    ({ code, said }) => expect(code, said).toBe(0),
  )
  expect(await settlements()).toBe(0)
  const verified = run(['verify', '--archive', disk], env)
  expect(await verified.exited, verified.complaint).toBe(0)
}, 600_000)
