import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { hasJob } from '../../base/jobs/queue.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { DirectRail } from '../../base/protocols/rails.ts'
import { namesLeast } from '../link/store.ts'

/** A payment of a DIRECT link: a transfer on chain from the payer to the seller's wallet. */
export type DirectSettlement = {
  id: Id<'stl'>
  payLinkId: string
  cardId: string
  walletAddress: Address
  protocol: DirectRail
  /** How the transfer is known to be meant for the link. */
  boundBy: 'eip3009' | 'permit2' | 'memo' | 'signature'
  payer: Address
  network: string
  token: Address
  /** Base units of the token. */
  amount: Amount
  /** The nonce of the signed transfer; null for one that its payer sent. */
  nonce: Hex | null
  /** Unix seconds. */
  validBefore: bigint | null
  /** SHA-256 of the payer's signature as it was presented. */
  signatureDigest: Buffer | null
  fromBlock: bigint
  state: 'settling' | 'settled' | 'failed' | 'missing'
  reason: string | null
  txHash: Hex | null
  logIndex: number | null
  /** The part of the transfer that the seller's balance confirmed, in this block. */
  arrived: Amount | null
  arrivedBlock: bigint | null
  isFinal: boolean
  exceptionId: string | null
  transactionId: string | null
  /** Base units of the service's asset; null for a payment that is not metered. */
  meteredFee: Amount | null
  createdAt: Date
  settledAt: Date | null
}

const COLUMNS =
  sql.raw(`id, pay_link_id, card_id, wallet_address, protocol, bound_by, payer, network, token, amount, nonce, valid_before,
  signature_digest, from_block, state, reason, tx_hash, log_index, arrived, arrived_block, is_final, exception_id,
  transaction_id, metered_fee, created_at, settled_at`)

/** Writes settlements that have not ended; returns how many. One whose transfer has another settlement is left out. */
export async function insertDirect(tx: Tx, rows: readonly DirectSettlement[]): Promise<number> {
  let written = 0
  for (const row of rows)
    written += await run(
      tx,
      sql`insert into direct_settlements (id, pay_link_id, card_id, wallet_address, protocol, bound_by, payer, network,
        token, amount, nonce, valid_before, signature_digest, from_block, tx_hash, log_index, arrived, arrived_block,
        created_at)
      values (${row.id}, ${row.payLinkId}, ${row.cardId}, ${row.walletAddress}, ${row.protocol}, ${row.boundBy},
        ${row.payer}, ${row.network}, ${row.token}, ${row.amount}, ${row.nonce}, ${row.validBefore},
        ${row.signatureDigest}, ${row.fromBlock}, ${row.txHash}, ${row.logIndex}, ${row.arrived}, ${row.arrivedBlock},
        ${row.createdAt}) on conflict do nothing`,
    )
  return written
}

export const findDirect = (on: Reader, id: string): Promise<DirectSettlement | undefined> =>
  one<DirectSettlement>(on, sql`select ${COLUMNS} from direct_settlements where id = ${id}`)

/** The settlement, locked until the transaction ends. Its link is locked before it. */
export const lockDirect = (tx: Tx, id: string): Promise<DirectSettlement | undefined> =>
  one<DirectSettlement>(
    tx,
    sql`select ${COLUMNS} from direct_settlements where id = ${id} for update`,
  )

/** The settlement that the payer's authorization was claimed for. */
export const findDirectByNonce = (
  on: Reader,
  of: { network: string; token: string; payer: string; nonce: Hex },
): Promise<DirectSettlement | undefined> =>
  one<DirectSettlement>(
    on,
    sql`select ${COLUMNS} from direct_settlements where network = ${of.network} and token = ${of.token}
      and payer = ${of.payer} and nonce = ${of.nonce.toLowerCase()}`,
  )

