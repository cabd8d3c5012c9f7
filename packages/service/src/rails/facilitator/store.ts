import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { hasJob } from '../../base/jobs/queue.ts'
import type { Address, Hex, Network } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { PERMIT2 } from '../../base/protocols/evm/permit2/abi.ts'
import type { Mechanism } from '../../base/protocols/x402/challenge.ts'
import { SEND_IS, SENDS } from '../../chain/relay/store.ts'
import { isClaimedElsewhere } from '../../chain/transfers/store.ts'
import { findLogUse } from '../../links/link/store-logs.ts'
import type { ListingAsked } from './discovery/listing.ts'
import { settlementTasks } from './tasks.ts'

/** Another seller's payment that the service submits to the chain. */
export type Settlement = {
  id: Id<'fst'>
  /** The owner of the key that asked for it. */
  walletAddress: Address
  network: Network
  token: Address
  /** For upto, the amount is what was used of the signed most. */
  method: Mechanism
  payer: Address
  /** For Permit2, its number as 32 bytes. */
  nonce: Hex
  payTo: Address
  amount: Amount
  /** Unix seconds; the authorization is valid before this. */
  validBefore: bigint
  fromBlock: bigint
  x402Version: number
  payloadHash: Buffer
  paymentIdentifier: string | null
  idempotencyKey: string | null
  resourceUrl: string | null
  /** The resource to look at once this is settled. */
  listing: ListingAsked | null
  state: 'settling' | 'settled' | 'failed'
  reason: string | null
  detail: string | null
  txHash: Hex | null
  logIndex: number | null
  finality: 'waiting' | 'final' | 'missing'
  /** From this time on one more caller may get the outcome; null once a success was reported. */
  nextAnswerAt: Date | null
  createdAt: Date
  endedAt: Date | null
}

const COLUMNS =
  sql.raw(`id, wallet_address, network, token, method, payer, nonce, pay_to, amount, valid_before, from_block, x402_version,
  payload_hash, payment_identifier, idempotency_key, resource_url, listing, state, reason, detail, tx_hash, log_index,
  finality, next_answer_at, created_at, ended_at`)

const ENDED_COLUMNS =
  sql.raw(`s.id, wallet_address, network, token, method, payer, nonce, pay_to, amount, valid_before,
  from_block, x402_version, payload_hash, payment_identifier, idempotency_key, resource_url, listing, s.state, s.reason,
  s.detail, s.tx_hash, s.log_index, finality, next_answer_at, created_at, ended_at`)

const CLAIMED_COLUMNS =
  sql.raw(`id, wallet_address, network, token, method, payer, nonce, pay_to, amount, valid_before,
  from_block, x402_version, payload_hash, payment_identifier, idempotency_key, resource_url, listing, next_answer_at,
  created_at`)
const CLAIMED_ELSEWHERE = isClaimedElsewhere({
  network: 'asked.network',
  payer: 'asked.payer',
  nonce: 'asked.nonce',
  ref: 'asked.id',
  keeper: sql`case asked.method when 'eip3009' then asked.token else ${PERMIT2} end`,
})

/** Claims the authorizations that are free, of links too. Returns the ids of those claims. */
export async function insertClaims(tx: Tx, claims: readonly Settlement[]): Promise<Set<string>> {
  const column = (pick: (claim: Settlement) => unknown) => claims.map(pick)
  const written = await all<{ id: string }>(
    tx,
    sql`with asked as (select * from unnest(${column((c) => c.id)}::text[], ${column((c) => c.walletAddress)}::text[],
        ${column((c) => c.network)}::text[], ${column((c) => c.token)}::text[], ${column((c) => c.method)}::text[],
        ${column((c) => c.payer)}::text[], ${column((c) => c.nonce)}::text[], ${column((c) => c.payTo)}::text[], ${column((c) => c.amount)}::numeric[],
        ${column((c) => c.validBefore)}::numeric[], ${column((c) => c.fromBlock)}::bigint[],
        ${column((c) => c.x402Version)}::integer[], ${column((c) => c.payloadHash)}::bytea[],
        ${column((c) => c.paymentIdentifier)}::text[], ${column((c) => c.idempotencyKey)}::text[],
        ${column((c) => c.resourceUrl)}::text[],
        ${column((c) => c.listing && JSON.stringify(c.listing))}::jsonb[],
        ${column((c) => c.nextAnswerAt)}::timestamptz[], ${column((c) => c.createdAt)}::timestamptz[])
        as a (${CLAIMED_COLUMNS}))
      insert into x402_settlements (${CLAIMED_COLUMNS}) select * from asked where not ${CLAIMED_ELSEWHERE}
      on conflict do nothing returning id`,
  )
  return new Set(written.map(({ id }) => id))
}

