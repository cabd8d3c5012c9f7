import { isAddressEqual, parseAbi } from 'viem'
import type { Address } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { unlessRefused } from '../nodes/refusal.ts'
import { askedOnce } from '../per-chain.ts'

/** The contracts of Uniswap v4 that a token is listed, priced and quoted by. */
export type V4Contracts = {
  readonly poolManager: Address
  readonly positionManager: Address
  readonly stateView: Address
  readonly quoter: Address
}

/** As published by Uniswap. The embedded chain has the id of Base Sepolia, and the same addresses. */
const V4: Readonly<Record<number, V4Contracts>> = {
  8453: {
    poolManager: '0x498581fF718922c3f8e6A244956aF099B2652b2b',
    positionManager: '0x7C5f5A4bBd8fD63184577525326123B519429bDc',
    stateView: '0xA3c0c9b65baD0b08107Aa264b0f3dB444b867A71',
    quoter: '0x0d5e0F971ED27FBfF6c2837bf31316121532048D',
  },
  84532: {
    poolManager: '0x05E73354cFDd6745C338b50BcFDfA3Aa6fA03408',
    positionManager: '0x4B2C77d209D3405F41a037Ec6c77F7F5b8e2ca80',
    stateView: '0x571291b572ed32ce6751a2Cb2486EbEe8DEfB9B4',
    quoter: '0x4A6513c898fe1B2d0E78d3b0e0A4a151589B1cBa',
  },
}

const ABI = parseAbi(['function poolManager() view returns (address)'])
/** The addresses of Uniswap v4 on a chain of this id; undefined if none are known. */
export const v4Of = (chainId: number): V4Contracts | undefined => V4[chainId]

/**
 * The chain's contracts of Uniswap v4; undefined if it has none. Each must name the same PoolManager. That a chain has them is
 * asked once. Throws `chain_unavailable`.
 */
export const findV4 = askedOnce(readV4, (found) => found !== undefined)

async function readV4(chain: Chain): Promise<V4Contracts | undefined> {
  const known = v4Of(chain.chainId)
  if (!known) return undefined
  const periphery = [known.stateView, known.quoter, known.positionManager]
  const named = await askChain(() =>
    Promise.all(
      periphery.map((address) =>
        unlessRefused(() =>
          chain.rpc.readContract({ abi: ABI, address, functionName: 'poolManager' }),
        ),
      ),
    ),
  )
  return named.every((manager) => manager && isAddressEqual(manager, known.poolManager))
    ? known
    : undefined
}
