import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'

/** The locked part of a token that its creator kept. */
export type Vesting = {
  cardId: string
  network: Network
  contract: Address
  streamId: bigint
  txHash: Hex
  /** Names the contract in the public address of the stream; null for our own. */
  alias: string | null
  recipient: Address
  /** Base units. */
  amount: bigint
  keepBps: number
  startsAt: Date
  endsAt: Date
}

const COLUMNS = sql.raw(
  'card_id, network, contract, stream_id, tx_hash, alias, recipient, amount, keep_bps, starts_at, ends_at',
)

export const findVesting = (on: Reader, cardId: string): Promise<Vesting | undefined> =>
  one<Vesting>(on, sql`select ${COLUMNS} from vesting_streams where card_id = ${cardId}`)

/** The streams whose recipient is this address. They stay with the creator when the card is sold. */
export const listVestings = (
  on: Reader,
  of: { network: Network; recipient: string },
): Promise<Vesting[]> =>
  all<Vesting>(
    on,
    sql`select ${COLUMNS} from vesting_streams where network = ${of.network} and recipient = ${of.recipient}
      order by created_at, card_id`,
  )

export type Vested = { kind: 'vested' | 'taken' | 'not_live' }

/** Locks the market, adds its stream and marks it VESTED. `taken`: the stream counts for another card. */
export async function saveVesting(tx: Tx, at: Date, v: Vesting): Promise<Vested> {
  const live = await run(
    tx,
    sql`update crt_markets set state = 'VESTED' where card_id = ${v.cardId} and state = 'LIVE'`,
  )
  if (live === 0) return { kind: 'not_live' }
  const added = await run(
    tx,
    sql`insert into vesting_streams (card_id, network, contract, stream_id, tx_hash, alias, recipient, amount, keep_bps,
        starts_at, ends_at, created_at)
      values (${v.cardId}, ${v.network}, ${v.contract}, ${v.streamId}, ${v.txHash}, ${v.alias}, ${v.recipient},
        ${v.amount}, ${v.keepBps}, ${v.startsAt}, ${v.endsAt}, ${at})
      on conflict (network, contract, stream_id) do nothing`,
  )
  return { kind: added === 1 ? 'vested' : 'taken' }
}
