import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { foreignUses, usesFromBelow } from '../packages/service/test/house/foreign-tables.ts'
import { roomOf } from '../packages/service/test/house/rooms.ts'
import { placesOfChanges } from './figures/changes.ts'
import { filesOfCore, linesOfSql } from './figures/core.ts'
import type { Entry } from './figures/instrument.ts'
import { readAllSources, readPackages, resolveOver } from './figures/packages.ts'
import { FOUNDATION, measurePath, type PathFigures } from './figures/path.ts'
import {
  circlesOf,
  functionLines,
  looseTypes,
  readSources,
  type Source,
} from './figures/sources.ts'
import { askersOfTheAsset, circlesOfFolders, takersOfServices } from './figures/touch.ts'
import { countWords } from './figures/words.ts'

const ROOT = new URL('..', import.meta.url).pathname
const SERVICE = 'packages/service/src'
const PACKAGES = [SERVICE, 'packages/sdk/src', 'packages/cli/src', 'packages/web']
const LONG_FUNCTION = 70
const FULL_FOLDER = 15
const LARGEST = 8
/** The last rows of a package's figures, which are shown of the service alone. */
const OF_THE_SERVICE = 1
const RATCHET = new URL('./figures/ratchet.json', import.meta.url)

const HELP = `npm run figures [-- --json] [--no-paths] [--check | --lower]

Counts how easy the code is to read.

Sources   TypeScript files, tests left out. Lines are all lines of a file.
Functions Those with a block body: declarations, methods, constructors, accessors, arrows and expressions. Nested
          functions count by themselves and in the function around them.
Circles   Files in strongly connected components of the import graph: of values, and with imports of types.
House     Over all packages. The core: the hand-written files that the program loads with no module, and those that they
          take types of, and the functions in SQL; packages/protocols stands apart. Files that ask for the one asset: by
          defaultAsset, defaultRail, chain.asset, or a function that only passes their answer on. Folders, at any depth,
          whose parts import one another in a circle. Tables that a room's SQL names of another room, no room exempt;
          from below: of a room that stands above it.
Touch     Functions with a parameter of the whole Services.
Folders   Folders that hold more than ${FULL_FOLDER} source files themselves; rooms count the files of all their folders.
Paths     An instrumented service runs each operation once, in the test world. From the route on, each function is read
          once, when it is first called; one that is written within a function already read is read with that.
          A package beside the service is a room of its own. Left out: ${FOUNDATION.join('/, ')}/.
          files    files that hold a function of the path
          stays    unbroken runs of functions of one file
          own      files and stays in the room of the route alone, other rooms skipped
          returns  stays in a file that was left before: stays less files
          climbs   calls from a room to one that stands later in ROOMS (packages/service/test/house/rooms.ts), each pair of
                   files once. A route called by the router is none.
Changes   Files of all packages that name an example of what a maintainer may add: a column on cards, an endpoint, an event
          type, a fee kind, a use of the queue, a limit. The next one has about as many places, and a test.
Words     Of the papers at the root, of docs/ and of READMEs in the service: what stands between blanks, code included.

--json      the same as JSON, with the names of files
--no-paths  skip the paths, which take 15 seconds
--check     fail if a number is above that in scripts/figures/ratchet.json, where numbers may fall and not rise
--lower     write the numbers that fell there
`

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    'no-paths': { type: 'boolean' },
    check: { type: 'boolean' },
    lower: { type: 'boolean' },
  },
})
if (options.help) process.stdout.write(HELP)
else await report()

async function report(): Promise<void> {
  const figures = {
    house: measureHouse(),
    packages: Object.fromEntries(PACKAGES.map((folder) => [folder, measure(folder)])),
    paths: options['no-paths'] ? {} : await tracePaths(),
    changes: placesOfChanges(ROOT),
    words: await countWords(ROOT),
  }
  if (options.check || options.lower) return compare(boundsOf(figures))
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : tableOf(figures))
}

