import { readFileSync } from 'node:fs'

/** The file that `npm start` writes about the development service: its URL, and an API key of its demo wallet. */
export const dev = JSON.parse(
  readFileSync(`${process.env.PURSER_DATA_DIR ?? 'data'}/dev.json`, 'utf8'),
) as {
  base_url: string
  network: `eip155:${number}`
  usdc: `0x${string}`
  rpc_url: string
  treasury: `0x${string}`
  demo: { wallet_address: `0x${string}`; api_key: string }
}
