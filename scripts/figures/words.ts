import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const PAPERS = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** The number of words in each document at the root, and in all of `docs/` and the READMEs beside the code together. */
export async function countWords(root: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const paper of PAPERS) counts[paper] = await wordsOf(join(root, paper))
  counts['docs/'] = await wordsOfAll(root, 'docs/**/*.md')
  counts['packages/service/src/**/README.md'] = await wordsOfAll(
    root,
    'packages/service/src/**/README.md',
  )
  return counts
}

const wordsOf = async (path: string): Promise<number> =>
  (await readFile(path, 'utf8')).split(/\s+/).filter(Boolean).length

async function wordsOfAll(root: string, pattern: string): Promise<number> {
  let words = 0
  for await (const path of glob(pattern, { cwd: root })) words += await wordsOf(join(root, path))
  return words
}
