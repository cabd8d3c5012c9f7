import { throughBestNode } from '../chain/nodes/best-node.ts'
import { railsOf } from '../chain/rails.ts'
import { readUsdcBalance } from '../chain/reads.ts'
import type { Services } from '../http/services.ts'
import { formatAmount } from '../kernel/money.ts'
import { readLiabilities } from '../ledger/verify/verify.ts'
import type { Trouble } from './store.ts'

/**
 * The service token never leaves the treasury through this service, and arrives before it is booked. So the chain may hold
 * more than the books owe, as long as a deposit is not reported, and never less.
 */
export async function serviceTokenTroubles({
  chain,
  db,
}: Pick<Services, 'chain' | 'db'>): Promise<Trouble[]> {
  const [, rail] = railsOf(chain)
  if (!rail) return []
  const { asset, network } = rail
  // The books first: what they owe by now has arrived by the time that the chain is read.
  const books = await readLiabilities(db.reader)
  const owed = books.find((row) => row.network === network && row.asset === asset.symbol)?.custody
  if (!owed) return []
  const treasury = rail.treasury.address
  const best = await throughBestNode(rail, (rpc) => readUsdcBalance({ ...rail, rpc }, treasury))
  const held = await readUsdcBalance(best, treasury)
  if (held >= owed) return []
  return [
    {
      kind: 'service_token',
      subject: `${network} ${asset.symbol}`,
      sentence: `${formatAmount(owed - held, asset.decimals)} ${asset.symbol} are missing on ${network}: the treasury holds less than the books owe. Run purser verify.`,
      details: { difference: String(held - owed) },
    },
  ]
}
