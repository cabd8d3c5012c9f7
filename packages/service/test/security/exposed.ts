import type { Route } from '../../src/api/http/route.ts'
import type { Costs } from '../../src/base/kernel/costs.ts'
import { routes } from '../../src/run/app.ts'
import { MCP_ROUTE } from '../../src/run/mcp/mount.ts'
import { STATUS_PATHS } from '../../src/run/status/mount.ts'

/** An endpoint with its name, such as `POST /api/issue`. */
export type Exposed = Pick<Route, 'path' | 'tag' | 'auth' | 'attack' | 'costs' | 'body'> & {
  name: string
}

/** Every endpoint of the server: those of the route table, and those that are mounted beside it. */
export const exposed: readonly Exposed[] = [
  ...routes.map((route) => ({ ...route, name: `${route.method} ${route.path}` })),
  ...STATUS_PATHS.map((page) => ({
    ...page,
    ...{ name: `GET ${page.path}`, tag: 'Status', auth: 'public' as const },
  })),
  { ...MCP_ROUTE, name: `POST ${MCP_ROUTE.path}`, tag: 'Payments', auth: 'key', body: undefined },
]

export const MEASURES = [
  'statements',
  'rows',
  'jobs',
  'rpc',
  'dns',
  'requests',
  'gas',
  'ms',
] as const
export type Measure = (typeof MEASURES)[number]
export type Cost = Record<Measure, number>

/** The costs of an endpoint or a task that declares none of them. */
const UNDECLARED = {
  rows: 0,
  jobs: 0,
  rpc: 0,
  dns: 0,
  requests: 0,
  gas: 0,
  ms: 3_000,
}
export const mostOf = (costs: Costs): Cost => ({ ...UNDECLARED, ...costs })

/** The name of an attack's class: one that is bounded by a number or a time is an object of one member. */
export const classOf = ({ attack }: Pick<Exposed, 'attack'>): string =>
  typeof attack === 'string' ? attack : (Object.keys(attack)[0] ?? '')
