import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { settingsOf } from './settings.ts'
import { VARIABLES } from './values.ts'

const KEY = `0x${'11'.repeat(32)}`
const OTHER_KEY = `0x${'22'.repeat(32)}`
const SECRET = 'ab'.repeat(32)
const PUBLIC = {
  PURSER_RPC_URL: 'https://a.example, https://b.example/key',
  PURSER_OPERATOR_KEY: KEY,
  PURSER_RELAYER_KEYS: `${OTHER_KEY},file:/run/keys/relayer`,
  PURSER_SECRET: SECRET,
  DATABASE_URL: 'postgres://u:hunter2@db.example/purser',
}

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('an empty environment is a development service on embedded defaults', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 4021,
    publicUrl: 'http://127.0.0.1:4021',
    dataDir: resolve('data'),
    database: { kind: 'embedded' },
    chain: { kind: 'embedded' },
    asset: { network: 'eip155:84532' },
    roles: ['api', 'worker'],
    fee: { bps: 50n, flat: 0n },
    egressAllow: ['127.0.0.1', '::1', 'localhost'],
    logLevel: 'info',
  })
  expect(settingsOf(config, 'http://127.0.0.1:8545')).toMatchObject({
    mode: 'test',
    explorerUrl: null,
    embeddedRpcUrl: 'http://127.0.0.1:8545',
  })
})

