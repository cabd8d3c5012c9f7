import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseAbi,
  toHex,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import devToken from '../../../../contracts/build/DevToken.json' with { type: 'json' }
import oddToken from '../../../../contracts/build/OddToken.json' with { type: 'json' }
import permitToken from '../../../../contracts/build/PermitToken.json' with { type: 'json' }
import testUsdc from '../../../../contracts/build/TestUsdc.json' with { type: 'json' }
import proxy from '../../../../contracts/build/UpgradeableProxy.json' with { type: 'json' }
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { mine, waitMined } from '../../src/run/embedded/dev/chain.ts'
import { testChain } from '../world/chain.ts'

export const MANNERS = [
  'Honest',
  'TakesFee',
  'Paused',
  'Refuses',
  'MovesNothing',
  'OnlyOnce',
  'BurnsGas',
  'OnlyFree',
  'AnswersFalse',
  'Rebases',
] as const
export type Manner = (typeof MANNERS)[number]

const ABI = parseAbi([
  'function initialize(string name, string symbol, uint8 decimals, address admin)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function setManner(uint8 manner)',
  'function setBlacklisted(address account, bool isBlocked)',
])
const USDC_ABI = parseAbi([
  'function initialize(string name, string symbol, address admin)',
  'function configureMinter(address minter, uint256 value)',
])
const CALL_GAS = 2_000_000
const IMPLEMENTATION = toHex(BigInt(keccak256(toHex('eip1967.proxy.implementation'))) - 1n, {
  size: 32,
})

const anvil = (rpcUrl = testChain().rpcUrl) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl) })

/** Places code at a random address. */
export async function place(code: string, rpcUrl?: string): Promise<Address> {
  const address = getAddress(randomHex(20))
  await anvil(rpcUrl).setCode({ address, bytecode: code as Hex })
  return address
}

/** Places a proxy that runs the code at `implementation`. */
export async function placeProxy(implementation: Address): Promise<Address> {
  const address = await place(proxy.deployedBytecode)
  const value: Hex = `0x${implementation.slice(2).padStart(64, '0')}`
  await anvil().setStorageAt({ address, index: IMPLEMENTATION, value })
  return address
}

type TokenOptions = {
  name?: string
  symbol?: string
  decimals?: number
  manner?: Manner
  /** The base units of a new holder; no holder if 0. */
  held?: bigint
  proxied?: boolean
  /** Its allowances may be signed (EIP-2612). */
  permits?: boolean
  /** A token of Circle's kind, which takes signed transfers (EIP-3009); always of 6 decimals. */
  circle?: boolean
  /** Another chain than the run's. */
  rpcUrl?: string
}

/** The test's own token with a holder, and ways to change it as its issuer. */
export async function newToken(options: TokenOptions = {}) {
  const { name = 'A Token', symbol = 'TOK', manner, held = 10n ** 20n, circle, rpcUrl } = options
  const decimals = circle ? 6 : (options.decimals ?? 18)
  const code = await place(codeOf(options), rpcUrl)
  const contract = options.proxied ? await placeProxy(code) : code
  const issuer = getAddress(randomHex(20))
  const holder = getAddress(randomHex(20))
  const send = (from: Address, data: Hex) => sendAs(from, contract, data, rpcUrl)
  const call = (functionName: 'setManner' | 'setBlacklisted' | 'mint', args: readonly unknown[]) =>
    send(issuer, encodeFunctionData({ abi: ABI, functionName, args } as never))
  for (const data of beginningsOf({ name, symbol, decimals, issuer, isCircle: circle === true }))
    await send(issuer, data)
  if (held > 0n) await call('mint', [holder, held])
  const setManner = (next: Manner) => call('setManner', [MANNERS.indexOf(next)])
  if (manner) await setManner(manner)
  return {
    contract,
    decimals,
    holder,
    setManner,
    mint: (to: Address, value: bigint) => call('mint', [to, value]),
    /** Moves tokens of any account to a stranger, as somebody with its key would. */
    takeFrom: (account: Address, value: bigint) =>
      send(
        account,
        encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [holder, value] }),
      ),
    /** Calls the token from any account. */
    callAs: send,
    setBlacklisted: (account: Address) => call('setBlacklisted', [account, true]),
  }
}
const codeOf = ({ circle, permits, manner }: TokenOptions): string => {
  if (circle) return testUsdc.deployedBytecode
  return (permits ? permitToken : manner ? oddToken : devToken).deployedBytecode
}

/** The issuer's calls that name the token, and let the issuer mint. */
function beginningsOf(of: {
  name: string
  symbol: string
  decimals: number
  issuer: Address
  isCircle: boolean
}): Hex[] {
  const { name, symbol, decimals, issuer } = of
  if (!of.isCircle) {
    const args = [name, symbol, decimals, issuer] as const
    return [encodeFunctionData({ abi: ABI, functionName: 'initialize', args })]
  }
  return [
    encodeFunctionData({
      abi: USDC_ABI,
      functionName: 'initialize',
      args: [name, symbol, issuer],
    }),
    encodeFunctionData({
      abi: USDC_ABI,
      functionName: 'configureMinter',
      args: [issuer, 10n ** 30n],
    }),
  ]
}

export type TestToken = Awaited<ReturnType<typeof newToken>>

/** A token of Circle's kind: EIP-3009, EIP-2612, a list of blocked accounts, and a pause. */
export async function newCircleToken(): Promise<Address> {
  const contract = await place(testUsdc.deployedBytecode)
  const admin = getAddress(randomHex(20))
  const data = encodeFunctionData({
    abi: USDC_ABI,
    functionName: 'initialize',
    args: ['Euro Coin', 'EURC', admin],
  })
  await sendAs(admin, contract, data)
  return contract
}

/** Sends a call with the account's own key, and waits until it is mined. */
export async function sendBy(
  account: PrivateKeyAccount,
  to: Address,
  data: Hex,
  rpcUrl = testChain().rpcUrl,
): Promise<Hex> {
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({ chain: null, to, data })
  await mine({ rpcUrl, blocks: 1 })
  await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
  return hash
}

async function sendAs(
  from: Address,
  to: Address,
  data: Hex,
  rpcUrl = testChain().rpcUrl,
): Promise<void> {
  const node = anvil(rpcUrl)
  await node.setBalance({ address: from, value: 10n ** 18n })
  await node.impersonateAccount({ address: from })
  const wallet = createWalletClient({ transport: http(rpcUrl) })
  // A node that is asked for the gas looks at a block, and the code that was placed since is in none.
  const call = { from, to, data, gas: toHex(CALL_GAS) }
  const hash = await wallet.request({ method: 'eth_sendTransaction', params: [call] })
  await mine({ rpcUrl, blocks: 1 })
  await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
}

/** Puts other code at the address of a contract. */
export const replaceCode = (address: Address, bytecode: Hex): Promise<void> =>
  anvil().setCode({ address, bytecode })
