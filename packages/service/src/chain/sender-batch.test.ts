import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { asset, CHAIN_ID, senderStage } from '../../test/sender-stage.ts'
import { DEV_SETTLER } from '../embedded/dev/chain.ts'
import { randomHex } from '../kernel/secrets.ts'
import { independentCalls, MULTICALL3 } from './multicall.ts'
import { isAuthorizationUsed } from './reads.ts'
import { type Send, sendAndWait } from './sender.ts'
import { broadcastSend, findSend } from './sender-carry.ts'
import { itemsOf } from './sender-items.ts'
import { isSettler, settlerOf } from './sender-settler.ts'
import { findAttempts } from './sender-store.ts'

test('many payments share transactions, and each is told by its own log', async () => {
  await using s = await senderStage()
  const sends = await s.payments(130)
  await s.queue(sends)
  expect(await s.carry(sends)).toMatchObject({ isAll: true, failures: new Map() })
  await s.mine()
  await s.tend()
  expect(await s.transactions()).toBe(2)
  const states = await s.find(sends)
  for (const send of states) {
    expect(send).toMatchObject({ state: 'mined', succeeded: true, relayer: null, nonce: null })
    expect(send.logIndexes).toHaveLength(1)
  }
  // One log each, in one of two transactions.
  expect(new Set(states.map((send) => `${send.hash} ${send.logIndexes}`)).size).toBe(130)
  for (const { payee } of sends) expect(await s.balance(payee)).toBe(1_000n)
  await s.untilOver()
  for (const send of await s.find(sends)) expect(send.isSafe).toBe(true)
})

test('one that the token refuses stops no other, and is not sent again for nothing', async () => {
  await using s = await senderStage()
  const poor = privateKeyToAccount(generatePrivateKey())
  const bad = await s.payment(5n, poor)
  const sends = [...(await s.payments(3)), bad]
  await s.queue(sends)
  await s.carry(sends)
  await s.mine()
  await s.tend()
  expect(await findSend(s.deps, bad.ref)).toMatchObject({
    state: 'mined',
    succeeded: false,
    logIndexes: [null],
  })
  expect(await s.balance(sends[0]!.payee)).toBe(1_000n)
  expect(await s.carry(sends)).toMatchObject({ isAll: true })
  await s.mine()
  await s.tend()
  expect(await s.transactions()).toBe(1)
})

test('one that somebody else carried first is done, and is not sent again', async () => {
  await using s = await senderStage({ relayers: 1 })
  const sends = await s.payments(3)
  const [taken] = sends
  await s.queue(sends)
  await s.carry(sends)
  const runner = privateKeyToAccount(generatePrivateKey())
  await s.call('anvil_setBalance', runner.address, '0xde0b6b3a7640000')
  const raw = await runner.signTransaction({
    ...{
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce: 0,
      to: taken!.to,
      data: taken!.data,
      gas: 200_000n,
    },
    ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n },
  } as never)
  await s.call('eth_sendRawTransaction', raw)
  await s.mine()
  await s.tend()
  const states = await s.find(sends)
  expect(states.filter(({ succeeded }) => succeeded)).toHaveLength(2)
  expect(await findSend(s.deps, taken!.ref)).toMatchObject({
    state: 'mined',
    succeeded: false,
    logIndexes: [null],
    isAlone: false,
  })
  expect(await s.balance(taken!.payee)).toBe(1_000n)
  expect(await s.transactions()).toBe(1)
})

test('two authorizations of one send ride together: transfer and sweep in the same batch', async () => {
  await using s = await senderStage()
  const middle = privateKeyToAccount(generatePrivateKey())
  const pair = async (): Promise<Send> => {
    const from = privateKeyToAccount(generatePrivateKey())
    const parts = [await s.payment(700n, s.payer), await s.payment(0n, from)]
    return {
      ref: `pair:${randomHex(8)}`,
      to: MULTICALL3,
      data: independentCalls(
        asset.contract,
        parts.map(({ data }) => data),
      ),
      gas: 400_000n,
    }
  }
  const sends = [await pair(), await pair(), { ...(await s.payment(0n, middle)) }]
  await s.queue(sends)
  await s.carry(sends)
  await s.mine()
  await s.tend()
  expect(await s.transactions()).toBe(1)
  for (const { ref } of sends.slice(0, 2))
    expect((await findSend(s.deps, ref))?.logIndexes?.every((log) => log !== null)).toBe(true)
})

test('a process that dies before the broadcast leaves a batch that another brings to its end, once', async () => {
  await using s = await senderStage()
  const sends = await s.payments(20)
  await s.queue(sends)
  const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
  const dying = {
    ...s.deps,
    chain: { ...s.deps.chain, rpc: Object.create(s.deps.chain.rpc, dies) },
  }
  expect((await s.carry(sends, dying)).failures.size).toBe(20)
  expect(await s.carriers()).toHaveLength(1)
  // Two processes wait for them now: who rides in which transaction is not decided again.
  const waits = [s.deps, s.other()].flatMap((deps) =>
    sends.map(({ ref }) => sendAndWait(deps, ref, 20_000)),
  )
  const mining = setInterval(() => void s.mine(), 200)
  const ended = await Promise.all(waits).finally(() => clearInterval(mining))
  for (const send of ended) expect(send).toMatchObject({ state: 'mined', succeeded: true })
  expect(await s.carriers()).toHaveLength(1)
  expect(await s.transactions()).toBe(1)
})

