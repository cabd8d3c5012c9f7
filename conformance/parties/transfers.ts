import { createPublicClient, http } from 'viem'
import { type Hex, USDC } from '../../packages/service/src/base/kernel/assets.ts'
import { erc20Abi } from '../../packages/service/src/base/protocols/evm/eip3009/abi.ts'
import { CHAIN_ID } from './servers.ts'

const { contract: USDC_CONTRACT } = USDC[CHAIN_ID] as NonNullable<(typeof USDC)[number]>

/** The transfers to an address, in base units; of USDC by default. */
export const transfersTo = (rpcUrl: string, to: Hex, contract?: Hex): Promise<bigint[]> =>
  transfers(rpcUrl, { to }, contract)

/** As `transfersTo`, away from an address. */
export const transfersFrom = (rpcUrl: string, from: Hex, contract?: Hex): Promise<bigint[]> =>
  transfers(rpcUrl, { from }, contract)

async function transfers(
  rpcUrl: string,
  args: { from: Hex } | { to: Hex },
  contract: Hex = USDC_CONTRACT,
): Promise<bigint[]> {
  const node = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const logs = await node.getContractEvents({
    address: contract,
    abi: erc20Abi,
    eventName: 'Transfer',
    args,
    fromBlock: 0n,
    strict: true,
  })
  return logs.map((log) => log.args.value)
}
