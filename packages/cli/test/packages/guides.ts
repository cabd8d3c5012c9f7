import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('../../../../docs/', import.meta.url))

/** The parts of a guide that a stranger would copy. */
export type Guide = {
  /** The commands of its first block that has three. */
  commands: [string, string, string]
  /** Whole programs: its first `ts` block that reads a file of the service, and what it hands to Node. */
  programs: string[]
  /** Calls of `paywall` alone, each with its options on lines of their own. */
  calls: string[]
}

export function readGuide(name: string): Guide {
  const text = readFileSync(`${DOCS}${name}.md`, 'utf8')
  const fences = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const three = fences
    .filter(([, kind]) => kind === 'text')
    .map(([, , block = '']) => block.trim().split('\n'))
    .find(
      (lines) => lines.length === 3 && lines.every((line) => /^(npx|npm|node|claude) /.test(line)),
    )
  if (!three) throw new Error(`docs/${name}.md has no three commands`)
  const whole = fences.flatMap(([, kind, block = '']) =>
    kind === 'ts' && block.includes('dev.json') ? [block] : [],
  )
  const handed = [...text.matchAll(/<<'TS'\n([\s\S]*?)^TS$/gm)].map(([, block = '']) => block)
  const calls = fences.flatMap(([, kind, block = '']) =>
    kind === 'ts' && block.startsWith('paywall(purser, {\n') ? [block] : [],
  )
  return { commands: three as Guide['commands'], programs: [...whole, ...handed], calls }
}
