import { type Abi, getContractAddress, type Hex, hexToString } from 'viem'
import { expect, test } from 'vitest'
import { PERMIT2 } from '../packages/service/src/base/protocols/evm/permit2/abi.ts'
import { isOurBuild } from '../packages/service/src/chain/client/markets/build.ts'
import { MINI_LOCKUP } from '../packages/service/src/chain/client/markets/lockups.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import artifact from './build/CrtToken.json' with { type: 'json' }
import lockup from './build/MiniLockup.json' with { type: 'json' }
import { expectGas } from './gas.ts'
import { type Contract, contractAt, deploy, newContract, newSigner, signMessage } from './token.ts'

const chain = testChain()
const SUPPLY = 1_000n * 10n ** 18n
const KEPT = SUPPLY / 10n
const CARD = `card_${'7'.repeat(26)}`
const CARD_WORD = `0x${Buffer.from(CARD).toString('hex').padEnd(64, '0')}` as Hex
const YEAR = 365 * 86_400

/** A token deployed by a transaction of its creator's own, as it is on any chain. */
async function launch(locking: Hex = MINI_LOCKUP, kept = KEPT, name = 'Acme') {
  const creator = newSigner().address
  const args = [name, 'ACME', creator, SUPPLY, CARD_WORD, locking, kept, PERMIT2]
  const receipt = await deploy(chain, { from: creator, artifact, args })
  const address = getContractAddress({ from: creator, nonce: 0n })
  const token = contractAt(chain, artifact.abi as Abi, address)
  return { creator, token, address, receipt }
}

const ofLockup = (address: Hex = MINI_LOCKUP): Contract =>
  contractAt(
    chain,
    [...lockup.abi, ...artifact.abi.filter(({ type }) => type === 'error')] as Abi,
    address,
  )

type Terms = { recipient?: Hex; cancelable?: boolean; transferable?: boolean; deposit?: bigint }
const streamArgs = (
  of: { creator: Hex; address: Hex },
  terms: Terms = {},
  free = 0n,
  total = YEAR,
) => [
  {
    sender: of.creator,
    recipient: terms.recipient ?? of.creator,
    depositAmount: terms.deposit ?? KEPT,
    token: of.address,
    cancelable: terms.cancelable ?? false,
    transferable: terms.transferable ?? false,
    shape: 'linear',
  },
  { start: free, cliff: 0n },
  0,
  { cliff: 0, total },
]

test('the supply is made once, for its creator, with the allowances of the launch and no others', async () => {
  const { token, creator } = await launch()
  expect(await token.read('totalSupply')).toBe(SUPPLY)
  expect(await token.read('balanceOf', creator)).toBe(SUPPLY)
  expect(await token.read('allowance', creator, MINI_LOCKUP)).toBe(KEPT)
  expect(await token.read('allowance', creator, PERMIT2)).toBe(SUPPLY - KEPT)
  expect(await token.read('decimals')).toBe(18)
  expect(hexToString((await token.read('cardId')) as Hex, { size: 32 })).toBe(CARD)
  const functions = (artifact.abi as Abi).flatMap((item) =>
    item.type === 'function' && !/view|pure/.test(item.stateMutability) ? [item.name] : [],
  )
  // Nothing else changes anything: no owner, no mint, no pause, no fee.
  expect(functions.sort()).toEqual(['approve', 'permit', 'transfer', 'transferFrom'])
})

test('what the creator does not have nobody can take, and more than the supply cannot be kept', async () => {
  const { token, creator } = await launch()
  const thief = newSigner().address
  const steal = { from: thief, functionName: 'transferFrom', args: [creator, thief, 1n] }
  expect(await token.attempt(steal)).toBe('ERC20InsufficientAllowance')
  await expect(launch(MINI_LOCKUP, SUPPLY + 1n)).rejects.toThrow()
})

test.each([
  ['Acme', 'Acme'],
  ['x'.repeat(31), 'x'.repeat(31)],
  ['x'.repeat(32), 'ACME'],
  ['天'.repeat(64), 'ACME'],
])('a permit allows what its owner signed, once: of the token %s', async (tokenName, name) => {
  const { token } = await launch(MINI_LOCKUP, KEPT, tokenName)
  expect(await token.read('name')).toBe(tokenName)
  const owner = newSigner()
  const spender = newSigner().address
  const domain = {
    name,
    version: '1',
    chainId: chain.chainId,
    verifyingContract: token.address,
  }
  const message = { owner: owner.address, spender, value: 5n, nonce: 0n, deadline: 2n ** 40n }
  const { asParts } = await signMessage({ domain }, owner.privateKey, 'Permit', message)
  // The token's own permit does not carry the nonce.
  const args = asParts.filter((_, i) => i !== 3)
  await token.send({ from: spender, functionName: 'permit', args })
  expect(await token.read('allowance', owner.address, spender)).toBe(5n)
  expect(await token.attempt({ from: spender, functionName: 'permit', args })).toBe(
    'ERC2612InvalidSigner',
  )
})

