import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { settle } from '../../../../test/actors/facilitator-kit.ts'
import {
  approve,
  askByPermit,
  callOfPermit,
  cancelPermit,
  carryPermitsByContract,
  DEV,
  FUNDS,
  giveDev,
  PRICE,
  permitPayer,
  permitShop,
} from '../../../../test/actors/permit2-kit.ts'
import { until } from '../../../../test/until.ts'
import { type World, world } from '../../../../test/world.ts'
import { MULTICALL3 } from '../../../chain/client/multicall.ts'

const reasonOf = async (seller: Parameters<typeof settle>[0], body: object) =>
  (await settle(seller, body)).body.errorReason
const finalities = async (w: World, seller: Parameters<typeof settle>[0]) => {
  await w.advance(5)
  await w.runJobs()
  const { settlements } = (await seller.get('/api/x402/settlements')).body
  return settlements.map(({ finality }: { finality: string }) => finality)
}

test('permits that another contract has carried settle, each once, by the logs of their own transfers', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  const [one, two] = [await askByPermit(payer, payTo), await askByPermit(payer, payTo)]
  const hash = await carryPermitsByContract([callOfPermit(one), callOfPermit(two)])
  const replies = [await settle(seller, one.body), await settle(seller, two.body)]
  for (const { body } of replies)
    expect(body).toMatchObject({ success: true, transaction: hash, payer: payer.address })
  for (const { body } of [one, two])
    expect(await reasonOf(seller, body)).toBe('duplicate_settlement')
  expect(await paid()).toBe(2n * PRICE)
  await w.safe()
  await until(
    () => finalities(w, seller),
    (seen) => expect(seen).toEqual(['final', 'final']),
  )
})

test('a transfer of the same amount beside a nonce that was cancelled, or used before, is no payment of it', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  // Another payment of the same amount through the proxy, and this permit cancelled before or after it.
  const [before, other, after] = await Promise.all(
    Array.from({ length: 3 }, () => askByPermit(payer, payTo)),
  )
  await cancelPermit(payer, before!.permit.nonce)
  await carryPermitsByContract([callOfPermit(other!)])
  await cancelPermit(payer, after!.permit.nonce)
  for (const { body } of [before!, after!])
    expect(await reasonOf(seller, body)).toBe('permit2_invalid_nonce')
  expect((await settle(seller, other!.body)).body.success).toBe(true)

  // A plain transfer in the transaction that uses the nonce for another payee.
  const nonce = (await askByPermit(payer, payTo)).permit.nonce
  const elsewhere = await askByPermit(payer, MULTICALL3, { permit: { nonce } })
  const wanted = await askByPermit(payer, payTo, { permit: { nonce } })
  await giveDev({ to: MULTICALL3, amount: PRICE, rpcUrl: w.rpcUrl })
  const abi = parseAbi([
    'function transfer(address to, uint256 value)',
    'function transferFrom(address from, address to, uint256 value)',
  ])
  await approve(payer, DEV.contract, { value: FUNDS })
  const callData = encodeFunctionData({ abi, functionName: 'transfer', args: [payTo, PRICE] })
  await carryPermitsByContract([callOfPermit(elsewhere), { target: DEV.contract, callData }])
  expect(await reasonOf(seller, wanted.body)).toBe('permit2_invalid_nonce')
  expect(await paid()).toBe(2n * PRICE)
})
