import { closestMatch } from 'leven'
import { InvalidRequestError } from '../error.ts'

/** Each name that options of this type may have. The compiler holds it to the type. */
export type NamesOf<T> = { readonly [K in keyof T]-?: true }

/** Options of `fetch` itself, with those that Node, Next and Cloudflare add. */
export const FETCH_NAMES: Readonly<Record<string, true>> = Object.fromEntries(
  'method headers body redirect signal credentials cache mode referrer referrerPolicy integrity keepalive priority window duplex dispatcher next cf'
    .split(' ')
    .map((name) => [name, true]),
)

/** Throws for a name that `of` does not take. It would be dropped, and a limit or a key of the caller with it. */
export function checkNames(
  given: object | undefined,
  names: Readonly<Record<string, true>>,
  of: string,
): void {
  const unknown = unknownName(given, { of, names: Object.keys(names), kind: 'an option' })
  if (unknown) {
    const { name: param, sentence: error } = unknown
    throw new InvalidRequestError(0, { error, code: 'unknown_field', param })
  }
}

/** `meant`: the name for other words, which stand without what joins them. */
type Known = {
  of: string
  names: readonly string[]
  kind: string
  meant?: Record<string, string>
}

/** The first name that is not among those known, with a sentence that suggests the nearest. */
export function unknownName(
  given: unknown,
  { of, names, kind, meant = {} }: Known,
): { name: string; sentence: string } | undefined {
  const name = Object.keys(given ?? {}).find((each) => !names.includes(each))
  if (name === undefined) return undefined
  const nearest = meant[wordsOf(name).join('')] ?? nearestTo(name, names)
  const advice = nearest ? `: did you mean ${nearest}?` : '.'
  const takes = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.'
  return { name, sentence: `${name} is not ${kind} of ${of}${advice} ${takes}` }
}

/** The name that differs least, however its words are joined; else one that begins with the same word. */
function nearestTo(name: string, names: readonly string[]): string | undefined {
  const [wanted, ...bare] = [name, ...names].map((each) => wordsOf(each).join(''))
  const maxDistance = Math.max(1, Math.floor(((wanted ?? '').length + 1) / 3))
  const nearest = closestMatch(wanted ?? '', bare, { maxDistance })
  if (nearest !== undefined) return names[bare.indexOf(nearest)]
  return names.find((each) => wordsOf(each)[0] === wordsOf(name)[0])
}

/** `maxAmount`, `max_amount` and `max-amount` are the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
