import { Readable } from 'node:stream'
import type { Cursor } from '../cursor.ts'
import { envelopeOf } from '../envelope.ts'
import type { FeedEvent } from '../sources.ts'
import { createNotice } from './notice.ts'

/** Events that are read at once. No more than these wait for a slow reader. */
export const PAGE = 50
const COMMENT_EVERY_MS = 15_000
/** A reader that takes nothing for so long is cut off: it continues from the last event that it was given. */
const READ_WITHIN_MS = 30_000
/** How long a stream that was ended may take to be read to its end. */
const END_WITHIN_MS = 1_000
/**
 * The first bytes: how long to wait before connecting again, and the id to continue from if the connection is lost before
 * the first event. A block without data is no event.
 */
const openingOf = (lastId: string | undefined): string =>
  `retry: 1000\n${lastId ? `id: ${lastId}\n` : ''}\n`
const COMMENT = ':\n\n'

export type EventStream = {
  readonly readable: Readable
  /** There may be new events: reads on. */
  wake(): void
  /** Ends the answer. A reader that is not reading is cut off after a second. */
  end(): void
}

/**
 * The events after a place as Server-Sent Events. Each stream reads its own pages, the next when its reader has taken the
 * last, so nothing piles up for a slow one. `readPage` answers undefined once the caller may read no more.
 */
export function createStream(from: {
  after: Cursor
  lastId?: string | undefined
  readPage: (after: Cursor) => Promise<FeedEvent[] | undefined>
  readWithinMs?: number
  onClose: () => void
}): EventStream {
  const { readWithinMs = READ_WITHIN_MS } = from
  const notice = createNotice()
  let isEnded = false
  let patience: NodeJS.Timeout | undefined

  async function* frames(): AsyncGenerator<string, void, undefined> {
    let cursor = from.after
    yield openingOf(from.lastId)
    while (!isEnded) {
      notice.clear()
      const page = await from.readPage(cursor)
      if (!page) return
      for (const event of page) {
        if (isEnded) return
        yield frameOf(event)
        cursor = event
      }
      if (page.length < PAGE && !(await notice.wait(COMMENT_EVERY_MS))) yield COMMENT
    }
  }

  const source = frames()
  const readable = new Readable({
    read() {
      clearTimeout(patience)
      patience = undefined
      source.next().then(
        ({ value, done }) => {
          if (readable.push(done ? null : value) || done) return
          patience = setTimeout(() => readable.destroy(), readWithinMs)
        },
        (error) => readable.destroy(error),
      )
    },
    destroy(error, done) {
      clearTimeout(patience)
      isEnded = true
      notice.notify()
      from.onClose()
      done(error)
    },
  })
  return {
    readable,
    wake: notice.notify,
    end() {
      isEnded = true
      notice.notify()
      setTimeout(() => readable.destroy(), END_WITHIN_MS).unref()
    },
  }
}

const frameOf = (event: FeedEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(envelopeOf(event))}\n\n`
