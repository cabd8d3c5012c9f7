import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { alterDatabase } from '../../../test/world/postgres.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { openDb, sql } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { mendTimes } from '../../base/jobs/set-back.ts'
import { defineTask } from '../../base/jobs/task.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { ALARM_KINDS, upsertAlarms } from '../../links/reconcile/store.ts'
import { times } from '../app.ts'
import { acknowledgeAlarm } from '../operate/commands/alarms.ts'
import { orderPayouts } from '../operate/commands/payouts.ts'
import { rotate } from '../operate/commands/signing-keys.ts'
import { clockTroubles, databaseTroubles } from './jobs.ts'
import { announceMachine } from './machines.ts'
import { runbookOf } from './runbook.ts'

const READS = [
  '/api/operator/overview',
  '/api/operator/queues',
  '/api/operator/relayers',
  '/api/operator/machines',
  '/api/operator/signing-keys',
  '/api/operator/audit',
] as const

const operators: Address[] = []
let w: World
let operator: User
let other: User
beforeAll(async () => {
  w = await world({ settings: { operators } })
  ;[operator, other] = await Promise.all([w.user(), w.user({ treasury: 5 })])
  operators.push(operator.wallet as Address)
})
afterAll(() => w[Symbol.asyncDispose]())

test('for another wallet the operator’s reads do not exist, whatever it asks and by whatever key', async () => {
  const scopes = ['operator:read', 'keys:read']
  const restricted = await other.post('/api/keys/restricted', { name: 'a', scopes })
  for (const key of [other.key, restricted.body.api_key])
    for (const path of [
      ...READS,
      '/api/operator/audit?limit=0',
      '/api/operator/audit?after=act_1',
    ]) {
      const reply = await w.call('GET', path, undefined, { key })
      const nowhere = await w.call('GET', '/api/operator/nothing', undefined, { key })
      expect(reply.status, path).toBe(404)
      const place = path.split('?')[0] ?? ''
      expect({ ...reply.body, request_id: '' }).toEqual({
        ...nowhere.body,
        error: nowhere.body.error.replace('/api/operator/nothing', place),
        request_id: '',
      })
    }
})

test('a restricted key of an operator needs operator:read, and a session hears whether its wallet is one', async () => {
  for (const [scopes, status] of [
    [['keys:read', 'keys:write'], 403],
    [['operator:read'], 200],
  ] as const) {
    const { api_key: key } = (await operator.post('/api/keys/restricted', { name: 'a', scopes }))
      .body
    for (const path of READS)
      expect((await w.call('GET', path, undefined, { key })).status, path).toBe(status)
  }
  const heardBy = async (user: User) => (await user.post('/api/keys/validate')).body.is_operator
  expect([await heardBy(operator), await heardBy(other)]).toEqual([true, false])
})

test('the overview shows alarms with what to do, the chain, and books against chain', async () => {
  const details = { difference: '-7' }
  const of = { kind: 'custody', subject: 'x USDC', details } as const
  await w.write((tx) => upsertAlarms(tx, w.now(), [{ ...of, sentence: '0.000007 are missing.' }]))
  await w.safe()
  await w.runJobs()
  const { body } = await operator.get('/api/operator/overview')
  expect(body).toMatchObject({
    version: '0.0.0-test',
    components: expect.arrayContaining([expect.objectContaining({ component: 'books' })]),
    alarms: {
      open: 1,
      newest: [{ kind: 'custody', runbook: 'docs/operating.md#alarm-custody', resolved_at: null }],
    },
    chain: { network: w.chain.network, head: expect.any(Number), lag_seconds: expect.any(Number) },
    books: [{ asset: 'USDC', payouts: { are_held: false, why: null } }],
  })
  expect(body.alarms.newest[0].what_to_do).toContain('purser verify')
})

