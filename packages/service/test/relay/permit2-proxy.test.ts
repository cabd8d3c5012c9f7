import { permit2WitnessTypes, x402ExactPermit2ProxyABI } from '@x402/evm'
import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  http,
  parseAbi,
  parseSignature,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import built from '../../../../contracts/build/ExactPermit2Proxy.json' with { type: 'json' }
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { EXACT_PERMIT2_PROXY, PERMIT2 } from '../../src/base/protocols/evm/permit2/abi.ts'
import {
  nonceHex,
  type Permit,
  permitTypedData,
  readSettledPermit,
  settlePermitData,
} from '../../src/base/protocols/evm/permit2/permit.ts'
import { DEV_TOKENS, mintToken } from '../../src/run/embedded/dev/tokens.ts'
import { newAddress } from '../actors/facilitator-kit.ts'
import { approve, carryPermit, DEV, permitPayer } from '../actors/permit2-kit.ts'
import { sendBy } from '../actors/token-kit.ts'
import { freshAccount, testChain } from '../world/chain.ts'

const B20 = DEV_TOKENS[1]!
const chainId = 84_532
/** The ABI that x402 publishes; its own type is too wide to use. */
const abi = x402ExactPermit2ProxyABI as Abi
const rpc = () => createPublicClient({ transport: http(testChain().rpcUrl), cacheTime: 0 })
const balanceOf = (token: `0x${string}`, account: `0x${string}`) =>
  rpc().readContract({
    address: token,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [account],
  })

async function signed(payer: PrivateKeyAccount, changes: Partial<Permit> = {}) {
  const permit: Permit = {
    token: DEV.contract,
    from: payer.address,
    to: newAddress(),
    value: 5n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    nonce: nonceHex(BigInt(randomHex(32))),
    ...changes,
  }
  return { permit, signature: await payer.signTypedData(permitTypedData(chainId, permit)) }
}

const argsOf = ({ permit, signature }: { permit: Permit; signature: Hex }) =>
  [
    {
      permitted: { token: permit.token, amount: permit.value },
      nonce: BigInt(permit.nonce),
      deadline: permit.validBefore,
    },
    permit.from,
    { to: permit.to, validAfter: permit.validAfter },
    signature,
  ] as const

/** 'done', or the name of the error by the ABI that x402 publishes. */
async function attempt(...args: ReturnType<typeof argsOf>): Promise<string> {
  try {
    const call = { address: EXACT_PERMIT2_PROXY, abi, functionName: 'settle' } as const
    await rpc().simulateContract({ ...call, args })
    return 'done'
  } catch (error) {
    const reverted =
      error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error
    return reverted.data?.errorName ?? reverted.signature ?? 'reverted'
  }
}

test('the stand-in has every function of the published interface, and Permit2 signs for this chain', async () => {
  const functions = (of: Abi) =>
    of.flatMap((one) => (one.type === 'function' ? [toFunctionSelector(one)] : []))
  expect(functions(built.abi as Abi).sort()).toEqual(functions(abi).sort())
  const domain = { name: 'Permit2', chainId, verifyingContract: PERMIT2 }
  const separator = await rpc().readContract({
    address: PERMIT2,
    abi: parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']),
    functionName: 'DOMAIN_SEPARATOR',
  })
  expect(separator).toBe(domainSeparator({ domain }))
})

test('what we sign and send is what the official package signs and reads', async () => {
  const payer = await freshAccount()
  const one = await signed(payer)
  const [{ permitted, nonce, deadline }, , witness] = argsOf(one)
  expect(hashTypedData(permitTypedData(chainId, one.permit))).toBe(
    hashTypedData({
      domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
      types: permit2WitnessTypes,
      primaryType: 'PermitWitnessTransferFrom',
      message: { permitted, spender: EXACT_PERMIT2_PROXY, nonce, deadline, witness },
    }),
  )
  const data = settlePermitData(one.permit, one.signature)
  expect(readSettledPermit(data)).toEqual(one.permit)
  for (const other of ['0x', '0x1234', data.slice(0, 200), `0xdeadbeef${data.slice(10)}`])
    expect(readSettledPermit(other as Hex)).toBeUndefined()
})

