import { encodeFunctionData } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Chain } from '../chain.ts'
import { balanceData, tokenAbi } from '../tokens/calls.ts'
import { readTokenFacts } from '../tokens/facts.ts'
import { readWords } from '../tokens/read-words.ts'

export type ShownToken = {
  /** The token's own words; undefined if they cannot be read. */
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
  /** Base units; undefined if it does not say. */
  supply: bigint | undefined
}

const SUPPLY = encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' })

/** The token as the newest block shows it; undefined if there is no contract, or none with balances. */
export async function readShownToken(
  chain: Chain,
  address: Address,
): Promise<ShownToken | undefined> {
  const [facts, [supply]] = await Promise.all([
    readTokenFacts(chain, address, { functions: [], calls: [] }),
    readWords(chain, [{ target: address, data: SUPPLY }]),
  ])
  if (!facts?.hasBalances) return undefined
  const { name, symbol, decimals } = facts
  return { name, symbol, decimals, supply }
}

/** The account's balance of each token; undefined where the token does not answer. */
export const readBalances = (
  chain: Chain,
  account: Address,
  tokens: readonly Address[],
): Promise<(bigint | undefined)[]> =>
  readWords(
    chain,
    tokens.map((target) => ({ target, data: balanceData(account) })),
  )
