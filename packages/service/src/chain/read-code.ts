import type { Address } from '../kernel/assets.ts'
import { askChain, type Chain } from './chain.ts'

/** Whether a contract stands at the address at the newest block: it alone can say what it has signed (ERC-1271). */
export const hasCode = (chain: Chain, address: Address): Promise<boolean> =>
  askChain(async () => ((await chain.rpc.getCode({ address })) ?? '0x') !== '0x')
