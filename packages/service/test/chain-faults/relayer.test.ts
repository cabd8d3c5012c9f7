import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { balanceOf } from '../actors/attack-kit.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

const ETHER = 10n ** 18n
const hex = (value: bigint): string => `0x${value.toString(16)}`

/** A requested withdrawal whose job has not run yet. */
async function asked(own: OwnWorld) {
  const user = await own.w.user({ treasury: 10 })
  const reply = await user.post('/api/withdraw', { amount: 4 })
  expect([reply.status, reply.body.status], reply.text).toEqual([200, 'PROCESSING'])
  const id = reply.body.withdrawal_id
  const status = async () =>
    (await user.get(`/api/withdrawals?id=${id}`)).body.withdrawals[0].status as string
  return {
    status,
    async expectPaidOnce() {
      await own.until(async () => (await status()) === 'COMPLETED', 11)
      expect(await own.usdcOf(user.wallet)).toBe(3_950_000n)
      expect(await balanceOf(user)).toBe(6)
      await own.expectBooksToMatch()
    },
  }
}

/** Waits until the payout is in the pool. No block takes it meanwhile. */
async function untilOffered(own: OwnWorld): Promise<void> {
  await own.pending(1)
}

test('the base fee leaps while a payout waits: it is offered more, and paid once', async () => {
  await using own = await ownWorld()
  const payout = await asked(own)
  const job = own.w.runJobs()
  await untilOffered(own)
  await own.call('anvil_setNextBlockBaseFeePerGas', hex(500n * 10n ** 9n))
  await own.blocks(1)
  await own.during(job)
  await payout.expectPaidOnce()
})

test('the pool forgets a payout: it is broadcast again, and paid once', async () => {
  await using own = await ownWorld()
  const payout = await asked(own)
  const job = own.w.runJobs()
  await untilOffered(own)
  await own.call('anvil_dropAllTransactions')
  await own.blocks(2)
  await own.during(job)
  await payout.expectPaidOnce()
})

test('somebody uses the relayer key beside the service: a payout whose nonce is gone is paid once', async () => {
  await using own = await ownWorld()
  const payout = await asked(own)
  const job = own.w.runJobs()
  await untilOffered(own)
  await own.call('anvil_dropAllTransactions')
  const account = privateKeyToAccount(own.w.relayerKey)
  const wallet = createWalletClient({ account, transport: http(own.rpcUrl) })
  const stranger = { chain: null, to: account.address, value: 1n } as const
  await own.w.mined(await wallet.sendTransaction(stranger))
  await own.w.mined(await wallet.sendTransaction(stranger))
  await own.during(job)
  await payout.expectPaidOnce()
})

test('a relayer without gas is an alarm; the payout waits, and is paid once there is some', async () => {
  await using own = await ownWorld()
  const relayer = own.w.chain.relayers[0]!.address
  await own.call('anvil_setBalance', relayer, '0x0')
  const payout = await asked(own)
  await own.during(own.w.runJobs())
  await own.until(async () => (await own.alarms()).includes('relayer_gas_out'))
  expect(await payout.status()).toBe('PROCESSING')
  await own.call('anvil_setBalance', relayer, hex(ETHER))
  await payout.expectPaidOnce()
  await own.until(async () => (await own.alarms()).length === 0)
})
