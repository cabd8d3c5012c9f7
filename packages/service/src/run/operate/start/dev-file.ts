import { join } from 'node:path'
import type { Chain } from '../../../chain/client/chain.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import type { Demo } from '../../embedded/dev/seed.ts'
import { readJson, writeWhole } from '../data-dir.ts'

/** The file about a development service that scripts, tests and examples read. Its names are part of the interface. */
export type DevFile = {
  base_url: string
  network: string
  chain_id: number
  rpc_url: string
  database_url: string
  usdc: string
  treasury: string
  operator: string
  demo: { wallet_address: string; private_key: string; api_key: string }
  /** The service that wrote this, which may have stopped since. */
  pid: number
}

export const devFile = (dataDir: string): string => join(dataDir, 'dev.json')

export const readDevFile = (dataDir: string): Promise<Partial<DevFile> | undefined> =>
  readJson(devFile(dataDir))

export async function writeDevFile(
  dataDir: string,
  parts: {
    baseUrl: string
    rpcUrl: string
    databaseUrl: string
    chain: Chain
    demo: Demo
    pid: number
  },
): Promise<void> {
  const { chain, demo } = parts
  const content: DevFile = {
    base_url: parts.baseUrl,
    network: chain.network,
    chain_id: chain.chainId,
    rpc_url: parts.rpcUrl,
    database_url: parts.databaseUrl,
    usdc: defaultAsset(chain).contract,
    treasury: chain.treasury.address,
    operator: chain.treasury.address,
    demo: {
      wallet_address: demo.walletAddress,
      private_key: demo.privateKey,
      api_key: demo.apiKey,
    },
    pid: parts.pid,
  }
  await writeWhole(devFile(dataDir), content)
}
