/** The text is no proof, or no whole one: nothing was checked. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  /** Stable: branch on this. */
  readonly code = 'invalid_proof'
}

type Is = (value: unknown) => boolean

const UNITS = /^(0|[1-9]\d{0,77})$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const HASH = /^[\w-]{43}$/

export const isText: Is = (value) => typeof value === 'string'
export const isCount: Is = (value) => Number.isSafeInteger(value) && (value as number) >= 0
export const isUnits: Is = (value) => isText(value) && UNITS.test(value as string)
export const isTime: Is = (value) =>
  isText(value) && TIME.test(value as string) && !Number.isNaN(Date.parse(value as string))
/** A SHA-256, base64url. */
export const isHash: Is = (value) => isText(value) && HASH.test(value as string)
export const isObject: Is = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const orNull =
  (is: Is): Is =>
  (value) =>
    value === null || is(value)
export const listOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is)
/** An object with these members of its own. It may have others. */
export const hasShape =
  (shape: Record<string, Is>): Is =>
  (value) =>
    isObject(value) &&
    Object.entries(shape).every(
      ([name, is]) => Object.hasOwn(value as object, name) && is((value as never)[name]),
    )

/** Throws for a value that is not of this shape. A proof comes from anybody. */
export function mustBe<T>(value: unknown, is: Is, sentence: string): T {
  if (!is(value)) throw new ProofError(sentence)
  return value as T
}
