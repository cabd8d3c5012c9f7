/** A JSON-RPC method with its parameters. */
export type AnvilCall = [method: string, ...params: unknown[]]

const ANSWER_MS = 1_000

/** Calls methods in one request; undefined without an answer in time. Default timeout: one second. */
export async function callAnvil(
  rpcUrl: string,
  calls: AnvilCall[],
  timeoutMs = ANSWER_MS,
): Promise<unknown[] | undefined> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(
        calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })),
      ),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answers = (await response.json()) as { id: number; result: unknown }[]
    return answers.sort((a, b) => a.id - b.id).map((answer) => answer.result)
  } catch (error) {
    // Nobody listens, or another program has the port and does not answer.
    const isSilence = error instanceof Error && error.name === 'TimeoutError'
    if (error instanceof TypeError || isSilence) return undefined
    throw error
  }
}
