import { encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { revertReason } from '../simulate.ts'

/** The functions of a token that we read and try. */
export const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** No honest token needs more gas to answer. A hostile one can answer with a few hundred kilobytes for it. */
export const READ_GAS = 300_000n

/** One word of the contract's storage that the node should assume while it answers. */
export type Override = { slot: Hex; value: Hex }

/** The contract's answer, or undefined if the call fails. An address without code answers `0x`. */
export const callToken = (
  { rpc }: Pick<Chain, 'rpc'>,
  to: Address,
  data: Hex,
  override?: Override,
): Promise<Hex | undefined> =>
  askChain(async () => {
    const stateOverride = override && [{ address: to, stateDiff: [override] }]
    try {
      const { data: answer } = await rpc.call({
        to,
        data,
        gas: READ_GAS,
        ...(stateOverride ? { stateOverride } : {}),
      })
      return answer ?? '0x'
    } catch (error) {
      if (revertReason(error) === undefined) throw error
      return undefined
    }
  })

/** The account's balance in base units, or undefined if the token does not answer it. */
export const readTokenBalance = async (
  chain: Pick<Chain, 'rpc'>,
  token: Address,
  account: Address,
  override?: Override,
): Promise<bigint | undefined> =>
  wordOf(await callToken(chain, token, balanceData(account), override))

export const balanceData = (account: Address): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [account] })

/** An answer of exactly one word, as a number. */
export const wordOf = (data: Hex | undefined): bigint | undefined =>
  data?.length === 66 ? BigInt(data) : undefined
