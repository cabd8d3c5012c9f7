import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RpcCall = { id: number; method: string; params: any[] }
type Answer = { result?: unknown; error?: unknown }
/** A node's response to a call. `next` asks the real node, with other parameters if given. */
export type Fault = (call: RpcCall, next: (params?: unknown[]) => Promise<Answer>) => unknown

/** Never answers, and keeps the connection open. */
export const SILENCE = Symbol('silence')
/** Answers with text that is not JSON. */
export const GARBAGE = Symbol('garbage')
/** Drops the connection after the real node has executed the call. */
export const CUT = Symbol('cut')

export type FaultyRpc = {
  url: string
  /** Every requested method, oldest first. */
  asked: string[]
  /** Sets or removes the fault. It may answer an `Answer`, or one of the three symbols. */
  fault(fault: Fault | undefined): void
  [Symbol.asyncDispose](): Promise<void>
}

/** A JSON-RPC node in front of a real one that can be made to fail in any way. */
export async function faultyRpc(target: string): Promise<FaultyRpc> {
  let fault: Fault | undefined
  const asked: string[] = []
  const ask = async (call: RpcCall): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...call })
    const headers = { 'content-type': 'application/json' }
    return (await (await fetch(target, { method: 'POST', headers, body })).json()) as Answer
  }
  const answer = async (call: RpcCall): Promise<unknown> => {
    asked.push(call.method)
    const next = (params?: unknown[]) => ask(params ? { ...call, params } : call)
    const given = fault ? await fault(call, next) : undefined
    return given === undefined ? next() : given
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const parsed = JSON.parse(Buffer.concat(chunks).toString())
    const calls: RpcCall[] = [parsed].flat()
    const answers = await Promise.all(calls.map(answer))
    reply(response, { calls, answers, isBatch: Array.isArray(parsed) })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    fault: (next) => {
      fault = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function reply(
  response: ServerResponse,
  { calls, answers, isBatch }: { calls: RpcCall[]; answers: unknown[]; isBatch: boolean },
): void {
  if (answers.includes(SILENCE)) return
  if (answers.includes(CUT)) return void response.destroy()
  response.setHeader('content-type', 'application/json')
  if (answers.includes(GARBAGE)) return void response.end('<html>502 Bad Gateway</html>')
  const bodies = answers.map((given, i) => ({
    jsonrpc: '2.0',
    ...(given as Answer),
    id: calls[i]?.id,
  }))
  response.end(JSON.stringify(isBatch ? bodies : bodies[0]))
}