/** The settlements of these transfers of one transaction that have not failed. */
export const findDirectIn = (
  on: Reader,
  of: { network: string; txHash: string },
): Promise<DirectSettlement[]> =>
  all<DirectSettlement>(
    on,
    sql`select ${COLUMNS} from direct_settlements where network = ${of.network} and tx_hash = ${of.txHash}
      and state <> 'failed' order by id`,
  )

/** The end of a settlement that had none. */
export type DirectEnd = Pick<DirectSettlement, 'id' | 'amount'> & {
  txHash: Hex
  logIndex: number
  isFinal: boolean
  exceptionId: string | null
  transactionId: string | null
  /** Null for what does not count. */
  meteredFee: Amount | null
}

export async function saveSettled(tx: Tx, at: Date, end: DirectEnd): Promise<void> {
  await sql`update direct_settlements set state = 'settled', amount = ${end.amount}, tx_hash = ${end.txHash},
      log_index = ${end.logIndex}, is_final = ${end.isFinal}, exception_id = ${end.exceptionId},
      transaction_id = ${end.transactionId}, metered_fee = ${end.meteredFee}, settled_at = ${at}
    where id = ${end.id} and state = 'settling'`.execute(tx)
}

/** Fails a settlement that had no end. False if it had one. */
export const saveFailed = async (tx: Tx, id: string, reason: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update direct_settlements set state = 'failed', reason = ${reason} where id = ${id} and state = 'settling'`,
  )) === 1

/** A safe block holds the transfer, in this log. */
export async function saveFinal(
  tx: Tx,
  id: string,
  log: { txHash: Hex; logIndex: number },
): Promise<void> {
  await sql`update direct_settlements set is_final = true, tx_hash = ${log.txHash}, log_index = ${log.logIndex}
    where id = ${id} and state = 'settled' and not is_final`.execute(tx)
}

/** Marks a settlement that a reorganization took. False if it is final, or was marked before. */
export const saveMissing = async (tx: Tx, id: string, reason: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update direct_settlements set state = 'missing', reason = ${reason}
      where id = ${id} and state = 'settled' and not is_final`,
  )) === 1

/** Settlements since before this time that are not final and that `task` has no job for. */
export async function findOpenDirect(
  on: Reader,
  of: { before: Date; task: { name: string } },
): Promise<Id<'stl'>[]> {
  const rows = await all<{ id: Id<'stl'> }>(
    on,
    sql`select id from direct_settlements s where (state = 'settling' or (state = 'settled' and not is_final))
      and created_at < ${of.before} and not ${hasJob(of.task, 's.id')} order by created_at limit 500`,
  )
  return rows.map(({ id }) => id)
}

/**
 * How many signed transfers to each of these sellers are on their way that will be metered (`isMetered`, `worthOf`): of our
 * asset those that are worth the seller's fee, of other tokens those of links that name what they are worth.
 */
export async function countWaiting(
  on: Reader,
  { sellers, ours }: { sellers: readonly { wallet: string; overage: Amount }[]; ours: string },
): Promise<Map<string, number>> {
  const rows = await all<{ walletAddress: string; waiting: bigint }>(
    on,
    sql`select s.wallet_address, count(*) as waiting
      from unnest(${sellers.map(({ wallet }) => wallet)}::text[], ${sellers.map(({ overage }) => overage)}::numeric[])
        as v (wallet, overage)
      join direct_settlements s on s.wallet_address = v.wallet and s.state = 'settling' and s.nonce is not null
      where case when s.token = ${ours} then s.amount >= v.overage else ${namesLeast('s.pay_link_id')} end
      group by 1`,
  )
  return new Map(rows.map(({ walletAddress, waiting }) => [walletAddress, Number(waiting)]))
}

/** Whether a payment of a DIRECT card is on its way: it pays the wallet that the card has now. */
export async function hasSettling(on: Reader, cardId: string): Promise<boolean> {
  const row = await one<{ found: boolean }>(
    on,
    sql`select exists (select from direct_settlements where card_id = ${cardId} and state = 'settling') as found`,
  )
  return row?.found === true
}
