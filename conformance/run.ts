/**
 * `npm run conformance`: tests the service against the official packages, prints what passed against which version,
 * and, if everything did, writes docs/conformance.md. Exits with 1 if anything failed. Names of tests may follow: `--
 * mppx`.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { DOCUMENT, readVersions, renderDocument } from './document.ts'

const [, , ...names] = process.argv
const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = await startVitest('test', ['conformance/'], {
  root,
  watch: false,
  // This run writes the document that the excluded test compares.
  exclude: ['**/node_modules/**', 'conformance/document.test.ts'],
  ...(names.length > 0 ? { testNamePattern: names.join(' ') } : {}),
})
const modules = vitest.state.getTestModules()
const tried = modules.flatMap((module) => [...module.children.allTests()])
const isGreen =
  tried.length > 0 &&
  modules.every((module) => module.ok()) &&
  vitest.state.getUnhandledErrors().length === 0
await vitest.close()

console.log(
  `\n${readVersions()
    .map((pair) => pair.join(' '))
    .join(', ')}\n`,
)
for (const test of tried) {
  const { state } = test.result()
  if (state !== 'skipped') console.log(`${state.padEnd(8)}${test.fullName}`)
}
if (isGreen && names.length === 0) writeFileSync(DOCUMENT, renderDocument())
process.exitCode = isGreen ? 0 : 1