/** All packages together. */
function measureHouse() {
  const packages = readPackages(ROOT)
  const sources = readAllSources(ROOT)
  const resolve = resolveOver(packages)
  const core = new Set(filesOfCore(sources, packages))
  const linesOf = (some: Source[]) => some.reduce((sum, { lines }) => sum + lines, 0)
  const uses = foreignUses(
    readSources(join(ROOT, SERVICE)),
    join(ROOT, SERVICE, 'base/db/migrations'),
  )
  return {
    core: {
      files: core.size,
      lines: linesOf(sources.filter(({ path }) => core.has(path))),
      sql: linesOfSql(ROOT),
    },
    askersOfTheAsset: askersOfTheAsset(sources, resolve),
    circlesOfFolders: circlesOfFolders(sources, resolve),
    foreignTables: uses.length,
    tablesFromBelow: usesFromBelow(uses).map(
      ({ room, table, owner }) => `${room} names ${table} of ${owner}`,
    ),
  }
}

/** The numbers that may fall and not rise. */
function boundsOf({ house, packages, paths, changes }: Figures): Record<string, number> {
  return {
    'core: files': house.core.files,
    'core: lines, with functions in SQL': house.core.lines + house.core.sql,
    'files that ask for the one asset': house.askersOfTheAsset.length,
    'circles of folders': house.circlesOfFolders.length,
    'tables of other rooms': house.foreignTables,
    'tables of rooms above': house.tablesFromBelow.length,
    'functions that take the whole Services': packages[SERVICE]?.takersOfServices.length ?? 0,
    ...Object.fromEntries(
      Object.entries(paths).flatMap(([name, { files, returns, climbs }]) => [
        [`path ${name}: files`, files],
        [`path ${name}: returns`, returns],
        [`path ${name}: climbs`, climbs],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(changes).map(([name, files]) => [`change ${name}: files`, files.length]),
    ),
  }
}

/** Fails for each number that rose. With `--lower` it writes those that fell. */
function compare(found: Record<string, number>): void {
  const bounds: Record<string, number> = JSON.parse(readFileSync(RATCHET, 'utf8'))
  const rose = Object.entries(found).filter(([name, count]) => count > (bounds[name] ?? 0))
  for (const [name, count] of rose)
    process.stderr.write(`${name}: ${count}, and ${bounds[name] ?? 'no number'} is the most\n`)
  if (rose.length > 0) {
    process.stderr.write(
      'A number of scripts/figures/ratchet.json rises by a decision alone that says what was taken out first (STYLE.md).\n',
    )
    process.exitCode = 1
  }
  if (!options.lower) return
  const lower = Object.entries(bounds).map(([name, most]) => [
    name,
    Math.min(most, found[name] ?? most),
  ])
  writeFileSync(RATCHET, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
}

type Figures = {
  house: ReturnType<typeof measureHouse>
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

function tableOf({ house, packages, paths, changes, words }: Figures): string {
  const rows: Row[] = houseRows(house)
  rows.push(...Object.entries(packages).flatMap(([folder, found]) => packageRows(folder, found)))
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
  ]
  return [['', ''], ...(folder === SERVICE ? rows : rows.slice(0, -OF_THE_SERVICE))]
}

function houseRows({ core, askersOfTheAsset: askers, ...house }: Figures['house']): Row[] {
  const { circlesOfFolders: circles, foreignTables, tablesFromBelow: below } = house
  return [
    ['the core', `${core.files} files, ${core.lines} lines and ${core.sql} in SQL`],
    ['ask for the one asset', `${askers.length} files`],
    ['circles of folders', `${circles.length}`],
    ...circles.map((circle): Row => ['', circle]),
    ['tables of other rooms', `${foreignTables}, ${below.length} of rooms above`],
    ...below.map((use): Row => ['', use]),
  ]
}

function listed(groups: [string, number][]): string {
  return groups.map(([name, files]) => `${name} ${files}`).join(', ') || 'none'
}
