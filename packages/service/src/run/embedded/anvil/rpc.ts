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

/** By how many seconds anvil's clock is ahead of the real one; undefined if it does not answer. */
export async function readClock(rpcUrl: string): Promise<number | undefined> {
  const answer = await callAnvil(rpcUrl, [['evm_increaseTime', 0]])
  return answer && Number(answer[0])
}

/**
 * Sets by how many seconds anvil's clock is ahead of the real one. After a start it is behind by the seconds that the start
 * took: it reads the time, rounds it down, and counts from it only later. False if anvil does not answer.
 */
export async function setClock(rpcUrl: string, offset: number): Promise<boolean> {
  const current = await readClock(rpcUrl)
  if (current === undefined) return false
  if (current === offset) return true
  return (await callAnvil(rpcUrl, [['evm_increaseTime', offset - current]])) !== undefined
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
