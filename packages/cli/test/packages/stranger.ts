import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createPurser, type Purser } from '@purser/sdk'
import { ownPort } from '../../../service/test/run/own-port.ts'
import { until } from '../../../service/test/until.ts'
import type { Installed, Node } from './install.ts'

/** A folder where the packages are installed and `npx purser start` runs, as a stranger works in it. */
export type Stranger = {
  /** The wallet of the folder. */
  purser: Purser
  /** The environment of a person with this Node. */
  envOf(node: Node): Record<string, string>
  /** Runs a command to its end, and returns what it prints. */
  run(node: Node, command: string): Promise<string>
  /** Starts a command that prints a URL and stays. */
  open(
    node: Node,
    command: string,
  ): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }>
  [Symbol.asyncDispose](): Promise<void>
}

export async function moveIn(installed: Installed): Promise<Stranger> {
  const { folder, nodeOf } = installed
  const { PATH = '', TMPDIR = '', HOME = '' } = process.env
  const own = { HOME, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, ...(TMPDIR && { TMPDIR }) }
  const envOf = (node: Node) => ({
    ...own,
    PATH: `${dirname(nodeOf(node))}:${PATH}`,
    // A program that is not in the folder must fail instead of being downloaded.
    npm_config_yes: 'false',
  })
  const open = async (
    node: Node,
    command: string,
    { port = 0, until: ready = /^http.*$/m } = {},
  ) => {
    const env = {
      ...{ ...envOf(node), PORT: String(port) },
      ...{ PURSER_PROCESSES: '1', PURSER_DRAIN_SECONDS: '0' },
    }
    // Without a shell and npx between, so that a signal reaches the program.
    const [program = '', ...args] = command
      .replace(/^npx (\w+)/, 'node node_modules/.bin/$1')
      .split(' ')
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'exit')
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        said += part
      })
    const close = async () => {
      child.kill('SIGTERM')
      await ended
    }
    const url = await until(() => {
      if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`)
      return ready.exec(said)?.[0]
    })
    return { url: String(url), [Symbol.asyncDispose]: close }
  }
  // Both Nodes that were installed are programs named so, and npx would take one of them for any.
  await rm(join(folder, 'node_modules', '.bin', 'node'), { force: true })
  const port = await ownPort()
  const service = await open('node24', 'npx purser start', { port, until: /Ctrl-C/ })
  const dev = JSON.parse(await readFile(join(folder, 'data', 'dev.json'), 'utf8'))
  return {
    ...{ envOf, open },
    purser: createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key }),
    async run(node, command) {
      const options = { cwd: folder, env: envOf(node) }
      return (await promisify(execFile)('bash', ['-c', command], options)).stdout
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
