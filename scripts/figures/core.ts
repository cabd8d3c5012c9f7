import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Package, type Resolve, resolveOver } from './packages.ts'
import { importsOf, type Source } from './sources.ts'

/** The program with no module: what is loaded from here, wherever it lies, is the core. */
export const ENTRY = 'packages/service/src/main.ts'
const SCHEMA = 'packages/service/src/base/db/schema.sql'
/** Bytes to values and back, which other people's programs may use: counted for itself. */
const APART = 'packages/protocols/'

/** The core's files, those that only a type is taken of too: who reads one needs to know the other. */
export function filesOfCore(sources: readonly Source[], packages: readonly Package[]): string[] {
  const resolve: Resolve = resolveOver(packages)
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const loaded = new Set([ENTRY])
  for (const path of loaded) {
    const source = byPath.get(path)
    if (!source) continue
    for (const { path: to } of importsOf(source, resolve)) if (byPath.has(to)) loaded.add(to)
  }
  return [...loaded].filter((path) => !path.startsWith(APART)).sort()
}

/** The lines of the functions in the schema: rules that are written in SQL. */
export function linesOfSql(root: string): number {
  const text = readFileSync(join(root, SCHEMA), 'utf8')
  const functions = text.match(/^create (?:or replace )?function [\s\S]*?\$(?:\w*)\$;$/gm) ?? []
  return functions.reduce((sum, one) => sum + one.split('\n').length, 0)
}
