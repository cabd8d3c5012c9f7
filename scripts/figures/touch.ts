import ts from 'typescript'
import { partOf, roomOf } from '../../packages/service/test/house/rooms.ts'
import { hasBody, importsOf, type Source, strongGroups, walk } from './sources.ts'

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

/** Files that take the asset from the service's chain instead of from a row, a rail or a caller. */
export const readersOfTheAsset = (sources: readonly Source[]): string[] =>
  pathsWith(
    sources,
    /\bchain\.asset\b|\basset\b[^\n]*\} = [\w.]*\bchain\b|\bdefaultAsset\(|\brailOf\([^()]*, undefined\)/,
  )

const pathsWith = (sources: readonly Source[], pattern: RegExp): string[] =>
  sources.filter(({ tree }) => pattern.test(tree.text)).map(({ path }) => path)

/** Rooms whose parts import one another in a circle. A part is a sub-folder, or a file in the room's own folder. */
export function roomsWithCircles(sources: readonly Source[]): string[] {
  const graph = new Map<string, string[]>()
  const placeOf = (path: string) => `${roomOf(path)}/${partOf(path)}`
  for (const source of sources) {
    const from = placeOf(source.path)
    const to = importsOf(source)
      .map(({ path }) => path)
      .filter((path) => roomOf(path) === roomOf(source.path) && placeOf(path) !== from)
    graph.set(from, [...(graph.get(from) ?? []), ...to.map(placeOf)])
  }
  const circles = strongGroups(graph).filter((group) => group.length > 1)
  return [...new Set(circles.map(([part = '']) => part.split('/')[0] ?? ''))].sort()
}
