import { keccak256, parseAbi } from 'viem'
import artifact from '../../../../../contracts/build/BatchSettler.json' with { type: 'json' }
import { askChain, type Chain } from '../../chain/chain.ts'
import type { Address, Hex } from '../../kernel/assets.ts'

const ABI = parseAbi(['function operator() view returns (address)'])
const EXPECTED = keccak256(artifact.deployedBytecode as Hex)

/** The configured BatchSettler; `isOurs` is set once its code was compared. */
export type Settler = { readonly address: Address | undefined; isOurs?: Promise<boolean> }

/**
 * The settler through which sends may share a transaction. Undefined if none is configured, or the code at its address
 * is not our contract's. The code is read once.
 */
export async function settlerOf({
  chain,
  settler,
}: {
  chain: Chain
  settler: Settler
}): Promise<Address | undefined> {
  if (!settler.address) return undefined
  settler.isOurs ??= isSettler(chain, settler.address)
  try {
    return (await settler.isOurs) ? settler.address : undefined
  } catch (error) {
    delete settler.isOurs
    throw error
  }
}

/** Whether the code at the address is BatchSettler's, with any operator: the operator's address is part of the code. */
export const isSettler = (chain: Pick<Chain, 'rpc'>, address: Address): Promise<boolean> =>
  askChain(async () => {
    const code = await chain.rpc.getCode({ address })
    // Code of another length is another contract, which may have no `operator` to ask for.
    if (code?.length !== artifact.deployedBytecode.length) return false
    const operator = await chain.rpc.readContract({ abi: ABI, address, functionName: 'operator' })
    const word = operator.slice(2).toLowerCase().padStart(64, '0')
    return keccak256(code.replaceAll(word, '0'.repeat(64)) as Hex) === EXPECTED
  })
