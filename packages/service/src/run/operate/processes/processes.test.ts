import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { livedPlace, start, stopPrograms } from '../../../../test/actors/program.ts'
import { until } from '../../../../test/until.ts'
import { isAlive } from '../../embedded/child.ts'

afterEach(stopPrograms)

/** The child processes of this one that serve the API. */
const serving = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0serve\0'))

test('several processes serve one port as one service', { timeout: 600_000 }, async () => {
  const env = { ...(await livedPlace()), PURSER_PROCESSES: '2' }
  const { program, dev } = await start(env)
  const parent = program.child.pid as number
  const pids = serving(parent)
  expect(pids).toHaveLength(2)
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${dev.base_url}${path}`, {
      // A new connection for each request, so that either process may get it.
      headers: { connection: 'close', 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, text: await answer.text() }
  }

  // Counted once, whichever process is asked.
  for (let i = 0; i < 20; i++) expect((await ask('/api/v1')).status).toBeLessThan(500)
  const counted = async () =>
    Number(
      /http_request_duration_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)/.exec(
        (await ask('/metrics')).text,
      )?.[1] ?? 0,
    )
  for (let i = 0; i < 6; i++) await ask('/healthz')
  expect([await counted(), await counted()]).toEqual([6, 6])

  // All processes have the new time before the caller gets its answer.
  const { now } = JSON.parse((await ask('/api/dev/clock', { advance_seconds: 86_400 })).text)
  for (let i = 0; i < 4; i++) {
    const answer = await ask('/api/auth/challenge', { wallet_address: dev.demo.wallet_address })
    expect(Date.parse(JSON.parse(answer.text).expires_at)).toBeGreaterThan(Date.parse(now))
  }

  // A killed process is replaced, and the other goes on meanwhile.
  const [first = 0] = pids
  process.kill(first, 'SIGKILL')
  for (let i = 0; i < 6; i++) {
    expect((await ask('/healthz').catch(() => ask('/healthz'))).status).toBe(200)
  }
  await until(() => serving(parent).length === 2 && !serving(parent).includes(first))

  // No process outlives a killed service.
  const left = serving(parent)
  program.child.kill('SIGKILL')
  await program.exited
  await until(() => !left.some(isAlive))
})
