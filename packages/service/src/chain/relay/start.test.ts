import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { relayStage } from '../../../test/relay/relay-stage.ts'
import { pause } from '../../../test/until.ts'
import { one, sql, type Tx } from '../../base/db/sql.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { MULTICALL3 } from '../client/multicall.ts'
import type { Started } from './batch/store.ts'
import { takeTurn } from './nonce.ts'
import { findSend, type Send } from './send.ts'
import { readStart, startSends } from './start.ts'
import { type Ended, findAttempts } from './store.ts'
import { waitForSend } from './wait/wait-for-send.ts'

type Stage = Awaited<ReturnType<typeof relayStage>>

/** Once the relayers have rows: a relayer that never sent has none until something was carried by it. */
async function opened(options: Parameters<typeof relayStage>[0] = {}): Promise<Stage> {
  const s = await relayStage(options)
  await s.relay.db.write(async (tx) => {
    for (const { address } of s.relayers)
      await sql`insert into chain_relayers (address) values (${address})`.execute(tx)
  })
  return s
}

/** Starts the sends as a claim does; `beside` is what else the transaction does. */
async function start(
  { relay }: Stage,
  calls: readonly Send[],
  beside: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<Started | undefined> {
  const known = await readStart(relay)
  return relay.db.write(async (tx) => {
    const turn = await takeTurn(tx, known)
    const at = addSeconds(new Date(), -60)
    const started = await startSends(tx, at, { start: known, turn, calls })
    await beside(tx)
    return started
  })
}

/** Waits for each with an ending, while blocks come. */
async function waitFor<Outcome>(
  s: Stage,
  sends: readonly Send[],
  options: {
    started: Started | undefined
    timeoutMs?: number
    run: (tx: Tx, ended: readonly (Ended & { intent: string })[]) => Promise<Outcome[]>
  },
) {
  const { started, timeoutMs = 120_000, run } = options
  const waits = sends.map(({ ref }) =>
    waitForSend(s.relay, { ref, timeoutMs, started, ending: { intent: ref, run } }),
  )
  return s.mineDuring(Promise.all(waits))
}

test('batch, nonce and signed bytes are one commit: a process that dies after it has lost nothing', async () => {
  await using s = await opened()
  const sends = await s.payments(5)
  const started = await start(s, sends)
  expect(started?.send).toMatchObject({ state: 'signed', nonce: 0n })
  expect(started?.items.map(({ ref }) => ref)).toEqual(sends.map(({ ref }) => ref))
  const { id, hash } = started!.send
  expect(await findAttempts(s.relay.db.reader, [id])).toMatchObject([{ hash, nonce: 0n }])
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'queued', batchId: id, raw: null })
  // Nobody has broadcast it: another process finds it.
  expect(await s.transactions()).toBe(0)
  await s.maintain(s.other())
  await s.untilOver()
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', succeeded: true, hash })
  expect(await s.transactions()).toBe(1)
})

test('what is rolled back takes no nonce', async () => {
  await using s = await opened({ relayers: 1 })
  const sends = await s.payments(2)
  const refused = start(s, sends, () => Promise.reject(new Error('refused')))
  await expect(refused).rejects.toThrow('refused')
  expect((await start(s, sends))?.send.nonce).toBe(0n)
  expect((await start(s, await s.payments(2)))?.send.nonce).toBe(1n)
})

test('many start at once: each transaction has a nonce of its own, and every payment is made', async () => {
  await using s = await opened({ relayers: 3 })
  const groups = await Promise.all(Array.from({ length: 8 }, () => s.payments(4)))
  const all = await Promise.all(groups.map((sends) => start(s, sends)))
  const taken = all.flatMap((started) => (started ? [started.send] : []))
  expect(new Set(taken.map(({ relayer, nonce }) => `${relayer} ${nonce}`)).size).toBe(taken.length)
  await s.untilOver()
  for (const send of await s.find(groups.flat()))
    expect(send).toMatchObject({ state: 'mined', succeeded: true })
})

