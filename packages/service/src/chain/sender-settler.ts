import { keccak256, parseAbi } from 'viem'
import artifact from '../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import type { Address, Hex } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'

const ABI = parseAbi(['function operator() view returns (address)'])
const EXPECTED = keccak256(artifact.deployedBytecode as Hex)

/** The BatchSettler of a chain, as it was named and once it was looked at. Held by the chain, for its process. */
export type SettlerWatch = { readonly named: Address | undefined; checked?: Promise<boolean> }

/**
 * The settler through which sends may share a transaction; undefined where none was named, or what stands there is
 * not our contract. It is looked at once.
 */
export async function settlerOf(chain: Chain): Promise<Address | undefined> {
  const { settler } = chain
  if (!settler.named) return undefined
  settler.checked ??= isSettler(chain, settler.named)
  try {
    return (await settler.checked) ? settler.named : undefined
  } catch (error) {
    delete settler.checked
    throw error
  }
}

/** Whether the code at the address is BatchSettler's, whoever its operator is: that one address is part of the code. */
export const isSettler = (chain: Pick<Chain, 'rpc'>, address: Address): Promise<boolean> =>
  askChain(async () => {
    const code = await chain.rpc.getCode({ address })
    // Anything that is not as long cannot be it, and may not even answer who its operator is.
    if (code?.length !== artifact.deployedBytecode.length) return false
    const operator = await chain.rpc.readContract({ abi: ABI, address, functionName: 'operator' })
    const word = operator.slice(2).toLowerCase().padStart(64, '0')
    return keccak256(code.replaceAll(word, '0'.repeat(64)) as Hex) === EXPECTED
  })
