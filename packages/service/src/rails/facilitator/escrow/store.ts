import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { EscrowOrder } from '../../../base/protocols/x402/escrow-abi.ts'

/** An order that this service has sent to the escrow. */
export type StoredOrder = {
  id: Id<'eso'>
  walletAddress: Address
  paymentHash: Hex
  type: EscrowOrder['type']
  payer: Address
  amount: bigint
  requestHash: Buffer
  resourceUrl: string | null
  /** `failed`: its transaction changed nothing. */
  state: 'sending' | 'done' | 'failed'
  txHash: Hex | null
  createdAt: Date
  endedAt: Date | null
}

const COLUMNS =
  sql.raw(`id, wallet_address, payment_hash, type, payer, amount, request_hash, resource_url, state, tx_hash,
  created_at, ended_at`)

/** False if another order for the payment is on its way, or if it was authorized or asked for before. */
export const insertOrder = async (
  tx: Tx,
  order: Omit<StoredOrder, 'state' | 'txHash' | 'endedAt'>,
): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into x402_escrow_orders (id, wallet_address, payment_hash, type, payer, amount, request_hash,
        resource_url, created_at)
      values (${order.id}, ${order.walletAddress}, ${order.paymentHash}, ${order.type}, ${order.payer},
        ${order.amount}, ${order.requestHash}, ${order.resourceUrl}, ${order.createdAt}) on conflict do nothing`,
  )) === 1

/** The newest order of this request. */
export const findOrder = (on: Reader, requestHash: Buffer): Promise<StoredOrder | undefined> =>
  one<StoredOrder>(
    on,
    sql`select ${COLUMNS} from x402_escrow_orders where request_hash = ${requestHash}
      order by id desc limit 1`,
  )

/** The order that authorized the payment through us: only its wallet's keys may capture and void it. */
export const findAuthorizer = (on: Reader, paymentHash: Hex): Promise<StoredOrder | undefined> =>
  one<StoredOrder>(
    on,
    sql`select ${COLUMNS} from x402_escrow_orders where payment_hash = ${paymentHash} and type = 'authorize'
      and state = 'done'`,
  )

/** Ends an order on its way; undefined if it had ended before. */
export const endOrder = (
  tx: Tx,
  at: Date,
  end: { id: string; state: 'done' | 'failed'; txHash: Hex },
): Promise<StoredOrder | undefined> =>
  one<StoredOrder>(
    tx,
    sql`update x402_escrow_orders set state = ${end.state}, tx_hash = ${end.txHash}, ended_at = ${at}
      where id = ${end.id} and state = 'sending' returning ${COLUMNS}`,
  )

export const listSending = (on: Reader): Promise<StoredOrder[]> =>
  all<StoredOrder>(
    on,
    sql`select ${COLUMNS} from x402_escrow_orders where state = 'sending' order by id limit 100`,
  )
