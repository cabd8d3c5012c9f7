import fc from 'fast-check'
import { decodeFunctionData, hashTypedData, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Asset, type Hex, USDC } from '../../kernel/assets.ts'
import { eip3009Abi } from '../evm/eip3009/abi.ts'
import {
  authorizationDigest,
  authorizationTypedData,
  type TransferAuthorization,
} from '../evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../evm/eip3009/calldata.ts'
import { parseSignature, recoverAuthorizationSigner } from '../evm/eip3009/signature.ts'

const usdc = USDC[8453] as Asset
const payer = privateKeyToAccount(generatePrivateKey())

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => toHex(value))
const anAuthorization: fc.Arbitrary<TransferAuthorization> = fc.record({
  from: hexOf(20),
  to: hexOf(20),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  validAfter: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  validBefore: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  nonce: hexOf(32),
})

const example: TransferAuthorization = {
  from: payer.address,
  to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  value: 10_000n,
  validAfter: 0n,
  validBefore: 1_795_233_142n,
  nonce: `0x${'ab'.repeat(32)}`,
}
const sign = (authorization: TransferAuthorization, asset = usdc): Promise<Hex> =>
  payer.signTypedData(authorizationTypedData(asset, authorization))

test('the digest made by hand is the one that the general encoder makes', () => {
  fc.assert(
    fc.property(anAuthorization, fc.constantFrom(8453, 84532), (authorization, chainId) => {
      const asset = USDC[chainId] as Asset
      expect(authorizationDigest(asset, authorization)).toBe(
        hashTypedData(authorizationTypedData(asset, authorization)),
      )
    }),
  )
})

test('a signature is recovered to its signer, with v written either way', async () => {
  const signature = await sign(example)
  const v = Number.parseInt(signature.slice(-2), 16)
  const zeroBased = `${signature.slice(0, -2)}0${v - 27}` as Hex

  expect(recoverAuthorizationSigner(usdc, example, signature)).toBe(payer.address)
  expect(recoverAuthorizationSigner(usdc, example, zeroBased)).toBe(payer.address)
})

test('a signature says nothing about another amount, chain or token', async () => {
  const signature = await sign(example)
  const other = { ...usdc, contract: example.to }

  for (const [asset, authorization] of [
    [usdc, { ...example, value: 10_001n }],
    [usdc, { ...example, nonce: `0x${'ac'.repeat(32)}` }],
    [USDC[84532] as Asset, example],
    [other, example],
  ] as const)
    expect(recoverAuthorizationSigner(asset, authorization, signature)).not.toBe(payer.address)
})

test('the malleable twin of a signature is refused', async () => {
  const signature = await sign(example)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const flipped = signature.endsWith('1b') ? '1c' : '1b'
  const twin = `${signature.slice(0, 66)}${high}${flipped}` as Hex

  expect(parseSignature(twin)).toBeUndefined()
  expect(recoverAuthorizationSigner(usdc, example, twin)).toBeUndefined()
})

test('what is not a 65-byte signature in range is refused', () => {
  const word = '11'.repeat(32)
  const zero = '00'.repeat(32)
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  for (const malformed of [
    '',
    '0x',
    `0x${word}${word}`,
    `0x${word}${word}1d`,
    `0x${word}${word}02`,
    `0x${word}${word}1b00`,
    `0x${zero}${word}1b`,
    `0x${word}${zero}1b`,
    `0x${order}${word}1b`,
    `${word}${word}1b`,
    `0x${word}${word}1b\n`,
    `0x${word}${'zz'.repeat(32)}1b`,
  ])
    expect(parseSignature(malformed), malformed).toBeUndefined()
})

test('no 65 bytes make the recovery throw', () => {
  fc.assert(
    fc.property(hexOf(64), fc.constantFrom('00', '01', '1b', '1c', '1B'), (rs, v) => {
      const signer = recoverAuthorizationSigner(usdc, example, `${rs}${v}`)
      expect(signer === undefined || /^0x[0-9a-fA-F]{40}$/.test(signer)).toBe(true)
    }),
  )
})

test('the calldata carries the authorization and a v that the contract takes', async () => {
  const signature = await sign(example)
  const v = Number.parseInt(signature.slice(-2), 16)
  const zeroBased = `${signature.slice(0, -2)}0${v - 27}` as Hex
  const fields = [example.from, example.to, 10_000n, 0n, 1_795_233_142n, example.nonce]

  const whole = decodeFunctionData({
    abi: eip3009Abi,
    data: transferWithAuthorizationData(example, zeroBased),
  })

  expect(whole.args).toEqual([...fields, signature])
})

test('the calldata calls the functions that the EIP names', () => {
  const selector = (signature: string) => keccak256(toHex(signature)).slice(0, 10)
  const tuple = 'address,address,uint256,uint256,uint256,bytes32'
  const signature: Hex = `0x${'11'.repeat(64)}1b`

  expect(transferWithAuthorizationData(example, signature).slice(0, 10)).toBe(
    selector(`transferWithAuthorization(${tuple},bytes)`),
  )
})
