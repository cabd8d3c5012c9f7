import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readMeanings } from './errors.ts'
import { ALSO, pageOf, relink, siteLink } from './links.ts'
import { PAGES, type Page, PLAIN, REPOSITORY, SOURCE } from './places.ts'
import { writePlain } from './plain.ts'
import { indexPage, operationPages, readReference } from './reference.ts'

const PACKAGES = ['sdk', 'paywall', 'mcp', 'cli']

/** Writes the Markdown of the site: what `docs/` has, what is made of `openapi.json`, and what only the site has. */
export async function composeSource(): Promise<void> {
  for (const folder of [SOURCE, PLAIN]) await rm(folder, { recursive: true, force: true })
  const pages = await readPages()
  for (const [page, { text, file }] of pages) await write(page, relink(text, file, siteLink))
  for await (const name of glob('docs/**/*.svg', { cwd: REPOSITORY }))
    await copy(name, pageOf(name) ?? name)
  await writePlain(pages)
}

async function readPages(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const add = async (page: string, file: string) =>
    pages.set(page, { file, text: await readFile(join(REPOSITORY, file), 'utf8') })
  for await (const file of glob('docs/**/*.md', { cwd: REPOSITORY }))
    await add(pageOf(file) ?? file, file)
  for (const [file, page] of Object.entries(ALSO)) await add(page, file)
  pages.set('settings.md', { file: '.env.example', text: await settingsPage() })
  pages.set('shell.md', { file: 'docs/shell.sh', text: await shellPage() })
  pages.set('changelog.md', { file: 'CHANGELOG.md', text: await changelogPage() })
  const reference = await readReference(await readMeanings())
  pages.set('reference/index.md', { file: 'openapi.json', text: indexPage(reference) })
  for (const [page, text] of operationPages(reference))
    pages.set(page, { file: 'openapi.json', text })
  pages.set('decisions/index.md', { file: 'docs/decisions/index.md', text: decisionsPage(pages) })
  pages.set('index.md', { file: 'README.md', text: await readFile(`${PAGES}index.md`, 'utf8') })
  return pages
}

/** The variables as the example of a `.env` lists them. */
async function settingsPage(): Promise<string> {
  const text = await readFile(`${REPOSITORY}.env.example`, 'utf8')
  return `# Every variable\n\nThe service reads these from its environment, or from a \`.env\` in the folder in which it is started. [Running it for real](docs/operating.md) says which of them you need.\n\n\`\`\`ini\n${text.trim()}\n\`\`\`\n`
}

async function shellPage(): Promise<string> {
  const text = await readFile(`${REPOSITORY}docs/shell.sh`, 'utf8')
  return `# The functions of the shell\n\nThe commands of these pages begin with \`. docs/shell.sh\`, in the folder of the repository, beside the development service. This is that file:\n\n\`\`\`bash\n${text.trim()}\n\`\`\`\n`
}

async function changelogPage(): Promise<string> {
  const logs = await Promise.all(
    PACKAGES.map((name) => readFile(`${REPOSITORY}packages/${name}/CHANGELOG.md`, 'utf8')),
  )
  const parts = logs.map((text) =>
    text.trim().replace(/^(#+) (?:Changelog of )?/gm, (_, marks: string) => `#${marks} `),
  )
  return `# Changelog\n\nThe packages are released together, under one version. [Versions](docs/versioning.md) says what a version promises.\n\n${parts.join('\n\n')}\n`
}

function decisionsPage(pages: ReadonlyMap<string, Page>): string {
  const rows = [...pages]
    .filter(([page]) => page.startsWith('decisions/'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([page, { text }]) => {
      const [, title = page] = /^# (.+)$/m.exec(text) ?? []
      return `- [${title}](${page.slice('decisions/'.length)})`
    })
  return `# Decisions\n\nWhat was decided about the project, and why.\n\n${rows.join('\n')}\n`
}

async function write(page: string, text: string): Promise<void> {
  const path = join(SOURCE, page)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

async function copy(from: string, to: string): Promise<void> {
  for (const folder of [SOURCE, PLAIN]) await cp(join(REPOSITORY, from), join(folder, to))
}
