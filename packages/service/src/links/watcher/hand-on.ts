import type { Tx } from '../../base/db/sql.ts'
import { isSystemAddress } from '../../base/kernel/address.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { railOf } from '../../chain/client/rails.ts'
import { creditDeposits } from '../../money/treasury/deposits/deposit.ts'
import { depositsIn } from '../../money/treasury/deposits/store.ts'
import { findLinkAddresses, type WatchedLink } from '../link/store-addresses.ts'
import { findTakenLogs } from '../link/store-logs.ts'
import { finishChainPayment } from '../pay-links/methods/on-chain/settle.ts'
import { findKnownWallets, type TransferState, type WatchedTransfer } from './store.ts'

/**
 * Passes on safe transfers: deposits are credited in this transaction, payments of links get a job. Returns the rows
 * with their new states.
 */
export async function handOn(
  tx: Tx,
  at: Date,
  given: { chain: Chain; links: ReadonlyMap<string, WatchedLink>; ready: WatchedTransfer[] },
): Promise<WatchedTransfer[]> {
  const { chain, links, ready } = given
  const toTreasury = ready.filter((row) => row.to === chain.treasury.address)
  const done = await handDeposits(tx, at, { chain, rows: toTreasury })
  for (const row of ready) {
    const link = links.get(row.to)
    if (link) done.push({ ...row, state: await passOn(tx, row, link) })
  }
  return done
}

async function handDeposits(
  tx: Tx,
  at: Date,
  { chain, rows }: { chain: Chain; rows: WatchedTransfer[] },
): Promise<WatchedTransfer[]> {
  if (rows.length === 0) return []
  const pulled = rows.filter(({ pullRef }) => pullRef !== undefined)
  const given = rows.filter(({ pullRef }) => pullRef === undefined)
  const senders = [...new Set(given.map((row) => row.from))]
  const wallets = await findKnownWallets(tx, senders)
  const own = await findLinkAddresses(tx, senders).then((found) =>
    found.add(chain.treasury.address),
  )
  const known = given.filter(
    (row) => wallets.has(row.from) && !own.has(row.from) && !isSystemAddress(row.from),
  )
  const others = given.filter((row) => !known.includes(row))
  return [
    ...pulled.map((row) => ({ ...row, state: 'pulled' as const })),
    ...others.map((row) => ({
      ...row,
      state: own.has(row.from) ? ('own' as const) : ('unclaimed' as const),
    })),
    ...(await creditRows(tx, at, { chain, rows: known })),
  ]
}

/**
 * Credits deposits to the wallets that sent them. If a credited deposit's transaction has moved to another block, that
 * is an alarm, not a second credit.
 */
export async function creditRows(
  tx: Tx,
  at: Date,
  { chain, rows }: { chain: Chain; rows: WatchedTransfer[] },
): Promise<WatchedTransfer[]> {
  const done: WatchedTransfer[] = []
  // In the order of the wallets, so that concurrent transactions lock their accounts in one order.
  const sorted = [...rows].sort((a, b) => (a.from < b.from ? -1 : 1))
  for (const group of Map.groupBy(
    sorted,
    (row) => `${row.from} ${row.txHash} ${row.asset}`,
  ).values()) {
    const [first] = group
    if (!first) continue
    const credited = await depositsIn(tx, chain.network, first.txHash)
    const isMoved = credited.some((deposit) => deposit.blockHash !== first.blockHash)
    const state: TransferState = isMoved ? 'alarm' : 'credited'
    if (!isMoved)
      await creditDeposits(tx, at, {
        rail: railOf(chain, first.asset),
        walletAddress: first.from,
        mined: {
          hash: first.txHash,
          succeeded: true,
          blockNumber: first.blockNumber,
          at,
          isSafe: true,
          transfers: group,
        },
      })
    done.push(...group.map((row) => ({ ...row, state })))
  }
  return done
}

async function passOn(
  tx: Tx,
  { network, txHash, logIndex, from }: WatchedTransfer,
  link: WatchedLink,
): Promise<TransferState> {
  if (isSystemAddress(from)) return 'unclaimed'
  const taken = await findTakenLogs(tx, { network, txHash })
  if (taken.has(logIndex)) return 'credited'
  await finishChainPayment(tx, { link, txHash })
  return 'passed_on'
}
