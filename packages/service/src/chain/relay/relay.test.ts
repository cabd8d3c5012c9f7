import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { all, openDb, sql } from '../../base/db/sql.ts'
import { USDC } from '../../base/kernel/assets.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { startAnvil } from '../../run/embedded/anvil/anvil.ts'
import { openChain } from '../client/chain.ts'
import { localSigner } from '../client/signers/local.ts'
import { maintainSends } from './maintain.ts'
import { createRelay } from './relay.ts'
import { checkSend, findSend, queueSend, sendAndWait } from './send.ts'
import { type Attempt, assignNonce, findAttempts, lockGaps, requeue } from './store.ts'
import { submitSend } from './submit/submit-send.ts'

const CHAIN_ID = 84_532
const ETHER = 10n ** 18n
/** Far more than a block takes, even on a busy machine. */
const WAIT_MS = 600_000
const asset = USDC[CHAIN_ID]!

/** A chain, a database and relayers of one test's own. Without `mines` a block is made only by `mine`. */
async function stage(options: { relayers?: number; mines?: boolean; gas?: bigint[] } = {}) {
  const anvil = await startAnvil({ chainId: CHAIN_ID, blockTimeSeconds: 0.2, slotsInAnEpoch: 4 })
  const database = await freshDatabase()
  const keys = Array.from({ length: options.relayers ?? 1 }, () => generatePrivateKey())
  const secrets = [new Secret(generatePrivateKey()), new Secret(randomHex(32).slice(2))] as const
  const logged: string[] = []
  const log = {
    warn: (_: object, text: string) => void logged.push(text),
    error: (_: object, text: string) => void logged.push(text),
  }
  const pools: ReturnType<typeof openDb>[] = []
  /** The values that one process of the service has. */
  const process = (rpcUrl = anvil.rpcUrl, of = asset) => {
    const db = openDb(database.url, 6)
    pools.push(db)
    const chain = openChain({
      asset: of,
      rpcUrls: [rpcUrl],
      treasury: localSigner(secrets[0]),
      relayers: keys.map((key) => localSigner(new Secret(key))),
      secrets: new Keyring([secrets[1]]),
    })
    return createRelay({ db, chain, log }, { replaceAfterBlocks: 3 })
  }
  const relay = process()
  const call = (method: string, ...params: unknown[]): Promise<unknown> =>
    relay.chain.rpc.request({ method, params } as never)
  const addresses = keys.map((key) => privateKeyToAccount(key).address)
  for (const [i, address] of addresses.entries())
    await call('anvil_setBalance', address, `0x${(options.gas?.[i] ?? 10n * ETHER).toString(16)}`)
  if (options.mines === false) await call('evm_setIntervalMining', 0)
  const s = {
    relay,
    process,
    call,
    addresses,
    keys,
    logged,
    rpcUrl: anvil.rpcUrl,
    async queue(count = 1): Promise<string[]> {
      const refs = Array.from({ length: count }, () => `test:${randomHex(8)}`)
      await relay.db.write(async (tx) => {
        for (const ref of refs)
          await queueSend(tx, new Date(), { ref, to: randomHex(20), data: '0x', gas: 30_000n })
      })
      return refs
    },
    mine: (blocks = 1) => call('anvil_mine', `0x${blocks.toString(16)}`),
    maintain: (seconds = 0) => maintainSends(relay, addSeconds(new Date(), seconds)),
    find: async (ref: string) => (await findSend(relay, ref))!,
    attempts: async (ref: string): Promise<Attempt[]> =>
      findAttempts(relay.db.reader, [(await s.find(ref)).id]),
    count: (i = 0) => relay.chain.rpc.getTransactionCount({ address: addresses[i]! }),
    /** The whole pool forgets the transaction, as a node does that is restarted. */
    drop: async (ref: string) => call('anvil_dropTransaction', (await s.find(ref)).hash),
    async untilOver(seconds = 0): Promise<void> {
      await until(async () => {
        if (options.mines === false) await s.mine()
        return !(await s.maintain(seconds))
      })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.close()))
      await Promise.all([database.drop(), anvil.stop()])
    },
  }
  return s
}

