// Builds the documentation site into `dist/site`: `npm run build -w @purser/docs`.
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vitepress'
import { writeExplorer } from './compose/explorer.ts'
import { PLAIN, SITE } from './compose/places.ts'
import { composeSource } from './compose/source.ts'

await composeSource()
await build(fileURLToPath(new URL('.', import.meta.url)))
await cp(PLAIN, SITE, { recursive: true })
await writeExplorer()
await compress()

/** Leaves each text as browsers take it, a seventh of its size. For a client that takes no brotli the service unpacks it. */
async function compress(): Promise<void> {
  const pack = promisify(brotliCompress)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const names = await Array.fromAsync(glob('**/*.{html,js,css,md,json}', { cwd: SITE }))
  const waiting = names[Symbol.iterator]()
  // A few at a time: all at once would hold every file in memory.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const name of waiting) {
        await writeFile(`${SITE}${name}.br`, await pack(await readFile(SITE + name), { params }))
        await rm(SITE + name)
      }
    }),
  )
}
