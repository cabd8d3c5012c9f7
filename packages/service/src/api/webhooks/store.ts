import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { PRIVATE_KEYS } from '../../base/signing-keys/key-pair.ts'
import { sealedColumn } from '../../base/signing-keys/store-sealed.ts'
import { type SealedSecrets, webhookContext } from './secret.ts'

export const WEBHOOK_STATUSES = ['ACTIVE', 'DISABLED'] as const

/** An endpoint that a wallet registered. Its secrets are read apart, so that no list holds them. */
export type Webhook = {
  id: Id<'wh'>
  walletAddress: Address
  url: string
  description: string
  /** The types that it receives; null for every type, later ones too. */
  events: string[] | null
  status: (typeof WEBHOOK_STATUSES)[number]
  disabledReason: 'owner' | 'gone' | 'failing' | null
  disabledAt: Date | null
  /** The first failure since the last success. */
  failingSince: Date | null
  createdAt: Date
}

const COLUMNS = sql.raw(
  'id, wallet_address, url, description, events, status, disabled_reason, disabled_at, failing_since, created_at',
)

/** One of the wallet's webhooks. */
export type Mine = { id: string; walletAddress: string }
const isMine = ({ id, walletAddress }: Mine) =>
  sql`id = ${id} and wallet_address = ${walletAddress} and deleted_at is null`

type NewWebhook = Pick<
  Webhook,
  'id' | 'walletAddress' | 'url' | 'description' | 'events' | 'createdAt'
> & { host: string; secret: Buffer }

/** A slot of the wallet that no ACTIVE webhook has. The caller holds the lock of the owner's row. */
const freeSlot = (walletAddress: string) =>
  sql`(select slot from generate_series(1, 5) as slot where not exists (select from webhooks taken
    where taken.wallet_address = ${walletAddress} and taken.slot = slot.slot and taken.status = 'ACTIVE')
    order by slot limit 1)`

/** Stores an ACTIVE webhook; undefined if the wallet has five already. The caller holds the lock of the owner's row. */
export const insertWebhook = (tx: Tx, made: NewWebhook): Promise<Webhook | undefined> =>
  one<Webhook>(
    tx,
    sql`insert into webhooks (id, wallet_address, slot, url, host, description, events, secret, created_at)
      select ${made.id}, ${made.walletAddress}, slot, ${made.url}, ${made.host}, ${made.description},
        ${made.events}::text[], ${made.secret}::bytea, ${made.createdAt}::timestamptz
      from ${freeSlot(made.walletAddress)} as free
      returning ${COLUMNS}`,
  )

/** The wallet's webhooks, newest first. */
export const listWebhooks = (on: Reader, walletAddress: string): Promise<Webhook[]> =>
  all<Webhook>(
    on,
    sql`select ${COLUMNS} from webhooks where wallet_address = ${walletAddress} and deleted_at is null
      order by created_at desc, id desc`,
  )

export const countWebhooks = async (on: Reader, walletAddress: string): Promise<number> => {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from webhooks where wallet_address = ${walletAddress} and deleted_at is null`,
  )
  return Number(row?.n ?? 0n)
}

export const findWebhook = (on: Reader, mine: Mine): Promise<Webhook | undefined> =>
  one<Webhook>(on, sql`select ${COLUMNS} from webhooks where ${isMine(mine)}`)

export const lockWebhook = (tx: Tx, mine: Mine): Promise<Webhook | undefined> =>
  one<Webhook>(tx, sql`select ${COLUMNS} from webhooks where ${isMine(mine)} for no key update`)

export const findSecrets = (on: Reader, id: string): Promise<SealedSecrets | undefined> =>
  one<SealedSecrets>(
    on,
    sql`select id, secret, previous_secret, previous_until from webhooks where id = ${id}`,
  )

/** Whether the webhook is the wallet's, deleted ones included: their deliveries stay in the log. */
export const hasWebhook = async (on: Reader, { id, walletAddress }: Mine): Promise<boolean> =>
  (await one(
    on,
    sql`select from webhooks where id = ${id} and wallet_address = ${walletAddress}`,
  )) !== undefined

export type Changed = Pick<Webhook, 'url' | 'description' | 'events'> & { host: string }

/** Stores what the owner may change. A new URL begins without the failures of the old one. */
export async function saveChanges(tx: Tx, id: string, changed: Changed): Promise<void> {
  const isSame = sql`url = ${changed.url}`
  await sql`update webhooks set url = ${changed.url}, host = ${changed.host}, description = ${changed.description},
      events = ${changed.events}::text[], failures = case when ${isSame} then failures else 0 end,
      failing_since = case when ${isSame} then failing_since end,
      breaker_step = case when ${isSame} then breaker_step else 0 end,
      breaker_until = case when ${isSame} then breaker_until end
    where id = ${id}`.execute(tx)
}

/**
 * Makes a DISABLED webhook ACTIVE, without its failures; false if the wallet has five ACTIVE ones. It receives events of
 * later transactions. The caller holds the lock of the owner's row.
 */
export const activate = async (tx: Tx, { id, walletAddress }: Mine): Promise<boolean> =>
  (await run(
    tx,
    sql`update webhooks set status = 'ACTIVE', slot = free.slot, disabled_reason = null, disabled_at = null,
        failures = 0, failing_since = null, breaker_step = 0, breaker_until = null, active_xid = event_xid()
      from ${freeSlot(walletAddress)} as free where id = ${id} and status = 'DISABLED'`,
  )) === 1

export async function markDeleted(tx: Tx, at: Date, id: string): Promise<void> {
  await sql`update webhooks set deleted_at = ${at} where id = ${id}`.execute(tx)
}

/** Makes the secret the previous one, good until then, in place of the one that was. False for no such webhook. */
export const saveSecret = async (
  tx: Tx,
  mine: Mine,
  { secret, previousUntil }: { secret: Buffer; previousUntil: Date },
): Promise<boolean> =>
  (await run(
    tx,
    sql`update webhooks set previous_secret = secret, previous_until = ${previousUntil}, secret = ${secret}
      where ${isMine(mine)}`,
  )) === 1

const SECRETS = { purpose: PRIVATE_KEYS, table: 'webhooks', key: ['id'], context: webhookContext }

export const sealedWebhookSecrets = [
  sealedColumn({ ...SECRETS, what: 'secrets of webhooks', column: 'secret' }),
  sealedColumn({ ...SECRETS, what: 'earlier secrets of webhooks', column: 'previous_secret' }),
]
