/** A span of a trace: one piece of work. It holds no secret, amount or wallet, and of what callers send only the names of hosts. */
export type SpanOf = {
  name: string
  kind?: 'server' | 'client'
  values?: Record<string, string | number>
  /** The spans of others who wait for this work. The first is its parent. */
  of?: readonly unknown[]
}
/** A request's span, which ends after its answer. */
export type OpenSpan = {
  /** Runs a step of the request within the span. */
  run(step: () => void): void
  end(values: Record<string, string | number>, isFailed: boolean): void
}
export type Tracer = {
  inSpan<T>(span: SpanOf, work: () => Promise<T>): Promise<T>
  /** `traceparent` is what the caller sent. It places the span in a trace, and nothing else is taken from it. */
  begin(span: SpanOf, traceparent: string | undefined): OpenSpan
  /** The span within which this runs, to be named by another span. */
  here(): unknown
  /** The header that continues the trace elsewhere. */
  traceparent(): string | undefined
}

// Set once, when the process starts, or never: a trace runs through all that a process does.
let tracer: Tracer | undefined

/** Traces this process from now on. Only for the start of a service. */
export function useTracer(one: Tracer): void {
  tracer = one
}

export const theTracer = (): Tracer | undefined => tracer

/** Does the work within a span, or does just the work if this process is not traced. */
export const inSpan = <T>(span: () => SpanOf, work: () => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(span(), work) : work()

/** The headers with that which continues the trace, if this process is traced. One that they have stays. */
export function withTrace(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const traceparent = tracer?.traceparent()
  if (traceparent === undefined || 'traceparent' in headers) return headers
  return { ...headers, traceparent }
}
