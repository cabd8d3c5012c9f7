import { expect, test } from 'vitest'
import { openCollector } from '../../../../test/observe/collector.ts'
import { receiver } from '../../../../test/webhooks/receiver.ts'
import { readConfig } from '../../config/config.ts'
import { createTracer } from './tracer.ts'

const CALLER = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}`
const nothing = async () => undefined

/** A tracer of a service with these settings, and the spans that its collector has in the end. */
async function traced(
  work: (tracer: ReturnType<typeof createTracer>['tracer']) => Promise<unknown>,
  settings: Record<string, string> = {},
) {
  await using collector = await openCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings }
  const { tracing } = readConfig(env)
  if (!tracing) throw new Error('an endpoint is named')
  const { tracer, stop } = createTracer(tracing, { version: '1.2.3', onExport: () => undefined })
  await work(tracer)
  await stop()
  const { spans, state } = collector
  return { spans, state, named: (name: string) => spans.find((span) => span.name === name) }
}

test('work that several wait for has the first as its parent, and links to the others', async () => {
  const { named } = await traced(async (tracer) => {
    const waits = (name: string) => tracer.inSpan({ name }, async () => tracer.here())
    const of = [await waits('first'), undefined, await waits('second')]
    await tracer.inSpan({ name: 'batch', of }, () => tracer.inSpan({ name: 'within' }, nothing))
  })
  const [first, second, batch] = ['first', 'second', 'batch'].map(named)
  expect(batch).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId })
  expect(batch?.links).toMatchObject([{ traceId: second?.traceId, spanId: second?.spanId }])
  expect(named('within')?.parentSpanId).toBe(batch?.spanId)
})

test.each([
  ['that of a caller goes on', `${CALLER}-01`, true],
  ['text is no trace', 'something', false],
  ['capitals are no trace', `${CALLER.toUpperCase()}-01`, false],
  ['zeros are no trace', `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`, false],
  ['a version that is not known is no trace', `ff${CALLER.slice(2)}-01`, false],
])('%s', async (_, traceparent, goesOn) => {
  const { named } = await traced(async (tracer) => {
    const span = tracer.begin({ name: 'request', kind: 'server' }, traceparent)
    span.run(() => expect(tracer.traceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/))
    span.end({}, false)
  })
  expect(named('request')).toBeDefined()
  expect(named('request')?.traceId === 'ab'.repeat(16)).toBe(goesOn)
})

test('a trace that the caller does not sample is sent nowhere, and goes on unsampled', async () => {
  const { spans } = await traced(async (tracer) => {
    const span = tracer.begin({ name: 'request' }, `${CALLER}-00`)
    span.run(() => expect(tracer.traceparent()).toMatch(/-00$/))
    span.end({}, false)
  })
  expect(spans).toEqual([])
  const { named } = await traced(
    async (tracer) => tracer.begin({ name: 'request' }, `${CALLER}-00`).end({}, false),
    { OTEL_TRACES_SAMPLER: 'traceidratio' },
  )
  expect(named('request')).toBeDefined()
})

test('a failure has the kind of its error and not the message; the collector gets the headers it wants', async () => {
  const failing = async () => {
    throw new TypeError('card 4242')
  }
  const { spans, state } = await traced(
    (tracer) => expect(tracer.inSpan({ name: 'work' }, failing)).rejects.toThrow('card'),
    { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b', OTEL_RESOURCE_ATTRIBUTES: 'cell=00' },
  )
  expect(spans).toMatchObject([
    { status: { code: 2 }, attributes: [{ value: { stringValue: 'TypeError' } }] },
  ])
  expect(state.raw).toContain('"cell"')
  expect(state.raw).not.toContain('4242')
  expect(state.headers['x-key']).toBe('a b')
})

test('a collector that refuses fails nothing, and is heard of', async () => {
  await using refusing = await receiver(() => 403)
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: refusing.url })
  if (!tracing) throw new Error('an endpoint is named')
  const heard: (Error | undefined)[] = []
  const { tracer, stop } = createTracer(tracing, {
    version: '1.2.3',
    onExport: (error) => heard.push(error),
  })
  expect(await tracer.inSpan({ name: 'work' }, async () => 7)).toBe(7)
  await stop()
  expect(heard).toEqual([expect.any(Error)])
})

test('a collector that does not answer does not hold up the end', async () => {
  await using silent = await receiver(() => 'self')
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: silent.url })
  if (!tracing) throw new Error('an endpoint is named')
  const { tracer, stop } = createTracer(tracing, { version: '1.2.3', onExport: () => undefined })
  await tracer.inSpan({ name: 'work' }, nothing)
  await stop()
  // It was asked, and has the request open still.
  expect(silent.got).toHaveLength(1)
})
