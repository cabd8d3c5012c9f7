import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/base/db/migrate.ts'
import { callAnvil } from '../../src/run/embedded/anvil/rpc.ts'
import { openWallet as openChainWallet } from '../crash/chain-wallet.ts'
import { openStage, Process, type Stage } from '../crash/stage.ts'
import { type FaultyRpc, faultyRpc, SILENCE } from '../faults/faulty-rpc.ts'
import { fencesFor, settingsIn } from '../operate/fences.ts'
import { ROOT } from '../pages/pages.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'
import { type Ask, openWallet } from '../webhooks/http-wallet.ts'
import { receiver } from '../webhooks/receiver.ts'
import { primaryAndStandby } from '../world/standby.ts'
import {
  DEPLOYED,
  PAGE,
  promtool,
  RULES,
  type RunningPrometheus,
  startPrometheus,
} from './prometheus.ts'

const TOKEN = 'a-token-of-the-test'
/** A fifteenth of what the timetable of a public chain says, as the thresholds are shortened. */
const COMPARE_MS = 20_000
const PATIENCE = { timeout: 900_000 }
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)
const names = namesIn(RULES, /^ +- alert: (\w+)$/gm)
const fired = new Set<string>()
const operators = fencesFor('packages/service/test/observe/observe.test.ts')
const [REPLICA = {}] = operators
  .take('postgres-ha.md', 'A replica for public reads')
  .map(settingsIn)

let servers: Awaited<ReturnType<typeof primaryAndStandby>>
let stage: Stage
let rpc: FaultyRpc
let prometheus: RunningPrometheus
let api: Process
let worker: Process
let port: string
let comparing: NodeJS.Timeout
/** Asks as a wallet that has money. */
let ask: Ask
beforeAll(async () => {
  servers = await primaryAndStandby(async (url) => {
    await migrate(url)
  })
  const database = { url: servers.primary.url, drop: async () => undefined }
  stage = await openStage({ blockTimeSeconds: 1, processes: 1, database })
  rpc = await faultyRpc(stage.rpcUrl)
  port = String(await ownPort())
  api = await launch('api').ready()
  worker = await launch('worker').ready()
  prometheus = await startPrometheus({ url: baseUrl(), token: TOKEN })
  ask = await openFunded()
  comparing = setInterval(() => void compareSoon(), COMPARE_MS)
}, 600_000)
afterAll(async () => {
  clearInterval(comparing)
  await Promise.all([api, worker].map((one) => one?.kill()))
  await prometheus?.[Symbol.asyncDispose]()
  await rpc?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
  await servers?.[Symbol.asyncDispose]()
})

const baseUrl = () => `http://127.0.0.1:${port}`
const machine = () => ({
  ...stage.env,
  ...{ PORT: port, PURSER_RPC_URL: rpc.url },
  PURSER_METRICS_TOKEN: TOKEN,
  ...REPLICA,
  PURSER_READ_URL: servers.standby.url,
  PURSER_PAYOUT_APPROVAL_ABOVE: '5',
})
const launch = (role: 'api' | 'worker') =>
  new Process([], { ...machine(), PURSER_ROLES: role }, stage.logFile)

/** Has books and chain compared by the worker, if one runs. */
const compareSoon = () =>
  stage.query(
    `select graphile_worker.add_job('reconcile', '{}'::json, job_key => 'soon', job_key_mode => 'preserve_run_at')`,
  )

const CARD = { purpose: 'x', limit_amount: 0.01 }
const treasury = () => privateKeyToAccount(stage.env.PURSER_OPERATOR_KEY as `0x${string}`)
async function openFunded(): Promise<Ask> {
  const wallet = await openChainWallet(stage.rpcUrl, 20_000_000n)
  const { ask } = await openWallet(baseUrl(), wallet.account)
  const tx_hash = await wallet.transfer(treasury().address, 10_000_000n)
  await until(
    () => ask('POST', '/api/fund/verify', { tx_hash }),
    ({ status }) => status === 'confirmed',
    { everyMs: 500 },
  )
  return ask
}

