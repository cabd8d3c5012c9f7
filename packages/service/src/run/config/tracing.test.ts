import { expect, test } from 'vitest'
import { fencesFor, settingsIn } from '../../../test/operate/fences.ts'
import { type ConfigError, readConfig } from './config.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const read = (env: Record<string, string>) => readConfig(env).tracing
const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

test('nothing is traced unless an endpoint is named, nor where traces are turned off', () => {
  expect(read({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeUndefined()
  expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(read({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
})

test('the path for traces is added to the general endpoint, and an endpoint of their own is taken as it is', () => {
  const own = 'https://traces.example/in'
  expect(read(ENDPOINT)?.url).toBe('http://collector:4318/v1/traces')
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector/x/' })?.url).toBe(
    'http://collector/x/v1/traces',
  )
  expect(read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own })?.url).toBe(own)
})

test('attributes are decoded, and headers are secret', () => {
  const choice = read({
    ...ENDPOINT,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20one, cell = 00',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc',
  })
  expect(choice?.attributes).toEqual({ 'deployment.environment.name': 'test one', cell: '00' })
  expect(JSON.stringify(choice)).not.toContain('abc')
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an http or https address'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'http/json'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'abc', 'pairs such as name=value'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=%ff', 'pairs such as name=value'],
  ['OTEL_TRACES_SAMPLER', 'some', 'one of always_on, always_off'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'a number from 0 to 1'],
  ['OTEL_BSP_SCHEDULE_DELAY', '-1', 'a whole number'],
])('%s=%s is refused', (name, value, why) => {
  const faults = faultsOf({ ...ENDPOINT, [name]: value })
  expect(faults).toEqual([expect.stringContaining(`${name} must be ${why}`)])
})

test('the page for operators names an endpoint that is taken', () => {
  const page = fencesFor('packages/service/src/run/config/tracing.test.ts')
  const [settings = {}] = page.take('monitoring.md', 'Traces').map(settingsIn)
  expect(read(settings)?.url).toBe('http://127.0.0.1:4318/v1/traces')
  expect(page.left()).toEqual([])
})