test('a variable that is set to nothing counts as not set', () => {
  const empty = Object.fromEntries(VARIABLES.map((name) => [name, ' ']))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

test('a public chain is read whole, and live on the mainnet only', () => {
  const config = readConfig({ ...PUBLIC, PURSER_NETWORK: 'eip155:8453', PURSER_FEE_FLAT: '0.01' })
  if (config.chain.kind !== 'rpc') throw new Error('the chain is public')
  expect(config.chain.urls.map((url) => url.reveal())).toEqual([
    'https://a.example',
    'https://b.example/key',
  ])
  expect(config.chain.relayerKeys).toMatchObject([
    { kind: 'hex' },
    { kind: 'file', path: '/run/keys/relayer' },
  ])
  expect(config.fee.flat).toBe(10_000n)
  expect(config.egressAllow).toEqual([])
  expect(settingsOf(config, null)).toMatchObject({ mode: 'live', network: 'eip155:8453' })
  expect(settingsOf(readConfig(PUBLIC), null).mode).toBe('test')
  expect(settingsOf(config, null)).toMatchObject({
    explorerUrl: 'https://basescan.org',
    identity: null,
    credentialLookups: 1_000,
  })
  expect(settingsOf(readConfig({ PURSER_NETWORK: 'eip155:8453' }), null).mode).toBe('test')
})

test('no secret shows when the configuration is printed', () => {
  const other = 'cd'.repeat(32)
  const config = readConfig({ ...PUBLIC, PURSER_MPP_SECRETS: `${other}, ${SECRET}` })
  expect(config.mppSecrets?.map((secret) => secret.reveal())).toEqual([other, SECRET])
  for (const shown of [
    inspect(config, { depth: 9 }),
    JSON.stringify({
      ...config,
      fee: null,
      withdrawal: null,
      tokenWithdrawal: null,
      gas: null,
      creditLevels: null,
    }),
  ])
    for (const secret of [KEY, OTHER_KEY, SECRET, other, 'hunter2', 'b.example'])
      expect(shown).not.toContain(secret)
})

test('every fault is reported at once, each naming its variable', () => {
  const faults = faultsOf({
    PORT: '70000',
    PUBLIC_URL: 'pay.example.com',
    DATABASE_URL: 'mysql://db.example/purser',
    PURSER_SESSION_DATABASE_URL: 'mysql://db.example/purser',
    PURSER_READ_URL: 'postgres://a,b/purser',
    PURSER_READ_LAG: '0',
    PURSER_SCHEMA: 'pg_own',
    PURSER_DATABASE_CONNECTIONS: '1',
    PURSER_JOB_CONNECTIONS: 'many',
    PURSER_MIGRATE: 'later',
    PURSER_NETWORK: 'base',
    PURSER_RPC_URL: 'ws://a.example',
    PURSER_OPERATOR_KEY: '0x1234',
    PURSER_RELAYER_KEYS: `0x${'00'.repeat(32)},keystore:/run/keys/relayer`,
    PURSER_BATCH_SETTLER: '0x12',
    PURSER_SERVICE_TOKEN: '0x12:DEV:18',
    PURSER_SERVICE_TOKEN_WITHDRAWAL_FEE: 'little',
    PURSER_SERVICE_TOKEN_WITHDRAWAL_MINIMUM: '-1',
    PURSER_CREDENTIAL_VAULT: '0x12',
    PURSER_MINTS_PER_DAY: 'many',
    PURSER_CREDENTIAL_MARKET: '0x34',
    PURSER_REVENUE_ADDRESS: '0x0000000000000000000000000000000000000001',
    PURSER_CRT_VESTING_DAYS: '0',
    PURSER_CREDENTIAL_LOOKUPS: '-1',
    PURSER_EXPLORER_URL: 'basescan.org',
    PURSER_SECRET: 'short',
    PURSER_MPP_SECRETS: `${SECRET},short`,
    PURSER_LEDGER_SECRETS: `${SECRET},short`,
    PURSER_BACKUP_RECIPIENT: 'age1qqqq',
    PURSER_BACKUP_IDENTITY: 'age1qqqq',
    PURSER_ROLES: 'api,cron',
    PURSER_PROCESSES: '0',
    PURSER_RATE_LIMIT: 'none',
    PURSER_TRUSTED_PROXIES: 'proxy.example',
    PURSER_HOSTS: 'https://pay.lan',
    PURSER_FEE_BPS: '10001',
    PURSER_FEE_FLAT: '0.0000001',
    PURSER_WITHDRAWAL_FEE: '-1',
    PURSER_WITHDRAWAL_MINIMUM: 'much',
    PURSER_PAYOUT_DAILY_CAP_WALLET: '0',
    PURSER_PAYOUT_DAILY_CAP: 'all',
    PURSER_PAYOUT_ADDRESS_DELAY: 'a day',
    PURSER_PAYOUT_APPROVAL_ABOVE: '-1',
    PURSER_MIN_ONCHAIN: 'dust',
    PURSER_SELLER_GAS_PER_DAY: 'plenty',
    PURSER_FACILITATOR_PAY_TO: 'nobody',
    PURSER_ACCOUNT_FACTORIES: '0x1234',
    PURSER_CREDIT_LEVELS: '0:soon',
    PURSER_EGRESS_ALLOW: '10.0.0.0/64',
    PURSER_DRAIN_SECONDS: '-1',
    PURSER_WEBHOOK_HOST_RATE: '0',
    PURSER_WEBHOOK_BODY_DAYS: 'long',
    PURSER_EVENT_DAYS: '-1',
    PURSER_VERIFY_DAYS: '0',
    PURSER_OPERATORS: `0x${'1'.repeat(40)},0x12`,
    PURSER_METRICS_TOKEN: 'short',
    PURSER_LOG_LEVEL: 'loud',
    PURSER_FAULT_POINT: 'nowhere',
  })
  const named = VARIABLES.filter((name) => !/^(HOST|PURSER_DATA_DIR|OTEL_.*)$/.test(name))
  for (const name of named) expect(faults.filter((f) => f.startsWith(`${name} `))).toHaveLength(1)
  expect(faults).toHaveLength(named.length)
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ .{20,}\.$/)
})

test('operators are wallets, once each; with the embedded chain the demo wallet is one unless others are named', () => {
  const demo = '0x627306090abaB3A6e1400e9345bC60c78a8BEf57'
  const other = '0xf17f52151EbEF6C7334FAD080c5704D77216b732'
  const operatorsOf = (text: string | undefined, demoWallet?: typeof demo) =>
    settingsOf(readConfig({ PURSER_OPERATORS: text }), null, demoWallet).operators
  expect(operatorsOf(undefined)).toEqual([])
  expect(operatorsOf(undefined, demo)).toEqual([demo])
  expect(operatorsOf('none', demo)).toEqual([])
  expect(operatorsOf(`${other}, ${other.toLowerCase()}`, demo)).toEqual([other])
  // A wrong checksum is a typing error: somebody else would read the pages.
  const wrong = '0xF17f52151EbEF6C7334FAD080c5704D77216b732'
  expect(faultsOf({ PURSER_OPERATORS: wrong })).toHaveLength(1)
})

test('a service token has an address, a symbol and decimals of its own, and is not USDC', () => {
  const address = '0x5075727365720000000000000000000000000004'
  const read = (text: string) => readConfig({ PURSER_SERVICE_TOKEN: text }).serviceToken
  expect(read(`${address}:DEV:18`)).toMatchObject({
    ...{ contract: address, symbol: 'DEV', decimals: 18, chainId: 84532 },
  })
  const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  for (const text of [address, `${address}:DEV`, `${address}:USDC:6`, `${usdc}:DEV:6`])
    expect(() => read(text)).toThrow(/PURSER_SERVICE_TOKEN must be a token beside USDC/)
  for (const text of [`${address}:dev:18`, `${address}:DEV:77`, `${address}:DEV:1.5`])
    expect(() => read(text)).toThrow(/PURSER_SERVICE_TOKEN/)
})

test('nothing but the embedded chain starts with generated secrets', () => {
  expect(faultsOf({ PURSER_RPC_URL: 'https://a.example' }).map((f) => f.split(' ')[0])).toEqual([
    'PURSER_OPERATOR_KEY',
    'PURSER_RELAYER_KEYS',
    'PURSER_SECRET',
  ])
  expect(faultsOf({ DATABASE_URL: 'postgres://db.example/purser' })).toEqual([])
})

test('keys may lie in a keystore or a KMS, and a fault in a reference names its variable', () => {
  const named = { ...PUBLIC, PURSER_OPERATOR_KEY: 'aws-kms:alias/treasury?region=eu-west-1' }
  expect(readConfig(named).chain.operatorKey).toMatchObject({
    scheme: 'aws-kms',
    region: 'eu-west-1',
  })
  const plain = 'aws-kms:alias/treasury?endpoint=http://kms.example'
  expect(faultsOf({ ...PUBLIC, PURSER_OPERATOR_KEY: plain })).toEqual([
    expect.stringMatching(/^PURSER_OPERATOR_KEY may end in .* https address/),
  ])
  const sealed = { PURSER_OPERATOR_KEY: 'keystore:/run/keys/treasury.json' }
  expect(faultsOf(sealed)).toEqual([
    expect.stringMatching(/^PURSER_KEYSTORE_PASSPHRASE must be set /),
  ])
  expect(faultsOf({ ...sealed, PURSER_KEYSTORE_PASSPHRASE: 'words' })).toEqual([])
})

test('the example file lists exactly what the code reads, with the defaults', async () => {
  const text = await readFile(new URL('../../../../../.env.example', import.meta.url), 'utf8')
  const pairs = text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('=') as [string, string])
  const asked = new Set<string>()
  const spy = new Proxy<Record<string, string>>(PUBLIC, {
    get: (env, name: string) => {
      asked.add(name)
      return env[name]
    },
  })
  readConfig(spy)
  expect(pairs.map(([name]) => name)).toEqual([...VARIABLES])
  expect([...asked].sort()).toEqual([...VARIABLES].sort())
  expect(readConfig(Object.fromEntries(pairs))).toEqual(readConfig({}))
})

