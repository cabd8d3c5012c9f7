/** Far above any useful depth, far below a stack overflow. */
export const DEPTH_MAX = 64
const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, NINE, ZERO] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x39, 0x30,
]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
/** A double holds fifteen digits whatever they are. */
const SAFE_LENGTH = 15
const HAS_EXPONENT = /e/i
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** An object or a list that the scan is in. `names` are those of an object's members so far. */
type Level = { names: Set<string> | undefined; at: string | undefined; isName: boolean }
/** A JSON text that readers could take in two ways, or not at all. `at` is the path of its member. */
export type JsonTextFault = { kind: 'twice' | 'reserved' | 'surrogate' | 'deep'; at: string }
type Found = { fault?: JsonTextFault; isExact: boolean }

/**
 * Scans a text that `JSON.parse` has taken for what its value no longer shows: a member that stands twice, a reserved
 * name, half a surrogate pair, too many levels, and numbers that a double does not hold (`isExact: false`). A kilobyte
 * takes some microseconds: strings are passed over by `indexOf`.
 */
export function scanJson(text: string): Found {
  const mayHaveHalves = /\\u[dD]/.test(text)
  const levels: Level[] = []
  let isExact = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const level = levels.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const fault = faultOfString(text.slice(at, end + 1), { levels, mayHaveHalves })
      if (fault) return { fault, isExact }
      at = end
    } else if (code === OPEN || code === OPEN_LIST) {
      if (levels.length === DEPTH_MAX)
        return { fault: { kind: 'deep', at: pathOf(levels) }, isExact }
      const isObject = code === OPEN
      levels.push({ names: isObject ? new Set() : undefined, at: undefined, isName: isObject })
    } else if (code === CLOSE || code === CLOSE_LIST) levels.pop()
    else if (level && code === COMMA) level.isName = level.names !== undefined
    else if (level && code === COLON) level.isName = false
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at
      const number = NUMBER.exec(text)?.[0] ?? ''
      if ((number.length > SAFE_LENGTH || HAS_EXPONENT.test(number)) && !isHeld(number))
        isExact = false
      at += Math.max(number.length - 1, 0)
    }
  }
  return { isExact }
}

/** The value of a text, in which the numbers that a double does not hold are strings of their digits. */
export const withExactNumbers = (text: string): unknown =>
  JSON.parse(text, (_, value, context?: { source?: string }) =>
    typeof value === 'number' && context?.source && !isHeld(context.source)
      ? context.source
      : value,
  )

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
}

function faultOfString(
  quoted: string,
  { levels, mayHaveHalves }: { levels: Level[]; mayHaveHalves: boolean },
): JsonTextFault | undefined {
  const level = levels.at(-1)
  const isName = level?.isName === true
  if (!isName && !mayHaveHalves) return undefined
  const value: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
  if (!value.isWellFormed()) return { kind: 'surrogate', at: pathOf(levels) }
  if (!isName) return undefined
  const isReserved =
    value === '__proto__' || (value === 'prototype' && levels.at(-2)?.at === 'constructor')
  const isTwice = level.names?.has(value)
  level.names?.add(value)
  level.at = value
  if (!isReserved && !isTwice) return undefined
  return { kind: isTwice ? 'twice' : 'reserved', at: pathOf(levels) }
}

const pathOf = (levels: Level[]): string => levels.flatMap(({ at }) => at ?? []).join('.')

/** Whether a double prints the digits that were written, but for zeros and the exponent. */
function isHeld(written: string): boolean {
  return digitsOf(written) === digitsOf(String(Number(written)))
}

/** A number's significant digits and the power of ten of the last one. */
function digitsOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return kept === ''
    ? '0'
    : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}