test('any number of processes carry the same sends at once: every payment is in one transaction', async () => {
  await using s = await senderStage({ relayers: 3 })
  const sends = await s.payments(60)
  await s.queue(sends)
  await Promise.all([s.deps, s.other(), s.other(), s.other()].map((deps) => s.carry(sends, deps)))
  await s.mine()
  await s.untilOver()
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', succeeded: true })
  const riders = (await s.find(sends)).filter(({ batchId }) => batchId !== null)
  expect(riders).toHaveLength(60)
  expect(await s.transactions()).toBe((await s.carriers()).length)
})

test('a reorganization takes a batch away: its payments wait, and are mined once more with it', async () => {
  await using s = await senderStage()
  const sends = await s.payments(5)
  await s.queue(sends)
  await s.carry(sends)
  await s.mine()
  await s.tend()
  const [before] = await s.find(sends)
  expect(before).toMatchObject({ state: 'mined', isSafe: false })
  await s.call('anvil_reorg', 1, [])
  await s.tend()
  await s.untilOver()
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', isSafe: true })
  for (const { payee } of sends) expect(await s.balance(payee)).toBe(1_000n)
})

test('a base fee many times higher: the batch is signed again by an eighth or more, under its nonce', async () => {
  await using s = await senderStage({ relayers: 1 })
  const sends = await s.payments(4)
  await s.queue(sends)
  await s.carry(sends)
  const [carrier] = await s.carriers()
  const [first] = await findAttempts(s.deps.db.reader, [carrier!.id])
  await s.call('anvil_setNextBlockBaseFeePerGas', `0x${(first!.maxFee * 20n).toString(16)}`)
  await s.mine()
  expect(await s.transactions()).toBe(0)
  await s.tend()
  const attempts = await findAttempts(s.deps.db.reader, [carrier!.id])
  const last = attempts.at(-1)!
  expect(attempts.length).toBeGreaterThan(1)
  expect(last.nonce).toBe(first!.nonce)
  expect(last.maxFee * 8n).toBeGreaterThanOrEqual(first!.maxFee * 9n)
  expect(last.maxTip * 8n).toBeGreaterThanOrEqual(first!.maxTip * 9n)
  await s.untilOver()
  expect(await s.transactions()).toBe(1)
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ succeeded: true, isSafe: true })
})

test('a batch that no relayer can pay for is taken apart: its payments go one by one', async () => {
  // Enough for a transfer of 160,000 gas at today's fee, too little for the batch.
  await using s = await senderStage({ relayers: 1, gas: 8n * 10n ** 14n })
  const sends = await s.payments(8)
  await s.queue(sends)
  // They wait, and nobody is told of a failure.
  expect(await s.carry(sends)).toEqual({ isAll: false, failures: new Map() })
  expect(await s.carriers()).toHaveLength(0)
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ batchId: null, isAlone: true })
})

test('what is not BatchSettler is never sent to, and without it every payment goes alone', async () => {
  await using s = await senderStage({ settler: MULTICALL3 })
  expect(await isSettler(s.deps.chain, DEV_SETTLER)).toBe(true)
  expect(await settlerOf(s.deps.chain)).toBeUndefined()
  const sends = await s.payments(3)
  await s.queue(sends)
  await s.carry(sends)
  await s.mine()
  await s.tend()
  expect(await s.transactions()).toBe(3)
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', batchId: null })
})

test('only what hands authorizations to our token, and does nothing else, may ride', async () => {
  await using s = await senderStage()
  const good = await s.payment()
  const read = (to: `0x${string}`, data: string) =>
    itemsOf(s.deps.chain, { toAddress: to, data: Buffer.from(data.slice(2), 'hex') })
  const [item] = read(good.to, good.data) ?? []
  expect(item?.authorization).toMatchObject({
    from: s.payer.address,
    to: good.payee,
    value: 1_000n,
  })
  expect(await isAuthorizationUsed(s.deps.chain, s.payer.address, item!.authorization.nonce)).toBe(
    false,
  )
  const others: [`0x${string}`, string][] = [
    [DEV_SETTLER, good.data],
    [good.to, '0x'],
    [good.to, `${good.data}00`],
    [good.to, good.data.replace('cf092995', 'a9059cbb')],
    [MULTICALL3, independentCalls(DEV_SETTLER, [good.data])],
    [MULTICALL3, independentCalls(good.to, [good.data, '0x'])],
    [MULTICALL3, '0x12345678'],
  ]
  for (const [to, data] of others) expect(read(to, data)).toBeUndefined()
  await s.queue([good])
  await broadcastSend(s.deps, good.ref)
  expect((await findSend(s.deps, good.ref))?.batchId).toBeNull()
})
