import { all, json, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { PublicJwk } from '../../../base/protocols/ap2/jose/keys.ts'
import { PRIVATE_KEYS, privateKeyContext } from '../../../base/signing-keys/key-pair.ts'
import { sealedColumn } from '../../../base/signing-keys/store-sealed.ts'
import { CARDS } from '../../../money/cards/store.ts'

export type KeyRole = 'user' | 'agent'
/** A P-256 key of a card: a user's signs for the card, an agent's only under an open mandate. */
export type CardKey = {
  cardId: string
  /** RFC 7638 thumbprint. */
  kid: string
  role: KeyRole
  jwk: PublicJwk
  label: string
  /** The private half, if the service keeps the key for the card. */
  sealed: Buffer | null
  createdAt: Date
  revokedAt: Date | null
}

const CARD_KEY = sql.raw('card_id, kid, role, jwk, label, sealed, created_at, revoked_at')

/** Inserts the key. False if the card has one of this id, revoked or not. */
export const insertCardKey = async (tx: Tx, key: Omit<CardKey, 'revokedAt'>): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into ap2_card_keys (card_id, kid, role, jwk, label, sealed, owner_no, created_at)
      select c.id, ${key.kid}, ${key.role}, ${json(key.jwk)}, ${key.label}, ${key.sealed}, c.owner_no, ${key.createdAt}
        from ${CARDS} where c.id = ${key.cardId} on conflict do nothing`,
  )) === 1

/** The card's keys, revoked ones too, oldest first. */
export const listCardKeys = (on: Reader, cardId: string): Promise<CardKey[]> =>
  all<CardKey>(
    on,
    sql`select ${CARD_KEY} from ap2_card_keys where card_id = ${cardId} order by created_at, kid`,
  )

/** The keys of a card that its present owner registered, oldest first. */
export const listKeysOfOwner = (
  on: Reader,
  { id, ownerNo }: { id: string; ownerNo: number },
): Promise<CardKey[]> =>
  all<CardKey>(
    on,
    sql`select ${CARD_KEY} from ap2_card_keys where card_id = ${id} and owner_no = ${ownerNo}
      order by created_at, kid`,
  )

export const findCardKey = (
  on: Reader,
  { cardId, kid }: { cardId: string; kid: string },
): Promise<CardKey | undefined> =>
  one<CardKey>(
    on,
    sql`select ${CARD_KEY} from ap2_card_keys where card_id = ${cardId} and kid = ${kid}`,
  )

/** The cards of a wallet that have this key, revoked or not. A key of an earlier owner is none of theirs. */
export async function findCardsWithKey(
  on: Reader,
  { walletAddress, kid }: { walletAddress: string; kid: string },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select k.card_id as id from ap2_card_keys k join ${CARDS} on c.id = k.card_id
      where c.wallet_address = ${walletAddress} and k.kid = ${kid}
        and k.owner_no = c.owner_no order by k.card_id`,
  )
  return rows.map(({ id }) => id)
}

/** Revokes the key on these cards for good. */
export async function revokeCardKey(
  tx: Tx,
  at: Date,
  { cardIds, kid }: { cardIds: string[]; kid: string },
): Promise<void> {
  await sql`update ap2_card_keys set revoked_at = ${at}
    where card_id = any(${cardIds}::text[]) and kid = ${kid} and revoked_at is null`.execute(tx)
}

/** Revokes every key of a card that changes hands. */
export async function revokeCardKeys(tx: Tx, at: Date, cardId: string): Promise<void> {
  await sql`update ap2_card_keys set revoked_at = ${at}
    where card_id = ${cardId} and revoked_at is null`.execute(tx)
}

/** The columns and keys of a card that decide, before any lock, who may pay with it. */
export type PayerCard = {
  id: string
  walletAddress: string
  tokenHash: Buffer | null
  /** The public keys of users that are not revoked, by `kid`. */
  userKeys: Record<string, PublicJwk>
  /** Thumbprints of agents' keys that were revoked. */
  revokedAgents: string[]
  /** Changes on the card whenever these keys do. */
  keysVersion: number
  ownerNo: number
}

/** The cards of these ids with their user keys, by id. */
export async function findPayerCards(on: Reader, ids: string[]): Promise<Map<string, PayerCard>> {
  const cards = await all<PayerCard>(
    on,
    sql`select c.id, c.wallet_address, c.token_hash, c.keys_version, c.owner_no, coalesce(k.user_keys, '{}') as user_keys,
        coalesce(k.revoked_agents, '{}') as revoked_agents
      from ${CARDS}, lateral (
        select jsonb_object_agg(kid, jwk) filter (where role = 'user' and revoked_at is null) as user_keys,
          array_agg(kid) filter (where role = 'agent' and revoked_at is not null) as revoked_agents
        from ap2_card_keys where card_id = c.id) k
      where c.id = any(${ids}::text[])`,
  )
  return new Map(cards.map((card) => [card.id, card]))
}

export const sealedCardKeys = sealedColumn({
  what: 'keys of cards',
  purpose: PRIVATE_KEYS,
  table: 'ap2_card_keys',
  key: ['card_id', 'kid'],
  column: 'sealed',
  of: ['kid'],
  context: privateKeyContext,
})