test('queues, relayers and machines are shown as they are', async () => {
  await w.write((tx) => enqueue(tx, defineTask({ name: 'drill', payload: {} }), {}))
  expect((await operator.get('/api/operator/queues')).body).toMatchObject({
    jobs: { failed: 0 },
    tasks: expect.arrayContaining([
      expect.objectContaining({ task: 'drill', ready: 1, failed: 0 }),
    ]),
    webhooks: { endpoints_due: 0, oldest_due_at: null },
  })
  expect((await operator.get('/api/operator/relayers')).body.relayers).toMatchObject([
    { address: w.chain.relayers[0]?.address, is_resting: false, unmined: 0 },
  ])
  const roles = ['api', 'worker']
  const of = { host: 'one', pid: 7, version: '1', roles, processes: 2 }
  const machine = await announceMachine(w.services, of)
  const shown = async () => (await operator.get('/api/operator/machines')).body.machines
  expect(await shown()).toMatchObject([{ ...of, is_lost: false }])
  await w.write((tx) => sql`update machines set seen_at = now() - interval '1 minute'`.execute(tx))
  expect(await shown()).toMatchObject([{ host: 'one', is_lost: true }])
  await machine.stop()
  expect(await shown()).toEqual([])
})

// Otherwise work that a clock which was ahead has put off waits, and nothing says so.
test('a machine that is apart from the database and a clock that was set raise an alarm, and every time that waits is brought back', async () => {
  const clock = { ...w.clock, aheadMs: () => -90_000 }
  const of = { host: 'behind', pid: 7, version: '1', roles: ['api'], processes: 1 }
  const machine = await announceMachine({ ...w.services, clock }, of)
  await w.write((tx) =>
    sql`insert into database_clock (seen_at, set_at, set_seconds) values (now(), now(), 3600)`.execute(
      tx,
    ),
  )
  expect((await operator.get('/api/operator/machines')).body.machines).toMatchObject([
    { host: 'behind', clock_ahead_seconds: -90 },
  ])
  expect(await clockTroubles(w.services)).toMatchObject([
    { subject: 'behind', sentence: expect.stringContaining("is 90 s behind the database's") },
    { subject: 'database', sentence: expect.stringContaining('set forward by 3600 s') },
  ])
  await machine.stop()

  await w.runJobs({ compares: true })
  const day = sql`interval '1 day'`
  await w.write((tx) =>
    sql`update reconciliations set compared_at = compared_at + ${day}`.execute(tx),
  )
  await mendTimes(w.db, times)
  const { rows } = await sql<{
    ahead: boolean
  }>`select compared_at > now() as ahead from reconciliations`.execute(w.db.reader)
  expect(rows).toContainEqual({ ahead: false })
  expect(rows).not.toContainEqual({ ahead: true })
})

test('the signing keys are shown by their public parts, with the accounts on chain and where their keys are from', async () => {
  await w.services.signing.current(w.now())
  const reply = await operator.get('/api/operator/signing-keys')
  expect(reply.body.keys).toMatchObject([
    { signs: 'documents', state: 'signs', public_key: { kty: 'EC', crv: 'P-256' } },
  ])
  expect(reply.body.accounts).toEqual([
    { role: 'treasury', address: w.chain.treasury.address, source: 'made' },
    { role: 'relayer', address: w.chain.relayers[0]?.address, source: 'made' },
  ])
  expect(reply.text).not.toMatch(/"d"|sealed/)
})

