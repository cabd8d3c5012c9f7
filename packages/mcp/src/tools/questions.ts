import { randomUUID } from 'node:crypto'
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { isObject } from './json.ts'

/** Shows the user a URL. The signal fires when the client says that the user does not go there. */
export type Ask = (question: { message: string; url: string }) => Promise<Asked>
type Asked = { declined: AbortSignal; end(): void }

const SESSION = 'mcp-session-id'
const SHOWS_URLS = 'shows-urls.'

/**
 * Questions to users while a call of a client of 2025 waits over HTTP. The question goes along the answer of the call; the client's
 * word comes as a request of its own, perhaps to another machine. So that word is needed for nothing: heard here, it ends the
 * wait of a user who declined.
 */
export class Questions {
  readonly #open = new Map<string, AbortController>()

  /** Takes the client's word from a request; false for any other. */
  hear(message: unknown): boolean {
    if (!isObject(message) || typeof message.id !== 'string' || 'method' in message) return false
    const question = this.#open.get(message.id)
    const { action } = isObject(message.result) ? message.result : {}
    if (question && action !== 'accept') question.abort()
    return question !== undefined
  }

  askOf(server: McpServer, { mcpReq }: ServerContext): Ask {
    return async ({ message, url }) => {
      const id = randomUUID()
      const declined = new AbortController()
      this.#open.set(id, declined)
      const params = { mode: 'url', message, url, elicitationId: id }
      const request = { jsonrpc: '2.0' as const, id, method: 'elicitation/create', params }
      await server.server.transport?.send(request, { relatedRequestId: mcpReq.id })
      return { declined: declined.signal, end: () => void this.#open.delete(id) }
    }
  }
}

/**
 * Requests of 2025 stand alone here, and only the first says what the client can do. So a client that can show URLs is given a
 * session id that says so, and sends it with each later request. It holds nothing else.
 */
export function withSession(answer: Response, message: unknown): Response {
  if (!isObject(message) || message.method !== 'initialize' || !answer.ok) return answer
  const { capabilities } = isObject(message.params) ? message.params : {}
  const { elicitation } = isObject(capabilities) ? capabilities : {}
  if (!isObject(elicitation) || elicitation.url === undefined) return answer
  const headers = new Headers(answer.headers)
  headers.set(SESSION, SHOWS_URLS + randomUUID())
  return new Response(answer.body, { status: answer.status, headers })
}

export const isShowingUrls = (request: Request | undefined): boolean =>
  request?.headers.get(SESSION)?.startsWith(SHOWS_URLS) === true