test('a stuck transaction is signed again with an eighth more, under its nonce, and mined once', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  await s.drop(ref)
  await s.mine(3)
  await s.maintain()
  const [first, second] = await s.attempts(ref)
  expect(second).toMatchObject({ nonce: first!.nonce })
  expect(second!.maxFee * 8n).toBeGreaterThanOrEqual(first!.maxFee * 9n)
  expect(second!.maxTip * 8n).toBeGreaterThanOrEqual(first!.maxTip * 9n)
  await s.maintain()
  expect(await s.attempts(ref)).toHaveLength(2)
  await s.untilOver()
  expect(await s.find(ref)).toMatchObject({ state: 'mined', isSafe: true, hash: second!.hash })
  expect(await s.count()).toBe(1)
})

test('the attempt that is mined wins, though it is not the newest', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  await s.drop(ref)
  await s.mine(3)
  await s.maintain()
  await s.drop(ref)
  const [first] = await s.attempts(ref)
  await s.call('eth_sendRawTransaction', `0x${first!.raw.toString('hex')}`)
  await s.mine()
  expect(await checkSend(s.relay, ref)).toMatchObject({ hash: first!.hash, succeeded: true })
})

test('a transaction that the pool lost is broadcast again, byte for byte', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  const { hash } = await s.find(ref)
  await s.drop(ref)
  await s.mine()
  expect(await checkSend(s.relay, ref)).toBeUndefined()
  await s.maintain()
  await s.mine()
  expect(await checkSend(s.relay, ref)).toMatchObject({ state: 'mined', hash })
})

test('when the base fee leaps above the fees of a send, they are raised at once', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  const [first] = await s.attempts(ref)
  await s.call('anvil_setNextBlockBaseFeePerGas', `0x${(first!.maxFee * 20n).toString(16)}`)
  await s.mine()
  expect(await checkSend(s.relay, ref)).toBeUndefined()
  await s.maintain()
  await s.mine()
  expect((await checkSend(s.relay, ref))?.succeeded).toBe(true)
  expect((await s.attempts(ref)).at(-1)!.maxFee).toBeGreaterThan(first!.maxFee * 15n)
})

test('a relayer without gas rests and the others take its sends; with gas it works again', async () => {
  await using s = await stage({ relayers: 2, gas: [0n, ETHER] })
  const refs = await s.queue(8)
  const sent = await Promise.all(refs.map((ref) => sendAndWait(s.relay, ref, WAIT_MS)))
  for (const send of sent) expect(send).toMatchObject({ relayer: s.addresses[1], succeeded: true })
  expect(s.logged.filter((text) => text.startsWith('a relayer is out of gas'))).toHaveLength(1)
  await s.call('anvil_setBalance', s.addresses[0], `0x${ETHER.toString(16)}`)
  await s.untilOver()
  const more = await s.queue(8)
  await Promise.all(more.map((ref) => sendAndWait(s.relay, ref, WAIT_MS)))
  expect(await s.count(0)).toBeGreaterThan(0)
})

test('without any gas a send is refused for now, stays queued, and goes once there is some', async () => {
  await using s = await stage({ gas: [0n] })
  const [ref = ''] = await s.queue()
  await expect(sendAndWait(s.relay, ref, WAIT_MS)).rejects.toMatchObject({
    code: 'chain_unavailable',
  })
  expect(await s.find(ref)).toMatchObject({ state: 'queued', nonce: null })
  await s.call('anvil_setBalance', s.addresses[0], `0x${ETHER.toString(16)}`)
  expect(await sendAndWait(s.relay, ref, WAIT_MS)).toMatchObject({ succeeded: true, nonce: 0n })
})

