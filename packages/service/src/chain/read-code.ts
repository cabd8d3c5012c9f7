import type { Address, Hex } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'

/** The code at the address at the newest block; `0x` where no contract stands. */
export const readCode = ({ rpc }: Chain, address: Address): Promise<Hex> =>
  askChain(async () => (await rpc.getCode({ address })) ?? '0x')

/** Whether a contract stands at the address at the newest block: it alone can say what it has signed (ERC-1271). */
export const hasCode = async (chain: Chain, address: Address): Promise<boolean> =>
  (await readCode(chain, address)) !== '0x'
