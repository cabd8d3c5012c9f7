import {
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { readCode } from '../reads.ts'
import { callToken, tokenAbi, wordOf } from './calls.ts'

/** The facts that the chain gives about a token at an address. The texts are the token's own words. */
export type TokenFacts = {
  /** Undefined if it cannot be read. */
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
  /** Whether its balances can be read. */
  hasBalances: boolean
  /** A token of Base's B20 standard, which the node itself runs. */
  isB20: boolean
  /** The contract whose code the token runs instead of its own, and the standard that names it. */
  runs: { address: Address; by: RunsBy } | undefined
  /** The requested functions whose selectors occur in its code, or in the code that it runs. */
  named: ReadonlySet<string>
  /** The requested functions that it answers with one word. */
  answered: ReadonlySet<string>
}

export type RunsBy = 'EIP-1967' | 'EIP-1967 beacon' | 'EIP-1822' | 'OpenZeppelin' | 'EIP-1167'

/** Base's factory of B20 tokens, which can say whether an address is one of them. */
export const B20_FACTORY: Address = '0xB20f000000000000000000000000000000000000'
/** 0xB2, nine zero bytes, and one of two variants. */
const B20_FORM = /^0xb2(?:00){9}0[01]/i

const slotOf = (text: string): Hex => toHex(BigInt(keccak256(toHex(text))) - 1n, { size: 32 })
/** Storage slots where proxies keep the address of the code that they run. */
const SLOTS: readonly (readonly [RunsBy, Hex])[] = [
  ['EIP-1967', slotOf('eip1967.proxy.implementation')],
  ['EIP-1967 beacon', slotOf('eip1967.proxy.beacon')],
  ['EIP-1822', keccak256(toHex('PROXIABLE'))],
  ['OpenZeppelin', keccak256(toHex('org.zeppelinos.proxy.implementation'))],
]
/** A 45-byte contract that always runs the same other contract (ERC-1167). */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/
const IMPLEMENTATION = toFunctionSelector('implementation()')

/**
 * Reads the contract at the address at the newest block; undefined if there is none. `functions` are signatures; those
 * of `calls` are called with zeros. Throws `chain_unavailable`.
 */
export async function readTokenFacts(
  chain: Chain,
  address: Address,
  ask: { functions: readonly string[]; calls: readonly string[] },
): Promise<TokenFacts | undefined> {
  const code = await readCode(chain, address)
  if (code === '0x') return undefined
  const read = (functionName: 'name' | 'symbol' | 'decimals') =>
    callToken(chain, address, encodeFunctionData({ abi: tokenAbi, functionName }))
  const [name, symbol, decimals, balance, isB20, runs, answers] = await Promise.all([
    read('name'),
    read('symbol'),
    read('decimals'),
    callToken(chain, address, zeroCall('balanceOf(address)')),
    isB20Token(chain, address),
    findRun(chain, address, code),
    Promise.all(ask.calls.map((call) => callToken(chain, address, zeroCall(call)))),
  ])
  const codes = runs ? [code, await readCode(chain, runs.address)] : [code]
  const decimalsNumber = wordOf(decimals)
  return {
    name: readText(name),
    symbol: readText(symbol),
    decimals:
      decimalsNumber !== undefined && decimalsNumber <= 255n ? Number(decimalsNumber) : undefined,
    hasBalances: wordOf(balance) !== undefined,
    isB20,
    runs,
    named: new Set(ask.functions.filter((text) => codes.some((one) => namesFunction(one, text)))),
    answered: new Set(ask.calls.filter((_, i) => wordOf(answers[i]) !== undefined)),
  }
}

/** Compilers compare a function's selector with PUSH4 and its four bytes. */
const namesFunction = (code: Hex, signature: string): boolean =>
  code.includes(`63${toFunctionSelector(signature).slice(2)}`)

/** A call with zero for every argument. */
function zeroCall(signature: string): Hex {
  const [, args = ''] = /\(([^)]*)\)/.exec(signature) ?? []
  const words = args === '' ? 0 : args.split(',').length
  return `${toFunctionSelector(signature)}${'0'.repeat(64 * words)}`
}

async function isB20Token(chain: Chain, address: Address): Promise<boolean> {
  if (!B20_FORM.test(address)) return false
  const data =
    `${toFunctionSelector('isB20Initialized(address)')}${wordOfAddress(address)}` as const
  return wordOf(await callToken(chain, B20_FACTORY, data)) === 1n
}

const wordOfAddress = (address: Address): string => address.slice(2).toLowerCase().padStart(64, '0')

async function findRun(chain: Chain, address: Address, code: Hex): Promise<TokenFacts['runs']> {
  const [, minimal] = MINIMAL_PROXY.exec(code) ?? []
  if (minimal) return { address: getAddress(`0x${minimal}`), by: 'EIP-1167' }
  const words = await Promise.all(
    SLOTS.map(([, slot]) => askChain(() => chain.rpc.getStorageAt({ address, slot }))),
  )
  for (const [i, [by]] of SLOTS.entries()) {
    const named = addressIn(words[i])
    if (!named) continue
    if (by !== 'EIP-1967 beacon') return { address: named, by }
    const implementation = addressIn(await callToken(chain, named, IMPLEMENTATION))
    return { address: implementation ?? named, by }
  }
  return undefined
}

function addressIn(word: Hex | undefined): Address | undefined {
  if (word?.length !== 66) return undefined
  const address = getAddress(`0x${word.slice(26)}`)
  return address === zeroAddress || !word.startsWith(`0x${'0'.repeat(24)}`) ? undefined : address
}

const TEXT_MAX_BYTES = 1_024

/** A string in the ABI's encoding, or 32 bytes as the first tokens answer. Undefined for anything else. */
export function readText(data: Hex | undefined): string | undefined {
  if (data === undefined || data.length <= 2) return undefined
  const bytes = Buffer.from(data.slice(2), 'hex')
  if (bytes.length === 32) return textOf(bytes.subarray(0, lengthOf32(bytes)))
  if (bytes.length < 64 || BigInt(data.slice(0, 66)) !== 32n) return undefined
  const length = BigInt(`0x${data.slice(66, 130)}`)
  if (length > BigInt(Math.min(TEXT_MAX_BYTES, bytes.length - 64))) return undefined
  return textOf(bytes.subarray(64, 64 + Number(length)))
}

const lengthOf32 = (bytes: Uint8Array): number => {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes.length : end
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
