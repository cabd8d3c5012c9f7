import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import fickleArtifact from '../../../../../contracts/build/FickleWallet.json' with { type: 'json' }
import { newContract, sendCall } from '../../../../../contracts/token.ts'
import {
  type DirectSeller,
  directSeller,
  present,
  report,
  reportTo,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { DEV, giveDev, registerToken } from '../../../test/actors/permit2-kit.ts'
import {
  changeOwner,
  delegatedAccount,
  deployedAccount,
  executeAs,
  newFactory,
  type SmartPayer,
  undeployedAccount,
} from '../../../test/actors/smart-account-kit.ts'
import { freshAccount, testChain } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { transferWithAuthorizationData } from '../../base/protocols/evm/eip3009/calldata.ts'
import { PERMIT2 } from '../../base/protocols/evm/permit2/abi.ts'
import { parsePaymentSignature } from '../../base/protocols/x402/payment/payload.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { mine, mintUsdc } from '../../run/embedded/dev/chain.ts'

let w: World
let s: DirectSeller
let base: string
let factory: Address
beforeAll(async () => {
  factory = await newFactory()
  w = await world({ settings: { accountFactories: [factory] } })
  await w.withGas()
  base = await w.listen()
  s = await directSeller(w)
  await giveDev({ to: s.wallet, amount: 1n, rpcUrl: w.rpcUrl })
  await registerToken(s.seller, DEV.contract)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const urlOf = ({ code }: { code: string }) => `${base}/pay/${code}`
const relayed = () => w.chain.rpc.getTransactionCount({ address: w.chain.relayers[0]!.address })
const statusOf = async ({ code }: { code: string }) =>
  (await w.call('GET', `/api/paylinks/${code}`)).body.status
const sendUsdc = (value = 500_000n) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [s.wallet, value] })
const pay = async (payer: PrivateKeyAccount, link: { code: string }, token?: Address) => {
  const reply = await present(urlOf(link), await x402Payer(payer, token).header(urlOf(link)))
  return { status: reply.status, body: (await reply.json()) as any }
}

test('a smart account pays by its own transfer: its owner signs for the link (EIP-1271), while it owns the account', async () => {
  const payer = await deployedAccount()
  const stranger = await freshAccount()
  const [link, second] = [await s.open(), await s.open()]
  const txHash = await executeAs(payer, w.chain.asset.contract, sendUsdc())
  await w.safe()
  const forged = await report(w, { link, txHash, payer, by: stranger })
  expect((await reportTo(w, link, forged)).body.code).toBe('invalid_signature')
  // The owner's key is not the sender, though it paid the gas.
  const asOwner = await report(w, { link, txHash, payer: payer.owner })
  expect((await reportTo(w, link, asOwner)).body.code).toBe('invalid_transaction')
  const good = await report(w, { link, txHash, payer })
  await changeOwner(payer, stranger.address)
  expect((await reportTo(w, link, good)).body.code).toBe('invalid_signature')
  const now = await report(w, { link, txHash, payer, by: stranger })
  expect((await reportTo(w, link, now)).body).toMatchObject({ status: 'SETTLED', amount: 0.5 })
  const other = await report(w, { link: second, txHash, payer, by: stranger })
  expect((await reportTo(w, second, other)).body.code).toBe('already_settled')
  expect(await s.transactions()).toMatchObject([{ merchant: payer.address }])
})

test('a smart account pays by EIP-3009, also one that its signature deploys (ERC-6492)', async () => {
  const fresh = await undeployedAccount(factory)
  for (const payer of [await deployedAccount(), fresh]) {
    const link = await s.open()
    expect((await pay(payer, link)).body).toMatchObject({ status: 'SETTLED', protocol: 'x402' })
    expect(await readAssetBalance(w.chain, payer.address)).toBe(500_000n)
  }
  expect(await w.chain.rpc.getCode({ address: fresh.address })).toBeDefined()
  const before = await relayed()
  const elsewhere = await pay(await undeployedAccount(await newFactory()), await s.open())
  expect([elsewhere.status, elsewhere.body.error]).toEqual([402, 'eip6492_factory_not_allowed'])
  expect(await relayed()).toBe(before)
})

/** Gives the account the development token, and has it let Permit2 move it. */
async function allowed(payer: SmartPayer): Promise<SmartPayer> {
  await giveDev({ to: payer.address, amount: 10n ** 18n, rpcUrl: w.rpcUrl })
  const args = [PERMIT2, 2n ** 256n - 1n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await executeAs(payer, DEV.contract, data)
  return payer
}

test('a smart account pays another token by Permit2; another signer does not', async () => {
  const payer = await allowed(await deployedAccount())
  const link = await s.open({ amount: 1, asset: DEV.contract })
  const stranger = await freshAccount()
  const forged = { ...stranger, address: payer.address }
  const before = await relayed()
  expect((await pay(forged, link, DEV.contract)).body.error).toBe('invalid_permit2_signature')
  expect(await relayed()).toBe(before)
  expect((await pay(payer, link, DEV.contract)).body).toMatchObject({
    status: 'SETTLED',
    asset: 'DEV',
    amount: 1,
  })
})

test('a delegated key (EIP-7702) pays by transfer, EIP-3009 and Permit2 if its code takes its signatures', async () => {
  const payer = await delegatedAccount()
  expect(await w.chain.rpc.getCode({ address: payer.address })).toMatch(/^0xef0100/)
  expect((await pay(payer, await s.open())).body).toMatchObject({ status: 'SETTLED' })
  const link = await s.open({ amount: 0.25 })
  const txHash = await w.transfer(payer, s.wallet, 250_000n)
  await w.safe()
  const good = await report(w, { link, txHash, payer })
  expect((await reportTo(w, link, good)).body).toMatchObject({ status: 'SETTLED', amount: 0.25 })
  const inDev = await s.open({ amount: 1, asset: DEV.contract })
  await allowed({ ...payer, owner: payer })
  expect((await pay(payer, inDev, DEV.contract)).body).toMatchObject({ status: 'SETTLED' })
})

// The token and Permit2 ask the code at an address, never its key, so such a payment would fail on chain.
test('a delegated key whose code takes the signatures of another is refused without gas, and pays by transfer', async () => {
  const payer = await delegatedAccount((await freshAccount()).address)
  const [link, inDev] = [await s.open(), await s.open({ amount: 1, asset: DEV.contract })]
  await giveDev({ to: payer.address, amount: 10n ** 18n, rpcUrl: w.rpcUrl })
  const before = await relayed()
  expect((await pay(payer, link)).status).toBe(402)
  expect((await pay(payer, inDev, DEV.contract)).status).toBe(402)
  expect(await relayed()).toBe(before)
  const txHash = await w.transfer(payer, s.wallet, 500_000n)
  await w.safe()
  const good = await report(w, { link, txHash, payer })
  expect((await reportTo(w, link, good)).body).toMatchObject({ status: 'SETTLED' })
})

/** A contract that takes its owner's signature in simulations, and on chain up to a block. */
async function fickle() {
  const owner = await freshAccount()
  const chain = testChain()
  const contract = await newContract(chain, fickleArtifact, [owner.address])
  const address = getAddress(contract.address)
  await mintUsdc({ ...chain, to: address, amount: 1_000_000n })
  await mine({ ...chain, blocks: 1 })
  return { payer: { ...owner, address, owner } as SmartPayer, contract }
}

test('a fickle wallet claims no transfer but its own, and that once; its signed payment costs no gas', async () => {
  const { payer: thief, contract } = await fickle()
  const [link, other, third] = [await s.open(), await s.open(), await s.open()]
  const honest = await deployedAccount()
  const txHash = await executeAs(honest, w.chain.asset.contract, sendUsdc())
  await w.safe()
  const named = await report(w, { link, txHash, payer: thief })
  expect((await reportTo(w, link, named)).body.code).toBe('invalid_transaction')
  const inItsName = await report(w, { link, txHash, payer: honest, by: thief.owner })
  expect((await reportTo(w, link, inItsName)).body.code).toBe('invalid_signature')
  const before = await relayed()
  for (let i = 0; i < 3; i++) expect((await pay(thief, link)).status).toBe(402)
  expect(await relayed()).toBe(before)

  // Its own authorization, which somebody else submits while it is good: one payment, by whichever way it is presented.
  const header = await x402Payer(thief).header(urlOf(link))
  const head = await w.chain.rpc.getBlockNumber({ cacheTime: 0 })
  await contract.send({
    from: thief.owner.address,
    functionName: 'setGoodUntil',
    args: [head + 1_000_000n],
  })
  const moved = await carry(header)
  await w.safe()
  const replies = await Promise.all(
    [link, other, third].map(async (one) =>
      reportTo(w, one, await report(w, { link: one, txHash: moved, payer: thief })),
    ),
  )
  const codes = replies.map(({ body }) => body.code ?? body.status)
  expect(codes.toSorted()).toEqual(['SETTLED', 'already_settled', 'already_settled'])
  const again = await present(urlOf(link), header)
  expect(again.status).not.toBe(200)
  const states = await Promise.all([link, other, third].map(statusOf))
  expect(states.filter((state) => state === 'COMPLETED')).toHaveLength(1)
  // The honest wallet's money still waits for its own claim.
  const open = [link, other, third].find((_, i) => states[i] === 'ACTIVE')!
  const good = await report(w, { link: open, txHash, payer: honest })
  expect((await reportTo(w, open, good)).body).toMatchObject({ status: 'SETTLED' })
})

/** Submits the authorization in the header as anybody may. Its wallet takes more gas than in the node's estimate. */
async function carry(header: string) {
  const parsed = parsePaymentSignature(header)
  if (!parsed.ok) throw parsed
  const { authorization, signature } = parsed.payload
  const receipt = await sendCall(testChain(), {
    from: (await freshAccount()).address,
    to: w.chain.asset.contract,
    gas: 300_000n,
    data: transferWithAuthorizationData(authorization, signature),
  })
  expect(receipt.status).toBe('success')
  return receipt.transactionHash
}
