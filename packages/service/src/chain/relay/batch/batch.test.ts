import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { asset, CHAIN_ID, relayStage } from '../../../../test/relay/relay-stage.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { DEV_SETTLER } from '../../../run/embedded/dev/chain.ts'
import { independentCalls, MULTICALL3 } from '../../client/multicall.ts'
import { defaultRail } from '../../client/rails.ts'
import { isAuthorizationUsed } from '../../client/reads.ts'
import { findSend, type Send, sendAndWait } from '../send.ts'
import { findAttempts } from '../store.ts'
import { submitSend } from '../submit/submit-send.ts'
import { itemsOf } from './items.ts'
import { isSettler, settlerOf } from './settler.ts'

test('many payments share transactions, and each is found by its own log', async () => {
  await using s = await relayStage()
  const sends = await s.payments(130)
  await s.queue(sends)
  expect(await s.submit(sends)).toMatchObject({ isAll: true, failures: new Map() })
  await s.mine()
  await s.maintain()
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
  await using s = await relayStage()
  const poor = privateKeyToAccount(generatePrivateKey())
  const bad = await s.payment(5n, poor)
  const sends = [...(await s.payments(3)), bad]
  await s.queue(sends)
  await s.submit(sends)
  await s.mine()
  await s.maintain()
  expect(await findSend(s.relay, bad.ref)).toMatchObject({
    state: 'mined',
    succeeded: false,
    logIndexes: [null],
  })
  expect(await s.balance(sends[0]!.payee)).toBe(1_000n)
  expect(await s.submit(sends)).toMatchObject({ isAll: true })
  await s.mine()
  await s.maintain()
  expect(await s.transactions()).toBe(1)
})

test('one that somebody else carried first is done, and is not sent again', async () => {
  await using s = await relayStage({ relayers: 1 })
  const sends = await s.payments(3)
  const [taken] = sends
  await s.queue(sends)
  await s.submit(sends)
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
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  } as never)
  await s.call('eth_sendRawTransaction', raw)
  await s.mine()
  await s.maintain()
  const states = await s.find(sends)
  expect(states.filter(({ succeeded }) => succeeded)).toHaveLength(2)
  expect(await findSend(s.relay, taken!.ref)).toMatchObject({
    state: 'mined',
    succeeded: false,
    logIndexes: [null],
    isAlone: false,
  })
  expect(await s.balance(taken!.payee)).toBe(1_000n)
  expect(await s.transactions()).toBe(1)
})

test('two authorizations of one send share a batch: transfer and sweep in the same batch', async () => {
  await using s = await relayStage()
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
  await s.submit(sends)
  await s.mine()
  await s.maintain()
  expect(await s.transactions()).toBe(1)
  for (const { ref } of sends.slice(0, 2))
    expect((await findSend(s.relay, ref))?.logIndexes?.every((log) => log !== null)).toBe(true)
})

test('a process that dies before the broadcast leaves a batch that another brings to its end, once', async () => {
  await using s = await relayStage()
  const sends = await s.payments(20)
  await s.queue(sends)
  const dies = { sendRawTransaction: { value: () => Promise.reject(new Error('killed')) } }
  const dying = {
    ...s.relay,
    chain: { ...s.relay.chain, rpc: Object.create(s.relay.chain.rpc, dies) },
  }
  expect((await s.submit(sends, dying)).failures.size).toBe(20)
  expect(await s.batches()).toHaveLength(1)
  // Two processes wait for them now: which payment is in which batch is not decided again.
  const waits = [s.relay, s.other()].flatMap((relay) =>
    sends.map(({ ref }) => sendAndWait(relay, ref, 120_000)),
  )
  const ended = await s.mineDuring(Promise.all(waits))
  for (const send of ended) expect(send).toMatchObject({ state: 'mined', succeeded: true })
  expect(await s.batches()).toHaveLength(1)
  expect(await s.transactions()).toBe(1)
})

test('any number of processes carry the same sends at once: every payment is in one transaction', async () => {
  await using s = await relayStage({ relayers: 3 })
  const sends = await s.payments(60)
  await s.queue(sends)
  await Promise.all(
    [s.relay, s.other(), s.other(), s.other()].map((relay) => s.submit(sends, relay)),
  )
  await s.mine()
  await s.untilOver()
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', succeeded: true })
  const items = (await s.find(sends)).filter(({ batchId }) => batchId !== null)
  expect(items).toHaveLength(60)
  expect(await s.transactions()).toBe((await s.batches()).length)
})

test('a reorganization takes a batch away: its payments wait, and are mined once more with it', async () => {
  await using s = await relayStage()
  const sends = await s.payments(5)
  await s.queue(sends)
  await s.submit(sends)
  await s.mine()
  await s.maintain()
  const [before] = await s.find(sends)
  expect(before).toMatchObject({ state: 'mined', isSafe: false })
  await s.call('anvil_reorg', 1, [])
  await s.maintain()
  await s.untilOver()
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', isSafe: true })
  for (const { payee } of sends) expect(await s.balance(payee)).toBe(1_000n)
})

test('a base fee many times higher: the batch is signed again by an eighth or more, under its nonce', async () => {
  await using s = await relayStage({ relayers: 1 })
  const sends = await s.payments(4)
  await s.queue(sends)
  await s.submit(sends)
  const [batch] = await s.batches()
  const [first] = await findAttempts(s.relay.db.reader, [batch!.id])
  await s.call('anvil_setNextBlockBaseFeePerGas', `0x${(first!.maxFee * 20n).toString(16)}`)
  await s.mine()
  expect(await s.transactions()).toBe(0)
  await s.maintain()
  const attempts = await findAttempts(s.relay.db.reader, [batch!.id])
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
  await using s = await relayStage({ relayers: 1, gas: 8n * 10n ** 14n })
  const sends = await s.payments(8)
  await s.queue(sends)
  // They wait, and no failure is reported.
  expect(await s.submit(sends)).toEqual({ isAll: false, failures: new Map() })
  expect(await s.batches()).toHaveLength(0)
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ batchId: null, isAlone: true })
})

test('what is not BatchSettler is never sent to, and without it every payment goes alone', async () => {
  await using s = await relayStage({ settler: MULTICALL3 })
  expect(await isSettler(s.relay.chain, DEV_SETTLER)).toBe(true)
  expect(await settlerOf(s.relay)).toBeUndefined()
  const sends = await s.payments(3)
  await s.queue(sends)
  await s.submit(sends)
  await s.mine()
  await s.maintain()
  expect(await s.transactions()).toBe(3)
  for (const send of await s.find(sends))
    expect(send).toMatchObject({ state: 'mined', batchId: null })
})

test('only a send that submits authorizations to our token, and does nothing else, may be a batch item', async () => {
  await using s = await relayStage()
  const good = await s.payment()
  const read = (to: `0x${string}`, data: string) =>
    itemsOf(s.relay.chain, { toAddress: to, data: Buffer.from(data.slice(2), 'hex') })
  const [item] = read(good.to, good.data) ?? []
  expect(item?.authorization).toMatchObject({
    from: s.payer.address,
    to: good.payee,
    value: 1_000n,
  })
  expect(
    await isAuthorizationUsed(
      defaultRail(s.relay.chain),
      s.payer.address,
      item!.authorization.nonce,
    ),
  ).toBe(false)
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
  await submitSend(s.relay, good.ref)
  expect((await findSend(s.relay, good.ref))?.batchId).toBeNull()
})
