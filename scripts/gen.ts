// Writes the files generated from the routes and the event catalogue. With --check it writes nothing, and fails if a
// file would change.
import { readFile, writeFile } from 'node:fs/promises'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../packages/service/src/api/http/openapi/document.ts'
import { addExamples, recordedExamples } from '../packages/service/src/api/http/openapi/examples.ts'
import { CARD_LIMITS } from '../packages/service/src/base/kernel/card-limits.ts'
import { routes } from '../packages/service/src/run/app.ts'
import { FILE_VARIABLES, OF_OTHERS, VARIABLES } from '../packages/service/src/run/config/values.ts'
import { addPages } from '../packages/service/src/run/status/pages/pages.ts'
import { tableOfOperations } from './cli/operations.ts'
import { eventsDocument } from './events/document.ts'
import { eventTypes } from './events/types.ts'
import { resourcesOf } from './sdk/resources.ts'
import { answersOf, repeatableOf } from './sdk/tables.ts'

const root = new URL('../', import.meta.url)
const pkg = JSON.parse(await readFile(new URL('packages/service/package.json', root), 'utf8')) as {
  version: string
}

const document = openApiDocument(routes, { version: pkg.version })
const bare = JSON.stringify(document)
addPages(document)
addExamples(document, recordedExamples())
const text = `${JSON.stringify(document, null, 2)}\n`
const HEAD =
  '// Made from openapi.json by `npm run gen`. Do not edit: change the routes and run it again.\n\n'
// Types need no examples. A third of the file were the blanks of four to a level.
const made = astToString(await openapiTypescript(bare, { alphabetize: false }))
const types =
  HEAD +
  made.replace(/^(?: {4})+/gm, (blanks) => '  '.repeat(blanks.length / 4)) +
  repeatableOf(document) +
  answersOf(document) +
  limitsOfCards()

const files: [path: string, content: string][] = [
  ['openapi.json', text],
  ['packages/sdk/src/openapi.ts', types],
  ['packages/sdk/src/methods.ts', HEAD + resourcesOf(document)],
  ['packages/sdk/src/events/data.ts', eventTypes()],
  ['packages/cli/src/operations/document.json', tableOfOperations(document)],
  [
    'packages/cli/src/account/variables.ts',
    variablesOf([...VARIABLES, ...FILE_VARIABLES, ...OF_OTHERS]),
  ],
  ['docs/events.md', eventsDocument()],
]
const isCheck = process.argv.includes('--check')
const stale: string[] = []
for (const [path, content] of files) {
  const before = await readFile(new URL(path, root), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (before === content) continue
  stale.push(path)
  if (!isCheck) await writeFile(new URL(path, root), content)
}
if (stale.length === 0) console.log('The generated files follow from the routes and the events.')
else if (!isCheck) console.log(`Wrote ${stale.join(' and ')}.`)
else {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run gen\` and commit what it writes.`)
  process.exitCode = 1
}

/** The variables of the service, for a command line that is installed without it. */
function variablesOf(names: readonly string[]): string {
  const lines = names.map((name) => `  '${name}',\n`)
  return `// Made from the configuration of the service by \`npm run gen\`. Do not edit.\n\n/** Every variable that the service or a client of it reads. */\nexport const KNOWN_VARIABLES: readonly string[] = [\n${lines.join('')}]\n`
}

/** The limits of a card, for programs that offer each of them. */
function limitsOfCards(): string {
  const lines = CARD_LIMITS.map(
    ({ name, option }) => `  { name: '${name}', summary: ${JSON.stringify(option)} },\n`,
  )
  return `\n/** The limits of a card by window of time: fields of its order, and what each means. */\nexport const CARD_LIMITS = [\n${lines.join('')}] as const\n`
}
