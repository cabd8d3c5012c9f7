/** An answer that was read to its end. */
export type Answer = { status: number; headers: Headers; text: string }

/** The service itself answers sooner, also when it waits for the chain. */
const SILENT_MS = 60_000

/**
 * Fetches a URL and reads the whole answer. Returns undefined if the network fails, the answer is cut, or it takes longer
 * than `silentMs`, a minute: what was asked for may then have happened.
 */
export async function ask(
  url: string,
  headers: Record<string, string>,
  silentMs = SILENT_MS,
): Promise<Answer | undefined> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), silentMs)
  try {
    const answer = await fetch(url, { headers, cache: 'no-store', signal: deadline.signal })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (error) {
    // A failed network and a cut answer are a TypeError.
    if (deadline.signal.aborted || error instanceof TypeError) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The members of a JSON object; none if the text is something else, as an answer of a proxy may be. */
export function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
