import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashMessage,
  parseAbi,
  hashTypedData as plainHash,
  zeroHash,
} from 'viem'
import { serializeSignature, sign } from 'viem/accounts'
import { hashTypedData, wrapTypedDataSignature } from 'viem/experimental/erc7739'
import { beforeAll, expect, test } from 'vitest'
import { DEV_CARD_ACCOUNT } from '../packages/service/src/run/embedded/dev/credentials.ts'
import { freshAccount, testChain } from '../packages/service/test/world/chain.ts'
import { expectGas } from './gas.ts'
import { newSigner, newToken, type Signer, sendCall } from './token.ts'
import { openVault, STRANGER, type Vaults } from './vaults.ts'

const MAGIC = '0x1626ba7e'
const REFUSED = '0xffffffff'
const mallory = newSigner()
let own: Vaults

beforeAll(async () => {
  own = await openVault()
})

/** A token in its owner's wallet, and its account, deployed. */
async function held(owner: Signer = newSigner()) {
  const { cardId, tokenId, holder } = await own.minted(owner)
  await own.do({ kind: 'release', cardId, owner: owner.address, step: 2n })
  const receipt = await deploy(tokenId)
  return { owner, tokenId, address: holder, account: own.accountAt(holder), receipt }
}

const deploy = (tokenId: bigint, chainId = testChain().chainId) =>
  own.accounts.send({
    from: STRANGER,
    functionName: 'createAccount',
    args: [DEV_CARD_ACCOUNT, zeroHash, BigInt(chainId), own.registry.address, tokenId],
  })
const execute = (from: Address, args: unknown[]) => ({ from, functionName: 'execute', args })
const move = (from: Address, to: Address, tokenId: bigint, functionName = 'transferFrom') => ({
  ...{ from, functionName, args: [from, to, tokenId] },
})

