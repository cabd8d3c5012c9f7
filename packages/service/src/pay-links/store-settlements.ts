import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import type { PayLink, Settlement } from './store.ts'

/**
 * A settlement by a card of this service: the transactions of both cards and the decision of the payer's are read from it
 * (`card_settlement_sides`, `card_settlement_decisions`).
 */
export type CardSettlement = Settlement & {
  payerWallet: string
  receiverCardId: string
  receiverWallet: string
  /** The AP2 mandate that it was made on. */
  mandateId: string | null
  /** The payer's card as the policy saw it. */
  decidedOn: unknown
}

/** A settlement that is over as it is made: no chain takes part. */
export const settledAtOnce = (
  at: Date,
  of: Pick<Settlement, 'id' | 'protocol' | 'payer' | 'amount' | 'fee'> & { link: PayLink },
): Settlement => ({
  id: of.id,
  payLinkId: of.link.id,
  protocol: of.protocol,
  payer: of.payer,
  amount: of.amount,
  fee: of.fee,
  network: of.link.network,
  asset: of.link.asset,
  state: 'settled',
  reason: null,
  authNonce: null,
  fromBlock: null,
  txHash: null,
  isSwept: true,
  createdAt: at,
  settledAt: at,
})

/** The statement that inserts settlements by cards, all settled now and on one network. Undefined when there are no rows. */
export function insertCardSettlementsStatement(
  at: Date,
  rows: readonly CardSettlement[],
): RawBuilder<unknown> | undefined {
  const [first] = rows
  if (!first) return undefined
  const column = (pick: (row: CardSettlement) => unknown) => rows.map(pick)
  return sql`insert into pay_link_settlements (id, pay_link_id, payer, amount, fee, payer_wallet, receiver_card_id,
      receiver_wallet, mandate_id, decided_on, protocol, network, asset, state, created_at, settled_at)
    select *, ${first.network}, ${first.asset}, 'settled', ${at}::timestamptz, ${at}::timestamptz
    from unnest(${column((r) => r.id)}::text[], ${column((r) => r.payLinkId)}::text[],
      ${column((r) => r.payer)}::text[], ${column((r) => r.amount)}::numeric[], ${column((r) => r.fee)}::numeric[],
      ${column((r) => r.payerWallet)}::text[], ${column((r) => r.receiverCardId)}::text[],
      ${column((r) => r.receiverWallet)}::text[], ${column((r) => r.mandateId)}::text[],
      ${column((r) => JSON.stringify(r.decidedOn))}::json[], ${column((r) => r.protocol)}::text[])`
}

/** Ends those of the settlements that were on their way, each by the transaction that paid it; answers their ids. */
export async function endSettled(
  tx: Tx,
  at: Date,
  paid: readonly { id: string; txHash: Hex; isSwept: boolean }[],
): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`update pay_link_settlements s set state = 'settled', reason = null, tx_hash = v.tx_hash,
        is_swept = v.is_swept, settled_at = ${at}
      from (select distinct on (id) * from unnest(${paid.map(({ id }) => id)}::text[],
        ${paid.map(({ txHash }) => txHash)}::text[], ${paid.map(({ isSwept }) => isSwept)}::boolean[])
        as v (id, tx_hash, is_swept)) v
      where s.id = v.id and s.state = 'settling' returning s.id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Whether a claim has still to end. */
export const hasSettling = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from pay_link_settlements where state = 'settling' limit 1`)) !==
  undefined

/** Marks final whatever the sender has seen in a safe block, by the very log that was credited. */
export const saveFinal = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`update pay_link_confirmations c set state = 'final'
      from pay_link_settlements s
        join chain_sends d on d.ref = 'settle:' || s.id
        join pay_link_logs l on l.settlement_id = s.id and l.tx_hash = d.hash and l.log_index = d.log_indexes[1]
      where c.settlement_id = s.id and c.state = 'waiting' and s.state = 'settled' and s.tx_hash = d.hash
        and d.state = 'mined' and d.is_safe and s.is_swept`,
  )

/** Credited settlements without a job that are not final; whether only their block has still to be safe. */
export const findWaiting = (on: Reader): Promise<{ id: string; isOnItsWay: boolean }[]> =>
  all(
    on,
    sql<{ id: string; isOnItsWay: boolean }>`select s.id,
        coalesce(d.state = 'mined' and not d.is_safe and d.hash = s.tx_hash, false) as is_on_its_way
      from pay_link_confirmations c join pay_link_settlements s on s.id = c.settlement_id
        left join chain_sends d on d.ref = 'settle:' || s.id
      where c.state = 'waiting' and s.state = 'settled'
        and not exists (select 1 from graphile_worker.jobs j where j.key = 'confirm:' || s.id)
      order by c.created_at limit 2000`,
  )

