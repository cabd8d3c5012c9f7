// Makes the bundle that `packages/service/src/main.ts` runs in place of the sources: `npm run build` does. Node finds, reads and links
// 2,700 modules at each start otherwise.
import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import {
  BUNDLES,
  findBundle,
  MADE,
  type Made,
  sumOf,
} from '../packages/service/src/operate/bundle.ts'

const REPOSITORY = fileURLToPath(new URL('../', import.meta.url))
/** npm's list of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json'
/** Bundles are kept while a service that runs may still read them, to name the lines of an error. */
const KEPT = 3

if (findBundle()) console.log('The bundle is made from the present sources.')
else console.log(`Bundled into ${await bundle()}.`)

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: {
      program: fileURLToPath(new URL('../packages/service/src/program.ts', import.meta.url)),
    },
    platform: 'node',
    // Native, or optional and not installed.
    external: ['secp256k1', 'pg-native', 'typescript'],
    onLog: (level, log) => {
      // A library's own code may do what it likes.
      if (level === 'warn' && !log.message.includes('node_modules')) console.warn(log.message)
    },
  })
  const folder = new URL(`making-${process.pid}/`, BUNDLES)
  const { output } = await build.write({
    dir: fileURLToPath(folder),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Only the service's own map is kept: Node reads a map whole at the first error.
    codeSplitting: {
      groups: [
        { name: 'dependencies', test: /node_modules/ },
        { name: 'service', test: /packages\/service/ },
      ],
    },
  })
  await build.close()
  const modules = output.flatMap((part) => ('moduleIds' in part ? part.moduleIds : []))
  const own = modules
    .filter((id) => id.startsWith(REPOSITORY) && !id.includes('node_modules'))
    .map((id) => relative(REPOSITORY, id))
  const from = [...own.sort(), 'scripts/bundle.ts', INSTALLED]
  const made: Made = { sum: sumOf(from), from }
  await rm(new URL('dependencies.js.map', folder))
  const place = new URL(`${made.sum}/`, BUNDLES)
  await writeFile(new URL(MADE, folder), JSON.stringify(made))
  await rename(folder, place).catch(async (error) => {
    // Made at the same time by another: the same sum, the same files.
    if (error.code !== 'ENOTEMPTY') throw error
    await rm(folder, { recursive: true })
  })
  await copyFile(new URL(MADE, place), new URL(`making-${process.pid}.json`, BUNDLES))
  await rename(new URL(`making-${process.pid}.json`, BUNDLES), new URL(MADE, BUNDLES))
  await forgetOlder()
  return relative(REPOSITORY, fileURLToPath(place))
}

async function forgetOlder(): Promise<void> {
  const names = (await readdir(BUNDLES, { withFileTypes: true })).filter((one) => one.isDirectory())
  const ages = await Promise.all(
    names.map(async ({ name }) => ({ name, at: (await stat(new URL(name, BUNDLES))).mtimeMs })),
  )
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(KEPT))
    await rm(new URL(name, BUNDLES), { recursive: true, force: true })
}
