import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address, Hex, Network } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'

/** The states that are stored; a card without a row is NONE. */
export const IDENTITY_STATES = [
  'PENDING',
  'MINTED',
  'FINAL',
  'TRANSFERRING',
  'DETACHED',
  'FAILED',
] as const
export type IdentityState = (typeof IDENTITY_STATES)[number]
/** The owner of record follows a sale; the token goes to the owner's wallet; it is sold on chain. */
export type Move = 'assign' | 'release' | 'outside'
export const CUSTODIES = ['CUSTODIAL', 'WITHDRAWN'] as const
export type Custody = (typeof CUSTODIES)[number]

/** A card's identity token: what is wanted, and what was last seen on the chain. */
export type IdentityRow = {
  cardId: Id<'card'>
  network: Network
  registry: Address
  ownerWallet: Address
  /** The wallet that asked for the newest mint or move: its ration is used. Null for one that a sale has paid for. */
  askedBy: Address | null
  /** The service's address in the URI that the token should have. */
  baseUrl: string
  state: IdentityState
  move: Move | null
  custody: Custody
  /** Null until the mint is final. */
  tokenId: bigint | null
  holderAddress: Address | null
  attestationUid: Hex | null
  isAttested: boolean
  isDeployed: boolean
  /** Whether the vault holds the token, and it has that URI. */
  isNamed: boolean
  /** Transactions made for it, one after the other. */
  attempts: number
  sendRef: string | null
  txHash: Hex | null
  reason: string | null
  createdAt: Date
}

const COLUMNS =
  sql.raw(`card_id, network, registry, owner_wallet, asked_by, base_url, state, move, custody, token_id, holder_address,
  attestation_uid, is_attested, is_deployed, is_named, attempts, send_ref, tx_hash, reason, created_at`)

export const findIdentityRows = (on: Reader, cardIds: readonly string[]): Promise<IdentityRow[]> =>
  all<IdentityRow>(on, sql`select ${COLUMNS} from identities where card_id = any(${cardIds})`)

export const findIdentityRow = async (
  on: Reader,
  cardId: string,
): Promise<IdentityRow | undefined> => (await findIdentityRows(on, [cardId]))[0]

/** Locked after cards, and by the job alone. */
export const lockIdentityRow = (tx: Tx, cardId: string): Promise<IdentityRow | undefined> =>
  one<IdentityRow>(tx, sql`select ${COLUMNS} from identities where card_id = ${cardId} for update`)

type NewIdentityRow = Pick<
  IdentityRow,
  'cardId' | 'network' | 'registry' | 'ownerWallet' | 'askedBy' | 'baseUrl'
>

/** Writes a wanted identity down. The card is locked, and has none. */
export async function insertIdentityRow(
  tx: Tx,
  at: Date,
  row: NewIdentityRow,
): Promise<IdentityRow> {
  const inserted = await one<IdentityRow>(
    tx,
    sql`insert into identities (card_id, network, registry, owner_wallet, asked_by, base_url, state, created_at,
        checked_at)
      values (${row.cardId}, ${row.network}, ${row.registry}, ${row.ownerWallet}, ${row.askedBy}, ${row.baseUrl}, 'PENDING', ${at}, ${at})
      returning ${COLUMNS}`,
  )
  assert(inserted, 'an insert answers its row')
  return inserted
}

/** A sale pays for the transfer to its buyer. The owner pays for later transfers. */
const askerOf = ({ state, askedBy, ownerWallet }: IdentityRow): Address | null =>
  state === 'FINAL' || state === 'DETACHED' || state === 'FAILED'
    ? (askedBy ?? ownerWallet)
    : askedBy

/** Stores all that may change of a credential that is locked. */
export const saveIdentityRow = (tx: Tx, row: IdentityRow): Promise<number> =>
  run(
    tx,
    sql`update identities set owner_wallet = ${row.ownerWallet}, asked_by = ${askerOf(row)}, state = ${row.state}, move = ${row.move},
        custody = ${row.custody}, token_id = ${row.tokenId}, holder_address = ${row.holderAddress},
        attestation_uid = ${row.attestationUid}, is_attested = ${row.isAttested}, is_deployed = ${row.isDeployed},
        is_named = ${row.isNamed},
        attempts = ${row.attempts}, send_ref = ${row.sendRef}, tx_hash = ${row.txHash}, reason = ${row.reason}
      where card_id = ${row.cardId}`,
  )