test('it pays whom the payer signed, once, and nobody else', async () => {
  const payer = await permitPayer()
  const now = BigInt(Math.floor(Date.now() / 1000))
  const good = await signed(payer)
  const [permit, owner, witness, signature] = argsOf(good)
  const thief = { ...witness, to: newAddress() }
  expect(await attempt(permit, owner, thief, signature)).not.toBe('done')
  expect(await attempt(permit, newAddress(), witness, signature)).not.toBe('done')
  expect(await attempt(permit, zeroAddress, witness, signature)).toBe('InvalidOwner')
  const more = { ...permit, permitted: { ...permit.permitted, amount: 6n } }
  expect(await attempt(more, owner, witness, signature)).not.toBe('done')
  const less = { ...permit, permitted: { ...permit.permitted, amount: 4n } }
  expect(await attempt(less, owner, witness, signature)).not.toBe('done')
  expect(await attempt(...argsOf(await signed(payer, { value: 0n })))).toBe('InvalidAmount')
  expect(await attempt(...argsOf(await signed(payer, { to: zeroAddress })))).toBe(
    'InvalidDestination',
  )
  expect(await attempt(...argsOf(await signed(payer, { validAfter: now + 600n })))).toBe(
    'PaymentTooEarly',
  )
  expect(await attempt(...argsOf(await signed(payer, { validBefore: now - 600n })))).not.toBe(
    'done',
  )
  expect(await attempt(...argsOf(good))).toBe('done')
  await carryPermit(good)
  expect(await balanceOf(DEV.contract, good.permit.to)).toBe(5n)
  expect(await attempt(...argsOf(good))).not.toBe('done')
})

test('a token with EIP-2612 lets Permit2 move it in the same transaction', async () => {
  const { rpcUrl } = testChain()
  const payer = await freshAccount()
  const hash = await mintToken({ rpcUrl, token: B20, to: payer.address, amount: 9n })
  await rpc().waitForTransactionReceipt({ hash, pollingInterval: 20 })
  const one = await signed(payer, { token: B20.contract })
  const deadline = one.permit.validBefore
  const { r, s, v } = parseSignature(
    await payer.signTypedData({
      domain: { name: B20.name, version: '1', chainId, verifyingContract: B20.contract },
      types: PERMIT_TYPES,
      primaryType: 'Permit',
      message: { owner: payer.address, spender: PERMIT2, value: 5n, nonce: 0n, deadline },
    }),
  )
  const allowance = { value: 5n, deadline, r, s, v: Number(v) }
  const call = { address: EXACT_PERMIT2_PROXY, abi, functionName: 'settleWithPermit' } as const
  const other = { ...allowance, value: 6n }
  await expect(rpc().simulateContract({ ...call, args: [other, ...argsOf(one)] })).rejects.toThrow(
    'Permit2612AmountMismatch',
  )
  const args = [allowance, ...argsOf(one)]
  const data = encodeFunctionData({ abi, functionName: 'settleWithPermit', args })
  expect(readSettledPermit(data)).toEqual(one.permit)
  await sendBy(await freshAccount(), EXACT_PERMIT2_PROXY, data)
  expect(await balanceOf(B20.contract, one.permit.to)).toBe(5n)
  // With an allowance in place, a permit that the token refuses does no harm.
  await approve(payer, B20.contract)
  const next = await signed(payer, { token: B20.contract, value: 4n })
  const stale = { ...allowance, value: 4n }
  await expect(
    rpc().simulateContract({ ...call, args: [stale, ...argsOf(next)] }),
  ).resolves.toBeDefined()
})

const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
