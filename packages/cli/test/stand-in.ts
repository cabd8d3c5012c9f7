import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../bin/purser.js', import.meta.url))

export type Canned = { status: number; body: unknown }

/** A folder, and a service that gives these answers, the last again and again, and remembers what it was asked. */
export async function standIn(...answers: Canned[]) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-cli-'))
  const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)] ?? BALANCES
    const asked = { url: request.url!, headers: request.headers, body: '' }
    seen.push(asked)
    for await (const chunk of request) asked.body += chunk
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    folder,
    seen,
    baseUrl,
    async writeDevFile(url = baseUrl) {
      const demo = { wallet_address: '0x1', api_key: 'purser_test_demo' }
      const text = JSON.stringify({ base_url: url, demo })
      await writeFile(join(folder, 'dev.json'), text, { mode: 0o600 })
    },
    purser: (args: string[], env: Record<string, string> = {}, cwd?: string) =>
      run(args, { PATH: process.env.PATH ?? '', PURSER_DATA_DIR: folder, ...env }, cwd),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}
const BALANCE = { balances: [{ asset: 'USDC', network: 'eip155:84532', available: 12.5 }] }
export const BALANCES: Canned = { status: 200, body: BALANCE }

function run(args: string[], env: Record<string, string>, cwd?: string) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}