test('a fault point is taken on a development chain and refused everywhere else', () => {
  const point = { PURSER_FAULT_POINT: 'chain.after_store:2' }
  const armed = { point: 'chain.after_store', nth: 2 }
  expect(readConfig(point).fault).toEqual(armed)
  const local = { ...PUBLIC, PURSER_RELAYER_KEYS: OTHER_KEY, PURSER_RPC_URL: 'http://127.0.0.1:1' }
  expect(readConfig({ ...local, ...point }).fault).toEqual(armed)
  const refusal = [expect.stringContaining('is for tests on a development chain')]
  expect(faultsOf({ ...PUBLIC, ...point })).toEqual(refusal)
  expect(faultsOf({ ...local, ...point, PURSER_NETWORK: 'eip155:8453' })).toEqual(refusal)
  for (const text of ['chain.after_store:0', 'chain.nowhere', '2'])
    expect(faultsOf({ PURSER_FAULT_POINT: text })).toEqual([
      expect.stringContaining('must be one of lanes.before_commit, '),
    ])
})

test('large sums wait for more of the chain, and levels that make no sense are refused', () => {
  expect(readConfig({}).creditLevels).toEqual([{ from: 0n, finality: 'safe' }])
  expect(readConfig(PUBLIC).creditLevels).toEqual([
    { from: 0n, finality: 'safe' },
    { from: 10_000_000_000n, finality: 'finalized' },
  ])
  const [level] = readConfig({ PURSER_CREDIT_LEVELS: '0:finalized' }).creditLevels
  expect(level?.finality).toBe('finalized')
  for (const [text, why] of [
    ['10:safe', 'begin with the amount 0'],
    ['0:latest', 'safe or finalized'],
    ['0:safe,x:finalized', '"x" is none'],
    ['0:finalized,5:safe', 'never less deep'],
    ['0:safe,0:finalized', 'must rise'],
    ['0:safe,', 'safe or finalized'],
  ] as const)
    expect(faultsOf({ PURSER_CREDIT_LEVELS: text }), text).toEqual([expect.stringContaining(why)])
})

test('the factories of contract wallets are known ones unless an operator lists others, or none', () => {
  const read = (value?: string) => readConfig({ PURSER_ACCOUNT_FACTORIES: value }).accountFactories
  expect(read()).toEqual([
    '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
    '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  ])
  expect(read('none')).toEqual([])
  expect(read('0xba5ed110efdba3d005bfc882d75358acbbb85842')).toEqual([
    '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  ])
})

test('a vault and an explorer are read, each for its network', () => {
  const vault = `0x${'ab'.repeat(20)}`
  const env = { PURSER_CREDENTIAL_VAULT: vault, PURSER_EXPLORER_URL: 'https://scan.example/' }
  const read = settingsOf(readConfig({ ...PUBLIC, ...env }), null)
  expect(read.explorerUrl).toBe('https://scan.example')
  expect(read.identity).toMatchObject({
    registry: '0x8004A818BFB912233c491871b3d84c89A494BD9e',
    perDay: 1_000,
  })
  expect(read.identity?.vault.toLowerCase()).toBe(vault)
})
