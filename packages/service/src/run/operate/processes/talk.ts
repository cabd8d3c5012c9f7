/** One end of the channel between two processes of a service: `process`, or a child process. */
export type Line = {
  send(message: unknown): void
  onMessage(heard: (message: unknown) => void): void
  onClosed(closed: () => void): void
}
export type Talk = { ask(what: string, body?: unknown): Promise<unknown> }

type Message =
  | { ask: string; id: number; body: unknown }
  | { answer: number; body?: unknown; fault?: string }

/** Requests and answers between processes. A request fails if the other end has gone. */
export function talkOn(
  line: Line,
  handlers: Record<string, (body: unknown) => Promise<unknown>>,
): Talk {
  const open = new Map<number, { resolve(body: unknown): void; reject(error: Error): void }>()
  let nextId = 1

  async function answer({ ask, id, body }: Extract<Message, { ask: string }>): Promise<void> {
    try {
      const handle = handlers[ask]
      if (!handle) throw new Error(`nobody answers ${ask}`)
      line.send({ answer: id, body: await handle(body) })
    } catch (error) {
      line.send({ answer: id, fault: error instanceof Error ? error.message : String(error) })
    }
  }

  line.onMessage((heard) => {
    const message = heard as Message
    if ('ask' in message) {
      void answer(message)
      return
    }
    const asked = open.get(message.answer)
    open.delete(message.answer)
    if (message.fault === undefined) asked?.resolve(message.body)
    else asked?.reject(new Error(message.fault))
  })
  line.onClosed(() => {
    for (const { reject } of open.values()) reject(new Error('the other process has ended'))
    open.clear()
  })
  return {
    ask: (ask, body) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        open.set(id, { resolve, reject })
        line.send({ ask, id, body })
      }),
  }
}

/** The child's first request: its parent may ask it from now on. */
const READY = 'ready'

/** The parent's end. A request waits until the child listens: what is sent while it loads its modules may be lost. */
export function talkToChild(
  line: Line,
  handlers: Record<string, (body: unknown) => Promise<unknown>> = {},
): Talk {
  const listening = Promise.withResolvers<void>()
  listening.promise.catch(() => undefined)
  line.onClosed(() => listening.reject(new Error('the other process has ended')))
  const talk = talkOn(line, { ...handlers, [READY]: async () => listening.resolve() })
  return {
    ask: async (what, body) => {
      await listening.promise
      return talk.ask(what, body)
    },
  }
}

/** The child's end. Says that it listens. */
export function talkToParent(handlers: Record<string, (body: unknown) => Promise<unknown>>): Talk {
  const talk = talkOn(
    {
      send: (message) => {
        if (process.connected) process.send?.(message)
      },
      onMessage: (heard) => process.on('message', heard),
      onClosed: (closed) => process.once('disconnect', closed),
    },
    handlers,
  )
  // If the parent ends, this process ends too.
  talk.ask(READY).catch(() => undefined)
  return talk
}
