import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { roomOf } from '../packages/service/test/house/rooms.ts'
import { placesOfChanges } from './figures/changes.ts'
import type { Entry } from './figures/instrument.ts'
import { FOUNDATION, measurePath, type PathFigures } from './figures/path.ts'
import {
  circlesOf,
  functionLines,
  looseTypes,
  readSources,
  type Source,
} from './figures/sources.ts'
import { readersOfTheAsset, roomsWithCircles, takersOfServices } from './figures/touch.ts'
import { countWords } from './figures/words.ts'

const ROOT = new URL('..', import.meta.url).pathname
const SERVICE = 'packages/service/src'
const PACKAGES = [SERVICE, 'packages/sdk/src', 'packages/cli/src', 'packages/web']
const LONG_FUNCTION = 70
const FULL_FOLDER = 15
const LARGEST = 8
/** The last rows of a package's figures, which are shown of the service alone. */
const OF_THE_SERVICE = 4

const HELP = `npm run figures [-- --json] [--no-paths]

Counts how easy the code is to read.

Sources   TypeScript files, tests left out. Lines are all lines of a file.
Functions Those with a block body: declarations, methods, constructors, accessors, arrows and expressions. Nested
          functions count by themselves and in the function around them.
Circles   Files in strongly connected components of the import graph: of values, and with imports of types.
Touch     Functions with a parameter of the whole Services; files that ask the chain for its default asset; rooms whose
          parts import one another in a circle: sub-folders, and the files of the room's own folder.
Folders   Folders that hold more than ${FULL_FOLDER} source files themselves; rooms count the files of all their folders.
Paths     An instrumented service runs each operation once, in the test world. From the route on, each function is read
          once, when it is first called; one that is written within a function already read is read with that.
          Left out: ${FOUNDATION.join('/, ')}/.
          files    files that hold a function of the path
          stays    unbroken runs of functions of one file
          own      files and stays in the room of the route alone, other rooms skipped
          returns  stays in a file that was left before: stays less files
          climbs   calls from a room to one that stands later in ROOMS (packages/service/test/house/rooms.ts), each pair of
                   files once. A route called by the router is none.
Changes   Files of the service that name an example of what a maintainer may add: a column on cards, an endpoint, an event
          type, a fee kind, a use of the queue, a limit. The next one has about as many places, and a test.
Words     Of the papers at the root, of docs/ and of READMEs in the service: what stands between blanks, code included.

--json      the same as JSON, with the names of files
--no-paths  skip the paths, which take 15 seconds
`

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    'no-paths': { type: 'boolean' },
  },
})
if (options.help) process.stdout.write(HELP)
else await report()

async function report(): Promise<void> {
  const figures = {
    packages: Object.fromEntries(PACKAGES.map((folder) => [folder, measure(folder)])),
    paths: options['no-paths'] ? {} : await tracePaths(),
    changes: placesOfChanges(join(ROOT, SERVICE)),
    words: await countWords(ROOT),
  }
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : tableOf(figures))
}

type Figures = {
  packages: Record<string, PackageFigures>
  paths: Record<string, PathFigures>
  changes: Record<string, string[]>
  words: Record<string, number>
}
type PackageFigures = ReturnType<typeof measure>

function measure(folder: string) {
  const sources = readSources(join(ROOT, folder))
  const lines = sources.map((source) => source.lines)
  const functions = sources.flatMap(functionLines)
  const values = circlesOf(sources, 'values')
  const types = circlesOf(sources, 'types')
  const loose = sources.map(looseTypes)
  return {
    files: sources.length,
    allLines: lines.reduce((sum, count) => sum + count, 0),
    lines: { median: share(lines, 0.5), p90: share(lines, 0.9), max: share(lines, 1) },
    functions: {
      count: functions.length,
      p90: share(functions, 0.9),
      max: share(functions, 1),
      long: functions.filter((length) => length > LONG_FUNCTION).length,
    },
    circles: {
      values: { files: values.flat().length, largest: values[0]?.length ?? 0 },
      types: { files: types.flat().length, largest: types[0]?.length ?? 0, groups: types },
    },
    any: loose.reduce((sum, { any }) => sum + any, 0),
    nonNull: loose.reduce((sum, { nonNull }) => sum + nonNull, 0),
    takersOfServices: takersOfServices(sources),
    readersOfTheAsset: readersOfTheAsset(sources),
    roomsWithCircles: roomsWithCircles(sources),
    fullFolders: largest(sources, ({ path }) => dirname(path)).filter(
      ([, files]) => files > FULL_FOLDER,
    ),
    largestRooms: largest(sources, ({ path }) => roomOf(path)).slice(0, LARGEST),
  }
}

