import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir, openDataDir, readHolder } from './data-dir.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-dir-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const self = { pid: process.pid, program: basename(process.execPath) }

test('a lock whose process has ended, or is another program by now, is taken over', async () => {
  // This process lives, but was not started with that word.
  const stale = [
    { pid: 2 ** 22 + 1, program: 'main.ts' },
    { pid: process.ppid, program: 'no-such-word' },
  ]
  for (const holder of stale) {
    await writeFile(join(folder, 'service.lock'), JSON.stringify(holder))
    expect(await readHolder(folder)).toBeUndefined()
    const lock = await lockDataDir(folder, self)
    await lock.announce(4021)
    expect(await readHolder(folder)).toEqual({ ...self, port: 4021 })
    await lock.release()
    expect(await readdir(folder)).toEqual([])
  }
})

test('half a lock file is no lock', async () => {
  await writeFile(join(folder, 'service.lock'), '{"pid":')
  await (await lockDataDir(folder, self)).release()
})

test('a folder is made for its owner, a fresh volume is closed, and an open one with content is refused', async () => {
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  const made = join(folder, 'a', 'b')
  await openDataDir(made)
  expect(await modeOf(made)).toBe(0o700)
  const volume = join(folder, 'volume')
  await mkdir(volume, { mode: 0o755 })
  await openDataDir(volume)
  expect(await modeOf(volume)).toBe(0o700)
  const open = join(folder, 'open')
  await mkdir(join(open, 'content'), { recursive: true, mode: 0o755 })
  await expect(openDataDir(open)).rejects.toThrow('run chmod 700')
  expect(await modeOf(open)).toBe(0o755)
})
