/**
 * The one stream of events of this browser. All its tabs share this worker, and hear from it: a stream for each would take up the
 * connections that a browser opens to one host, and the streams that a wallet may have.
 */
import { follow, type Line, type Message } from './follow.ts'

/** `isAnew`: the tab has learned that the network was away. */
export type Asked = { baseUrl: string; isAnew: boolean } | 'leave'

const ports = new Set<MessagePort>()
let line: Line = 'opening'
let following: AbortController | undefined

function tell(message: Message): void {
  if ('line' in message) line = message.line
  for (const port of ports) port.postMessage(message)
}

function begin(baseUrl: string): void {
  following?.abort()
  const own = new AbortController()
  following = own
  // The tabs ask anew for what they show: events between the two streams are in neither.
  tell({ line: 'opening' })
  const tellOwn = (message: Message) => {
    if (following === own) tell(message)
  }
  void follow(baseUrl, tellOwn, own.signal).finally(() => {
    if (following === own) following = undefined
  })
}

function hear(port: MessagePort, asked: Asked): void {
  if (asked === 'leave') {
    ports.delete(port)
    if (ports.size === 0) following?.abort()
    return
  }
  ports.add(port)
  if (!following || following.signal.aborted || asked.isAnew) begin(asked.baseUrl)
  else port.postMessage({ line } satisfies Message)
}

type Scope = { onconnect: (event: MessageEvent) => void }
;(globalThis as unknown as Scope).onconnect = ({ ports: [port] }) => {
  if (port) port.onmessage = ({ data }: MessageEvent<Asked>) => hear(port, data)
}
