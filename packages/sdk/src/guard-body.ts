/**
 * The same answer, with a body that ends with an error once `signal` fires. `faultOf` makes the error that the reader sees
 * from the one of the connection.
 */
export function guardBody(
  response: Response,
  signal: AbortSignal | undefined,
  faultOf: (cause: unknown) => Error,
): Response {
  const reader = response.body?.getReader()
  if (!reader) return response
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = () => {
          controller.error(signal?.reason)
          void reader.cancel(signal?.reason).catch(() => undefined)
        }
        signal?.addEventListener('abort', stop, { once: true })
        if (signal?.aborted) stop()
      },
      async pull(controller) {
        try {
          const { value, done } = await reader.read()
          if (signal?.aborted) return
          if (!done) return controller.enqueue(value)
          signal?.removeEventListener('abort', stop)
          controller.close()
        } catch (cause) {
          signal?.removeEventListener('abort', stop)
          if (!signal?.aborted) controller.error(faultOf(cause))
        }
      },
      cancel(reason) {
        signal?.removeEventListener('abort', stop)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
