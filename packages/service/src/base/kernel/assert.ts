/** Throws if a condition fails that only a bug can break. For a caller's input throw a `Problem` instead. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
