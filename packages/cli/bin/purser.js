#!/usr/bin/env node
// Plain JavaScript that any Node from 20 on understands. The source tree holds TypeScript, which Node 24 runs as it is;
// the published package holds JavaScript.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import * as modules from 'node:module'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
const SOURCE = new URL('../src/main.ts', import.meta.url)

keepCompiled()

if (!existsSync(SOURCE)) {
  const { main } = await import('../dist/src/main.js')
  await main(process.argv)
} else if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  const program = await importSource()
  await program?.main(process.argv)
} else if (process.env.PURSER_NODE_FOUND) {
  fail(`Node ${NEEDED} or later is needed; this is ${process.version}.`)
} else {
  const node = findNode()
  if (node) runWith(node)
  else
    fail(
      `Node ${NEEDED} or later is needed; this is ${process.version}. Install it, or run npm ci here.`,
    )
}

/**
 * Node keeps what it has compiled, so that a command starts in 0.12 s of CPU time instead of 0.3. In the caller's own
 * folder: another user could write to the common one. Node 20 has no such cache.
 */
function keepCompiled() {
  if (!modules.enableCompileCache) return
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(caches, 'purser')
  for (const path of [caches, folder])
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch {
      // It is there, or it cannot be: the command runs without it. Node would try for ever below /proc.
    }
  if (existsSync(folder)) modules.enableCompileCache(folder)
}

/** The sources stand on packages, and on the SDK as `npm ci` builds it. */
async function importSource() {
  try {
    return await import(SOURCE.href)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const folder = fileURLToPath(new URL('../../../', import.meta.url))
    fail(
      `Something that purser needs is not installed or built yet. Run npm ci in ${folder} first.`,
    )
    return undefined
  }
}

/** The npm package `node` brings a newer Node than the machine may have. */
function findNode() {
  try {
    return join(
      dirname(modules.createRequire(import.meta.url).resolve('node/package.json')),
      'bin',
      'node',
    )
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function runWith(node) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, PURSER_NODE_FOUND: '1' }
  const child = spawn(node, args, { stdio: 'inherit', env })
  // Ctrl-C reaches the child by itself. Pass other stop signals on to it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) =>
    fail(`Node ${NEEDED} could not be started (${error.message}). Install it, or run npm ci here.`),
  )
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exitCode = 1
}
