/** A block of Server-Sent Events. `data` is undefined for a block that only tells the last id. */
export type Block = {
  id: string | undefined
  data: string | undefined
  retryMs: number | undefined
}

/**
 * The blocks of a `text/event-stream` body, comments left out, until it ends or `signal` aborts. Calls `onBytes` for
 * whatever arrives, comments too.
 */
export async function* readBlocks(
  body: ReadableStream<Uint8Array>,
  { signal, onBytes }: { signal: AbortSignal; onBytes: () => void },
): AsyncGenerator<Block, void, undefined> {
  const reader = body.getReader()
  // The signal of a request may be forgotten once nobody holds the request: cancel the body itself.
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      // A block that was cut off is left out: the service sends it again.
      if (done) return
      onBytes()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield blockOf(block)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function blockOf(text: string): Block {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  const retry = fields.get('retry')
  const retryMs = retry === undefined ? undefined : Number(retry)
  return { id: fields.get('id'), data: fields.get('data'), retryMs }
}
