import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** A source file with its syntax tree. `path` is relative to the folder that was read. */
export type Source = { path: string; lines: number; tree: ts.SourceFile }

/** Paths of the TypeScript files below a folder, without tests and declarations. */
export const sourcePaths = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()

export const readSources = (folder: string): Source[] =>
  sourcePaths(folder).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    return { path, lines: text.trimEnd().split('\n').length, tree: parse(path, text) }
  })

export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

/** Calls `visit` for a node and all nodes below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** A function that has a body: declarations, methods, constructors, accessors, arrows and expressions. */
export type WithBody = ts.FunctionLikeDeclaration & { body: ts.FunctionBody | ts.Expression }

export const hasBody = (node: ts.Node): node is WithBody =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** The lines of each function with a block body, including nested functions. */
export function functionLines({ tree }: Source): number[] {
  const found: number[] = []
  walk(tree, (node) => {
    if (!hasBody(node) || !ts.isBlock(node.body)) return
    const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line
    found.push(lineAt(node.end) - lineAt(node.getStart(tree)) + 1)
  })
  return found
}

/** Uses of `any`, and of `!` as a non-null assertion. */
export function looseTypes({ tree }: Source): { any: number; nonNull: number } {
  const found = { any: 0, nonNull: 0 }
  walk(tree, (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.any += 1
    if (ts.isNonNullExpression(node)) found.nonNull += 1
  })
  return found
}

type Import = { path: string; isType: boolean }

/** The file that a relative import leads to; undefined for a package. */
export const resolveRelative = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? relative('.', join(dirname(from), specifier)) : undefined

/**
 * A file's imports of ours: of its own package, or of those that `resolve` finds. A type-only import is erased, so it does not count
 * as an import of values.
 */
export function importsOf(
  { path, tree }: Source,
  resolve: (from: string, specifier: string) => string | undefined = resolveRelative,
): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const to = resolve(path, specifier.text)
    if (to !== undefined) found.push({ path: to, isType })
  }
  for (const node of tree.statements) {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
  }
  // `import('…')` may occur anywhere, but few files have one.
  if (!tree.text.includes('import(')) return found
  walk(tree, (node) => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false)
  })
  return found
}

/** Groups of files that import one another in a circle, largest first. */
export function circlesOf(sources: Source[], of: 'values' | 'types'): string[][] {
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ isType }) => of === 'types' || !isType)
        .map(({ path }) => path),
    ]),
  )
  return strongGroups(graph)
    .filter((group) => group.length > 1)
    .sort((a, b) => b.length - a.length)
}

/** The strongly connected components of a graph, by Tarjan. */
export function strongGroups(graph: Map<string, string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  const numberOf = (numbers: Map<string, number>, file: string) => numbers.get(file) ?? 0
  const visit = (file: string): void => {
    const number = order.size
    order.set(file, number)
    low.set(file, number)
    open.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) low.set(file, Math.min(numberOf(low, file), numberOf(low, next)))
    }
    if (numberOf(low, file) === number) groups.push(open.splice(open.indexOf(file)))
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return groups
}

/** The texts that a file passes to `sql` as a template, or to `sql.raw`. */
export function sqlOf({ tree }: Source): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql')
      found.push(node.template.getText())
    if (ts.isCallExpression(node) && node.expression.getText() === 'sql.raw')
      found.push(...node.arguments.map((argument) => argument.getText()))
  })
  return found
}
