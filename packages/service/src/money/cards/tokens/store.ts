import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'

/** held: the money is set aside. redeemed: it has gone to the payee. released: it is back on the card. */
export type TokenState = 'held' | 'redeemed' | 'released'

/** A token for one challenge: the right to take `amount` off one card, once, until `expiresAt`. */
export type IssuedToken = {
  challengeId: string
  cardId: Id<'card'>
  holdId: Id<'hold'>
  /** The payer card's transaction, PENDING until the token has ended. */
  transactionId: Id<'txn'>
  /** The id of the settlement once the token is redeemed. Hold, decision and transaction already use it. */
  settlementId: Id<'stl'>
  /** The issuer's name for the payee: the code of a pay link. */
  recipient: string
  amount: Amount
  /** The part of the amount that the payee pays as its fee. */
  fee: Amount
  network: string
  asset: string
  state: TokenState
  expiresAt: Date
  createdAt: Date
  endedAt: Date | null
}

const COLUMNS =
  sql.raw(`challenge_id, card_id, hold_id, transaction_id, settlement_id, recipient, amount, fee, network, asset,
  state,  expires_at, created_at, ended_at`)

/** Inserts a held token. Returns false if its challenge already has one. */
export async function insertToken(tx: Tx, t: IssuedToken): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into agent_card_tokens (challenge_id, card_id, hold_id, transaction_id, settlement_id, recipient, amount,
        fee, network, asset, expires_at, created_at)
      values (${t.challengeId}, ${t.cardId}, ${t.holdId}, ${t.transactionId}, ${t.settlementId}, ${t.recipient},
        ${t.amount}, ${t.fee}, ${t.network}, ${t.asset}, ${t.expiresAt}, ${t.createdAt})
      on conflict (challenge_id) do nothing`,
  )
  return written === 1
}

/** The token for a challenge, in its current state. */
export const findToken = (on: Reader, challengeId: string): Promise<IssuedToken | undefined> =>
  one<IssuedToken>(
    on,
    sql`select ${COLUMNS} from agent_card_tokens where challenge_id = ${challengeId}`,
  )

/** The token, locked until the transaction ends. Lock it before links and cards. */
export const lockToken = (tx: Tx, challengeId: string): Promise<IssuedToken | undefined> =>
  one<IssuedToken>(
    tx,
    sql`select ${COLUMNS} from agent_card_tokens where challenge_id = ${challengeId} for update`,
  )

/** Ends a held token whose hold was closed in this transaction. Returns false if it had already ended. */
export async function endToken(
  tx: Tx,
  at: Date,
  ended: { challengeId: string; state: 'redeemed' | 'released' },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update agent_card_tokens set state = ${ended.state}, ended_at = ${at}
      where challenge_id = ${ended.challengeId} and state = 'held'`,
  )
  return changed === 1
}

/** Challenges whose tokens are still held although their time is over. */
export async function findOverdue(on: Reader, at: Date): Promise<string[]> {
  const rows = await all<{ challengeId: string }>(
    on,
    sql`select challenge_id from agent_card_tokens where state = 'held' and expires_at <= ${at}
      order by expires_at limit 500`,
  )
  return rows.map((row) => row.challengeId)
}

/** As `isTokenHeld`: its payee has the money. */
export const isTokenRedeemed = (challengeId: string): RawBuilder<boolean> =>
  sql`exists (select from agent_card_tokens k where k.challenge_id = ${sql.ref(challengeId)} and k.state = 'redeemed')`

/** A condition for another room's statement: the challenge in this column has a token that still holds its money. */
export const isTokenHeld = (challengeId: string, at: Date): RawBuilder<boolean> =>
  sql`exists (select from agent_card_tokens k where k.challenge_id = ${sql.ref(challengeId)}
    and k.state = 'held' and k.expires_at > ${at})`
