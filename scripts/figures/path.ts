import { ROOMS, roomOf as roomIn } from '../../packages/service/test/house/rooms.ts'
import type { Entry } from './instrument.ts'

const SERVICE = 'packages/service/src/'
/** The room of a file of the service; of another package its name. */
const roomOf = (file: string): string =>
  file.startsWith(SERVICE) ? roomIn(file.slice(SERVICE.length)) : (file.split('/')[1] ?? '')

/** Rooms that every operation passes. A reader of one operation need not open them. */
export const FOUNDATION = ['kernel', 'db', 'http', 'keys', 'status']

export type PathFigures = {
  files: number
  rooms: number
  /** Files and stays in the route's own room. */
  own: { files: number; stays: number }
  stays: number
  returns: number
  climbs: number
  /** The files of the path, each once, in the order in which they are first entered. */
  fileNames: string[]
  /** Each climb as `caller > callee`. */
  climbNames: string[]
}

/** The path of a reader who follows an operation from its route, and reads each function once, at its first call. */
export function measurePath(entries: Entry[]): PathFigures {
  const start = entries.findIndex(({ file }) => /routes\.ts$/.test(file))
  const read = firstEntries(entries.slice(start))
  const onPath = read.filter(({ file }) => !FOUNDATION.includes(roomOf(file)))
  const files = [...new Set(onPath.map(({ file }) => file))]
  const stays = countStays(onPath)
  const own = onPath.filter(({ file }) => roomOf(file) === roomOf(files[0] ?? ''))
  const climbs = new Set(onPath.filter(isClimb).map(({ caller, file }) => `${caller} > ${file}`))
  return {
    files: files.length,
    rooms: new Set(files.map(roomOf)).size,
    own: { files: new Set(own.map(({ file }) => file)).size, stays: countStays(own) },
    stays,
    returns: stays - files.length,
    climbs: climbs.size,
    fileNames: files,
    climbNames: [...climbs],
  }
}

const countStays = (entries: Entry[]): number =>
  entries.filter(({ file }, place) => file !== entries[place - 1]?.file).length

const idOf = (file: string, at: number): string => `${file}:${at}`

/** The first entry of each function. Skips functions written within a function that was already read. */
function firstEntries(entries: Entry[]): Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ file, at, within }) => {
    const isNew = ![at, ...within].some((position) => seen.has(idOf(file, position)))
    seen.add(idOf(file, at))
    return isNew
  })
}

/**
 * A lower room calls a function of a higher one, which was passed in earlier; a package beside the service is below all rooms. The
 * router's call of a route does not count.
 */
function isClimb({ file, caller }: Entry): boolean {
  if (!caller || /routes\.ts$/.test(file)) return false
  return ROOMS.indexOf(roomOf(caller)) < ROOMS.indexOf(roomOf(file))
}
