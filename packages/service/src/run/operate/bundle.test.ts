import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBundle, MADE, sumOf } from './bundle.ts'

let folder: string
let repository: URL
let bundles: URL

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-bundle-'))
  repository = pathToFileURL(`${folder}/`)
  bundles = new URL('dist/', repository)
  await mkdir(bundles)
})
afterEach(() => rm(folder, { recursive: true }))

async function makeBundle(from: string[]): Promise<URL> {
  const sum = sumOf(from, repository)
  const program = new URL(`${sum}/program.js`, bundles)
  await mkdir(new URL(`${sum}/`, bundles))
  await writeFile(program, '')
  await writeFile(new URL(MADE, bundles), JSON.stringify({ sum, from }))
  return program
}

const source = (name: string): URL => new URL(name, repository)

// A service that runs other code than the one on the disk would be a riddle.
test('a bundle is run only while every source is what it was made from', async () => {
  expect(findBundle(bundles, repository)).toBeUndefined()
  await writeFile(source('a.ts'), 'a')
  await writeFile(source('b.ts'), 'b')
  const program = await makeBundle(['a.ts', 'b.ts'])
  expect(findBundle(bundles, repository)).toEqual(program)

  await writeFile(source('b.ts'), 'c')
  expect(findBundle(bundles, repository)).toBeUndefined()
  await writeFile(source('b.ts'), 'b')
  expect(findBundle(bundles, repository)).toEqual(program)
})

test('a source or a bundle that is gone leaves the sources to run', async () => {
  await writeFile(source('a.ts'), 'a')
  const program = await makeBundle(['a.ts'])
  await rm(source('a.ts'))
  expect(findBundle(bundles, repository)).toBeUndefined()
  await writeFile(source('a.ts'), 'a')
  await rm(program)
  expect(findBundle(bundles, repository)).toBeUndefined()
})

// `npm test` makes the bundle first; a test run by hand may have none.
test.runIf(findBundle())('a line of the bundle is traced to its source', async () => {
  const path = fileURLToPath(new URL('service.js', findBundle()))
  const map = new SourceMap(JSON.parse(await readFile(`${path}.map`, 'utf8')))
  const lines = (await readFile(path, 'utf8')).split('\n')
  const line = lines.findIndex((text) => text.includes('function startService('))
  const origin = map.findOrigin(line + 1, (lines[line] ?? '').indexOf('startService') + 1)
  expect(origin).toMatchObject({
    fileName: expect.stringMatching(/src\/run\/operate\/start\/start\.ts$/),
  })
  const { lineNumber } = origin as { lineNumber: number }
  const text = await readFile(new URL('start/start.ts', import.meta.url), 'utf8')
  expect(text.split('\n')[lineNumber - 1]).toContain('function startService(')
})
