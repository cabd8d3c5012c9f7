import { follow, type Message } from './follow.ts'
import type { Asked } from './shared.ts'
import shared from './shared.ts?worker&url'

/**
 * Hears of the events of a wallet by the stream that this browser's tabs share, or by one of its own where the browser has no shared
 * workers. `again` opens it anew.
 */
export function openLine(
  { baseUrl, wallet }: { baseUrl: string; wallet: string },
  tell: (message: Message) => void,
): { again(): void; close(): void } {
  if (typeof SharedWorker === 'undefined') return ownLine(baseUrl, tell)
  const { port } = new SharedWorker(shared, { type: 'module', name: wallet })
  const ask = (asked: Asked) => port.postMessage(asked)
  port.onmessage = ({ data }: MessageEvent<Message>) => tell(data)
  ask({ baseUrl, isAnew: false })
  const leave = () => ask('leave')
  window.addEventListener('pagehide', leave)
  return {
    again: () => ask({ baseUrl, isAnew: true }),
    close() {
      window.removeEventListener('pagehide', leave)
      leave()
      port.close()
    },
  }
}

function ownLine(baseUrl: string, tell: (message: Message) => void) {
  let ended = new AbortController()
  const begin = () => {
    ended.abort()
    ended = new AbortController()
    void follow(baseUrl, tell, ended.signal)
  }
  begin()
  return { again: begin, close: () => ended.abort() }
}
