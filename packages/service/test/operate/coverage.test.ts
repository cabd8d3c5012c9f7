/** Each command and setting of docs/operate is run by a test that takes it from the page, or the page says that none does. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fencesOf, OPERATOR_PAGES, ROOT, RUN_BY, readPage, TO_RUN, testOf } from './fences.ts'

/** First lines of fences that no test can run. The paragraph above each says so to the reader. */
const NOT_RUN = ['sudo npm run drill']

const fences = OPERATOR_PAGES.flatMap(fencesOf)
const README = 'packages/service/test/readme.test.ts'
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('each fence of commands or settings has a test', () => {
  const toRun = fences.filter(({ kind }) => TO_RUN.includes(kind))
  expect(toRun.length).toBeGreaterThan(30)
  expect(toRun.filter((fence) => !testOf(fence)).map(({ at }) => at)).toEqual([])
})

test('any other fence is what commands print, or its page says why no test runs it', () => {
  const others = fences.filter(({ kind, follows }) => !TO_RUN.includes(kind) && !follows)
  expect(others.map(({ text }) => text.split('\n')[0])).toEqual(NOT_RUN)
  for (const { above, at } of others) expect(above, at).toMatch(/\bno test runs\b/i)
})

test('each of these tests takes what it has to run, and expects that nothing is left', () => {
  const walked = textOf('packages/service/test/pages/pages.ts')
  const pages = new Set(fences.map(({ page }) => page))
  for (const [key, file] of Object.entries(RUN_BY)) {
    const [page = '', section] = key.split('#')
    const known = section === undefined || fences.some((fence) => fence.section === section)
    expect([pages.has(page), known, existsSync(join(ROOT, file))], key).toEqual([true, true, true])
    // That one runs all that a page has.
    if (file === README) expect(walked).toContain(`'docs/operate/${page}'`)
    else {
      const text = textOf(file)
      expect(text, file).toContain(`fencesFor('${file}')`)
      expect(text, file).toContain('left()).toEqual([])')
    }
  }
})

/** Commands in the text that no fence has, and the test that runs each. */
const IN_TEXT: Record<string, string> = {
  'purser backup verify': 'packages/service/src/run/operate/backup/backup.test.ts',
  'purser restore --replace': 'packages/service/src/run/operate/backup/backup.test.ts',
  'systemctl --failed': 'packages/service/test/deploy/install.test.ts',
}
/** `test/deploy` runs each command in the text of this page. */
const TEXT_IS_RUN = 'runbooks.md'

/** A command without what a reader fills in. */
const wordsOf = (command: string): string =>
  command.replace(/ (--note "…"|<\w+>|0x…|\/\S+)/g, '').trim()

test('a command of the text is one that a fence runs, by the name that the installation gives it', () => {
  const commands = fences
    .filter(({ kind }) => kind === 'sh')
    .map(({ text }) => text)
    .join('')
  const named = OPERATOR_PAGES.filter((page) => page !== TEXT_IS_RUN).flatMap((page) =>
    [...readPage(page).matchAll(/`((?:npx|purser|systemctl|journalctl|podman) [^`]+)`/g)].map(
      ([, command = '']) => ({ page, words: wordsOf(command) }),
    ),
  )
  for (const page of OPERATOR_PAGES) expect(readPage(page), page).not.toContain('npx purser')
  const isRun = ({ words }: { words: string }) => {
    const by = IN_TEXT[words]
    return by
      ? words.split(' ').every((word) => textOf(by).includes(word))
      : commands.includes(words)
  }
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((command) => !isRun(command))).toEqual([])
})
