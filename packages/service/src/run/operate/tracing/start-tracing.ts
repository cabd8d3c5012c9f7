import type { Logger } from 'pino'
import { useTracer } from '../../../base/kernel/tracing.ts'
import type { Config } from '../../config/config.ts'

/** Traces this process if an endpoint is configured. Otherwise the library is not even loaded. */
export async function startTracing(
  { tracing, version }: Pick<Config, 'tracing' | 'version'>,
  { log, stack }: { log: Logger; stack: AsyncDisposableStack },
): Promise<void> {
  if (!tracing) return
  const { createTracer } = await import('./tracer.ts')
  let isTaken = true
  const { tracer, stop } = createTracer(tracing, {
    version,
    onExport(err) {
      // Once, and not for each of the exports that a collector misses while it is down.
      if (err && isTaken) log.warn({ err }, 'the collector takes no traces')
      isTaken = !err
    },
  })
  stack.defer(stop)
  useTracer(tracer)
}
