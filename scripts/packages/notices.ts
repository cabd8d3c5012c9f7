import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isOwn } from '../bundle/write.ts'

const NAMES = /^(licen[cs]e|copying|notice)/i

/** The licences of the packages whose modules are in a bundle, each text once: they ask to go with copies of their code. */
export async function noticesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.filter((path) => !isOwn(path)).flatMap(folderOf))
  const byText = new Map<string, string[]>()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    )
    const files = (await readdir(folder)).filter((file) => NAMES.test(file)).toSorted()
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    const text = texts.map((each) => each.trim()).join('\n\n') || `Licensed under ${license}.`
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  return [...byText]
    .map(([text, names]) => `${names.toSorted().join(', ')}\n\n${text}\n`)
    .toSorted()
    .join('\n----\n\n')
}

/** The folder of the package that a module is of; none for what the bundler adds. */
function folderOf(path: string): string[] {
  const parts = path.split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return []
  const length = parts[at + 1]?.startsWith('@') ? 3 : 2
  return [dirname(join(...[sep, ...parts.slice(0, at + length)], 'package.json'))]
}