/** The value below or at which this share of all values lies. */
function share(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function largest(sources: Source[], of: (source: Source) => string): [string, number][] {
  const groups = Object.entries(Object.groupBy(sources, of))
  return groups
    .map(([name, members]): [string, number] => [name, members?.length ?? 0])
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
}

/** Runs the operations in Vitest, which instruments the service as it loads it. */
async function tracePaths(): Promise<Record<string, PathFigures>> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-figures-'))
  try {
    const to = join(folder, 'paths.json')
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const run = spawn(
      process.execPath,
      [vitest, 'run', '--config', join(ROOT, 'scripts/figures/vitest.config.ts')],
      { cwd: ROOT, env: { ...process.env, FIGURES_TO: to }, stdio: ['ignore', 2, 2] },
    )
    const [code] = await once(run, 'exit')
    if (code !== 0) throw new Error('an operation failed; see above')
    const paths: Record<string, Entry[]> = JSON.parse(await readFile(to, 'utf8'))
    return Object.fromEntries(
      Object.entries(paths).map(([name, entries]) => [name, measurePath(entries)]),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

function tableOf({ packages, paths, changes, words }: Figures): string {
  const rows = Object.entries(packages).flatMap(([folder, found]) => packageRows(folder, found))
  for (const [name, path] of Object.entries(paths)) {
    const { files, rooms, own, stays, returns, climbs, climbNames } = path
    rows.push(['', ''], [`path: ${name}`, `${files} files in ${rooms} rooms`])
    rows.push(['own files / stays', `${own.files} / ${own.stays}`])
    rows.push(['stays / returns / climbs', `${stays} / ${returns} / ${climbs}`])
    rows.push(...climbNames.map((climb): Row => ['', climb]))
  }
  rows.push(
    ['', ''],
    ...Object.entries(changes).map(
      ([name, files]): Row => [`change: ${name}`, `${files.length} files`],
    ),
    ['', ''],
    ...Object.entries(words).map(([name, count]): Row => [name, `${count} words`]),
  )
  return rows
    .map(([name, value]) => `${name.padEnd(36)}${value}`.trimEnd())
    .join('\n')
    .concat('\n')
}

type Row = [name: string, value: string]
function packageRows(folder: string, found: PackageFigures): Row[] {
  const { files, lines, functions, circles } = found
  const rows: Row[] = [
    [folder, `${files} files, ${found.allLines} lines`],
    ['lines median / p90 / max', `${lines.median} / ${lines.p90} / ${lines.max}`],
    ['functions p90 / max / long', `${functions.p90} / ${functions.max} / ${functions.long}`],
    ['circles values / types', `${circles.values.files} / ${circles.types.files}`],
    ['largest circle', `${circles.values.largest} / ${circles.types.largest}`],
    ['any / non-null !', `${found.any} / ${found.nonNull}`],
    [`folders above ${FULL_FOLDER}`, listed(found.fullFolders)],
    ['largest rooms', listed(found.largestRooms)],
    ['take the whole Services', `${found.takersOfServices.length} functions`],
    ["read the chain's asset", `${found.readersOfTheAsset.length} files`],
    ['rooms with circles inside', found.roomsWithCircles.join(', ') || 'none'],
  ]
  return folder === PACKAGES[0] ? rows : [['', ''], ...rows.slice(0, -OF_THE_SERVICE)]
}

function listed(groups: [string, number][]): string {
  return groups.map(([name, files]) => `${name} ${files}`).join(', ') || 'none'
}
