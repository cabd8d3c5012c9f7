// Puts the whole service into `dist` of the command line, for `purser start`: run in its folder, or in a copy, before npm packs it.
// Nothing of it is compiled or made again where it is installed: its sum is that of no source.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { MADE, type Made, sumOf } from '../../packages/service/src/run/operate/bundle.ts'
import { writeProgram, writeService } from '../bundle/write.ts'
import { noticesOf } from './notices.ts'

const SOURCES = new URL('../../packages/', import.meta.url)
const DIST = new URL('dist/', pathToFileURL(`${process.cwd()}/`))
const PLACE = new URL('service/', DIST)
/** Read when the service runs, by their places below its folder. */
const READ = ['src/base/db/migrations', 'src/api/http/examples.json']
/** `await using` and its stacks. */
const NEEDED_NODE = '>=24'
/** Packed it is no larger than with its names shortened, and an error names what it means. */
const minify = { compress: true, mangle: false, codegen: true }

await Promise.all(
  [PLACE, new URL('web/', DIST), new URL('docs/', DIST)].map((old) =>
    rm(old, { recursive: true, force: true }),
  ),
)
const made: Made = { sum: sumOf([]), from: [] }
const bundles = new URL('dist/', PLACE)
const folder = new URL(`${made.sum}/`, bundles)
const modules = await writeService(folder, { minify })
await writeProgram(folder, 'main.ts', { minify, codeSplitting: false })
await writeFile(new URL('LICENSES.txt', PLACE), await noticesOf(modules))
await writeFile(new URL(MADE, bundles), JSON.stringify(made))
for (const path of READ)
  await cp(new URL(`service/${path}`, SOURCES), new URL(path, PLACE), { recursive: true })
await mkdir(new URL('web/', DIST), { recursive: true })
for (const folder of ['web/dist', 'web/design'])
  await cp(new URL(folder, SOURCES), new URL(folder, DIST), { recursive: true })
// The Markdown alone: the pages of the site are four times the size.
await cp(new URL('docs/dist/site', SOURCES), new URL('docs/dist/site', DIST), {
  recursive: true,
  filter: (path) =>
    !/\.\w+$/.test(path) || /(\.md|guides\.json)\.br$|pictures\/\w+\.svg$/.test(path),
})
const manifest = JSON.parse(await readFile(new URL('service/package.json', SOURCES), 'utf8'))
const { type, nodeFlags } = manifest
const main = `dist/${made.sum}/main.js`
await writeFile(
  new URL('package.json', PLACE),
  JSON.stringify({ private: true, type, main, nodeFlags, engines: { node: NEEDED_NODE } }),
)