/** Deletes claims that have no transaction. Returns how many; a claim that ended or is gone does not count. */
export const deleteClaims = (tx: Tx, ids: readonly string[]): Promise<number> =>
  run(tx, sql`delete from x402_settlements where id = any(${ids}::text[]) and state = 'settling'`)

export const findSettlement = (on: Reader, id: string): Promise<Settlement | undefined> =>
  one<Settlement>(on, sql`select ${COLUMNS} from x402_settlements where id = ${id}`)

/** The settlement that has claimed the authorization, or its payment identifier for the same seller and payer. */
export const findClaimed = (
  on: Reader,
  of: Pick<Settlement, 'network' | 'token' | 'payer' | 'nonce'> &
    Pick<Settlement, 'walletAddress' | 'paymentIdentifier'>,
): Promise<Settlement | undefined> =>
  one<Settlement>(
    on,
    sql`select ${COLUMNS} from x402_settlements
      where (network = ${of.network} and token = ${of.token} and payer = ${of.payer} and nonce = ${of.nonce})
        or (wallet_address = ${of.walletAddress} and payer = ${of.payer}
          and payment_identifier = ${of.paymentIdentifier}::text)
      order by (nonce = ${of.nonce}) desc limit 1`,
  )

export const listSettlements = (
  on: Reader,
  walletAddress: string,
  page: { after: string | undefined; limit: number },
): Promise<Settlement[]> =>
  all<Settlement>(
    on,
    sql`select ${COLUMNS} from x402_settlements where wallet_address = ${walletAddress}
      and (${page.after ?? null}::text is null or id < ${page.after ?? null})
      order by id desc limit ${page.limit + 1}`,
  )

export type Ending =
  | { id: string; state: 'settled'; txHash: Hex; logIndex: number; isReported: boolean }
  /** `isOnChain`: a transaction of ours moved nothing. */
  | { id: string; state: 'failed'; reason: string; detail: string; isOnChain: boolean }

/** Ends settlements that had no end, and answers them as they are now. One transfer ends one settlement. */
export const endSettlements = (
  tx: Tx,
  at: Date,
  endings: readonly Ending[],
): Promise<Settlement[]> => {
  const settled = (ending: Ending) => (ending.state === 'settled' ? ending : undefined)
  const failed = (ending: Ending) => (ending.state === 'failed' ? ending : undefined)
  return all<Settlement>(
    tx,
    sql`update x402_settlements s set state = v.state, tx_hash = v.tx_hash, log_index = v.log_index,
        reason = v.reason, detail = v.detail, ended_at = ${at},
        next_answer_at = case when v.is_reported then null else s.next_answer_at end
      from (select distinct on (id) * from unnest(${endings.map(({ id }) => id)}::text[],
        ${endings.map(({ state }) => state)}::text[], ${endings.map((e) => settled(e)?.txHash ?? null)}::text[],
        ${endings.map((e) => settled(e)?.logIndex ?? null)}::integer[],
        ${endings.map((e) => settled(e)?.isReported ?? false)}::boolean[],
        ${endings.map((e) => failed(e)?.reason ?? null)}::text[],
        ${endings.map((e) => failed(e)?.detail ?? null)}::text[])
        as v (id, state, tx_hash, log_index, is_reported, reason, detail)) v
      where s.id = v.id and s.state = 'settling' returning ${ENDED_COLUMNS}`,
  )
}