/** A message as Permit2's: it does not name the account that pays. */
const TYPED = {
  domain: { name: 'Permit2', chainId: 84_532, verifyingContract: `0x${'ab'.repeat(20)}` },
  types: {
    Permit: [
      { name: 'spender', type: 'address' },
      { name: 'nonce', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { spender: mallory.address, nonce: 7n },
} as const

/** The owner's signature of typed data for one account, as ERC-7739 nests it. */
async function nested(typed: any, key: Hex, account: Address): Promise<Hex> {
  const verifierDomain = {
    ...{ name: 'CardAccount', version: '1', chainId: testChain().chainId },
    ...{ verifyingContract: account, salt: zeroHash },
  }
  const hash = hashTypedData({ ...typed, verifierDomain })
  const signature = serializeSignature(await sign({ hash, privateKey: key }))
  return wrapTypedDataSignature({ ...typed, signature })
}

test('the account stands where the vault says, and names its token and owner', async () => {
  const { owner, tokenId, account } = await held()
  expect(await account.read('token')).toEqual([84_532n, own.registry.address, tokenId])
  expect(await account.read('owner')).toBe(owner.address)
  expect(await account.read('isValidSigner', owner.address, '0x')).toBe('0x523e3260')
  expect(await account.read('isValidSigner', mallory.address, '0x')).toBe('0x00000000')
  for (const id of ['0x01ffc9a7', '0x6faff5f1', '0x51945447', '0x1626ba7e', '0x150b7a02'])
    expect(await account.read('supportsInterface', id)).toBe(true)
  expect(await account.read('supportsInterface', '0xffffffff')).toBe(false)
})

test('makes calls for the token’s owner alone, counts them, and nothing but calls', async () => {
  const { owner, tokenId, account } = await held()
  const call = [own.registry.address, 0n, '0x', 0]
  expect(await account.attempt(execute(mallory.address, call))).toBe('NotOwner')
  for (const operation of [1, 2, 3])
    expect(await account.attempt(execute(owner.address, call.with(3, operation)))).toBe('CallsOnly')
  const noop = [mallory.address, 0n, '0x', 0]
  await account.send(execute(owner.address, noop))
  expect(await account.read('state')).toBe(1n)
  await own.registry.send(move(owner.address, mallory.address, tokenId))
  expect(await account.attempt(execute(owner.address, noop))).toBe('NotOwner')
  await account.send(execute(mallory.address, noop))
  expect(await account.read('state')).toBe(2n)
})

test('while the vault keeps the token, nobody moves anything out', async () => {
  const { holder, tokenId, owner_: owner } = await own.minted()
  await deploy(tokenId)
  const account = own.accountAt(holder)
  const call = [mallory.address, 0n, '0x', 0]
  for (const from of [owner.address, own.key.address, STRANGER])
    expect(await account.attempt(execute(from, call))).toBe('NotOwner')
  const signature = await nested(TYPED, owner.privateKey, holder)
  expect(await account.read('isValidSignature', plainHash(TYPED), signature)).toBe(REFUSED)
})

test('a signature is good for one account of the owner, and for its present owner', async () => {
  const owner = newSigner()
  const [one, other] = [await held(owner), await held(owner)]
  const hash = plainHash(TYPED)
  const asked = (at: typeof one, signature: Hex) =>
    at.account.read('isValidSignature', hash, signature)
  const signature = await nested(TYPED, owner.privateKey, one.address)
  expect(await asked(one, signature)).toBe(MAGIC)
  expect(await asked(other, signature)).toBe(REFUSED)
  // Signed for the owner's own address, the message must not move what an account of the owner has.
  const plain = serializeSignature(await sign({ hash, privateKey: owner.privateKey }))
  expect(await asked(one, plain)).toBe(REFUSED)
  expect(await asked(one, await nested(TYPED, mallory.privateKey, one.address))).toBe(REFUSED)
  const greeting = hashMessage('hello')
  const personal = serializeSignature(await sign({ hash: greeting, privateKey: owner.privateKey }))
  expect(await one.account.read('isValidSignature', greeting, personal)).toBe(REFUSED)
  await own.registry.send(move(owner.address, mallory.address, one.tokenId))
  expect(await asked(one, signature)).toBe(REFUSED)
  expect(await asked(one, await nested(TYPED, mallory.privateKey, one.address))).toBe(MAGIC)
})

test('its USDC moves by an authorization that its owner signed, and a relayer pays the gas', async () => {
  const { owner, address } = await held()
  const admin = (await freshAccount()).address
  const usdc = await newToken(testChain(), admin)
  await usdc.send({ from: admin, functionName: 'configureMinter', args: [admin, 10n ** 9n] })
  await usdc.send({ from: admin, functionName: 'mint', args: [address, 5n] })
  const members = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const
  const kinds = ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'] as const
  const message = {
    ...{ from: address, to: mallory.address, value: 5n },
    ...{ validAfter: 0n, validBefore: 4_102_444_800n, nonce: zeroHash },
  }
  const types = {
    TransferWithAuthorization: members.map((name, i) => ({ name, type: kinds[i] as string })),
  }
  const typed = { domain: usdc.domain, types, primaryType: 'TransferWithAuthorization', message }
  const signature = await nested(typed, owner.privateKey, address)
  const values = members.map((name) => message[name])
  const abi = parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ])
  const data = encodeFunctionData({ abi, args: [...values, signature] as never })
  const receipt = await sendCall(testChain(), { from: STRANGER, to: usdc.address, data })
  expect(receipt.status).toBe('success')
  expect(await usdc.read('balanceOf', mallory.address)).toBe(5n)
})

test('the token is refused by its own account, and by one that it owns over others', async () => {
  const owner = newSigner()
  const [a, b, c] = [await held(owner), await held(owner), await held(owner)]
  const safely = (to: typeof a, tokenId: bigint) =>
    own.registry.attempt(move(owner.address, to.address, tokenId, 'safeTransferFrom'))
  expect(await safely(a, a.tokenId)).toBe('OwnershipCycle')
  const give = async (to: typeof a, tokenId: bigint) =>
    own.registry.send(move(owner.address, to.address, tokenId, 'safeTransferFrom'))
  await give(a, b.tokenId)
  await give(b, c.tokenId)
  expect(await safely(b, a.tokenId)).toBe('OwnershipCycle')
  expect(await safely(c, a.tokenId)).toBe('OwnershipCycle')
  const d = await held(owner)
  expect(await safely(c, d.tokenId)).toBe('done')
})

test('an account for a token of another chain obeys nobody', async () => {
  const { tokenId, owner } = await held()
  await deploy(tokenId, 1)
  const args = [DEV_CARD_ACCOUNT, zeroHash, 1n, own.registry.address, tokenId]
  const elsewhere = own.accountAt((await own.accounts.read('account', ...args)) as Address)
  expect(await elsewhere.attempt(execute(owner.address, [mallory.address, 0n, '0x', 0]))).toBe(
    'NotOwner',
  )
})

test('an account costs the gas that it cost before', async () => {
  const { owner, account, receipt } = await held()
  const call = await account.send(execute(owner.address, [mallory.address, 0n, '0x', 0]))
  expectGas('CardAccount', { create: Number(receipt.gasUsed), execute: Number(call.gasUsed) })
})
