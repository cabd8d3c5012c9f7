import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { ownPort } from '../../../service/test/run/own-port.ts'
import { until } from '../../../service/test/until.ts'

const { platform, arch } = process
/** The packages that hold the programs themselves: those that are named after the runtimes only choose one of these. */
const WORKERD = `@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`
const BUN = `@oven/bun-${platform}-${arch === 'x64' ? arch : 'aarch64'}`
const DENO = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`
export const RUNTIME_PACKAGES = [
  ...[`${WORKERD}@1.20261117.1`, `${BUN}@1.4.5`, `${DENO}@2.9.6`],
  ...['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
]

/** A shop as it is written for every runtime of web standards. It has a priced route, one whose service is `dark`, and buys by the SDK. */
export type ShopOf = { base: string; dark: string; key: string }
const shopOf = ({ base, dark, key }: ShopOf, from = '@purser/paywall') => `
import { paywall } from '${from}'
import { createPurser } from '@purser/sdk'
const serve = async (request) => Response.json({ said: await request.text() })
const priced = (baseUrl) =>
  paywall(createPurser({ baseUrl, apiKey: '${key}' }), { price: '0.01', describe: 'A report' })(serve)
async function buy(request) {
  const { key, url, card } = await request.json()
  const purser = createPurser({ baseUrl: '${base}', apiKey: key })
  const answer = await purser.fetch(url, { card, maxAmount: '0.02' })
  return Response.json({ outcome: answer.headers.get('purser-outcome'), body: await answer.json() })
}
const routes = { report: priced('${base}'), dark: priced('${dark}'), buy }
export const shop = (request, ...rest) => routes[new URL(request.url).pathname.slice(1)](request, ...rest)
`
const BUN_SHOP = `
import { shop } from './shop.mjs'
const { port } = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: shop })
console.log('listens on "port":' + port)
`
const DENO_SHOP = `
import { shop } from './shop.mjs'
const onListen = ({ port }) => console.log('listens on "port":' + port)
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, shop)
`
const WORKERD_SHOP = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "shop", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "shop")],
);
`
const NEXT_ROUTE = `
import { shop } from '../../shop.mjs'
export const runtime = 'edge'
export const GET = shop
export const POST = shop
`
const NEXT_CONFIG = `
export default { turbopack: { root: new URL('../..', import.meta.url).pathname } }
`

/** The program that serves the shop of a folder, and its arguments. */
type Start = { command: string; args: string[] }
const STARTS: Record<string, (place: string, program: (path: string) => string) => Promise<Start>> =
  {
    async 'a worker of Cloudflare'(place, program) {
      await writeFile(join(place, 'worker.mjs'), WORKER)
      const build = await rolldown({
        input: join(place, 'worker.mjs'),
        platform: 'browser',
        // As Cloudflare's own bundler asks.
        resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import', 'default'] },
      })
      await build.write({ file: join(place, 'worker.js'), format: 'esm', codeSplitting: false })
      await build.close()
      await writeFile(join(place, 'shop.capnp'), WORKERD_SHOP)
      const args = ['serve', 'shop.capnp', '--control-fd=1']
      return { command: program(`${WORKERD}/bin/workerd`), args }
    },
    async 'an edge route of Next'(place, program) {
      const route = join(place, 'app', '[path]')
      await mkdir(route, { recursive: true })
      await writeFile(join(route, 'route.js'), NEXT_ROUTE)
      await writeFile(join(place, 'next.config.mjs'), NEXT_CONFIG)
      const next = program('next/dist/bin/next')
      const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
      await promisify(execFile)(process.execPath, [next, 'build'], { cwd: place, env })
      const port = String(await ownPort())
      const args = [next, 'start', '--hostname', '127.0.0.1', '--port', port]
      return { command: process.execPath, args }
    },
    async Bun(place, program) {
      await writeFile(join(place, 'serve.mjs'), BUN_SHOP)
      return { command: program(`${BUN}/bin/bun`), args: ['serve.mjs'] }
    },
    async Deno(place, program) {
      await writeFile(join(place, 'serve.mjs'), DENO_SHOP)
      const allowed = ['--allow-net', '--allow-env', '--no-prompt']
      return { command: program(`${DENO}/deno`), args: ['run', ...allowed, 'serve.mjs'] }
    },
  }
const WORKER = `import { shop } from './shop.mjs'\nexport default { fetch: shop }\n`
export const RUNTIMES = Object.keys(STARTS)

export type Opened = { origin: string; [Symbol.asyncDispose](): Promise<void> }

/** Starts the shop on a runtime, from packages that are installed in `folder`. */
export async function openOn(runtime: string, folder: string, of: ShopOf): Promise<Opened> {
  const place = join(folder, runtime.replaceAll(' ', '-'))
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{"private":true}')
  const from = runtime.includes('Next') ? '@purser/paywall/next' : '@purser/paywall'
  await writeFile(join(place, 'shop.mjs'), shopOf(of, from))
  const program = (path: string) => join(folder, 'node_modules', path)
  const { command, args } = await STARTS[runtime]!(place, program)
  const child = spawn(command, args, { cwd: place, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part
    })
  const port = await until(() => {
    if (child.exitCode !== null) throw new Error(`${runtime} ended: ${said}`)
    return /(?:"port":|Local: +http:\S+:)(\d+)/.exec(said)?.[1]
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