test('two relayers share fifty sends, sixteen at most in the air each', async () => {
  await using s = await stage({ relayers: 2, mines: false })
  const refs = await s.queue(50)
  await Promise.all(refs.map((ref) => submitSend(s.relay, ref)))
  const load = await all<{ n: bigint }>(
    s.relay.db.reader,
    sql`select count(*) as n from chain_sends where state = 'signed' group by relayer`,
  )
  expect(load.map(({ n }) => n)).toEqual([16n, 16n])
  await s.call('evm_setIntervalMining', 1)
  const sent = await Promise.all(refs.map((ref) => sendAndWait(s.relay, ref, WAIT_MS)))
  expect(sent.filter((send) => send?.succeeded)).toHaveLength(50)
  const [a, b] = [await s.count(0), await s.count(1)]
  expect(a + b).toBe(50)
  expect(Math.abs(a - b)).toBeLessThanOrEqual(16)
})

test('two hundred sends at once from three processes: all mined, each once, no nonce lost', async () => {
  await using s = await stage({ relayers: 2 })
  const processes = [s.relay, s.process(), s.process()]
  const refs = await s.queue(200)
  const sent = await Promise.all(refs.map((ref, i) => sendAndWait(processes[i % 3]!, ref, WAIT_MS)))
  expect(sent.filter((send) => send?.succeeded)).toHaveLength(200)
  expect((await s.count(0)) + (await s.count(1))).toBe(200)
  // Nobody waits any more: each process has stopped asking the chain.
  await until(
    () => processes.some(({ waiting }) => waiting.loop),
    (seen) => expect(seen).toBe(false),
  )
})

test('one send carried by many at once has one nonce and one transaction', async () => {
  await using s = await stage()
  const [other, [ref = '']] = [s.process(), await s.queue()]
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, i) => sendAndWait(i % 2 ? other : s.relay, ref, WAIT_MS)),
  )
  expect(new Set(sent.map((send) => send?.hash)).size).toBe(1)
  expect(await s.count()).toBe(1)
})

test('a nonce that something else used: another is taken once that is safe, not before', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  await s.drop(ref)
  const account = privateKeyToAccount(s.keys[0]!)
  const wallet = createWalletClient({ account, transport: http(s.rpcUrl) })
  await wallet.sendTransaction({ chain: null, to: account.address, nonce: 0 })
  await s.mine()
  await s.maintain()
  await s.maintain()
  expect(await s.find(ref)).toMatchObject({
    state: 'signed',
    nonce: 0n,
    passedBlock: expect.any(BigInt),
  })
  await s.mine(8)
  await s.maintain()
  expect(await s.find(ref)).toMatchObject({ state: 'signed', nonce: 1n })
  await s.untilOver()
  expect(await s.find(ref)).toMatchObject({ state: 'mined', succeeded: true, isSafe: true })
})

test('a nonce that was given out and lost is filled, so that those behind it go through', async () => {
  await using s = await stage({ mines: false })
  await s.relay.db.write((tx) =>
    sql`insert into chain_relayers (address, next_nonce) values (${s.addresses[0]}, 2)`.execute(tx),
  )
  const [ref = ''] = await s.queue()
  await submitSend(s.relay, ref)
  await s.mine()
  expect(await checkSend(s.relay, ref)).toBeUndefined()
  await s.maintain()
  await s.mine()
  expect(await checkSend(s.relay, ref)).toMatchObject({ nonce: 2n, succeeded: true })
  await s.untilOver()
  expect(await s.count()).toBe(3)
})

