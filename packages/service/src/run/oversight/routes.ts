import { Type } from 'typebox'
import { findAct, listActs } from '../../api/audit/store.ts'
import {
  AssetField,
  CursorQuery,
  checkAfter,
  HasMore,
  iso,
  isoOrNull,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  Timestamp,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { KEY_SOURCES } from '../../api/http/settings.ts'
import { listAllKeys, stateOf } from '../../base/signing-keys/list.ts'
import { ALARM_KINDS } from '../../links/reconcile/store.ts'
import { ComponentsBody, JobsBody } from '../status/routes.ts'
import { readOverview } from './overview.ts'
import { readMachines, readQueues, readRelayers } from './work.ts'

const FOR_OPERATORS = 'For wallets in `PURSER_OPERATORS`.'

const AlarmBody = Type.Object({
  id: Type.String({ description: 'Id of the alarm' }),
  kind: OneOf(ALARM_KINDS, 'What was found'),
  about: Type.String({ description: 'The object that it is about' }),
  sentence: Type.String({ description: 'What is wrong' }),
  details: Type.Record(Type.String(), Type.String(), { description: 'The figures of it' }),
  what_to_do: Type.String({ description: 'The first step' }),
  runbook: Type.String({ description: 'Where the documentation has the others' }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  acknowledged_at: NullableTimestamp('When an operator said that it is known; null before'),
  note: NullableString('What the operator said of it'),
  resolved_at: NullableTimestamp('When its cause was gone; null while it is open'),
})
const Exact = (description: string) => Type.String({ description })
const ComparedBody = Type.Object({
  at: Timestamp,
  block: Type.Integer({ description: 'The block at which they were compared' }),
  on_chain: Exact('Held by the custody addresses'),
  owed: Exact('What the books say is in custody'),
  unclaimed: Exact('Arrived from wallets that nobody knows'),
  awaited: Exact('Arrived, and not credited yet'),
  early: Exact('Credited, and arrived after that block'),
  departed: Exact('Left, and not booked yet'),
  ahead: Exact('Booked, and left after that block'),
  opening: Exact('There before the books began, and owed to nobody'),
  difference: Exact('What the chain holds beyond all of these; below zero if money is missing'),
})
const BooksBody = Type.Object({
  network: NetworkField,
  asset: AssetField,
  payouts: Type.Object(
    {
      are_held: Type.Boolean({ description: 'Whether no money leaves' }),
      why: NullableString('Why; null where they go'),
    },
    { description: 'Payouts in this asset' },
  ),
  compared: Type.Union([ComparedBody, Type.Null()], {
    description: 'The newest comparison, in whole units of the asset; null before the first',
  }),
})
const count = (description: string) => Type.Integer({ description })
const QueuesBody = Type.Object({
  jobs: JobsBody,
  tasks: Type.Array(
    Type.Object({
      task: Type.String({ description: 'Name of the task' }),
      ready: count('Its jobs that are due'),
      running: count('Its jobs that run now'),
      retrying: count('Its jobs that failed and are tried again'),
      failed: count('Its jobs that have used up their attempts'),
      oldest_seconds: NullableNumber('How long the first of the due jobs has waited'),
    }),
    { description: 'Tasks with jobs that are due, run or fail; those that fail first' },
  ),
  webhooks: Type.Object(
    {
      endpoints_due: count('Webhooks that a delivery waits for now'),
      oldest_due_at: NullableTimestamp('Since when the first of them waits; null for none'),
      deliveries: Type.Array(
        Type.Object({
          status: Type.String({ description: 'State of deliveries' }),
          count: count('How many are in it'),
        }),
        { description: 'All deliveries, by state' },
      ),
    },
    { description: 'Deliveries of webhooks' },
  ),
})
const RelayerBody = Type.Object({
  address: Type.String({ description: 'Address of the relayer' }),
  wei: NullableString('Its gas money as last measured, in wei; null before'),
  measured_at: NullableTimestamp('When it was measured'),
  is_resting: Type.Boolean({ description: 'Whether it is out of gas and sends nothing' }),
  next_nonce: count('The nonce of its next transaction'),
  unmined: count('Its transactions that no block holds yet'),
})
const MachineBody = Type.Object({
  id: Type.String({ description: 'Id of this start of the service' }),
  host: Type.String({ description: 'Name of the machine' }),
  pid: count('Its process'),
  version: Type.String({ description: 'The release that it runs' }),
  roles: Type.Array(Type.String(), { description: 'What it does: api, worker' }),
  processes: count('How many processes share the port of its API'),
  started_at: Timestamp,
  seen_at: Timestamp,
  clock_ahead_seconds: NullableNumber(
    'By how much its clock is ahead of the database’s; null if it does not compare them',
  ),
  is_lost: Type.Boolean({ description: 'Whether it ended without a word, or is out of reach' }),
})

const overview = keyRoute({
  method: 'GET',
  path: '/api/operator/overview',
  tag: 'Operator',
  summary: 'Show the state of the service to its operators',
  description: `Alarms with what to do, the chain, and books against chain. ${FOR_OPERATORS}`,
  scope: 'operator:read',
  isForOperators: true,
  response: Type.Object({
    at: Timestamp,
    version: Type.String({ description: 'The release that answers' }),
    mode: OneOf(['live', 'test'], 'live on a public mainnet'),
    components: ComponentsBody,
    alarms: Type.Object(
      {
        open: count('Alarms that are open'),
        newest: Type.Array(AlarmBody, { description: 'Open ones first, then newest first; 50' }),
      },
      { description: 'Differences that a person must look at' },
    ),
    chain: Type.Object(
      {
        network: NetworkField,
        head: NullableNumber('The newest block; null where no node answers'),
        lag_seconds: NullableNumber('How old that block is'),
        watched_block: NullableNumber('The last block that was searched for transfers'),
        blocks_behind: NullableNumber('Safe blocks that are still to be searched'),
      },
      { description: 'The chain, and how far it was read' },
    ),
    books: Type.Array(BooksBody, { description: 'Books and chain, compared by asset' }),
  }),
  attack: 'chain',
  costs: { statements: 900, rpc: 20 },
  errors: ['not_found'],
  handle: ({ services, at }) => readOverview(services, at),
})

const queues = keyRoute({
  method: 'GET',
  path: '/api/operator/queues',
  tag: 'Operator',
  summary: 'Show what waits to be done',
  description: FOR_OPERATORS,
  scope: 'operator:read',
  isForOperators: true,
  response: QueuesBody,
  attack: 'none',
  costs: { statements: 500 },
  errors: ['not_found'],
  handle: ({ services, at }) => readQueues(services, at),
})

const relayers = keyRoute({
  method: 'GET',
  path: '/api/operator/relayers',
  tag: 'Operator',
  summary: 'Show the accounts that pay gas',
  description: FOR_OPERATORS,
  scope: 'operator:read',
  isForOperators: true,
  response: Type.Object({
    relayers: Type.Array(RelayerBody, { description: 'Those of the machine that answers' }),
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: ['not_found'],
  handle: async ({ services }) => ({ relayers: await readRelayers(services) }),
})

const machines = keyRoute({
  method: 'GET',
  path: '/api/operator/machines',
  tag: 'Operator',
  summary: 'List the machines that run the service',
  description: `Those that were seen within a day, the newest start first. ${FOR_OPERATORS}`,
  scope: 'operator:read',
  isForOperators: true,
  response: Type.Object({
    machines: Type.Array(MachineBody, { description: 'The machines' }),
  }),
  attack: 'none',
  costs: { statements: 200 },
  errors: ['not_found'],
  handle: async ({ services }) => ({ machines: await readMachines(services) }),
})

const signingKeys = keyRoute({
  method: 'GET',
  path: '/api/operator/signing-keys',
  tag: 'Operator',
  summary: 'List the keys by which the service signs',
  description: `Public parts alone. ${FOR_OPERATORS}`,
  scope: 'operator:read',
  isForOperators: true,
  response: Type.Object({
    keys: Type.Array(
      Type.Object({
        kid: Type.String({ description: 'Thumbprint of the key' }),
        signs: OneOf(
          ['documents', 'requests'],
          'documents: mandates, receipts and offers; requests: what it asks of sellers',
        ),
        state: OneOf(
          ['signs', 'retired', 'revoked'],
          'retired: it signs no more, and what it signed stays good',
        ),
        public_key: Type.Record(Type.String(), Type.String(), { description: 'As a JWK' }),
        created_at: Timestamp,
        retired_at: NullableTimestamp('Since when it signs no more; null while it does'),
        revoked_at: NullableTimestamp('Since when nothing that it signed is believed'),
      }),
      { description: 'Keys that the service made and keeps sealed; of each kind the newest first' },
    ),
    accounts: Type.Array(
      Type.Object({
        role: OneOf(['treasury', 'relayer'], 'treasury: it signs money away'),
        address: Type.String({ description: 'Address of the account' }),
        source: OneOf(
          KEY_SOURCES,
          'Where this machine has the key from; made: by the first start, in the data folder',
        ),
      }),
      { description: 'Accounts on chain that the service signs for' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ services: { db, chain, settings } }) => ({
    keys: (await listAllKeys(db.reader)).map((key) => ({
      kid: key.kid,
      signs: key.signs,
      state: stateOf(key),
      public_key: { ...key.jwk },
      created_at: iso(key.createdAt),
      retired_at: isoOrNull(key.retiredAt),
      revoked_at: isoOrNull(key.revokedAt),
    })),
    accounts: [
      {
        role: 'treasury' as const,
        address: chain.treasury.address,
        source: settings.keySources.treasury,
      },
      ...chain.relayers.map(({ address }) => ({
        role: 'relayer' as const,
        address,
        source: settings.keySources.relayers,
      })),
    ],
  }),
})

const audit = keyRoute({
  method: 'GET',
  path: '/api/operator/audit',
  tag: 'Operator',
  summary: 'List what operators did, and what wallets did with their keys',
  description: `Newest first. Commands on a machine of the service, API keys made and revoked, sessions ended, and the sign-ins of operators. ${FOR_OPERATORS}`,
  scope: 'operator:read',
  isForOperators: true,
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    acts: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the act' }),
        at: Timestamp,
        act: Type.String({ description: 'What was done, such as key.revoked' }),
        way: OneOf(
          ['session', 'key', 'command'],
          'By a sign-in or a key of a wallet, or by a command on a machine',
        ),
        actor: Type.String({ description: 'The wallet; of a command the account and machine' }),
        key_hash: NullableString('The key that it was done with; null without one'),
        subject: Type.String({ description: 'The object that it was done to' }),
        note: NullableString('Why, in the operator’s words'),
        request_id: NullableString('The request; null of a command'),
      }),
      { description: 'The acts' },
    ),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found'],
  handle: async ({ query, services: { db } }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    await checkAfter(query.after, async (id) => (await findAct(db.reader, id)) !== undefined)
    const { rows, hasMore } = pageOf(
      await listActs(db.reader, { after: query.after, limit }),
      limit,
    )
    return {
      acts: rows.map((row) => ({
        ...{ id: row.id, at: iso(row.createdAt), act: row.act, way: row.way, actor: row.actor },
        key_hash: row.keyHash,
        subject: row.subject,
        note: row.note,
        request_id: row.requestId,
      })),
      has_more: hasMore,
    }
  },
})

export const operatorRoutes: Route[] = [overview, queues, relayers, machines, signingKeys, audit]
