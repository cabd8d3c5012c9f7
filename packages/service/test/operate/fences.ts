/** The fences of the operator's pages, and the test that runs each. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = 'docs/operate'
/** Commands, and lines of a configuration. */
export const TO_RUN = ['sh', 'ini']

export type Fence = {
  /** The name of its file, such as `install.md`. */
  page: string
  /** The heading above it. */
  section: string
  kind: string
  text: string
  /** Its place, for messages. */
  at: string
  /** The paragraph above it. */
  above: string
  follows: Fence | undefined
}

export const OPERATOR_PAGES = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.md'))

export const readPage = (page: string): string => readFileSync(join(ROOT, FOLDER, page), 'utf8')

/** The fences of a page in order, those of lists too. */
export function fencesOf(page: string): Fence[] {
  const markdown = readPage(page)
  const found: Fence[] = []
  let end = 0
  for (const match of markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)) {
    const [whole, indent = '', kind = '', text = ''] = match
    const before = markdown.slice(0, match.index)
    const above = before.trimEnd().split('\n\n').at(-1)?.trim() ?? ''
    found.push({
      page,
      section: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
      kind,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      at: `line ${before.split('\n').length} of ${FOLDER}/${page}`,
      above,
      follows: markdown.slice(end, match.index).trim() === '' ? found.at(-1) : undefined,
    })
    end = match.index + whole.length
  }
  return found
}

const MACHINE = 'packages/service/test/deploy/install.test.ts'
/** The test that runs the fences of a page, or those of one section of it. */
export const RUN_BY: Record<string, string> = {
  'backup.md': MACHINE,
  'container.md': MACHINE,
  'install.md': MACHINE,
  'keys.md': MACHINE,
  'managed-postgres.md': 'packages/service/test/slow-parts/managed.test.ts',
  'monitoring.md': MACHINE,
  'monitoring.md#Traces': 'packages/service/src/run/config/tracing.test.ts',
  'payouts.md': 'packages/service/test/operate/payouts.test.ts',
  'postgres-ha.md#By haproxy, or by the driver': 'packages/service/src/base/db/pool/reach.test.ts',
  'postgres-ha.md#A replica for public reads': 'packages/service/test/observe/observe.test.ts',
  'proxy.md': MACHINE,
  'retention.md': 'packages/service/test/readme.test.ts',
  'retention.md#Put a month away': 'packages/service/src/run/operate/retention/kill.test.ts',
  'upgrade.md': MACHINE,
}

export const testOf = ({ page, section }: Pick<Fence, 'page' | 'section'>): string | undefined =>
  RUN_BY[`${page}#${section}`] ?? RUN_BY[page]

/** The fences that a test file has to run. It takes them to do so, and expects at its end that none is left. */
export function fencesFor(test: string) {
  const open = new Set(
    OPERATOR_PAGES.flatMap(fencesOf).filter(
      (fence) => TO_RUN.includes(fence.kind) && testOf(fence) === test,
    ),
  )
  return {
    /** The fences of a section in order. Throws if there is none. */
    take(page: string, section: string): Fence[] {
      const taken = [...open].filter((fence) => fence.page === page && fence.section === section)
      if (taken.length === 0) throw new Error(`${page} has nothing to run under "${section}"`)
      for (const fence of taken) open.delete(fence)
      return taken
    },
    left: (): string[] => [...open].map(({ at }) => at),
  }
}

/** The settings that a fence of `ini` shows. */
export const settingsIn = ({ text }: Fence): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z]\w*)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
