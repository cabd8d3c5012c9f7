/** Stops on what only a bug can break. Never used on a caller's input: that is a `Problem`. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