/** Identities on their way whose job may be lost: none has looked at them since `before`. */
export const findOpenIdentities = async (on: Reader, before: Date): Promise<Id<'card'>[]> =>
  (
    await all<{ cardId: Id<'card'> }>(
      on,
      sql`select card_id from identities where state in ('PENDING', 'MINTED', 'TRANSFERRING')
        and move is distinct from 'outside' and checked_at < ${before} order by checked_at limit 500`,
    )
  ).map(({ cardId }) => cardId)

/** Identities at rest that nobody has looked at for longest. */
export const findLongestUnseen = (
  on: Reader,
  { custody, limit }: { custody: Custody; limit: number },
): Promise<IdentityRow[]> =>
  all<IdentityRow>(
    on,
    sql`select ${COLUMNS} from identities where state in ('FINAL', 'DETACHED') and custody = ${custody}
      order by checked_at limit ${limit}`,
  )

export const saveChecked = (tx: Tx, at: Date, cardIds: readonly string[]): Promise<number> =>
  run(tx, sql`update identities set checked_at = ${at} where card_id = any(${cardIds})`)

/** A ration counts these apart. */
export type Rationed = 'mints' | 'moves' | 'uris'

/** Counts one of the scope on this day, unless it has `most` already. Returns whether it counted. */
export async function countRation(
  tx: Tx,
  { scope, day, what, most }: { scope: string; day: string; what: Rationed; most: number },
): Promise<boolean> {
  if (most < 1) return false
  const column = sql.ref(what)
  const counted = await run(
    tx,
    sql`insert into identity_rations as r (scope, day, ${column}) values (${scope}, ${day}::date, 1)
      on conflict (scope, day) do update set ${column} = r.${column} + 1 where r.${column} < ${most}`,
  )
  return counted === 1
}

/** How many of the scope were counted on this day. */
export const readRation = async (
  on: Reader,
  { scope, day, what }: { scope: string; day: string; what: Rationed },
): Promise<number> =>
  (
    await one<{ count: number }>(
      on,
      sql`select ${sql.ref(what)} as count from identity_rations where scope = ${scope} and day = ${day}::date`,
    )
  )?.count ?? 0

/** How many tokens should name an address of this service, how many of them the vault keeps, and how many of those do. */
export type NamedTokens = { baseUrl: string; tokens: number; kept: number; named: number }

export const countNamedTokens = (on: Reader): Promise<NamedTokens[]> =>
  all<NamedTokens>(
    on,
    sql`select base_url, count(*)::integer as tokens,
        count(*) filter (where custody = 'CUSTODIAL')::integer as kept,
        count(*) filter (where is_named)::integer as named
      from identities where state <> 'FAILED' group by base_url order by base_url`,
  )

/** Has every token name this address. What failed before is tried again. */
export const renameAll = (tx: Tx, baseUrl: string): Promise<number> =>
  run(
    tx,
    sql`update identities set base_url = ${baseUrl}, is_named = is_named and base_url = ${baseUrl},
        reason = case when state = 'FAILED' then reason end
      where base_url <> ${baseUrl} or (state <> 'FAILED' and reason is not null)`,
  )

/** The card whose holder account has this address. */
export const findCardOfHolder = async (on: Reader, address: Address): Promise<string | undefined> =>
  (
    await one<{ cardId: string }>(
      on,
      sql`select card_id from identities where holder_address = ${address}`,
    )
  )?.cardId

/** The card of an identity token that is final. */
export const findCardOfToken = async (
  on: Reader,
  of: { network: Network; registry: Address; tokenId: bigint },
): Promise<Id<'card'> | undefined> =>
  (
    await one<{ cardId: Id<'card'> }>(
      on,
      sql`select card_id from identities
        where network = ${of.network} and registry = ${of.registry} and token_id = ${of.tokenId}`,
    )
  )?.cardId
