import { hasSignedIn } from '../../api/keys/store.ts'
import { one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { PRIVATE_KEYS, privateKeyContext } from '../../base/signing-keys/key-pair.ts'
import { sealedColumn } from '../../base/signing-keys/store-sealed.ts'

/** A sealed P-256 key that waits for the open mandate that names it. */
export type PreparedKey = {
  payerWallet: string
  kid: string
  cardId: string
  sealed: Buffer
  createdAt: Date
  expiresAt: Date
}

/** The most keys of a wallet that wait at once. The database has no place for more. */
export const PREPARED_MAX = 20

/** Two concurrent calls may choose the same place. The second then sees the first and chooses again. */
const PLACE_TRIES = PREPARED_MAX + 5

/** Stores the key in a free place of its wallet, or in that of an expired one. False if there is none. */
export async function insertPreparedKey(tx: Tx, key: PreparedKey): Promise<boolean> {
  for (let tries = 0; tries < PLACE_TRIES; tries++) {
    const place = await findFreePlace(tx, key)
    if (place === undefined) return false
    const written = await run(
      tx,
      sql`insert into agreement_keys as k (payer_wallet, place, kid, card_id, sealed, created_at, expires_at)
        values (${key.payerWallet}, ${place}, ${key.kid}, ${key.cardId}, ${key.sealed}, ${key.createdAt}, ${key.expiresAt})
        on conflict (payer_wallet, place) do update set kid = excluded.kid, card_id = excluded.card_id,
          sealed = excluded.sealed, created_at = excluded.created_at, expires_at = excluded.expires_at
          where k.expires_at <= excluded.created_at`,
    )
    if (written === 1) return true
  }
  return false
}

async function findFreePlace(tx: Tx, key: PreparedKey): Promise<number | undefined> {
  const row = await one<{ place: number }>(
    tx,
    sql`select p.place from generate_series(1, ${PREPARED_MAX}::integer) as p (place)
      where not exists (select from agreement_keys k where k.payer_wallet = ${key.payerWallet} and k.place = p.place
        and k.expires_at > ${key.createdAt}) order by p.place limit 1`,
  )
  return row?.place
}

/** The wallet's prepared key for this card, locked until the transaction ends; undefined once it is used or expired. */
export const lockPreparedKey = (
  tx: Tx,
  at: Date,
  of: { payerWallet: string; cardId: string; kid: string },
): Promise<PreparedKey | undefined> =>
  one<PreparedKey>(
    tx,
    sql`select payer_wallet, kid, card_id, sealed, created_at, expires_at from agreement_keys
      where kid = ${of.kid} and payer_wallet = ${of.payerWallet} and card_id = ${of.cardId} and expires_at > ${at}
      for update`,
  )

export async function deletePreparedKey(tx: Tx, kid: string): Promise<void> {
  await sql`delete from agreement_keys where kid = ${kid}`.execute(tx)
}

/** Deletes the keys that wait for agreements of a card that changes hands. */
export async function deletePreparedKeysOf(tx: Tx, cardId: string): Promise<void> {
  await sql`delete from agreement_keys where card_id = ${cardId}`.execute(tx)
}

/** Whether the wallet has ever signed in here. */
export async function isKnownWallet(on: Reader, address: string): Promise<boolean> {
  const row = await one<{ known: boolean }>(
    on,
    sql`select ${hasSignedIn('w.wallet')} as known from (values (${address}::text)) as w (wallet)`,
  )
  return row?.known === true
}

export const sealedPreparedKeys = sealedColumn({
  what: 'keys of agreements that are not signed yet',
  purpose: PRIVATE_KEYS,
  table: 'agreement_keys',
  key: ['kid'],
  column: 'sealed',
  context: privateKeyContext,
})
