import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { poorOpenings } from './openings.ts'
import { roomOf } from './rooms.ts'

/** The lower-case words in a file's name, identifiers and comments, and the comments with a poor opening. */
export type Text = { room: string; path: string; words: Set<string>; openings: string[] }
type OldWord = { word: string; instead: string; isUsedIn(text: Text): boolean }

/**
 * A word that we replaced, in the given forms. With `rooms`, it is refused only there: it has a proper meaning
 * elsewhere.
 */
const old = (word: string, instead: string, forms: RegExp, rooms?: string[]): OldWord => ({
  word,
  instead,
  isUsedIn: (text) =>
    (rooms === undefined || rooms.includes(text.room)) &&
    [...text.words].some((used) => forms.test(used)),
})

export const OLD_WORDS: OldWord[] = [
  old('ride', '"batch item"', /^(rid(e|es|er|ers|ing|den)|rode)$/),
  old('carrier', '"batch"', /^carriers?$/),
  old('offer', '"submit"', /^offer(s|ed|ing)?$/, ['client', 'relay']),
  old('tend', '"maintain"', /^tend(s|ed|ing)?$/),
  old('told', '"reported"', /^told$/),
  old('news', '"mined batch"', /^news$/),
  old('bell', '"signal"', /^bells?$/),
  old('authorise', '"authorize"', /^(un)?authoris(e|es|ed|er|ing|ation|ations)$/),
]

const FOLDERS = ['packages', 'bench', 'conformance', 'contracts', 'examples', 'journeys', 'scripts']
/** Generated files, other people's files, and the list of the words itself. */
const LEFT_OUT =
  /(^|\/)(node_modules|dist|build|vectors)\/|openapi\.ts$|test\/house\/(old-words|tidy-exceptions)\.ts$/

/**
 * The sources of the repository, including tests and migrations. A room is one of the service's; elsewhere it is the
 * folder or package.
 */
export const readTexts = (repository: string): Text[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.(ts|sql|sol)$/.test(path) && !LEFT_OUT.test(path))
      .map((path) => {
        const text = readFileSync(join(repository, path), 'utf8')
        // A contract's comments are part of its bytecode's hash.
        const openings = path.endsWith('.sol') ? [] : poorOpenings(text)
        return { room: placeOf(path), path, words: wordsOf(`${path} ${text}`), openings }
      }),
  )

const placeOf = (path: string): string => {
  const [folder = '', name = '', inside] = path.split('/')
  if (folder !== 'packages') return folder
  if (name !== 'service') return name
  return inside === 'src' ? roomOf(path.slice('packages/service/src/'.length)) : 'test'
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .split(/[^A-Za-z]+/)
      .map((word) => word.toLowerCase()),
  )
