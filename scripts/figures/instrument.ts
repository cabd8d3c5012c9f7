import ts from 'typescript'
import type { Plugin } from 'vitest/config'
import { hasBody, parse, walk } from './sources.ts'

/** A function that was entered: its file and position, and its enclosing functions, outermost first. */
export type Entry = { file: string; at: number; within: number[]; caller: string | undefined }

/**
 * Reports each function of our packages to `globalThis.enter` when it begins, by its file's path from the root. Does not change line
 * numbers.
 */
export const instrument = (root: string): Plugin => ({
  name: 'report-entered-functions',
  enforce: 'pre',
  transform(text, id) {
    const path = id.split('?')[0] ?? id
    const file = path.startsWith(root) ? path.slice(root.length) : ''
    if (!/^packages\/[\w-]+\/src\/.*(?<!\.test)\.ts$/.test(file)) return null
    return { code: withReports(file, text), map: null }
  },
})

function withReports(file: string, text: string): string {
  const inserts: [at: number, text: string][] = []
  walk(parse(file, text), (node) => {
    if (!hasBody(node)) return
    const report = `globalThis.enter?.(${JSON.stringify([file, node.pos, writtenIn(node)]).slice(1, -1)})`
    if (ts.isBlock(node.body)) inserts.push([node.body.getStart() + 1, `${report};`])
    else inserts.push([node.body.getStart(), `(${report},`], [node.body.end, ')'])
  })
  // If two inserts share a position, the outer function's end comes last.
  return inserts
    .map((insert, order) => ({ insert, order }))
    .sort((a, b) => b.insert[0] - a.insert[0] || a.order - b.order)
    .reduce((code, { insert: [at, piece] }) => code.slice(0, at) + piece + code.slice(at), text)
}

function writtenIn(node: ts.Node): number[] {
  const found: number[] = []
  for (let outer = node.parent; outer; outer = outer.parent)
    if (hasBody(outer)) found.unshift(outer.pos)
  return found
}
