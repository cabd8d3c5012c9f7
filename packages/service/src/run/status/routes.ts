import { Type } from 'typebox'
import { AmountOut, AssetField, NetworkField, NullableNumber } from '../../api/http/fields.ts'
import { API_VERSION } from '../../api/http/openapi/document.ts'
import { publicRoute, type Route } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { readQueue } from '../../base/jobs/queue.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { findCursor } from '../../links/watcher/store.ts'
import { readStandardFee } from '../../money/settlements/fee-rules/standard.ts'
import type { FeeRule } from '../../money/settlements/fees.ts'
import { readHead } from './checks.ts'
import { readComponents } from './components.ts'

const Status = Type.Unsafe<'available' | 'unavailable'>({
  type: 'string',
  enum: ['available', 'unavailable'],
  description: 'Whether this release does it at all',
})
const Health = Type.Unsafe<'operational' | 'degraded'>({
  type: 'string',
  enum: ['operational', 'degraded'],
  description: 'degraded: something waits or fails',
})

export const ComponentsBody = Type.Array(
  Type.Object({
    component: Type.String({ description: 'Which part of the service' }),
    status: Health,
    sentence: Type.String({ description: 'How it is, and what waits for it' }),
  }),
  { description: 'The parts of the service, and how each is' },
)
export const JobsBody = Type.Object(
  {
    ready: Type.Integer({ description: 'Jobs that are due' }),
    waiting: Type.Integer({ description: 'Jobs whose time has not come' }),
    running: Type.Integer({ description: 'Jobs that run now' }),
    failed: Type.Integer({ description: 'Jobs that have used up their attempts' }),
  },
  { description: 'Jobs of the service' },
)

const status = publicRoute({
  method: 'GET',
  path: '/api/status',
  tag: 'Status',
  summary: 'Show the capabilities and the state of this service',
  description:
    '`chain.head` is null where the chain does not answer; custodial operations go on without it. `health` is degraded while a part is, and says which.',
  response: Type.Object({
    platform: Type.String({ description: 'purser' }),
    version: Type.String({ description: 'The version of the running release' }),
    api_version: Type.String({ description: 'Version of this interface' }),
    model: Type.String({ description: 'bidirectional: agents pay, and sellers are paid' }),
    protocols: Type.Object(
      {
        x402: Type.Object(
          {
            status: Status,
            direction: Type.String({ description: 'Which way money goes' }),
            versions: Type.Array(Type.Integer(), { description: 'Versions that are spoken' }),
            schemes: Type.Array(Type.String(), { description: 'Schemes of x402 that are spoken' }),
            networks: Type.Array(NetworkField, { description: 'CAIP-2 ids of chains' }),
            spend: Type.String({ description: 'Where a card pays by it' }),
            receive: Type.String({ description: 'Where it is paid to' }),
            discovery: Type.String({ description: 'Where to ask what a URL costs' }),
            facilitator: Type.String({
              description: 'Where x402 servers find verify, settle and supported',
            }),
          },
          { description: 'What this release does of x402' },
        ),
        ap2: Type.Object(
          {
            status: Status,
            direction: Type.String({ description: 'Which way money goes' }),
            versions: Type.Array(Type.String(), { description: 'Versions that are spoken' }),
            spend: Type.String({ description: 'Where a card pays by it' }),
            receive: Type.String({ description: 'Where it is paid to' }),
            settle: Type.String({ description: 'Where a mandate settles' }),
            agent_card: Type.String({ description: 'Where the agent card of A2A is' }),
          },
          {
            description: 'What this release does of AP2',
          },
        ),
        mpp: Type.Object(
          {
            status: Status,
            direction: Type.String({ description: 'Which way money goes' }),
            capabilities: Type.Array(Type.String(), {
              description: 'The parts of MPP that this release supports: each intent, and streams',
            }),
            methods: Type.Array(Type.String(), { description: 'Methods of MPP that are spoken' }),
            intents: Type.Array(Type.String(), { description: 'Intents of MPP that are spoken' }),
            networks: Type.Array(NetworkField, { description: 'CAIP-2 ids of chains' }),
            spend: Type.String({ description: 'Where a card pays by it' }),
            receive: Type.String({ description: 'Where it is paid to' }),
            cards: Type.String({ description: 'Where a card agrees to pay a challenge' }),
            streams: Type.String({ description: 'Where a stream is opened' }),
            discovery: Type.String({ description: 'Where to ask what a URL costs' }),
          },
          { description: 'What this release does of MPP' },
        ),
        mcp: Type.Object(
          {
            status: Status,
            endpoint: Type.String({ description: 'Where agents find the tools of a wallet' }),
            transport: Type.String({ description: 'The transport of MCP that it speaks' }),
            revisions: Type.Array(Type.String(), { description: 'Revisions that are spoken' }),
          },
          { description: 'What this release does of MCP' },
        ),
        settlement: Type.Object(
          {
            status: Status,
            modes: Type.Array(Type.String(), { description: 'Ways in which payments are settled' }),
            asset: AssetField,
            supported_networks: Type.Array(NetworkField, { description: 'CAIP-2 ids of chains' }),
            engine: Type.String({
              description: 'Where a payment is settled: in the books, on chain',
            }),
            fee_model: Type.String({
              description: 'The fee that a seller pays for each payment, in words',
            }),
            fee: Type.Object(
              {
                bps: Type.Integer({ description: 'Ten-thousandths of the amount' }),
                flat: AmountOut,
              },
              { description: 'The same in numbers' },
            ),
          },
          { description: 'How it was settled' },
        ),
      },
      { description: 'The parts of each protocol that this release supports' },
    ),
    card_controls: Type.Object({
      mcc_locks: Type.Boolean({
        description: 'Merchant categories that the card may pay, parted by commas; empty for all',
      }),
      single_use: Type.Boolean({
        description: 'Whether a card can end with its first payment',
      }),
      freeze_unfreeze: Type.Boolean({ description: 'Whether cards can be frozen' }),
      spending_limits: Type.Boolean({ description: 'Whether cards have limits' }),
      allowed_merchants: Type.Boolean({
        description: 'Merchants that the card may pay; empty for any',
      }),
      expiry: Type.Boolean({ description: 'Whether cards may end by themselves' }),
    }),
    health: Type.Object(
      {
        status: Health,
        components: ComponentsBody,
      },
      { description: 'How the service is' },
    ),
    chain: Type.Object(
      {
        network: NetworkField,
        head: NullableNumber('Number of the newest block that was seen'),
        lag_seconds: NullableNumber('How old the newest block is'),
        watched_block: NullableNumber('The last block that was searched for deposits'),
      },
      { description: 'The chain that the service is on' },
    ),
    queues: JobsBody,
  }),
  attack: 'chain',
  costs: { statements: 600, rpc: 20 },
  errors: [],
  handle: async ({ services, at }) => {
    const { settings, chain, db } = services
    const [head, queues] = await Promise.all([readHead(services, at), readQueue(db.reader)])
    const components = await readComponents(services, head.head)
    const cursor = await findCursor(db.reader, chain.network)
    const isDegraded = components.some((part) => part.status === 'degraded')
    return {
      platform: 'purser',
      version: settings.version,
      api_version: API_VERSION,
      model: 'bidirectional',
      protocols: protocolsOf(services, await readStandardFee(services)),
      card_controls: {
        mcc_locks: true,
        single_use: true,
        freeze_unfreeze: true,
        spending_limits: true,
        allowed_merchants: true,
        expiry: true,
      },
      health: { status: isDegraded ? ('degraded' as const) : ('operational' as const), components },
      chain: {
        network: chain.network,
        head: head.head,
        lag_seconds: head.lagSeconds,
        watched_block: cursor ? Number(cursor.block) : null,
      },
      queues,
    }
  },
})