test('a single send has its own transaction; one that may not join a batch waits', async () => {
  await using s = await opened()
  const [alone, ...others] = await s.payments(3)
  const started = await start(s, [alone!])
  expect(started).toMatchObject({ send: { ref: alone!.ref, state: 'signed' }, items: [] })
  const foreign: Send = { ref: 'test:foreign', to: MULTICALL3, data: '0x', gas: 30_000n }
  const batch = await start(s, [...others, foreign])
  expect(batch?.items.map(({ ref }) => ref)).toEqual(others.map(({ ref }) => ref))
  expect(await findSend(s.relay, foreign.ref)).toMatchObject({ state: 'queued', batchId: null })
})

test('a key that others keep is not asked while the database waits', async () => {
  let asked = 0
  await using s = await opened({
    signerOf: ({ address, signTypedData, signTransaction }) => ({
      address,
      signTypedData,
      signTransaction(...given) {
        asked++
        return signTransaction(...given)
      },
    }),
  })
  const sends = await s.payments(3)
  const started = await start(s, sends)
  expect(asked).toBe(0)
  expect(started?.send).toMatchObject({ state: 'queued', nonce: 0n, hash: null })
  await waitFor(s, sends, { started, run: async (_, ended) => ended.map(() => 'ended') })
  expect(asked).toBe(1)
  for (const send of await s.find(sends)) expect(send.state).toBe('mined')
})

test('an ending is written in the transaction that writes the block down, once for all', async () => {
  await using s = await opened()
  const poor = privateKeyToAccount(generatePrivateKey())
  const sends = await s.payments(3)
  const bad = await s.payment(5n, poor)
  const started = await start(s, [...sends, bad])
  const runs: string[][] = []
  const run = async (tx: Tx, ended: readonly (Ended & { intent: string })[]) => {
    runs.push(ended.map(({ intent }) => intent))
    // In the transaction the block is known; outside it is not, until this commits.
    const inside = await one<{ n: bigint }>(
      tx,
      sql`select count(*) as n from chain_sends where batch_id is not null and state = 'mined'`,
    )
    const outside = (await s.find(sends)).filter(({ state }) => state === 'mined')
    return ended.map(({ mined }) => ({ mined, inside: inside?.n, outside: outside.length }))
  }
  const waited = await waitFor(s, [...sends, bad], { started, run })
  expect(runs).toEqual([[...sends, bad].map(({ ref }) => ref)])
  for (const one of waited.slice(0, 3))
    expect(one).toMatchObject({
      outcome: { mined: { succeeded: true }, inside: 4n, outside: 0 },
    })
  // The token refuses this one, so it is not sent again, alone, for nothing.
  expect(waited[3]).toMatchObject({ outcome: { mined: { succeeded: false, logIndexes: [null] } } })
})

test('an ending that is refused keeps nobody from hearing of the block', async () => {
  await using s = await opened()
  const sends = await s.payments(2)
  const started = await start(s, sends)
  const run = async (tx: Tx) => {
    await sql`select 1 / 0`.execute(tx)
    return []
  }
  const waited = await waitFor(s, sends, { started, run })
  for (const one of waited) expect(one).toMatchObject({ send: { state: 'mined', succeeded: true } })
})

test('who waits is not given up while the end is written down', async () => {
  await using s = await opened()
  const sends = await s.payments(2)
  const started = await start(s, sends)
  // The database ends a transaction that does nothing for three seconds.
  const timeoutMs = 2_000
  const run = async (_: Tx, ended: readonly Ended[]) => {
    await pause(timeoutMs + 500)
    return ended.map(() => 'ended')
  }
  const waited = await waitFor(s, sends, { started, timeoutMs, run })
  expect(waited).toEqual([{ outcome: 'ended' }, { outcome: 'ended' }])
})
