import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAGES, REPOSITORY, SITE } from './places.ts'

/** Scalar as its package has it for browsers, in parts that are loaded as they are needed. */
const SCALAR = join(dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference'))), 'browser')

/** The page that tries calls, apart from the other pages: it is large, and writes styles of its own. */
export async function writeExplorer(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(SCALAR, '../../package.json'), 'utf8'))
  const folder = `assets/scalar-${version}`
  await mkdir(join(SITE, folder), { recursive: true })
  await cp(join(SCALAR, 'standalone.esm.js'), join(SITE, folder, 'standalone.esm.js'))
  await cp(join(SCALAR, 'chunks'), join(SITE, folder, 'chunks'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  })
  const script = (await readFile(`${PAGES}explorer.js`, 'utf8')).replace(
    './SCALAR.js',
    `/docs/${folder}/standalone.esm.js`,
  )
  const tokens = await readFile(`${REPOSITORY}packages/web/design/tokens.css`, 'utf8')
  const style = `${tokens}\n${await readFile(`${PAGES}explorer.css`, 'utf8')}`
  const page = await readFile(`${PAGES}explorer.html`, 'utf8')
  await writeFile(
    join(SITE, 'reference/explorer.html'),
    page
      .replace('SCRIPT', await writeAsset('js', script))
      .replace('STYLE', await writeAsset('css', style)),
  )
}

/** Writes a file under the sum of its content. Returns its address. */
async function writeAsset(type: string, text: string): Promise<string> {
  const name = `assets/explorer.${sumOf(text)}.${type}`
  await writeFile(join(SITE, name), text)
  return `/docs/${name}`
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)
