import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../../../../scripts/packages/judge.ts'
import { type Packed, packAll, packCopy } from '../../../../scripts/packages/pack.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const readText = (...path: string[]) => readFile(join(...path), 'utf8')
const readManifest = async (folder: string) => JSON.parse(await readText(folder, 'package.json'))

let folder: string
let packed: Packed[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-pack-'))
  packed = await packAll(folder)
})
afterAll(() => rm(folder, { recursive: true }))

test('publint, attw and a dry run of npm publish find nothing in what is packed', async () => {
  for (const one of packed) expect(await faultsOf(one), one.name).toEqual([])
})

test('they do find a name that is not in the package, and a field that npm mends', async () => {
  const sdk = packed[0]!
  const whole = await readText(sdk.copy, 'package.json')
  const manifest = JSON.parse(whole)
  manifest.exports['.'].types = './dist/nowhere.d.ts'
  manifest.bin = { sdk: './dist/../dist/purser.js' }
  await writeFile(join(sdk.copy, 'package.json'), JSON.stringify(manifest))
  const spoiled = await mkdtemp(join(folder, 'spoiled-'))
  const faults = await faultsOf(await packCopy('sdk', sdk.copy, spoiled))
  await writeFile(join(sdk.copy, 'package.json'), whole)
  for (const tool of ['publint: ', 'attw: ', 'npm warn publish '])
    expect(
      faults.filter((fault) => fault.startsWith(tool)),
      tool,
    ).not.toEqual([])
})

test('what the packages promise npm is there, and they carry one version', async () => {
  const { version } = await readManifest(ROOT)
  const names = new Set(packed.map(({ name }) => name))
  expect([...names]).toEqual(['@purser/sdk', '@purser/paywall', '@purser/mcp', 'purser'])
  for (const { name, copy } of packed) {
    const manifest = await readManifest(copy)
    expect(manifest, name).toMatchObject({
      ...{ version, license: 'Apache-2.0', type: 'module', sideEffects: false },
      engines: { node: '>=24' },
      publishConfig: { access: 'public', provenance: true },
      exports: { './package.json': './package.json' },
    })
    expect(manifest.private, name).toBeUndefined()
    for (const [on, wanted] of Object.entries(manifest.dependencies))
      expect(wanted, `${name} on ${on}`).toBe(names.has(on) ? version : wanted)
    expect(await readText(copy, 'README.md'), name).toMatch(
      new RegExp(`^# ${name}\\n[\\s\\S]*Node 24`),
    )
    expect(await readText(copy, 'LICENSE'), name).toBe(await readText(ROOT, 'LICENSE'))
    const heading = new RegExp(`^# Changelog of ${name}\\n[\\s\\S]*?\\n## (\\S+)\\n`)
    expect(heading.exec(await readText(copy, 'CHANGELOG.md'))?.[1], name).toBe(version)
  }
})
