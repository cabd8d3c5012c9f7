import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  present,
  report,
  reportTo,
  x402Payer,
} from '../../../../test/actors/direct/direct-kit.ts'
import { receiveX402 } from '../../../../test/actors/link-kit.ts'
import { credentialOf, withCredential } from '../../../../test/actors/mpp-payers.ts'
import { DEV, giveDev, permitPayer, registerToken } from '../../../../test/actors/permit2-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'

let w: World
let s: DirectSeller
let base: string
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
  s = await directSeller(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const urlOf = ({ code }: { code: string }) => `${base}/pay/${code}`
const dollars = () => freshAccount({ usdc: 5_000_000n })
const receive = async (header: string, link: { code: string }, by = s.seller) =>
  (await receiveX402(by, header, urlOf(link))).body

/** Pays and has the payment received: before it settled, by a stranger, the first time, and again. */
async function receiveTwice(link: { code: string }, header: string) {
  expect(await receive(header, link)).toMatchObject({ verified: false, reason: 'not_settled' })
  const paid = await present(urlOf(link), header)
  const { settlement_id } = (await paid.json()) as any
  expect(paid.status).toBe(200)
  expect(await receive(header, link, await w.user())).toMatchObject({ verified: false })
  for (const already_used of [false, true])
    expect(await receive(header, link)).toEqual({
      verified: true,
      already_used,
      settlement_id,
      resource: urlOf(link),
    })
  return settlement_id as string
}

test('a DIRECT payment in USDC is verified once it has settled, and used once', async () => {
  const [link, other] = [await s.open({ max_uses: 0 }), await s.open({ max_uses: 0 })]
  const payer = await dollars()
  const header = await x402Payer(payer).header(urlOf(link))
  const id = await receiveTwice(link, header)
  // The same authorization pays no other link of the seller.
  expect((await receive(header, other)).reason).toBe('duplicate_settlement')
  const json = JSON.parse(Buffer.from(header, 'base64').toString())
  json.payload.signature = await payer.signMessage({ message: 'mine' })
  expect((await receive(Buffer.from(JSON.stringify(json)).toString('base64'), link)).reason).toBe(
    'invalid_exact_evm_signature',
  )
  // The database lets nobody else use it up, nor what is an exception or went missing.
  const row = sql`insert into received_payments values (${id}, ${payer.address}, 'x', now())`
  await expect(w.write((tx) => row.execute(tx))).rejects.toThrow('was not paid to')
})

test('a DIRECT payment in another token, by Permit2, is verified and used once', async () => {
  await giveDev({ to: s.wallet, amount: 1n, rpcUrl: w.rpcUrl })
  await registerToken(s.seller, DEV.contract)
  const link = await s.open({ amount: 1, asset: DEV.contract, max_uses: 0 })
  const payer = await permitPayer({ held: 2n * 10n ** 18n })
  const client = x402Payer(payer, DEV.contract)
  await receiveTwice(link, await client.header(urlOf(link)))
  const second = await client.header(urlOf(link))
  await receiveTwice(link, second)
  const poor = await client.header(urlOf(link))
  expect((await receive(poor, link)).reason).toBe('permit2_insufficient_balance')
})

test('a DIRECT payment by MPP is verified and used once', async () => {
  const link = await s.open()
  const credential = await credentialOf(urlOf(link), await dollars())
  const receiveMpp = async (by = s.seller) =>
    (await by.post('/api/mpp/receive', { payment_data: credential })).body
  expect(await receiveMpp()).toEqual({ verified: false, reason: 'not_settled' })
  expect((await withCredential(urlOf(link), credential)).status).toBe(200)
  expect((await receiveMpp(await w.user())).verified).toBe(false)
  for (const already_used of [false, true])
    expect(await receiveMpp()).toMatchObject({ verified: true, already_used })
})

test('a payment that somebody else submitted counts once its payer has reported it', async () => {
  const link = await s.open()
  const payer = await dollars()
  const header = await x402Payer(payer).header(urlOf(link))
  const { direct } = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
  await w.frontRun(header, await freshAccount())
  expect((await receive(header, link)).reason).toBe('invalid_exact_evm_nonce_already_used')
  const { body } = await w.call('GET', `/api/paylinks/${link.code}/status`)
  expect(body.status).not.toBe('COMPLETED')
  const [log] = await w.chain.rpc.getContractEvents({
    address: w.chain.asset.contract,
    abi: [transferEvent],
    eventName: 'Transfer',
    args: { from: payer.address },
    fromBlock: 0n,
  })
  expect(direct.pay_to).toBe(s.wallet)
  await w.safe()
  const good = await report(w, { link, txHash: String(log?.transactionHash), payer })
  expect((await reportTo(w, link, good)).body.status).toBe('SETTLED')
  for (const already_used of [false, true])
    expect(await receive(header, link)).toMatchObject({ verified: true, already_used })
})

const transferEvent = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { type: 'address', name: 'from', indexed: true },
    { type: 'address', name: 'to', indexed: true },
    { type: 'uint256', name: 'value' },
  ],
} as const
