import ts from 'typescript'
import { roomOf, withoutDistrict } from '../../packages/service/test/house/rooms.ts'
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

function nameOf(node: ts.FunctionLikeDeclaration, tree: ts.SourceFile): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
  return named?.getText(tree) ?? '(unnamed)'
}

/** Files that take the asset from the service's chain instead of from a row. */
export const readersOfTheAsset = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ tree }) => /\bchain\.asset\b|\basset\b[^\n]*\} = [\w.]*\bchain\b/.test(tree.text))
    .map(({ path }) => path)

/** Rooms whose sub-folders import one another in a circle. Files beside the sub-folders are one part of their own. */
export function roomsWithCircles(sources: readonly Source[]): string[] {
  const parts = new Map<string, Set<string>>()
  for (const source of sources) {
    const from = partOf(source.path)
    const reached = parts.get(from) ?? new Set()
    parts.set(from, reached)
    for (const { path } of importsOf(source))
      if (roomOf(path) === roomOf(source.path) && partOf(path) !== from) reached.add(partOf(path))
  }
  const graph = new Map([...parts].map(([part, reached]) => [part, [...reached]]))
  const circles = strongGroups(graph).filter((group) => group.length > 1)
  return [...new Set(circles.map(([part = '']) => part.split('/')[0] ?? ''))].sort()
}

/** A file's room and sub-folder: `cards/owners`, or `cards/` for a file in the room's own folder. */
function partOf(file: string): string {
  const [room = '', folder = '', ...rest] = withoutDistrict(file).split('/')
  return `${room}/${rest.length > 0 ? folder : ''}`
}
