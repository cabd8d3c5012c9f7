// Makes the bundle that `packages/service/src/main.ts` runs in place of the sources: `npm run build` does. Node finds, reads and links
// 2,700 modules at each start otherwise.
import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  BUNDLES,
  findBundle,
  MADE,
  type Made,
  sumOf,
} from '../packages/service/src/run/operate/bundle.ts'
import { isOwn, REPOSITORY, writeService } from './bundle/write.ts'

/** npm's list of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json'
/** Bundles are kept while a service that runs may still read them, to name the lines of an error. */
const KEPT = 3

if (findBundle()) console.log('The bundle is made from the present sources.')
else console.log(`Bundled into ${await bundle()}.`)

async function bundle(): Promise<string> {
  const startedAt = Date.now()
  const folder = new URL(`making-${process.pid}/`, BUNDLES)
  const modules = await writeService(folder)
  const own = new Set(modules.filter(isOwn).map((id) => relative(REPOSITORY, id)))
  const from = [...own].sort().concat('scripts/bundle.ts', 'scripts/bundle/write.ts', INSTALLED)
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

async function forgetOlder(): Promise<void> {
  const names = (await readdir(BUNDLES, { withFileTypes: true })).filter((one) => one.isDirectory())
  const ages = await Promise.all(
    names.map(async ({ name }) => ({ name, at: (await stat(new URL(name, BUNDLES))).mtimeMs })),
  )
  for (const { name } of ages.sort((a, b) => b.at - a.at).slice(KEPT))
    await rm(new URL(name, BUNDLES), { recursive: true, force: true })
}