/** Whether the log has ended no other settlement, and paid no link. */
export const isLogFree = async (
  on: Reader,
  { id, network }: Pick<Settlement, 'id' | 'network'>,
  { txHash, logIndex }: { txHash: Hex; logIndex: number },
): Promise<boolean> =>
  (await one(
    on,
    sql`select 1 from x402_settlements
      where network = ${network} and tx_hash = ${txHash} and log_index = ${logIndex} and id <> ${id}`,
  )) === undefined && (await findLogUse(on, { network, txHash, logIndex })) === undefined

/** Takes the right to the outcome, until `until`. One caller of many gets it, and none after a success was reported. */
export const takeAnswer = async (tx: Tx, at: Date, id: string, until: Date): Promise<boolean> =>
  (await run(
    tx,
    sql`update x402_settlements set next_answer_at = ${until} where id = ${id} and next_answer_at <= ${at}`,
  )) === 1

/** Gives the next caller the right to the outcome: this caller was answered `pending`. */
export const openAnswer = (tx: Tx, at: Date, id: string): Promise<number> =>
  run(
    tx,
    sql`update x402_settlements set next_answer_at = ${at} where id = ${id} and next_answer_at > ${at}`,
  )

/** Marks a success as reported. False if it was reported before. */
export const markReported = async (tx: Tx, id: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update x402_settlements set next_answer_at = null
      where id = ${id} and state = 'settled' and next_answer_at is not null`,
  )) === 1

/** Settlements that began before this time and have not ended. */
export async function findSettling(on: Reader, before: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from x402_settlements where state = 'settling' and created_at < ${before} order by created_at limit 500`,
  )
  return rows.map(({ id }) => id)
}

export const hasSettling = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from x402_settlements where state = 'settling' limit 1`)) !==
  undefined

/** Marks settlements final that the relay has seen in a safe block, with the log that was reported. */
export const saveFinal = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`update x402_settlements s set finality = 'final' from ${SENDS}
      where d.ref = 'x402:' || s.id and s.state = 'settled' and s.finality = 'waiting'
        and ${SEND_IS.safe} and d.hash = s.tx_hash and d.log_indexes[1] = s.log_index`,
  )

/** Settled payments that are not final and have no job of their own. `isOnItsWay`: only their block is not safe yet. */
export const findUnconfirmed = (on: Reader): Promise<{ id: string; isOnItsWay: boolean }[]> =>
  all(
    on,
    sql<{ id: string; isOnItsWay: boolean }>`select s.id,
        coalesce(${SEND_IS.mined} and d.hash = s.tx_hash
          and (not d.is_safe or d.log_indexes[1] = s.log_index), false) as is_on_its_way
      from x402_settlements s left join ${SENDS} on d.ref = 'x402:' || s.id
      where s.state = 'settled' and s.finality = 'waiting'
        and not ${hasJob(settlementTasks.lookAt, 's.id')}
      order by s.ended_at limit 2000`,
  )

/** Stores what a safe block shows of a settlement: where its transfer is, or that there is none. */
export const saveStanding = (
  tx: Tx,
  id: string,
  standing: { finality: 'final'; txHash: Hex; logIndex: number } | { finality: 'missing' },
): Promise<number> =>
  standing.finality === 'final'
    ? run(
        tx,
        sql`update x402_settlements set finality = 'final', tx_hash = ${standing.txHash},
          log_index = ${standing.logIndex} where id = ${id} and state = 'settled' and finality = 'waiting'`,
      )
    : run(
        tx,
        sql`update x402_settlements set finality = 'missing'
          where id = ${id} and state = 'settled' and finality = 'waiting'`,
      )

/** The newest settled payment of the payer for a resource, of a key of the wallet. */
export const findPaidResource = (
  on: Reader,
  of: { walletAddress: string; payer: string; resourceUrl: string },
): Promise<{ id: Id<'fst'> } | undefined> =>
  one<{ id: Id<'fst'> }>(
    on,
    sql`select id from x402_settlements where wallet_address = ${of.walletAddress} and payer = ${of.payer}
      and state = 'settled' and resource_url = ${of.resourceUrl} order by id desc limit 1`,
  )
