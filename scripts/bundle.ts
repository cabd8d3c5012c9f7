// Makes the bundle that `packages/service/src/main.ts` runs in place of the sources: `npm run build` does. Node finds, reads and links
// 2,700 modules at each start otherwise.
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputOptions, rolldown } from 'rolldown'
import {
  BUNDLES,
  findBundle,
  MADE,
  type Made,
  sumOf,
} from '../packages/service/src/run/operate/bundle.ts'

const REPOSITORY = fileURLToPath(new URL('../', import.meta.url))
/** npm's list of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json'
/** Bundles are kept while a service that runs may still read them, to name the lines of an error. */
const KEPT = 3

if (findBundle()) console.log('The bundle is made from the present sources.')
else console.log(`Bundled into ${await bundle()}.`)

async function bundle(): Promise<string> {
  const startedAt = Date.now()
  const folder = new URL(`making-${process.pid}/`, BUNDLES)
  const modules = [
    ...(await write(folder, 'program.ts', {
      groups: [
        // Loaded at the first call of /mcp.
        { name: 'mcp', test: isOfMcp, priority: 1 },
        { name: 'dependencies', test: (id) => !isOwn(id) },
        { name: 'service', test: isOwn },
      ],
    })),
    // A process of its own that needs almost nothing of this.
    ...(await write(folder, 'run/embedded/anvil/guard.ts', false)),
  ]
  await dropMap(new URL('dependencies.js', folder))
  const own = new Set(modules.filter(isOwn).map((id) => relative(REPOSITORY, id)))
  const from = [...own].sort().concat('scripts/bundle.ts', INSTALLED)
  for (const path of from)
    if ((await stat(new URL(path, `file://${REPOSITORY}`))).mtimeMs >= startedAt)
      throw new Error(`${path} was written while the bundle was made: run this again.`)
  const made: Made = { sum: sumOf(from), from }
  const place = new URL(`${made.sum}/`, BUNDLES)
  await writeFile(new URL(MADE, folder), JSON.stringify(made))
  await rename(folder, place).catch(async (error) => {
    // Made at the same time by another: the same sum, the same files.
    if (error.code !== 'ENOTEMPTY') throw error
    await rm(folder, { recursive: true })
  })
  const pointer = new URL(`making-${process.pid}.json`, BUNDLES)
  await copyFile(new URL(MADE, place), pointer)
  await rename(pointer, new URL(MADE, BUNDLES))
  await forgetOlder()
  return relative(REPOSITORY, fileURLToPath(place))
}

/**
 * Node measures every line of a file with a map at each start, and reads the map whole at the first error: the service's
 * own lines are a quarter.
 */
async function dropMap(file: URL): Promise<void> {
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
  await rm(new URL(`${file.href}.map`))
}

/** The bundler's own helpers have no path. */
function isOwn(id: string): boolean {
  const path = relative(REPOSITORY, id)
  return isAbsolute(id) && !path.startsWith('..') && !path.split(sep).includes('node_modules')
}

function isOfMcp(id: string): boolean {
  const OF_MCP =
    /\/packages\/(mcp|sdk)\/|\/node_modules\/(@modelcontextprotocol|zod|openapi-fetch)\//
  return OF_MCP.test(id)
}

/** Returns the paths of the modules in it. */
async function write(
  folder: URL,
  entry: string,
  codeSplitting: NonNullable<OutputOptions['codeSplitting']>,
): Promise<string[]> {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../packages/service/src/${entry}`, import.meta.url)),
    platform: 'node',
    // Packages of ours as they are written, not as they were last built.
    resolve: { conditionNames: ['purser-source', 'node', 'default'] },
    // Native, or optional and not installed.
    external: ['secp256k1', 'pg-native', 'typescript'],
    onLog: (level, log) => {
      // A library's own code may do what it likes.
      if (level === 'warn' && !log.message.includes('node_modules')) console.warn(log.message)
    },
  })
  const { output } = await build.write({
    dir: fileURLToPath(folder),
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting,
  })
  await build.close()
  return output.flatMap((part) => ('moduleIds' in part ? part.moduleIds : []))
}

async function forgetOlder(): Promise<void> {
  const names = (await readdir(BUNDLES, { withFileTypes: true })).filter((one) => one.isDirectory())
  const ages = await Promise.all(
    names.map(async ({ name }) => ({ name, at: (await stat(new URL(name, BUNDLES))).mtimeMs })),
  )
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(KEPT))
    await rm(new URL(name, BUNDLES), { recursive: true, force: true })
}
