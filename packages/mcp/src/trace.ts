const NAMES = ['traceparent', 'tracestate', 'baggage'] as const
const VALUE_MAX = 1_024

/** The trace context that a call brought in its `_meta`, as headers for the calls that it causes. */
export function traceOf(meta: Record<string, unknown> | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of NAMES) {
    const value = meta?.[name]
    if (typeof value === 'string' && value.length <= VALUE_MAX && /^[\x20-\x7e]+$/.test(value))
      found[name] = value
  }
  return found
}