test('an attempt that was given up is mined after all: whoever has its nonce now takes another', async () => {
  await using s = await stage({ mines: false })
  const [first = '', second = ''] = await s.queue(2)
  await submitSend(s.relay, first)
  const left = await s.find(first)
  await s.drop(first)
  await s.relay.db.write((tx) => requeue(tx, left))
  await submitSend(s.relay, second)
  expect(await s.find(second)).toMatchObject({ state: 'signed', nonce: 0n })
  await s.drop(second)
  await s.call('eth_sendRawTransaction', `0x${left.raw!.toString('hex')}`)
  await s.mine()
  expect(await checkSend(s.relay, first)).toMatchObject({ state: 'mined', hash: left.hash })
  expect(await s.find(second)).toMatchObject({ state: 'queued', nonce: null })
  await s.untilOver(15)
  expect(await s.find(second)).toMatchObject({ state: 'mined', nonce: 1n, succeeded: true })
})

test.each(['before the signature', 'before the broadcast', 'before the receipt'])(
  'a process that died %s: the job ends its send',
  async (when) => {
    await using s = await stage()
    const [ref = ''] = await s.queue()
    const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
    const dead = { ...s.relay.chain, rpc: Object.create(s.relay.chain.rpc, dies) }
    if (when === 'before the broadcast')
      await expect(submitSend({ ...s.relay, chain: dead }, ref)).rejects.toThrow()
    if (when === 'before the receipt') await submitSend(s.relay, ref)
    const { hash } = await s.find(ref)
    await s.untilOver(15)
    const ended = await s.find(ref)
    expect(ended).toMatchObject({ state: 'mined', succeeded: true, isSafe: true })
    // On a busy machine blocks pass before the job looks, and it signs again with more.
    const attempts = (await s.attempts(ref)).map((attempt) => attempt.hash)
    if (hash) expect(attempts[0]).toBe(hash)
    expect(attempts).toContain(ended.hash)
    expect(await s.count()).toBe(1)
  },
)

test('a reorganization that takes the block away: the send is broadcast again and ends', async () => {
  await using s = await stage({ mines: false })
  const [ref = ''] = await s.queue()
  await s.mine(6)
  const before = await s.call('evm_snapshot')
  await submitSend(s.relay, ref)
  await s.mine()
  const mined = await checkSend(s.relay, ref)
  expect(mined).toMatchObject({ state: 'mined', isSafe: false })
  await s.call('evm_revert', before)
  await s.call('anvil_mine', '0x2', '0x7')
  await s.maintain()
  expect(await s.find(ref)).toMatchObject({ state: 'signed', hash: mined?.hash })
  await s.untilOver()
  const ended = await s.find(ref)
  expect(ended).toMatchObject({ state: 'mined', isSafe: true, hash: mined?.hash })
  expect(ended.blockHash).not.toBe(mined?.blockHash)
  expect(await s.count()).toBe(1)
})

test('an RPC of another chain gets no transaction, and its nonces are ignored', async () => {
  await using s = await stage()
  const [ref = ''] = await s.queue()
  const lost = s.process(s.rpcUrl, { ...asset, chainId: 8453 })
  for (const act of [() => submitSend(lost, ref), () => maintainSends(lost, new Date())])
    await expect(act()).rejects.toMatchObject({
      code: 'chain_unavailable',
      cause: { message: expect.stringContaining('it answers as eip155:84532') },
    })
  expect(await s.find(ref)).toMatchObject({ state: 'queued', nonce: null })
})

test('a nonce that is given out while gaps are looked for is no gap', async () => {
  await using s = await stage()
  const [first = '', second = ''] = await s.queue(2)
  await sendAndWait(s.relay, first, WAIT_MS)
  const { db } = s.relay
  const relayer = s.addresses[0]!
  const { promise: given, resolve: isGiven } = Promise.withResolvers<void>()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { id: sendId } = await s.find(second)
  const giving = db.write(async (tx) => {
    await assignNonce(tx, { sendId, relayer, count: 1 })
    isGiven()
    await mayCommit
  })
  await given
  const looking = db.write((tx) => lockGaps(tx, { relayer, count: 1, limit: 16 }))
  const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    async () => (await all(db.reader, waits)).length,
    (seen) => expect(seen).toBe(1),
  )
  commit()
  await giving
  expect(await looking).toEqual([])
})
