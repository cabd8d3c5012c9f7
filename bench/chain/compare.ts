/** Whether the chain shows each payment once, no nonce is lost, and every row has ended well. */
import { all, type Db, sql } from '../../packages/service/src/base/db/sql.ts'
import type { ChainService } from './service.ts'

type Hex = `0x${string}`
type Log = { topics: [Hex, Hex, Hex] }
/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export async function compareWithChain(
  service: ChainService,
  db: Db,
  payees: Hex[],
): Promise<{ faults: string[]; transactions: number }> {
  const { rpc_url, usdc, treasury } = service.dev
  const ask = async <T>(method: string, params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(rpc_url, { method: 'POST', headers, body })
    return ((await reply.json()) as { result: T }).result
  }
  const filter = { address: usdc, topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' }
  const counts = new Map<string, number>()
  for (const { topics } of await ask<Log[]>('eth_getLogs', [filter])) {
    const key = topics.slice(1).join(' ').toLowerCase()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  const faults: string[] = []
  const expectOnce = (from: string, to: string) => {
    const times = counts.get(`${word(from)} ${word(to)}`) ?? 0
    if (times !== 1) faults.push(`${from} paid ${to} ${times} times`)
  }
  for (const payee of payees) expectOnce(treasury, payee)
  const paid = await all<{ payer: string; depositAddress: string }>(
    db.reader,
    sql`select s.payer, l.deposit_address from settlements s join pay_links l on l.id = s.pay_link_id`,
  )
  for (const { payer, depositAddress } of paid) {
    expectOnce(payer, depositAddress)
    expectOnce(depositAddress, treasury)
  }
  let transactions = 0
  const relayers = await all<{ address: Hex; nextNonce: bigint }>(
    db.reader,
    sql`select address, next_nonce from chain_relayers`,
  )
  for (const { address, nextNonce } of relayers) {
    const count = Number(await ask<Hex>('eth_getTransactionCount', [address, 'latest']))
    transactions += count
    if (count !== Number(nextNonce)) faults.push(`${address}: nonce ${nextNonce}, chain ${count}`)
  }
  const states = await all<{ what: string; state: string; count: bigint }>(
    db.reader,
    sql`select 'withdrawal' as what, status as state, count(*) from withdrawals group by status
      union all select 'settlement', state, count(*) from settlements group by state`,
  )
  for (const { what, state, count } of states)
    if (state !== 'COMPLETED' && state !== 'settled') faults.push(`${count} ${what}s ${state}`)
  return { faults, transactions }
}