const patiently = { longestMs: 300_000, everyMs: 500 }
/** Waits until the alert fires, and keeps that it did. */
async function fires(name: string): Promise<void> {
  const alert = await until(
    async () => (await prometheus.firing()).find(({ labels }) => labels.alertname === name),
    (found) => found !== undefined,
    patiently,
  )
  expect(alert?.annotations.runbook_url).toBe(
    `${baseUrl()}/docs/operate/runbooks#${name.toLowerCase()}`,
  )
  expect(alert?.annotations.summary).not.toMatch(/error|\{\{/)
  fired.add(name)
}
const isQuiet = () =>
  until(
    async () => (await prometheus.firing()).map(({ labels }) => labels.alertname),
    (found) => expect(found).toEqual([]),
    patiently,
  )

test('promtool accepts the files, and Prometheus has loaded each rule', PATIENCE, async () => {
  expect(await promtool('check', 'rules', join(DEPLOYED, 'prometheus/rules.yml'))).toContain(
    `SUCCESS: ${names.length} rules found`,
  )
  const [figures, checked] = prometheus.said
  expect(figures).toContain('purser_database_up 1')
  expect(checked).toContain(`SUCCESS: ${names.length} rules found`)
  await until(
    () => prometheus.rules(),
    (rules) =>
      expect(rules.map(({ name, health }) => `${name} ${health}`)).toEqual(
        names.map((name) => `${name} ok`),
      ),
    patiently,
  )
})

test('each alert has a runbook that the service shows, and a row of the page', async () => {
  const runbooks = await (await fetch(`${baseUrl()}/docs/operate/runbooks`)).text()
  expect(namesIn(runbooks, /<h2 id="(purser\w+)"/g)).toEqual(
    names.map((name) => name.toLowerCase()),
  )
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  const rows = page.matchAll(/^\| \[(\w+)\]\(runbooks.md#(\w+)\) \| (\w+) \| .* \| (\w+) \|$/gm)
  const rules = RULES.matchAll(/alert: (\w+)\n.*\n +for: (\w+)\n.*\n +severity: (\w+)$/gm)
  expect([...rows].map(([, ...row]) => row)).toEqual(
    [...rules].map(([, name = '', lasts, severity]) => [
      ...[name, name.toLowerCase(), severity, lasts],
    ]),
  )
})

test('the replica is read by the settings that the page for operators shows', () => {
  expect(Object.keys(REPLICA)).toEqual(['PURSER_READ_URL', 'PURSER_READ_LAG'])
  expect(operators.left()).toEqual([])
})

test('the page explains each figure of the service', async () => {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const metrics = await (await fetch(`${baseUrl()}/metrics`, { headers })).text()
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(namesIn(rows.join(' '), /`((?:purser|http)_\w+)[{`]/g).toSorted()).toEqual(
    namesIn(metrics, /^# TYPE ((?:purser|http)_\w+) /gm).toSorted(),
  )
})

test('each panel of the dashboard has data', PATIENCE, async () => {
  await isQuiet()
  const dashboard = JSON.parse(readFileSync(join(DEPLOYED, 'grafana/purser.json'), 'utf8'))
  const queries: string[] = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
    (panel.targets ?? []).map(({ expr }) => expr.replaceAll('$__rate_interval', '60s')),
  )
  expect(queries.length).toBeGreaterThan(25)
  // A lane, a delivery and a request: other figures are there from the start.
  await using alive = await receiver()
  const { id } = await ask('POST', '/api/webhooks', { url: alive.url })
  await until(
    async () => {
      await ask('POST', '/api/issue', CARD)
      const answers = await Promise.all(
        queries.map(async (query) => ({ query, found: await prometheus.query(query) })),
      )
      return answers.filter(({ found }) => found.length === 0).map(({ query }) => query)
    },
    (empty) => expect(empty).toEqual([]),
    patiently,
  )
  // Its receiver ends here, and must not be taken for one that fails.
  await ask('DELETE', `/api/webhooks/${id}`)
})

test('a relayer without gas', PATIENCE, async () => {
  const give = (wei: string) =>
    callAnvil(
      stage.rpcUrl,
      stage.relayers.map((address) => ['anvil_setBalance', address, wei]),
    )
  try {
    await give('0x0')
    await fires('PurserRelayerOutOfGas')
  } finally {
    await give('0x56bc75e2d63100000')
  }
  await isQuiet()
})

test('a chain that stands still, and one that does not answer', PATIENCE, async () => {
  const block = (await callAnvil(stage.rpcUrl, [['eth_getBlockByNumber', 'latest', false]]))?.[0]
  try {
    rpc.fault(({ method }) => (method === 'eth_getBlockByNumber' ? { result: block } : undefined))
    await fires('PurserChainFrozen')
    rpc.fault(() => SILENCE)
    await fires('PurserChainDown')
  } finally {
    rpc.fault(undefined)
  }
  await isQuiet()
})

test('a replica that was killed', PATIENCE, async () => {
  await servers.standby.kill()
  try {
    await fires('PurserReplicaLeft')
  } finally {
    await servers.standby.start()
  }
  await isQuiet()
})

test('a worker that was stopped', PATIENCE, async () => {
  await worker.kill()
  try {
    await ask('POST', '/api/issue', CARD)
    await fires('PurserWorkerStopped')
    await fires('PurserFollowerBehind')
    await fires('PurserNotCompared')
  } finally {
    worker = await launch('worker').ready()
  }
  await isQuiet()
})

test('a table that is locked: connections run out, and requests fail', PATIENCE, async () => {
  const holder = new pg.Client({ connectionString: stage.env.DATABASE_URL })
  await holder.connect()
  await holder.query('begin; lock table webhooks in access exclusive mode')
  let isOver = false
  const asking = Array.from({ length: 40 }, async () => {
    while (!isOver) await ask('GET', '/api/webhooks').catch(() => undefined)
  })
  try {
    await fires('PurserPoolExhausted')
    await fires('PurserErrors')
    await fires('PurserDatabaseSilent')
  } finally {
    isOver = true
    await holder.end()
    await Promise.all(asking)
  }
  await isQuiet()
})

test('a service that has ended', PATIENCE, async () => {
  await api.kill()
  try {
    await fires('PurserDown')
  } finally {
    api = await launch('api').ready()
  }
  await isQuiet()
})

test('a withdrawal that waits until an operator has looked', PATIENCE, async () => {
  const { withdrawal_id: id } = await ask('POST', '/api/withdraw', { amount: 6 })
  await fires('PurserWithdrawalsWaiting')
  const reject = ['payouts', 'reject', id, '--note', 'nobody asked for it']
  expect(await new Process(reject, machine(), stage.logFile).exited).toBe(0)
  await isQuiet()
})

test('an endpoint of a wallet that is dead', PATIENCE, async () => {
  await using dead = await receiver(() => 500)
  await ask('POST', '/api/webhooks', { url: dead.url })
  await ask('POST', '/api/issue', CARD)
  await fires('PurserWebhooksFailing')
})

// Money that is gone stays gone, so nothing is quiet after this.
test('somebody else used the key of the treasury: an alarm of the service', PATIENCE, async () => {
  const { address } = treasury()
  await callAnvil(stage.rpcUrl, [['anvil_setBalance', address, '0x56bc75e2d63100000']])
  const thief = await openChainWallet(stage.rpcUrl, 0n, treasury())
  await thief.transfer(stage.relayers[0] as `0x${string}`, 1_000_000n)
  await fires('PurserAlarmOpen')
})

test('no alert is left that was not seen to fire', () => {
  expect([...fired].sort()).toEqual(names.toSorted())
})
