import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { within } from '../../../base/kernel/clock.ts'
import type { SpanOf, Tracer } from '../../../base/kernel/tracing.ts'
import { pairsOf, type TracingChoice } from '../../config/tracing.ts'

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/** For the last spans, when the service ends. */
const STOP_MS = 2_000

/** A tracer that sends spans by OTLP in JSON. `onExport` hears of each attempt. `stop` sends what is left, as far as the collector takes it in time. */
export function createTracer(
  choice: TracingChoice,
  { version, onExport }: { version: string; onExport(error: Error | undefined): void },
): { tracer: Tracer; stop(): Promise<void> } {
  const { url, headers, serviceName, attributes, delayMs } = choice
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...attributes,
      'service.name': serviceName,
      'service.version': version,
    }),
    sampler: samplerOf(choice),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: heard(
          new OTLPTraceExporter({ url, headers: pairsOf(headers.reveal()) ?? {} }),
          onExport,
        ),
        scheduledDelayMillis: delayMs,
      }),
    ],
  })
  const otel = provider.getTracer('purser', version)
  const contexts = new AsyncLocalStorage<Context>()
  const here = (): SpanContext | undefined => {
    const context = contexts.getStore()
    return context && trace.getSpanContext(context)
  }

  function open({ name, kind, values = {}, of = [] }: SpanOf, parent: Context): [Span, Context] {
    const [first, ...others] = of.filter((one): one is SpanContext => one !== undefined)
    const under = first ? trace.setSpanContext(ROOT_CONTEXT, first) : parent
    const span = otel.startSpan(
      name,
      {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        attributes: values,
        links: others.map((context) => ({ context })),
      },
      under,
    )
    return [span, trace.setSpan(under, span)]
  }

  const tracer: Tracer = {
    async inSpan(of, work) {
      const [span, context] = open(of, contexts.getStore() ?? ROOT_CONTEXT)
      try {
        return await contexts.run(context, work)
      } catch (error) {
        // The message may quote what others wrote.
        if (error instanceof Error) span.setAttribute('error.type', error.name)
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    begin(of, traceparent) {
      const remote = readTraceparent(traceparent)
      const [span, context] = open(
        of,
        remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT,
      )
      return {
        run: (step) => contexts.run(context, step),
        end(values, isFailed) {
          span.setAttributes(values)
          if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    here,
    traceparent() {
      const context = here()
      return context && writeTraceparent(context)
    },
  }
  const ended = () => provider.shutdown().catch(() => undefined)
  return { tracer, stop: () => within(ended(), STOP_MS, () => undefined) }
}

const heard = (
  exporter: SpanExporter,
  onExport: (error: Error | undefined) => void,
): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      // The number is that of success.
      onExport(result.code === 0 ? undefined : (result.error ?? new Error('it gave no reason')))
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
})

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function readTraceparent(header: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? []
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

function samplerOf({ sampler, share }: TracingChoice): Sampler {
  const root = rootOf(sampler.replace(/^parentbased_/, ''), share)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootOf(name: string, share: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler()
}
