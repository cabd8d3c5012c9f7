import type { ClientRequest } from 'node:http'

/** A JSON-RPC method with its parameters. */
export type AnvilCall = [method: string, ...params: unknown[]]

const ANSWER_MS = 1_000
/** `fetch`, and an import of `node:http`, load Node's web client: 40 ms of CPU in the guard, which needs little else. */
const http = process.getBuiltinModule('node:http')

/** Calls methods in one request; undefined without an answer in time. Default timeout: one second. */
export async function callAnvil(
  rpcUrl: string,
  calls: AnvilCall[],
  timeoutMs = ANSWER_MS,
): Promise<unknown[] | undefined> {
  const sent = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const text = await post(rpcUrl, JSON.stringify(sent), timeoutMs)
  const answers: unknown = text === undefined ? undefined : JSON.parse(text)
  // Another program has the port and speaks JSON too.
  if (!Array.isArray(answers)) return undefined
  return answers.sort((a, b) => a.id - b.id).map((answer) => answer.result)
}

/** Undefined if nobody listens, or if another program has the port and does not answer. */
const post = (url: string, body: string, timeoutMs: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const request: ClientRequest = http.request(url, { method: 'POST', headers, agent: false })
    const timer = setTimeout(() => request.destroy(), timeoutMs)
    const end = (text?: string) => {
      clearTimeout(timer)
      resolve(text)
    }
    request.on('error', () => end()).on('close', () => end())
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('error', () => end())
      response.on('end', () => end(text))
      response.on('close', () => end())
    })
    request.end(body)
  })
