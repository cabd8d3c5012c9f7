import { Type } from 'typebox'
import { publicRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { CONSTRAINT_TYPES } from '../../../base/protocols/ap2/read/constraints.ts'
import { CLOSED_VCT, OPEN_VCT } from '../../../base/protocols/ap2/read/content.ts'
import { publicJwks } from '../../../base/signing-keys/signing-keys.ts'
import { A2A_PATH, A2A_VERSION, a2aRoute } from './a2a-routes.ts'
import { didRoutes } from './did-routes.ts'

const JWKS_PATH = '/api/ap2/.well-known/jwks.json'
/** AP2 v0.2 by the tag that its repository has for it; as A2A names extensions. */
const EXTENSION_URI = 'https://github.com/google-agentic-commerce/AP2/tree/v0.2.0'

const JwksBody = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String({ description: 'Type of the key: EC' }),
      crv: Type.String({ description: 'Curve of the key: P-256' }),
      x: Type.String({ description: 'First coordinate of the key, base64url' }),
      y: Type.String({ description: 'Second coordinate of the key, base64url' }),
      kid: Type.String({ description: 'Id of the key: its RFC 7638 thumbprint' }),
      use: Type.String({ description: 'The use of the key: sig' }),
      alg: Type.String({ description: 'Signature algorithm (RFC 7518)' }),
    }),
    { description: 'The keys' },
  ),
})

const jwksRoute = (path: string, isHidden: boolean): Route =>
  publicRoute({
    method: 'GET',
    path,
    tag: 'AP2',
    summary: "The service's public signing keys",
    description:
      'RFC 7517. With these it signs mandates, checkouts and receipts; a key that was rotated out stays, so that what it signed can still be verified.',
    response: JwksBody,
    attack: 'none',
    costs: { statements: 200 },
    errors: [],
    hidden: isHidden,
    handle: async ({ services, at }) => {
      await services.signing.current(at)
      return publicJwks(services.db.reader)
    },
  })

const AgentCard = Type.Object({
  name: Type.String({ description: 'Name of the agent' }),
  description: Type.String({ description: 'A description, in words' }),
  supportedInterfaces: Type.Array(
    Type.Object({
      url: Type.String({ description: 'Where the agent is spoken to' }),
      protocolBinding: Type.String({
        description: 'How A2A is spoken at the address: `JSONRPC`, `GRPC` or `HTTP+JSON`',
      }),
      protocolVersion: Type.String({ description: 'Version of A2A that the interface speaks' }),
    }),
    { description: 'The A2A interfaces of this service, the preferred one first' },
  ),
  version: Type.String({ description: 'Version of the agent' }),
  documentationUrl: Type.String({ description: 'Where the operations are described' }),
  capabilities: Type.Object(
    {
      streaming: Type.Boolean({ description: 'Whether A2A answers may stream' }),
      pushNotifications: Type.Boolean({ description: 'Whether A2A pushes notifications' }),
      extendedAgentCard: Type.Boolean({
        description: 'Whether callers who sign in see more of the card (A2A)',
      }),
      extensions: Type.Array(Type.Any(), {
        description: 'Extensions of the protocol, as its specification writes them',
      }),
    },
    { description: 'The parts of the protocol that this release supports' },
  ),
  defaultInputModes: Type.Array(Type.String(), {
    description: 'Media types that the agent reads (A2A)',
  }),
  defaultOutputModes: Type.Array(Type.String(), {
    description: 'Media types that the agent writes (A2A)',
  }),
  skills: Type.Array(Type.Any(), { description: 'The skills of the agent (A2A)' }),
})

const agentCard = publicRoute({
  method: 'GET',
  path: '/api/ap2/agent-card',
  tag: 'AP2',
  summary: 'Show the AP2 support of this service, as an agent card of A2A 1.0',
  description:
    'Its `aud` names, where its keys are, which mandates and constraints it takes, and where to send them: `capabilities.extensions[0].params`.',
  response: Type.Object({ agent_card: AgentCard }),
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async ({ services }) => ({ agent_card: cardOf(services) }),
})

/** At the path where A2A clients look. */
const bareAgentCard = publicRoute({
  method: 'GET',
  path: '/.well-known/agent-card.json',
  tag: 'AP2',
  summary: 'The same agent card, bare, where A2A clients look for it',
  description: 'The same as `GET /api/ap2/agent-card`, without the wrapping.',
  response: AgentCard,
  attack: 'none',
  costs: { statements: 0 },
  errors: [],
  handle: async ({ services }) => cardOf(services),
})

function cardOf({ settings }: Services) {
  const base = settings.publicUrl
  return {
    name: 'Purser',
    description:
      'Says over A2A what a pay link costs and how it is paid. Settles pay links over HTTP by AP2 payment mandates, from the cards of its users.',
    supportedInterfaces: [
      { url: `${base}${A2A_PATH}`, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION },
    ],
    version: settings.version,
    documentationUrl: `${base}/docs`,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: EXTENSION_URI,
          description: 'Agent Payments Protocol v0.2',
          required: false,
          params: {
            roles: ['credentials-provider', 'payment-processor'],
            service_id: base,
            audiences: [base, `${base}/pay/{code}`],
            jwks_uri: `${base}${JWKS_PATH}`,
            vcts: [OPEN_VCT, CLOSED_VCT],
            algorithms: ['ES256'],
            constraints: CONSTRAINT_TYPES,
            instrument_types: ['card'],
            currencies: ['USD', 'USDC'],
            endpoints: {
              settle: `${base}/api/ap2/settle`,
              verify: `${base}/api/ap2/verify`,
              open_mandate: `${base}/api/ap2/open-mandate`,
              mandate: `${base}/api/ap2/mandate`,
              keys: `${base}/api/ap2/keys`,
              terms: `${base}/api/pay/{code}/prepare`,
            },
          },
        },
      ],
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'terms-of-a-pay-link',
        name: 'Say what a pay link costs',
        description:
          'Takes the code or the URL of a pay link, and answers its price, the protocols by which it is paid, and where.',
        tags: ['payments', 'x402', 'ap2', 'mpp'],
        examples: ['What does PL_ABCDEFGHJK cost?'],
      },
    ],
  }
}

export const ap2DiscoveryRoutes: Route[] = [
  jwksRoute(JWKS_PATH, false),
  jwksRoute('/.well-known/jwks.json', true),
  ...didRoutes,
  agentCard,
  bareAgentCard,
  a2aRoute,
]
