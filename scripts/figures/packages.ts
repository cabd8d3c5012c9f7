import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MADE } from './changes.ts'
import { parse, type Source, sourcePaths } from './sources.ts'

/** The condition under which a package names its sources. */
const CONDITION = 'purser-source'
type Entries = Record<string, unknown>
export type Package = { name: string; folder: string; exports: Entries; imports: Entries }
/** The file of the repository that an import leads to; undefined for one of somebody else. */
export type Resolve = (from: string, specifier: string) => string | undefined

/** The packages of the repository. Paths are from its root. */
export function readPackages(root: string): Package[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const {
        name,
        exports = {},
        imports = {},
      } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      return { name, folder, exports, imports }
    })
}

/** All sources of all packages, without tests and what is made by `npm run gen`. */
export const readAllSources = (root: string): Source[] =>
  readPackages(root).flatMap(({ folder }) =>
    sourcePaths(join(root, folder))
      .filter((path) => !/^(test|bin|\.vitepress)\//.test(path))
      .map((path) => {
        const text = readFileSync(join(root, folder, path), 'utf8')
        const file = `${folder}/${path}`
        return { path: file, lines: text.trimEnd().split('\n').length, tree: parse(file, text) }
      })
      .filter(({ tree }) => !MADE.test(tree.text)),
  )

/** Follows imports over the edges of packages, by what each one exports. */
export function resolveOver(packages: readonly Package[]): Resolve {
  return (from, specifier) => {
    if (specifier.startsWith('.')) return join(dirname(from), specifier)
    const home = packages.find(({ folder }) => from.startsWith(`${folder}/`))
    if (specifier.startsWith('#')) return home && sourceOf(home, home.imports, specifier)
    const owner = packages.find(
      ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
    )
    return owner && sourceOf(owner, owner.exports, `.${specifier.slice(owner.name.length)}`)
  }
}

function sourceOf({ folder }: Package, entries: Entries, asked: string): string | undefined {
  for (const [key, target] of Object.entries(entries)) {
    const [start = '', end] = key.split('*')
    const isMatch = end === undefined ? key === asked : asked.startsWith(start)
    const to = isMatch ? targetOf(target) : undefined
    if (to) return join(folder, to.replace('*', asked.slice(start.length)))
  }
  return undefined
}

function targetOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  const source = (target as Record<string, unknown> | null)?.[CONDITION]
  return typeof source === 'string' ? source : undefined
}