/** This release's support of each protocol, and the endpoints. */
function protocolsOf({ chain }: Services, standard: FeeRule) {
  const fee = {
    bps: Number(standard.bps),
    flat: toNumber(standard.flat, defaultAsset(chain).decimals),
  }
  return {
    x402: {
      status: 'available' as const,
      direction: 'both',
      versions: [1, 2],
      schemes: ['exact'],
      networks: [chain.network],
      spend: '/api/pay',
      receive: '/pay/{code}',
      discovery: '/api/x402/discover',
      facilitator: '/api/x402',
    },
    ap2: {
      status: 'available' as const,
      direction: 'both',
      versions: ['0.2'],
      spend: '/api/ap2/settle',
      receive: '/pay/{code}',
      settle: '/api/ap2/settle',
      agent_card: '/api/ap2/agent-card',
    },
    mpp: {
      status: 'available' as const,
      direction: 'both',
      capabilities: ['charge', 'stream'],
      methods: ['evm', 'agentcard'],
      intents: ['charge'],
      networks: [chain.network],
      spend: '/api/pay',
      receive: '/pay/{code}',
      cards: '/api/mpp/agentcard',
      streams: '/api/mpp/stream/open',
      discovery: '/api/mpp/discover',
    },
    mcp: {
      status: 'available' as const,
      endpoint: '/mcp',
      transport: 'streamable HTTP',
      revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    },
    settlement: {
      status: 'available' as const,
      modes: ['CUSTODIAL'],
      asset: defaultAsset(chain).symbol,
      supported_networks: [chain.network],
      engine: 'ledger and EIP-3009',
      fee_model: feeModel(fee, defaultAsset(chain).symbol),
      fee,
    },
  }
}

const feeModel = ({ bps, flat }: { bps: number; flat: number }, symbol: string): string =>
  `${bps / 100}% of each payment${flat === 0 ? '' : `, and ${flat} ${symbol}`}`

export const statusRoutes: Route[] = [status]
