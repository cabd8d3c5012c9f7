import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { livedPlace } from '../../service/test/actors/program.ts'
import { until } from '../../service/test/until.ts'

const BIN = fileURLToPath(new URL('../bin/purser.js', import.meta.url))
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
const PASSED_ON = { PATH, HOME, NODE_COMPILE_CACHE }

/** Starts a command; its output is piped. */
export const purser = (args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [BIN, ...args], {
    env: { ...PASSED_ON, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Waits for a command to end; its exit code and all its output. */
export async function finish(child: ChildProcess) {
  const { stdout, stderr } = child
  const [out, err, [code]] = await Promise.all([
    stdout ? text(stdout) : '',
    stderr ? text(stderr) : '',
    once(child, 'exit') as Promise<[number]>,
  ])
  return { code, stdout: out, stderr: err }
}

/** The whole service, as `purser start` runs it, on a folder and a port of its own. */
export async function startService() {
  const env = await livedPlace()
  const { PURSER_DATA_DIR: folder, PORT: port } = env
  const service = purser(['start'], env)
  const ended = finish(service)
  await until(async () => {
    if (service.exitCode !== null || service.signalCode !== null)
      throw new Error(`the service did not start: ${JSON.stringify(await ended)}`)
    return isReady(port)
  })
  return {
    env,
    folder,
    [Symbol.asyncDispose]: async () => {
      service.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function isReady(port: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}
