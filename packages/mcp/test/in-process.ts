import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { WalletOptions } from '../src/mcp.ts'
import { createWalletServer, openWallet } from '../src/mcp.ts'

/** A client beside the server of a wallet, in this process. */
export async function inProcess(options: WalletOptions): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createWalletServer(openWallet(options), { era: 'legacy' }).connect(far)
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(near as never)
  return client
}