test('our build is known whatever its immutable values, and no other code is', async () => {
  const { token } = await launch()
  const other = await launch()
  const codes = await Promise.all([token, other.token].map((one) => codeOf(one.address)))
  expect(new Set(codes).size).toBe(2)
  expect(codes.map(isOurBuild)).toEqual([true, true])
  const [code] = codes as [Hex, Hex]
  for (const at of [10, 500, 1_500]) {
    const changed =
      `${code.slice(0, at)}${code[at] === 'f' ? 'e' : 'f'}${code.slice(at + 1)}` as Hex
    expect([at, isOurBuild(changed)]).toEqual([at, false])
  }
  expect(isOurBuild('0x')).toBe(false)
  expect(isOurBuild(`${code}00`)).toBe(false)
})

async function codeOf(address: Hex): Promise<Hex> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getCode',
      params: [address, 'latest'],
    }),
  })
  return ((await response.json()) as { result: Hex }).result
}

test('a stream gives its recipient what time has freed, to the unit, and nobody else', async () => {
  const at = await newContract(chain, lockup)
  const { creator, token } = await launch(at.address)
  const of = { creator, address: token.address }
  await at.send({ from: creator, functionName: 'createWithDurationsLL', args: streamArgs(of) })
  expect(await token.read('balanceOf', at.address)).toBe(KEPT)
  const start = BigInt((await at.read('getStartTime', 1n)) as number)
  const amountAt = async (time: bigint, value: bigint, from: Hex = creator, to: Hex = creator) =>
    at.attempt({ from, functionName: 'withdraw', args: [1n, to, value], time })
  const half = start + BigInt(YEAR) / 2n
  expect(await amountAt(half, KEPT / 2n)).toBe('done')
  expect(await amountAt(half, KEPT / 2n + 1n)).toBe('Overdraw')
  expect(await amountAt(start + BigInt(YEAR), KEPT)).toBe('done')
  expect(await amountAt(start + BigInt(YEAR), KEPT + 1n)).toBe('Overdraw')
  const thief = newSigner().address
  expect(await amountAt(half, 1n, thief, thief)).toBe('NotRecipient')
  // Anybody may send the recipient its own.
  expect(await amountAt(half, 1n, thief, creator)).toBe('done')
  expect(await amountAt(half, 0n)).toBe('Overdraw')
  expect(await at.attempt({ from: thief, functionName: 'withdraw', args: [2n, thief, 1n] })).toBe(
    'NoSuchStream',
  )
})

test('a stream that could be cancelled, handed on or freed at once is not made', async () => {
  const { creator, address } = await launch()
  const of = { creator, address }
  for (const args of [
    streamArgs(of, { cancelable: true }),
    streamArgs(of, { transferable: true }),
    streamArgs(of, { deposit: 0n }),
    streamArgs(of, { recipient: `0x${'0'.repeat(40)}` }),
    streamArgs(of, {}, 1n),
    streamArgs(of, {}, 0n, 0),
  ])
    expect(
      await ofLockup().attempt({ from: creator, functionName: 'createWithDurationsLL', args }),
    ).toBe('Unsupported')
  const more = streamArgs(of, { deposit: KEPT + 1n })
  expect(
    await ofLockup().attempt({ from: creator, functionName: 'createWithDurationsLL', args: more }),
  ).toBe('ERC20InsufficientAllowance')
})

test('deployment and vesting cost the gas that was written down', async () => {
  const vested = async ({ creator, address }: { creator: Hex; address: Hex }) =>
    ofLockup().send({
      from: creator,
      functionName: 'createWithDurationsLL',
      args: streamArgs({ creator, address }),
    })
  // The lockup's first stream ever costs more than the others.
  await vested(await launch())
  const { creator, address, receipt, token } = await launch()
  const vest = await vested({ creator, address })
  const transfer = await token.send({
    from: creator,
    functionName: 'transfer',
    args: [newSigner().address, 1n],
  })
  expectGas('CrtToken', {
    deploy: Number(receipt.gasUsed),
    vest: Number(vest.gasUsed),
    transfer: Number(transfer.gasUsed),
  })
})
