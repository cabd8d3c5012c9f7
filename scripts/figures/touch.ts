import ts from 'typescript'
import type { Resolve } from './packages.ts'
import {
  hasBody,
  importsOf,
  resolveRelative,
  type Source,
  strongGroups,
  type WithBody,
  walk,
} from './sources.ts'

/** Functions with a parameter of the whole `Services`, as `file function`. */
export function takersOfServices(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, tree }) => {
    const found: string[] = []
    walk(tree, (node) => {
      if (!hasBody(node)) return
      if (node.parameters.some(({ type }) => type?.getText(tree) === 'Services'))
        found.push(`${path} ${nameOf(node, tree)}`)
    })
    return found
  })
}

/** The functions and types that name the whole `Services`, as `file function`. A part of them is `Uses`. */
export function namersOfServices(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, tree }) => {
    const found: string[] = []
    walk(tree, (node) => {
      if (!ts.isTypeReferenceNode(node) || node.typeName.getText(tree) !== 'Services') return
      const owner = ts.findAncestor(node, (one) => hasBody(one) || ts.isTypeAliasDeclaration(one))
      const name = owner && hasBody(owner) ? nameOf(owner, tree) : owner?.name.getText(tree)
      found.push(`${path} ${name ?? '(unnamed)'}`)
    })
    return [...new Set(found)]
  })
}

function nameOf(node: ts.FunctionLikeDeclaration, tree: ts.SourceFile): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
  return named?.getText(tree) ?? '(unnamed)'
}

/** They answer with the service's one asset, and its rail, in place of one that a row or a caller names. */
const ONE_ASSET = ['defaultAsset', 'defaultRail']

/**
 * Files that ask for the one asset: by those functions, by a function that only passes on what they answer, whatever its name, or by
 * a field of the chain.
 */
export function askersOfTheAsset(sources: readonly Source[], resolve?: Resolve): string[] {
  const named = new Map(sources.map((source) => [source.path, namesOf(source, resolve)]))
  const answering = new Set(
    sources.flatMap(({ path, tree }) =>
      ONE_ASSET.filter((name) => declares(tree, name)).map((name) => `${path}#${name}`),
    ),
  )
  const asks = (source: Source, node: ts.Node): boolean =>
    contains(node, (one) => {
      if (ts.isPropertyAccessExpression(one) && one.name.text === 'asset')
        return /\bchain$/.test(one.expression.getText())
      if (!ts.isIdentifier(one)) return false
      return answering.has(named.get(source.path)?.get(one.text) ?? `${source.path}#${one.text}`)
    })
  // A function that passes the answer on makes its callers askers too, so look again until nothing is new.
  for (let before = -1; before < answering.size; ) {
    before = answering.size
    for (const source of sources)
      walk(source.tree, (node) => {
        if (!hasBody(node)) return
        const only = onlyAnswer(node)
        if (only && asks(source, only)) answering.add(`${source.path}#${nameOf(node, source.tree)}`)
      })
  }
  return sources
    .filter((source) => bodiesOf(source).some((body) => asks(source, body)))
    .map(({ path }) => path)
}

/** The value of a function that does nothing but answer it. */
function onlyAnswer({ body }: WithBody): ts.Expression | undefined {
  if (!ts.isBlock(body))
    return ts.isCallExpression(body) || ts.isPropertyAccessExpression(body) ? body : undefined
  const [only, ...others] = body.statements
  return only &&
    others.length === 0 &&
    ts.isReturnStatement(only) &&
    only.expression &&
    ts.isCallExpression(only.expression)
    ? only.expression
    : undefined
}

/** The statements of a file that are no imports. */
const bodiesOf = ({ tree }: Source): ts.Statement[] =>
  tree.statements.filter((statement) => !ts.isImportDeclaration(statement))

function contains(node: ts.Node, isIt: (node: ts.Node) => boolean): boolean {
  let found = false
  walk(node, (one) => {
    found ||= isIt(one)
  })
  return found
}

const declares = (tree: ts.SourceFile, name: string): boolean =>
  tree.statements.some(
    (one) =>
      (ts.isFunctionDeclaration(one) && one.name?.text === name) ||
      (ts.isVariableStatement(one) &&
        one.declarationList.declarations.some((declared) => declared.name.getText(tree) === name)),
  )

/** The imported names of a file, each with the file and the name that it stands for. */
function namesOf({ path, tree }: Source, resolve: Resolve = resolveRelative): Map<string, string> {
  const found = new Map<string, string>()
  for (const one of tree.statements) {
    if (!ts.isImportDeclaration(one) || !ts.isStringLiteral(one.moduleSpecifier)) continue
    const to = resolve(path, one.moduleSpecifier.text)
    const bindings = one.importClause?.namedBindings
    if (to === undefined || !bindings || !ts.isNamedImports(bindings)) continue
    for (const { name, propertyName } of bindings.elements)
      found.set(name.text, `${to}#${(propertyName ?? name).text}`)
  }
  return found
}

/**
 * Folders, at any depth, whose parts import one another in a circle: `folder: part, part`. A part is a folder in it, or a file of
 * its own.
 */
export function circlesOfFolders(sources: readonly Source[], resolve?: Resolve): string[] {
  const graphs = new Map<string, Map<string, string[]>>()
  const known = new Set(sources.map(({ path }) => path))
  for (const source of sources)
    for (const { path: to } of importsOf(source, resolve)) {
      if (!known.has(to)) continue
      const [folder, from, into] = parted(source.path, to)
      if (from === into) continue
      const graph = graphs.get(folder) ?? new Map<string, string[]>()
      graphs.set(folder, graph)
      graph.set(from, [...(graph.get(from) ?? []), into])
      if (!graph.has(into)) graph.set(into, [])
    }
  return [...graphs]
    .flatMap(([folder, graph]) =>
      strongGroups(graph)
        .filter((group) => group.length > 1)
        .map((group) => `${folder}: ${group.toSorted().join(', ')}`),
    )
    .sort()
}

/** The folder that two files have in common, and the part of it that each belongs to. */
function parted(one: string, other: string): [folder: string, from: string, into: string] {
  const [a, b] = [one.split('/'), other.split('/')]
  let depth = 0
  while (depth < a.length - 1 && a[depth] === b[depth]) depth++
  return [a.slice(0, depth).join('/') || '.', a[depth] ?? '', b[depth] ?? '']
}