/** Settlements of authorizations with these nonces, whoever signed them. */
export const findSettlementsByNonce = (
  on: Reader,
  nonces: readonly (Hex | null)[],
): Promise<Pick<Settlement, 'network' | 'asset' | 'payer' | 'authNonce'>[]> =>
  all(
    on,
    sql<Settlement>`select network, asset, payer, auth_nonce from pay_link_settlements
      where auth_nonce = any(${nonces}::text[])`,
  )

/** Settlements that were begun before this time and have not ended. */
export async function findSettling(on: Reader, before: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from pay_link_settlements where state = 'settling' and created_at < ${before}
      order by id limit 500`,
  )
  return rows.map((row) => row.id)
}

/** How far the chain has confirmed a settlement that was credited before its block was safe. */
export type Confirmation = { validBefore: bigint; state: 'waiting' | 'final' | 'missing' }

export async function insertConfirmations(
  tx: Tx,
  at: Date,
  of: readonly { settlementId: string; validBefore: bigint; signatureDigest: Buffer }[],
): Promise<void> {
  await sql`insert into pay_link_confirmations (settlement_id, valid_before, signature_digest, created_at)
    select *, ${at}::timestamptz from unnest(${of.map((one) => one.settlementId)}::text[],
      ${of.map((one) => one.validBefore)}::numeric[], ${of.map((one) => one.signatureDigest)}::bytea[])`.execute(
    tx,
  )
}

/** The digest of the signature that the authorization was claimed with. Undefined if it was not claimed. */
export async function findClaimedSignature(
  on: Reader,
  { network, asset }: Pick<PayLink, 'network' | 'asset'>,
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<Buffer | undefined> {
  const row = await one<{ signatureDigest: Buffer | null }>(
    on,
    sql`select c.signature_digest from pay_link_settlements s join pay_link_confirmations c on c.settlement_id = s.id
      where s.network = ${network} and s.asset = ${asset} and s.payer = ${from} and s.auth_nonce = ${nonce.toLowerCase()}`,
  )
  return row?.signatureDigest ?? undefined
}

export const findConfirmation = (on: Reader, id: string): Promise<Confirmation | undefined> =>
  one<Confirmation>(
    on,
    sql`select valid_before, state from pay_link_confirmations where settlement_id = ${id}`,
  )

/** Marks a credited settlement that was never paid. False where it was marked, or confirmed, before. */
export const saveMissing = async (tx: Tx, id: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update pay_link_confirmations set state = 'missing' where settlement_id = ${id} and state = 'waiting'`,
  )) === 1

/** Settlements credited before this time that no safe block has confirmed: their jobs may be lost. */
export async function findUnconfirmed(on: Reader, before: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select c.settlement_id as id from pay_link_confirmations c join pay_link_settlements s on s.id = c.settlement_id
      where c.state = 'waiting' and s.state = 'settled' and c.created_at < ${before} order by c.created_at limit 500`,
  )
  return rows.map((row) => row.id)
}

/** How many credited settlements a safe block says were never paid, and their sum in base units. */
export const countMissing = (
  on: Reader,
): Promise<{ settlements: bigint; sum: bigint } | undefined> =>
  one(
    on,
    sql<{
      settlements: bigint
      sum: bigint
    }>`select count(*) as settlements, coalesce(sum(s.amount), 0) as sum
      from pay_link_confirmations c join pay_link_settlements s on s.id = c.settlement_id where c.state = 'missing'`,
  )

/** The settlement's money has left the link's address. */
export async function markSwept(tx: Tx, id: string): Promise<void> {
  await sql`update pay_link_settlements set is_swept = true where id = ${id} and not is_swept`.execute(
    tx,
  )
}

/** Settlements older than this whose money stands at their link's address, and that no job is sweeping. */
export async function findUnswept(
  on: Reader,
  of: { before: Date; least: bigint },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from pay_link_settlements s where not is_swept and created_at < ${of.before}
      and amount >= ${of.least}
      and not exists (select from graphile_worker.jobs j where j.key = 'sweep:' || s.id) order by id limit 100`,
  )
  return rows.map((row) => row.id)
}

/** Addresses below which money of the house may stand until it is swept to the treasury. */
export async function findUnsweptAddresses(on: Reader, network: string): Promise<Address[]> {
  const rows = await all<{ depositAddress: Address }>(
    on,
    sql`select distinct l.deposit_address from pay_links l join pay_link_settlements s on s.pay_link_id = l.id
      where l.network = ${network} and not s.is_swept`,
  )
  return rows.map((row) => row.depositAddress)
}
