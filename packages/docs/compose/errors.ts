import { readFile } from 'node:fs/promises'
import { REPOSITORY } from './places.ts'

/** The entry of a code in `docs/errors.md`. */
export type Meaning = { status: number; cause: string; mend: string }

const SECTION = /^## (\d{3})\b/
const ROW = /^\| <a id="([a-z0-9_]+)"><\/a>`([a-z0-9_]+)` \| (.+) \| (.+) \|$/

/** The catalogue of errors by code. */
export async function readMeanings(): Promise<Map<string, Meaning>> {
  const meanings = new Map<string, Meaning>()
  let status = 0
  for (const line of (await readFile(`${REPOSITORY}docs/errors.md`, 'utf8')).split('\n')) {
    status = Number(SECTION.exec(line)?.[1] ?? status)
    const [, anchor, code, cause, mend] = ROW.exec(line) ?? []
    if (!anchor || !code || !cause || !mend) continue
    if (anchor !== code || meanings.has(code)) throw new Error(`docs/errors.md: see ${code}`)
    meanings.set(code, { status, cause: fromRoot(cause), mend: fromRoot(mend) })
  }
  return meanings
}

/** Text for pages in other folders: with its links from the root of the site. */
const fromRoot = (text: string): string => text.replace(/\]\((?=[\w-])/g, '](/')
