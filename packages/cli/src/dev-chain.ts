import { Fault } from './fault.ts'

/** Asks the development chain by JSON-RPC. */
export async function askDevChain(
  rpcUrl: string,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { message: string }
  }
  if (error) throw new Fault(`The development chain refused ${method}: ${error.message}`)
  return result
}
