import { Type } from 'typebox'
import { publicRoute } from '../../../api/http/route.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { isObject, type JsonObject } from '../../../base/protocols/x402/wire.ts'
import { linkUrl } from '../../../links/link/link.ts'
import { type PrepareUses, preparePayment } from '../../../links/pay-links/pay/prepare.ts'

export const A2A_PATH = '/a2a'
export const A2A_VERSION = '1.0'

/** The errors of A2A 1.0 over JSON-RPC that this agent answers, with their codes. */
const ERRORS = {
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  TASK_NOT_FOUND: -32001,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  VERSION_NOT_SUPPORTED: -32009,
} as const
type Reason = keyof typeof ERRORS

/** A refusal in the words of A2A. */
class A2aError extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

type Asked = { services: PrepareUses; at: Date; params: JsonObject }

const noTasks = (): never => {
  throw new A2aError(
    'TASK_NOT_FOUND',
    'This agent answers each message at once and keeps no tasks. Read the message that SendMessage returned.',
  )
}
const noStreams = (): never => {
  throw new A2aError('UNSUPPORTED_OPERATION', 'This agent does not stream. Use SendMessage.')
}
const noPushes = (): never => {
  throw new A2aError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This agent has no push notifications. Register a webhook by POST /api/webhooks.',
  )
}
const noMore = (): never => {
  throw new A2aError('UNSUPPORTED_OPERATION', 'There is no extended agent card.')
}

const METHODS: Record<string, (asked: Asked) => unknown> = {
  SendMessage: sendMessage,
  SendStreamingMessage: noStreams,
  SubscribeToTask: noStreams,
  GetTask: noTasks,
  CancelTask: noTasks,
  ListTasks: () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
  CreateTaskPushNotificationConfig: noPushes,
  GetTaskPushNotificationConfig: noPushes,
  ListTaskPushNotificationConfigs: noPushes,
  DeleteTaskPushNotificationConfig: noPushes,
  GetExtendedAgentCard: noMore,
}

const Body = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'A JSON-RPC 2.0 request of A2A 1.0',
})

/** The A2A interface of the service. It reads only: a payment goes over HTTP, to the address that the answer names. */
export const a2aRoute = publicRoute({
  method: 'POST',
  path: A2A_PATH,
  tag: 'AP2',
  summary: 'Ask this service as an A2A 1.0 agent, by JSON-RPC',
  description:
    'One skill: name a pay link in the message, by its code or its URL, and the answer says what it costs, by which protocols it is paid, and where. Nothing is paid here. Errors are those of JSON-RPC, with status 200.',
  body: Body,
  response: Type.Object({
    jsonrpc: Type.String({ description: '2.0' }),
    id: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: 'The id of the request',
    }),
    result: Type.Optional(Type.Any({ description: 'What the method returns' })),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.Integer({ description: 'The code of the error, as A2A and JSON-RPC have it' }),
          message: Type.String({ description: 'What was wrong, and what to do' }),
          data: Type.Array(Type.Any(), { description: 'Its reason, as google.rpc.ErrorInfo' }),
        },
        { description: 'Why the method returned nothing' },
      ),
    ),
  }),
  attack: 'none',
  costs: { statements: 700 },
  errors: [],
  handle: async ({ body, headers, services, at }) => {
    const id = idOf(body?.id)
    try {
      const { method, params } = readRequest(body, headers['a2a-version'])
      return { jsonrpc: '2.0', id, result: await method({ services, at, params }) }
    } catch (error) {
      if (!(error instanceof A2aError)) throw error
      return { jsonrpc: '2.0', id, error: errorBody(error) }
    }
  },
})

const idOf = (id: unknown): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null

function readRequest(body: JsonObject | null, version: string | undefined) {
  if (version !== undefined && version !== A2A_VERSION)
    throw new A2aError('VERSION_NOT_SUPPORTED', `A2A-Version must be ${A2A_VERSION}.`)
  if (body?.jsonrpc !== '2.0' || typeof body.method !== 'string')
    throw new A2aError(
      'INVALID_REQUEST',
      'Send a JSON-RPC 2.0 request: {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {…}}.',
    )
  const method = Object.hasOwn(METHODS, body.method) ? METHODS[body.method] : undefined
  if (!method)
    throw new A2aError(
      'METHOD_NOT_FOUND',
      `method must be one of ${Object.keys(METHODS).join(', ')}.`,
    )
  return { method, params: isObject(body.params) ? body.params : {} }
}

async function sendMessage({ services, at, params }: Asked) {
  const { message } = params
  const parts = isObject(message) && Array.isArray(message.parts) ? message.parts : []
  const code = codeIn(parts)
  const contextId = isObject(message) && typeof message.contextId === 'string' && message.contextId
  const said = code === undefined ? { text: HELP } : await termsOf(services, at, code)
  return {
    message: {
      messageId: randomHex(16),
      contextId: contextId || randomHex(16),
      role: 'ROLE_AGENT',
      parts: [
        { text: said.text, mediaType: 'text/plain' },
        ...('data' in said ? [{ data: said.data, mediaType: 'application/json' }] : []),
      ],
    },
  }
}

const HELP =
  'Name a pay link by its code (PL_…) or its URL, in text or as {"pay_link_code": …} in a data part: the answer says what it costs and how it is paid.'

/** The first code of a pay link that the parts name. */
function codeIn(parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    if (!isObject(part))
      throw new A2aError('INVALID_PARAMS', 'message.parts must be a list of objects.')
    const named = isObject(part.data) ? part.data.pay_link_code : undefined
    const text = typeof named === 'string' ? named : part.text
    const code = typeof text === 'string' ? /\bPL_[0-9A-Za-z_]{1,60}\b/i.exec(text)?.[0] : undefined
    if (code !== undefined) return code
  }
  if (parts.length === 0)
    throw new A2aError('INVALID_PARAMS', 'message.parts must have at least one part.')
  return undefined
}

/** The terms of a link, or why there are none. A refusal is an answer of the agent, not an error of the transport. */
async function termsOf(services: PrepareUses, at: Date, code: string) {
  try {
    const terms = await preparePayment(services, at, code)
    const { payment } = terms
    const price = payment.amount === null ? 'an amount of your choice' : `${payment.amount}`
    const url = linkUrl(services, { code: payment.pay_link_code })
    return {
      text: `${payment.pay_link_code} asks for ${price} ${payment.asset}. Pay it at ${url}, by ${terms.accepted_protocols.join(', ')}.`,
      data: { url, ...terms },
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { text: error.message, data: { code: error.code, error: error.message } }
  }
}

const errorBody = ({ reason, message }: A2aError) => ({
  code: ERRORS[reason],
  message,
  data: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'a2a-protocol.org',
    },
  ],
})
