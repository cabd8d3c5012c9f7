import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Wallet, WalletHandler } from '@purser/mcp'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import type { Route } from '../../api/http/route.ts'
import { checkOrigin } from '../../api/http/server/own-origin.ts'
import type { Authenticate } from '../../api/http/server/router.ts'
import type { Services } from '../../api/http/services.ts'
import { Problem } from '../../base/kernel/problem.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { findCardByToken } from '../../money/cards/store.ts'
import { bearerOf, CARD_SCOPES, isCardToken } from './admit.ts'

export const MCP_PATH = '/mcp'
/** With what its callers may cause: at most what its costliest tool asks of the API, a purchase that has no name yet. */
export const MCP_ROUTE: Pick<Route, 'path' | 'attack' | 'costs'> = {
  path: MCP_PATH,
  attack: 'open',
  costs: { statements: 4_000, rows: 300, rpc: 200, dns: 200, requests: 100 },
}
const CARD_HEADER = 'purser-card-token'
const METADATA_PATH = '/.well-known/oauth-protected-resource'

type Mounted = { services: Services; authenticate: Authenticate }
/** The caller of a request: the credential for the calls that follow, and the card that pays. */
type Admitted = { credential: string; card: Wallet['card'] }

/**
 * Adds MCP over streamable HTTP: a wallet for each request, whose tools call the operations of this server as its caller. So
 * they have the same rights, limits and records as over the API.
 */
export function mountMcp(app: FastifyInstance, mounted: Mounted): void {
  const { services } = mounted
  let opened: Promise<WalletHandler | undefined> | undefined
  app.addHook('preClose', async () => {
    await (await opened)?.close()
  })
  const { publicUrl } = services.settings
  const config = { resourceMetadata: publicUrl + METADATA_PATH + MCP_PATH }
  app.post(MCP_PATH, { config }, async (request, reply) => {
    const admitted = await admit(mounted, request)
    opened ??= openHandler(services)
    const handler = await opened
    if (!handler) throw notBuilt()
    const wallet = await openWalletOf(app, request, { services, admitted })
    return pass(reply, handler, { request, wallet })
  })
  for (const path of ['', MCP_PATH])
    app.get(METADATA_PATH + path, async () => metadataOf(services.settings, path))
  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    handler: async ({ method }) => {
      throw new Problem(
        'method_not_allowed',
        `${method} is not possible here: there are no sessions. Use POST.`,
        { headers: { allow: 'POST' } },
      )
    },
  })
}

/**
 * RFC 9728, where a client of MCP looks after a 401: the credentials are API keys and tokens of cards, sent as Bearer. No authorization
 * server is named, since none gives them out: the documentation says where they come from.
 */
const metadataOf = ({ publicUrl }: Services['settings'], path: string) => ({
  resource: publicUrl + path,
  bearer_methods_supported: ['header'],
  scopes_supported: CARD_SCOPES,
  resource_name: 'Purser',
  resource_documentation: `${publicUrl}/docs/mcp`,
})

async function admit(mounted: Mounted, request: FastifyRequest): Promise<Admitted> {
  const { services, authenticate } = mounted
  checkOrigin(request.headers.origin, { publicUrl: services.settings.publicUrl, path: MCP_PATH })
  const at = services.clock.now()
  const credential = bearerOf(request.headers)
  // A cookie comes along with whatever page asks, so it admits nobody here.
  if (!credential)
    throw new Problem(
      'unauthorized',
      'Send Authorization: Bearer with an API key, or with the token of a card.',
    )
  const caller = await authenticate(request, at)
  request.caller = caller
  const [id] = caller.cardIds ?? []
  if (isCardToken(credential) && id) return { credential, card: { id, token: credential } }
  return { credential, card: await cardIn(services, request, caller) }
}

/** The card that the request names by its token. Somebody else's is like one that does not exist. */
async function cardIn(services: Services, { headers }: FastifyRequest, caller: Caller) {
  const token = headers[CARD_HEADER]
  if (typeof token !== 'string') return undefined
  const card = await findCardByToken(services.db.reader, token)
  if (card && isOf(caller, card)) return { id: card.id, token }
  throw new Problem(
    'invalid_card_token',
    'Purser-Card-Token is not the token of a card of this key. Use the one shown when it was issued or rotated.',
    { param: 'Purser-Card-Token' },
  )
}

const isOf = (caller: Caller, card: CardWithMoney): boolean =>
  card.walletAddress === caller.walletAddress && mayUseCard(caller, card.id)

async function openWalletOf(
  app: FastifyInstance,
  request: FastifyRequest,
  of: { services: Services; admitted: Admitted },
): Promise<Wallet> {
  const { openWallet } = await import('@purser/mcp')
  const { credential, card } = of.admitted
  return openWallet({
    baseUrl: of.services.settings.publicUrl,
    apiKey: credential,
    card,
    fetch: (asked) => call(app, request, asked),
    stateKey: createHmac('sha256', of.services.sealKey[0])
      .update(`state of MCP calls of ${credential}`)
      .digest(),
  })
}

/** A call of this server by itself, on behalf of the request's sender. */
async function call(app: FastifyInstance, { ip }: FastifyRequest, asked: Request) {
  const { pathname, search } = new URL(asked.url)
  const body = await asked.text()
  const answer = await app.inject({
    method: asked.method as 'GET',
    url: pathname + search,
    remoteAddress: ip,
    headers: Object.fromEntries(asked.headers),
    ...(body !== '' && { payload: body }),
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, String(value))
  return new Response(answer.body === '' ? null : answer.body, {
    status: answer.statusCode,
    headers,
  })
}

async function pass(
  reply: FastifyReply,
  handler: WalletHandler,
  { request, wallet }: { request: FastifyRequest; wallet: Wallet },
) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value))
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  const url = new URL(MCP_PATH, `http://${request.headers.host ?? 'localhost'}`)
  const asked = new Request(url, {
    method: 'POST',
    headers,
    body: request.rawBody,
    signal: gone.signal,
  })
  const answer = await handler.fetch(asked, { wallet, body: request.body })
  reply.code(answer.status).headers(Object.fromEntries(answer.headers))
  return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream) : '')
}

/** The package is built by `npm ci`. Without it the service runs, and says what is missing. */
async function openHandler({ log }: Services): Promise<WalletHandler | undefined> {
  try {
    const { createWalletHandler } = await import('@purser/mcp')
    return createWalletHandler((error) => log.debug({ err: error }, 'a call of MCP was refused'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}

const notBuilt = (): Problem =>
  new Problem('not_found', 'MCP is not built here: run npm run build, and start the service again.')
