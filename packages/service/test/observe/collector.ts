import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  links: { traceId: string; spanId: string }[]
  service: string
  status?: { code: number }
}

/** A collector of traces: takes OTLP over HTTP in JSON. */
export async function openCollector() {
  const spans: Span[] = []
  const state = { raw: '', headers: {} as IncomingHttpHeaders }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    state.raw += text
    state.headers = request.headers
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')
      for (const { spans: some } of scopeSpans)
        for (const span of some)
          spans.push({ links: [], attributes: [], ...span, service: named.value.stringValue })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, state },
    of: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
