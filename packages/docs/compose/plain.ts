import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { outsideCode, plainLink, relink } from './links.ts'
import { FULL, GUIDES } from './order.ts'
import { type Page, PLAIN } from './places.ts'

/** Writes each page as a program reads it, and all of them as one file. */
export async function writePlain(pages: ReadonlyMap<string, Page>): Promise<void> {
  const texts = new Map([...pages].map(([name, page]) => [name, plainText(page)]))
  for (const [name, text] of texts) await write(name, withoutFront(text))
  const operations = [...texts.keys()].filter((name) => /^reference\/\w+\.md$/.test(name))
  const whole = [...FULL, ...operations.filter((name) => name !== 'reference/index.md')]
  await write('llms-full.md', whole.map((name) => textOf(texts, name)).join('\n---\n\n'))
  await write(
    'guides.json',
    JSON.stringify(GUIDES.map((name) => guideOf(name, textOf(texts, name)))),
  )
}

function textOf(texts: ReadonlyMap<string, string>, name: string): string {
  const text = texts.get(name)
  if (text === undefined) throw new Error(`There is no page ${name}.`)
  return text
}

/** A line of `llms.txt`: the page, its title, and the sentence that it begins with. */
function guideOf(page: string, text: string): { page: string; title: string; about: string } {
  const [, title = page] = /^# (.+)$/m.exec(text) ?? []
  const [, first = ''] = /^# .+\n+([A-Z`@][^\n]*(?:\n[^\n]+)*)/m.exec(text) ?? []
  const [about = ''] = /^[\s\S]*?\.(?=\s|$)/.exec(first) ?? []
  return { page, title, about: about.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1') }
}

const plainText = ({ text, file }: Page): string =>
  relink(outsideCode(text, withoutMarks), file, plainLink)
    .replace(/^(```\w+) \[[^\]]+\]$/gm, '$1')
    .replace(/\]\(\/(?!docs\/)([\w/-]+\.md)/g, '](/docs/$1')
    .replaceAll('](/../', '](/')

/** Without the settings of a page that stand before it. */
const withoutFront = (text: string): string => text.replace(/^---\n[\s\S]*?\n---\n+/, '')

/** Without what only a page needs: tabs, anchors and escapes. */
const withoutMarks = (text: string): string =>
  text
    .replace(/^:::.*\n+/gm, '')
    .replace(/<a id="[^"]*"><\/a>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('{&#8203;{', '{{')

async function write(page: string, text: string): Promise<void> {
  const path = join(PLAIN, page)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