test('the audit log says who did what, by which request, and cannot be changed', async () => {
  const made = await other.post('/api/keys/restricted', { name: 'a', scopes: ['cards:read'] })
  const { key_hash } = made.body.key
  const revoked = await other.send('DELETE', `/api/keys/${key_hash}`)
  const alarm = (await operator.get('/api/operator/overview')).body.alarms.newest[0]
  await acknowledgeAlarm(w, w.now(), { id: alarm.id, note: 'we know' })
  await orderPayouts(w, w.now(), { kind: 'stop', note: 'a drill' })
  await rotate({ db: w.db, secrets: w.secrets }, w.now())
  const { acts } = (await operator.get('/api/operator/audit')).body
  const ofOther = acts.filter((act: { actor: string }) => act.actor === other.wallet)
  expect(ofOther.slice(0, 2)).toMatchObject([
    {
      act: 'key.revoked',
      way: 'key',
      subject: key_hash,
      request_id: revoked.headers['x-request-id'],
    },
    { act: 'key.created', way: 'key', subject: key_hash, request_id: made.headers['x-request-id'] },
  ])
  const commands = acts.filter(({ way }: { way: string }) => way === 'command')
  expect(commands.map(({ act }: { act: string }) => act)).toEqual([
    'signing_key.rotated',
    'signing_key.rotated',
    'payouts.stopped',
    'alarm.acknowledged',
  ])
  expect(commands[2]).toMatchObject({
    actor: expect.stringMatching(/.@./),
    note: 'a drill',
    request_id: null,
    key_hash: null,
  })
  await expect(
    w.write((tx) => sql`update audit_acts set actor = 'nobody'`.execute(tx)),
  ).rejects.toThrow()
  expect(await w.faults()).toEqual([])
})

test('the audit log is paged, and an operator’s sign-in is an act while another’s is not', async () => {
  const signIns = async () => {
    const found: { act: string; actor: string }[] = []
    let after: string | undefined
    do {
      const query: string = after === undefined ? '' : `&after=${after}`
      const { acts, has_more } = (await operator.get(`/api/operator/audit?limit=3${query}`)).body
      expect(acts.length).toBeLessThanOrEqual(3)
      found.push(...acts)
      after = has_more ? acts.at(-1).id : undefined
    } while (after !== undefined)
    return found.filter(({ act }) => act === 'session.opened').map(({ actor }) => actor)
  }
  // So is a sign-out.
  for (const { account, acts } of [
    { account: operator.account, acts: ['session.ended', 'session.opened'] },
    { account: other.account, acts: [] },
  ]) {
    const { body: challenge } = await w.call('POST', '/api/auth/challenge', {
      wallet_address: account.address,
    })
    const signature = await account.signMessage({ message: challenge.message })
    const signedIn = await w.call('POST', '/api/auth/verify', {
      message: challenge.message,
      signature,
    })
    const key = signedIn.body.token
    const out = await w.call('POST', '/api/auth/logout', undefined, { key })
    expect(out.status, out.text).toBe(200)
    const newest = (await operator.get('/api/operator/audit?limit=2')).body.acts
    const own = newest.filter(({ actor }: { actor: string }) => actor === account.address)
    expect(own.map(({ act }: { act: string }) => act)).toEqual(acts)
  }
  const before = await signIns()
  await w.user({ account: operator.account })
  await w.user({ account: other.account })
  expect(await signIns()).toEqual([operator.wallet, ...before])
  expect((await operator.get('/api/operator/audit?after=act_none')).status).toBe(400)
})

test('every kind of alarm has its steps in docs/operating.md', () => {
  const page = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8')
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const kind of ALARM_KINDS) expect(headings).toContain(runbookOf(kind).split('#')[1])
})

// The alarm is a row, so it could not be raised while nothing was written.
test('a database that took nothing for a time is named by an alarm once it takes writes again', async () => {
  const real = w.services.db
  const set = (what: string) => alterDatabase(w.databaseUrl, what)
  await set('set default_transaction_read_only = on')
  const db = openDb(w.databaseUrl, 1)
  const of = { host: 'refused', pid: 7, version: '1', roles: ['api'], processes: 1 }
  const machine = await announceMachine({ ...w.services, db }, of)
  expect(await databaseTroubles(w.services, w.now())).toEqual([])
  await set('reset default_transaction_read_only')
  const [trouble] = await until(
    () => databaseTroubles({ db: real }, w.now()),
    ({ length }) => length > 0,
  )
  expect(trouble).toMatchObject({
    kind: 'database',
    sentence: expect.stringMatching(
      /^From \S+Z until \S+Z the database took nothing from refused\. The database takes no writes/,
    ),
  })
  const later = new Date(w.now().getTime() + 3_700_000)
  expect(await databaseTroubles({ db: real }, later)).toEqual([])
  await machine.stop()
  await db.close()
})
