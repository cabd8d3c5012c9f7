import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createProgram } from '../main.ts'
import { completionOf } from './completion.ts'

const exec = promisify(execFile)

/** A folder with the script, and a program `purser` in the path that leaves a file when it is started. */
async function stage() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-tab-'))
  const trap = '#!/bin/sh\ntouch "$(dirname "$0")/started"\n'
  await writeFile(join(folder, 'purser'), trap, { mode: 0o755 })
  await writeFile(join(folder, 'script'), completionOf(createProgram(), 'bash'))
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder }
  return {
    folder,
    /** The words that bash offers after these; the last is the one that is being typed. */
    async complete(...words: string[]): Promise<string[]> {
      const script = `source script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _purser; printf '%s\\n' "\${COMPREPLY[@]}"`
      const args = ['--norc', '-c', script, 'bash', 'purser', ...words]
      const { stdout, stderr } = await exec('bash', args, { cwd: folder, env })
      expect(stderr).toBe('')
      return stdout.split('\n').filter(Boolean)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

test('bash completes commands, options and files, at any depth', async () => {
  await using s = await stage()
  expect(await s.complete('car')).toEqual(['cards'])
  expect(await s.complete('cards', 'fr')).toEqual(['freeze'])
  expect(await s.complete('ap2', 'keys', '')).toEqual(expect.arrayContaining(['add', 'list']))
  expect(await s.complete('cards', 'issue', '--pur')).toEqual(['--purpose'])
  expect(await s.complete('pay', 'https://seller.example/', '--sim')).toEqual(['--simulate'])
  await writeFile(join(s.folder, 'a card.json'), '')
  expect(await s.complete('pay', '--card-file', 'a')).toEqual(['a card.json'])
  expect(await s.complete('cards', 'issue', '--purpose', '')).toEqual([])
  expect(await s.complete('nothing', 'of', 'ours', '--ver')).toEqual(['--version'])
})

test('completing executes nothing: neither what was typed nor the program', async () => {
  await using s = await stage()
  const before = await readdir(s.folder)
  for (const typed of [
    '$(touch made)',
    '`touch made`',
    '"; touch made; "',
    '$'.concat('{x:=$(touch made)}'),
  ]) {
    expect(await s.complete(typed)).toEqual([])
    await s.complete('cards', typed, 'li')
    await s.complete('pay', '--card-file', typed)
  }
  expect(await readdir(s.folder)).toEqual(before)
})

test('no word of a script can leave its quotes, in any shell', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const text = completionOf(createProgram(), shell)
    // Without what stands in quotes no description is left.
    const bare = text.replaceAll(/'[^']*'/g, '')
    expect(bare, shell).not.toMatch(/the service|0600/)
    expect(text, shell).toContain('rotate-token')
  }
})
