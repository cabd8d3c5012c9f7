/** The payer, the payee, and the facilitator that submits the payment, by the names of their packages. */
export type ClientName = '@x402/fetch' | 'mppx fetch' | 'mppx CLI' | 'purser payer'
export type ServerName =
  | 'purser pay link'
  | PaywallName
  | '@x402/hono'
  | '@x402/express'
  | 'mppx server'
/** `@purser/paywall` before a handler of web standards, and on each framework that it has an adapter for. */
export const PAYWALLS = [
  'paywall',
  'paywall on express',
  'paywall on fastify',
  'paywall on hono',
  'paywall on next',
] as const
export type PaywallName = (typeof PAYWALLS)[number]
export const isPaywall = (server: ServerName): server is PaywallName =>
  PAYWALLS.some((name) => name === server)
export type FacilitatorName = 'purser' | '@x402/core'
export type Protocol = 'x402' | 'mpp'
export const PROTOCOLS: readonly Protocol[] = ['x402', 'mpp']
export type Pairing = {
  client: ClientName
  server: ServerName
  /** Undefined for our own servers, which settle by themselves. */
  facilitator: FacilitatorName | undefined
  protocol: Protocol
}

const SPEAKS: Record<ClientName | ServerName, readonly Protocol[]> = {
  '@x402/fetch': ['x402'],
  'mppx fetch': ['x402', 'mpp'],
  'mppx CLI': ['x402', 'mpp'],
  'purser payer': ['x402', 'mpp'],
  'purser pay link': ['x402', 'mpp'],
  paywall: ['x402', 'mpp'],
  'paywall on express': ['x402', 'mpp'],
  'paywall on fastify': ['x402', 'mpp'],
  'paywall on hono': ['x402', 'mpp'],
  'paywall on next': ['x402', 'mpp'],
  '@x402/hono': ['x402'],
  '@x402/express': ['x402'],
  'mppx server': ['x402', 'mpp'],
}
export const CLIENTS: readonly ClientName[] = [
  '@x402/fetch',
  'mppx fetch',
  'mppx CLI',
  'purser payer',
]
const SERVERS: readonly ServerName[] = [
  'purser pay link',
  ...PAYWALLS,
  '@x402/hono',
  '@x402/express',
  'mppx server',
]
const FACILITATORS: readonly FacilitatorName[] = ['purser', '@x402/core']

/** Every combination in which both sides use the protocol and at least one part is ours. */
export const PAIRINGS: readonly Pairing[] = SERVERS.flatMap((server) =>
  facilitatorsOf(server).flatMap((facilitator) =>
    CLIENTS.filter((client) => facilitator !== '@x402/core' || client === 'purser payer').flatMap(
      (client) =>
        SPEAKS[client]
          .filter((protocol) => SPEAKS[server].includes(protocol))
          .map((protocol) => ({ client, server, facilitator, protocol })),
    ),
  ),
)

function facilitatorsOf(server: ServerName): readonly (FacilitatorName | undefined)[] {
  return server === 'purser pay link' || isPaywall(server) ? [undefined] : FACILITATORS
}

export const titleOf = ({ client, server, facilitator, protocol }: Pairing): string =>
  `${client} pays ${server} by ${protocol}${facilitator ? `, settled by ${facilitator}` : ''}`

/** A server and its facilitator. */
export const columnOf = ({
  server,
  facilitator,
}: Pick<Pairing, 'server' | 'facilitator'>): string =>
  facilitator ? `${server}, ${facilitator}` : server
export const COLUMNS: readonly string[] = [...new Set(PAIRINGS.map(columnOf))]

/** Servers whose sellers ask for a token without EIP-3009. `@x402/fetch` pays it by Permit2, and purser settles. */
export const PERMIT2_SERVERS = ['@x402/hono', '@x402/express'] as const

/** Combinations that are not tested, and the reasons. */
export const LEFT_OUT: readonly string[] = [
  'Clients of others with servers of others behind `@x402/core`: nothing of ours takes part.',
  'A pay link with another facilitator: it settles by itself, with the same relayers as the facilitator.',
  '`mppx server` by Permit2: it is paid by EIP-3009 alone. Our payer by it, which the tests of `rails/spending/permit.test.ts` try against the official seller and facilitator.',
  '`@x402/fetch` by MPP, and `@x402/hono` and `@x402/express` by MPP: these packages speak x402 alone.',
]
