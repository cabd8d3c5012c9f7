import { Type } from 'typebox'
import { Problem } from '../../base/kernel/problem.ts'
import { AGENT_TAGS } from '../../base/protocols/http-signatures/agent.ts'
import { signDirectory } from '../../base/protocols/http-signatures/sign.ts'
import { readRequestKeys } from '../../base/signing-keys/request-keys.ts'
import { iso } from '../http/fields.ts'
import { answer, keyRoute, publicRoute, type Route } from '../http/route.ts'
import { AgentsField, readAgents } from './allowed.ts'
import { DIRECTORY_PATH, DIRECTORY_TYPE } from './directory.ts'
import { useNonce, verifyAgent } from './verify.ts'

const TAG = 'Agents'
const DirectoryBody = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String({ description: 'Type of the key: OKP' }),
      crv: Type.String({ description: 'Curve of the key: Ed25519' }),
      x: Type.String({ description: 'The public key, base64url' }),
      kid: Type.String({ description: 'Id of the key: its RFC 7638 thumbprint' }),
      use: Type.String({ description: 'The use of the key: sig' }),
      alg: Type.String({ description: 'Signature algorithm: EdDSA' }),
    }),
    { description: 'The keys' },
  ),
})

const directory = publicRoute({
  method: 'GET',
  path: DIRECTORY_PATH,
  tag: TAG,
  summary: "The keys that sign this service's requests to sellers",
  description:
    'A directory of HTTP Message Signatures, as Web Bot Auth has it. Where a seller answers with `Accept-Signature` and the tag `web-bot-auth`, payments of cards are signed with the first key. The answer is signed too, by each key that it lists.',
  response: DirectoryBody,
  carried: { 200: { content: { [DIRECTORY_TYPE]: DirectoryBody } } },
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ services, at }) => {
    const keys = await readRequestKeys(services, at)
    const body = {
      keys: keys.map(({ jwk, signer }) => ({ ...jwk, kid: signer.kid, use: 'sig', alg: 'EdDSA' })),
    }
    const { host } = new URL(services.settings.publicUrl)
    const signers = keys.map(({ signer }) => signer)
    return answer(200, body, {
      ...signDirectory(JSON.stringify(body), { signers, authority: host, at }),
      'content-type': DIRECTORY_TYPE,
      'cache-control': 'public, max-age=300',
    })
  },
})

const HEADERS_MAX = 50

const verify = keyRoute({
  method: 'POST',
  path: '/api/agents/verify',
  tag: TAG,
  summary: 'Verify who signed a request that you were sent',
  description:
    'For a seller: pass on the method, URL and headers of a request, and the agents that you know. Web Bot Auth and Visa TAP are read (RFC 9421). Answers 200 whatever the outcome. The nonce of a verified signature is used: the same request is verified once.',
  scope: 'facilitator:write',
  body: Type.Object(
    {
      method: Type.String({ pattern: '^[A-Z]{1,20}$', description: 'Method of the request' }),
      url: Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'The URL as your payers know it. Never take its host from the request',
      }),
      headers: Type.Record(Type.String(), Type.String(), {
        maxProperties: HEADERS_MAX,
        description: 'Headers of the request: those that the signature covers, and its own',
      }),
      body_base64: Type.Optional(
        Type.String({ maxLength: 1_400_000, description: 'The body in base64, if there was one' }),
      ),
      agents: AgentsField,
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    verified: Type.Boolean({ description: 'Whether an agent of your list signed this request' }),
    agent: Type.Optional(Type.String({ description: 'Which of your agents it is' })),
    tag: Type.Optional(
      Type.String({ description: `What was signed for: ${AGENT_TAGS.join(', ')}` }),
    ),
    key_id: Type.Optional(Type.String({ description: 'The key that signed' })),
    covers: Type.Optional(
      Type.Array(Type.String(), { description: 'What the signature covers, and nothing else' }),
    ),
    expires_at: Type.Optional(Type.String({ description: 'When the signature ends' })),
    reason: Type.Optional(Type.String({ description: 'Why it is not verified, as a code' })),
    message: Type.Optional(Type.String({ description: 'Why it is not verified, in words' })),
  }),
  attack: { fleeting: 'until the signature ends, a day at most' },
  costs: { statements: 500, rows: 100, requests: 100, dns: 100 },
  errors: ['invalid_url', 'url_not_allowed'],
  perMinute: 600,
  handle: async ({ body, caller, at, services, write }) => {
    const url = URL.parse(body.url)
    if (!url) throw new Problem('invalid_url', 'url must be a URL.', { param: 'url' })
    const allowed = readAgents(services, body.agents)
    const request = {
      method: body.method,
      url,
      headers: Object.fromEntries(
        Object.entries(body.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: Buffer.from(body.body_base64 ?? '', 'base64'),
    }
    try {
      const agent = await verifyAgent(services, at, { request, allowed })
      return await write(async (tx) => {
        await useNonce(tx, caller.walletAddress, agent)
        return {
          verified: true,
          agent: agent.name,
          tag: agent.tag,
          key_id: agent.keyId,
          covers: [...agent.covers],
          expires_at: iso(agent.expiresAt),
        }
      })
    } catch (error) {
      if (!(error instanceof Problem && error.code.startsWith('agent_'))) throw error
      return { verified: false, reason: error.code, message: error.message }
    }
  },
})

export const agentRoutes: Route[] = [directory, verify]
