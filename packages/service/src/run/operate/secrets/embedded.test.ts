import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { livedPlace, run, start, stopPrograms } from '../../../../test/actors/program.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

afterAll(stopPrograms)

const ask = async (args: string[], env: Record<string, string>) => {
  const ran = run(args, env)
  const code = await ran.exited
  return { code, out: ran.out, error: ran.complaint }
}

test('a service with keys of its own gets a new secret: its accounts stay, and an older backup says what to do', async () => {
  const lived = await livedPlace()
  const { secret: old } = JSON.parse(
    await readFile(join(lived.PURSER_DATA_DIR, 'keys.json'), 'utf8'),
  ) as { secret: string }
  const next = randomHex(32).slice(2)
  const file = join(await mkdtemp(join(tmpdir(), 'purser-secret-')), 'old.backup')
  const relayers = async (base: string, key: string) => {
    const answer = await fetch(`${base}/api/operator/relayers`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { relayers } = (await answer.json()) as { relayers: { address: string }[] }
    return relayers.map(({ address }) => address)
  }
  const before = await start(lived)
  const known = await relayers(before.dev.base_url, before.dev.demo.api_key)
  expect(known.length).toBeGreaterThan(0)
  expect(await ask(['backup', file], lived)).toMatchObject({ code: 0, error: '' })
  await before.program.stop()

  const both = { ...lived, PURSER_SECRET: `${next},${old}` }
  const alone = { ...lived, PURSER_SECRET: next }
  expect((await ask(['secret', 'rotate'], alone)).error).toMatch(/^PURSER_SECRET is another one/)
  // The service does not run: the command starts the database itself.
  expect(await ask(['secret', 'rotate'], both)).toMatchObject({ code: 0, error: '' })
  const after = await start(alone)
  expect(after.dev.demo).toEqual(before.dev.demo)
  expect(await relayers(after.dev.base_url, after.dev.demo.api_key)).toEqual(known)
  expect(await ask(['verify'], alone)).toMatchObject({ code: 0, error: '' })
  const newer = `${file}.new`
  expect(await ask(['backup', newer], alone)).toMatchObject({ code: 0, error: '' })
  await after.program.stop()

  const refused = await ask(['restore', file, '--replace'], alone)
  expect(refused.code).toBe(1)
  expect(refused.error).toContain(
    'If the secret was replaced since, set PURSER_SECRET=<new>,<old>.',
  )
  expect(await ask(['restore', file, '--replace'], both)).toMatchObject({ code: 0, error: '' })
  expect((await ask(['secret'], alone)).error).toMatch(/^PURSER_SECRET is another one/)
  const restored = await start(both)
  expect(restored.program.out).toContain('does not seal yet: run "npx purser secret rotate"')
  // While the service runs.
  const again = await ask(['secret', 'rotate'], both)
  expect(again).toMatchObject({ code: 0, error: '' })
  expect(again.out).toContain('Set PURSER_SECRET to this secret alone')
  await restored.program.stop()
  const last = await start(alone)
  expect(last.dev.demo.wallet_address).toBe(before.dev.demo.wallet_address)
  await last.program.stop()
  // A backup that the new secret signed needs no other.
  expect(await ask(['restore', newer, '--replace'], alone)).toMatchObject({ code: 0, error: '' })
})
