import { Secret } from '../../base/kernel/secrets.ts'
import { readOneOf, readWhole, type Source, type Variable } from './values.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where traces go and which are made, by OpenTelemetry's own variables. */
export type TracingChoice = {
  /** Takes OTLP in JSON by POST. */
  url: string
  headers: Secret
  serviceName: string
  /** Further facts about this service, for the collector. */
  attributes: Record<string, string>
  sampler: (typeof SAMPLERS)[number]
  /** The share of traces that begin here, for the samplers by ratio. */
  share: number
  /** Between two exports. */
  delayMs: number
}

/** The traces of this process; undefined unless an endpoint is named. */
export function readTracing(from: Source): TracingChoice | undefined {
  const url = readEndpoint(from)
  const isOff = readOneOf(from, 'OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true'
  const exporter = readOneOf(from, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp')
  // Others are refused only if traces are wanted: the environment of a machine may set them for all its programs.
  const protocol = from.text('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json'
  const headers = from.text('OTEL_EXPORTER_OTLP_HEADERS') ?? ''
  const attributes = from.text('OTEL_RESOURCE_ATTRIBUTES') ?? ''
  const choice = {
    headers: new Secret(headers),
    serviceName: from.text('OTEL_SERVICE_NAME') ?? 'purser',
    attributes: pairsOf(attributes) ?? {},
    sampler: readOneOf(from, 'OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
    share: readShare(from),
    delayMs: readWhole(from, 'OTEL_BSP_SCHEDULE_DELAY', {
      ...{ least: 1, most: 3_600_000, otherwise: 5_000 },
    }),
  }
  if (url === undefined || isOff || exporter === 'none') return undefined
  if (protocol !== 'http/json')
    from.fault(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, which a collector takes at the port of http/protobuf, e.g. 4318.',
    )
  for (const [name, text] of [
    ['OTEL_EXPORTER_OTLP_HEADERS', headers],
    ['OTEL_RESOURCE_ATTRIBUTES', attributes],
  ] as const)
    if (!pairsOf(text)) from.fault(`${name} must be pairs such as name=value, comma-separated.`)
  return { url, ...choice }
}

function readEndpoint(from: Source): string | undefined {
  const [own, all] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const
  return readUrl(from, own) ?? readUrl(from, all)?.replace(/\/*$/, '/v1/traces')
}

function readUrl(from: Source, name: Variable): string | undefined {
  const text = from.text(name)
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  from.fault(`${name} must be an http or https address, e.g. http://127.0.0.1:4318.`)
  return undefined
}

function readShare(from: Source): number {
  const share = Number(from.text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (share >= 0 && share <= 1) return share
  from.fault('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, e.g. 0.01.')
  return 1
}

/** The pairs of `a=1,b=2`, percent-decoded; undefined if it is something else. */
export function pairsOf(text: string): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      text
        .split(',')
        .filter((pair) => pair.trim() !== '')
        .map((pair) => {
          const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? []
          if (name === '') throw new URIError(pair)
          return [name, decodeURIComponent(value.trim())]
        }),
    )
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return undefined
  }
}
